/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BACKLOG_LIMIT_H
#define BACKLOG_LIMIT_H

#include "ns3/wormhole-traffic.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Ends a simulation whose traffic is more than the fabric takes, or stands still: worms that
 *        wait would be more and more, and whatever is measured beside them would wait ever longer.
 */
class BacklogLimit
{
  public:
    /// Waiting worms for each host that sends, above which it ends.
    static constexpr uint64_t PER_SENDER = 200;

    /// Begins to look. It must live until Simulator::Run returns. @param fabric the fabric
    /// @param traffic its traffic
    BacklogLimit(Ptr<WormholeFabric> fabric, Ptr<WormholeTraffic> traffic);

    ~BacklogLimit();

    BacklogLimit(const BacklogLimit&) = delete;            ///< a trace holds its address
    BacklogLimit& operator=(const BacklogLimit&) = delete; ///< a trace holds its address

  private:
    /// A worm was made. @throws WormholeError if too many wait, with the deadlock if there is one
    void Look(Ptr<const TrafficWorm>);

    Ptr<WormholeFabric> m_fabric;   ///< the fabric
    Ptr<WormholeTraffic> m_traffic; ///< its traffic
};

} // namespace ns3

#endif /* BACKLOG_LIMIT_H */
