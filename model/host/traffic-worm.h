/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_WORM_H
#define TRAFFIC_WORM_H

#include "ns3/nstime.h"
#include "ns3/worm.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief A worm of synthetic traffic, of kind BARE: it knows where it comes from and since when.
class TrafficWorm : public Worm
{
  public:
    /// @param source sending host
    /// @param destination receiving host
    /// @param generated when it was made
    /// @param flits length in flits
    /// @param route its way
    TrafficWorm(uint32_t source,
                uint32_t destination,
                Time generated,
                uint64_t flits,
                Ptr<const WormRoute> route)
        : Worm(BARE, nullptr, flits, route),
          m_source(source),
          m_destination(destination),
          m_generated(generated)
    {
    }

    /// @return sending host
    uint32_t GetSource() const
    {
        return m_source;
    }

    /// @return receiving host
    uint32_t GetDestination() const
    {
        return m_destination;
    }

    /// @return when it was made
    Time GetGenerated() const
    {
        return m_generated;
    }

  private:
    uint32_t m_source;      ///< sending host
    uint32_t m_destination; ///< receiving host
    Time m_generated;       ///< when it was made
};

} // namespace ns3

#endif /* TRAFFIC_WORM_H */
