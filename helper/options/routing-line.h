/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTING_LINE_H
#define ROUTING_LINE_H

#include "ns3/routing-progress.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Tells on a terminal how far a routing engine is that takes long, as long as this is there.
 *
 * It is one line of standard error, which is gone when the routes are there.
 */
class RoutingLine
{
  public:
    RoutingLine();
    ~RoutingLine();

    RoutingLine(const RoutingLine&) = delete;            ///< one line, one writer
    RoutingLine& operator=(const RoutingLine&) = delete; ///< one line, one writer

  private:
    /// Writes the line anew. @param what,done,all see RoutingProgress::Listener
    void Tell(const std::string& what, uint64_t done, uint64_t all);

    std::size_t m_width{0};             ///< characters of the line
    RoutingProgress::Listener m_before; ///< who was told before
};

} // namespace ns3

#endif /* ROUTING_LINE_H */
