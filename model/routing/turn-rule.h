/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_RULE_H
#define TURN_RULE_H

#include "fabric-graph.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief By which channels routes may go on: what proves a large fabric free of deadlock without
/// making all of its routes. Routes need not use all that the rule allows.
class TurnRule
{
  public:
    virtual ~TurnRule() = default;

    /// @param graph the fabric
    /// @return whether channels can follow each other in a circle by this rule; if not, no worms on
    /// the rule's routes can deadlock
    virtual bool HasCircle(const FabricGraph& graph) const = 0;
};

/// @ingroup wormhole
/// @brief A rule by kinds: every channel from a switch to another is of some kind, such as up or
/// down, and whether it may follow another on a route, their kinds say.
class KindRule : public TurnRule
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// @return number of kinds of channels
    virtual uint32_t GetNKinds() const = 0;

    /// @return kind of the channel from a switch to another
    /// @param node the switch
    /// @param port its port
    virtual uint32_t GetKind(Node node, Port port) const = 0;

    /// @return whether a route may have them one after the other
    /// @param kind kind of a channel
    /// @param next kind of a channel that begins where it ends
    virtual bool MayFollow(uint32_t kind, uint32_t next) const = 0;

    bool HasCircle(const FabricGraph& graph) const override;
};

} // namespace ns3

#endif /* TURN_RULE_H */
