/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_SINK_H
#define WORM_SINK_H

#include "worm.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief Takes the worms that end at a node.
class WormSink
{
  public:
    virtual ~WormSink() = default;

    /// Takes a worm. @param worm the worm @param port number of the port that it came by
    virtual void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) = 0;

    /// A worm that the node is to pass on is put into its sending queue (rule S13). Only hosts have
    /// to know.
    virtual void NoteTransit(Ptr<const Worm>)
    {
    }

    /// The time has come that was asked for by WormholeNodeState::ResumeAt.
    virtual void Resume()
    {
    }
};

} // namespace ns3

#endif /* WORM_SINK_H */
