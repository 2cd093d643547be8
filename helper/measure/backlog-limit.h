/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BACKLOG_LIMIT_H
#define BACKLOG_LIMIT_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <functional>

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
    /// The traffic is more than the fabric takes.
    struct Overload : public WormholeError
    {
        using WormholeError::WormholeError;
    };

    /// Waiting worms for each host that sends, above which it ends.
    static constexpr uint64_t PER_SENDER = 200;

    /// Begins to look. It must live until Simulator::Run returns.
    /// @param fabric the fabric
    /// @param traffic its traffic
    /// @param perSender waiting worms for each host that sends, above which it ends
    BacklogLimit(Ptr<WormholeFabric> fabric,
                 Ptr<WormholeTraffic> traffic,
                 uint64_t perSender = PER_SENDER);

    ~BacklogLimit();

    BacklogLimit(const BacklogLimit&) = delete;            ///< a trace holds its address
    BacklogLimit& operator=(const BacklogLimit&) = delete; ///< a trace holds its address

    /// @return worms that have been made and not delivered @param traffic their traffic
    static uint64_t CountWaiting(const WormholeTraffic& traffic);

    /// Refuses the load.
    /// @param fabric the fabric
    /// @param traffic its traffic
    /// @throws WormholeError with the deadlock, if there is one; else an Overload
    [[noreturn]] static void Refuse(WormholeFabric& fabric, const WormholeTraffic& traffic);

  private:
    void Look(Ptr<const TrafficWorm>);

    Ptr<WormholeFabric> m_fabric;   ///< the fabric
    Ptr<WormholeTraffic> m_traffic; ///< its traffic
    uint64_t m_perSender;           ///< waiting worms for each host that sends, at most
};

/**
 * @ingroup wormhole
 * @brief Ends the simulation if nothing that is waited for happens for some time: what beside
 *        traffic that never ends would go on for ever.
 */
class ProgressWatch
{
  public:
    /// Begins to look at once, for as long as it lives.
    /// @param last returns when something that is waited for happened last
    /// @param limit how long nothing may
    ProgressWatch(std::function<Time()> last, Time limit);

    /// Looks no longer.
    ~ProgressWatch();

    ProgressWatch(const ProgressWatch&) = delete;            ///< events hold its address
    ProgressWatch& operator=(const ProgressWatch&) = delete; ///< events hold its address

  private:
    void Look();

    std::function<Time()> m_last; ///< when something happened last
    Time m_limit;                 ///< how long nothing may
    EventId m_event;              ///< looks
};

} // namespace ns3

#endif /* BACKLOG_LIMIT_H */
