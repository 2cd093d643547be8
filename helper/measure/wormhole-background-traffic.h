/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_BACKGROUND_TRAFFIC_H
#define WORMHOLE_BACKGROUND_TRAFFIC_H

#include "ns3/collective-domain.h"
#include "ns3/event-id.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Ends a simulation whose traffic is more than the fabric takes, or stands still: worms
///        that wait would be more and more, and whatever is measured beside them would wait ever
///        longer.
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

/// @ingroup wormhole
/// @brief Ends the simulation if nothing that is waited for happens for some time: what beside
///        traffic that never ends would go on for ever.
class StallDetector
{
  public:
    /// Begins to look at once, for as long as it lives.
    /// @param last returns when something that is waited for happened last
    /// @param limit how long nothing may
    StallDetector(std::function<Time()> last, Time limit);

    /// Looks no longer.
    ~StallDetector();

    StallDetector(const StallDetector&) = delete;            ///< events hold its address
    StallDetector& operator=(const StallDetector&) = delete; ///< events hold its address

  private:
    void Look();

    std::function<Time()> m_last; ///< when something happened last
    Time m_limit;                 ///< how long nothing may
    EventId m_event;              ///< looks
};

/**
 * @ingroup wormhole
 * @brief Traffic of all hosts beside a collective: what measures one has it made, warmed up and
 *        ended here.
 *
 * Traffic runs for a warm-up of WARM_UP pauses before anything is measured. Between two rounds that
 * are measured apart there is a pause, in which each host makes PAUSE_WORMS worms on the average,
 * and a longer one while more than WAITING worms of each host wait: what a round has held up does
 * not count for the next one. What is measured ends it by Stop; worms on their way still arrive.
 *
 * Without a load there is no traffic, and nothing waits.
 */
class BackgroundTraffic
{
  public:
    /// First stream of random numbers where nobody chooses one: above all that studies offer.
    static constexpr int64_t STREAM = int64_t{1} << 40;

    /// Waiting worms for each host that sends, above which the simulation ends, whatever it does.
    static constexpr uint64_t MOST_WAITING = 2000;

    /// What traffic there is.
    struct Parameters
    {
        double load{0};                     ///< offered load, over a host's channel; 0: none
        std::string flits{"64"};            ///< length of worms, see WormLength::Parse
        std::string pattern{"uniform"};     ///< who sends to whom, see WormholeTrafficHelper
        int64_t stream{STREAM};             ///< first of three streams of random numbers
        uint64_t mostWaiting{MOST_WAITING}; ///< waiting worms for each host that sends, at most

        /// @return whether there is any
        bool IsThere() const;

        /// Refuses what can't be.
        /// @param graph the fabric's graph; null: it is not known yet
        /// @throws WormholeError if the length of worms or the pattern is none, or that does not
        /// fit the fabric
        void Check(const FabricGraph* graph) const;
    };

    /// Worms that a host makes in a pause, on the average.
    static constexpr int64_t PAUSE_WORMS = 32;

    /// Worms for each host that may wait when a round begins.
    static constexpr uint64_t WAITING = 8;

    /// Pauses before the first round.
    static constexpr int64_t WARM_UP = 4;

    /// Times as long as a round and as some pauses that worms may take that it has held up.
    static constexpr int64_t PATIENCE = 8;

    /// Makes the traffic, which Begin or Start starts. It must live until Simulator::Run returns.
    /// @param domain the collective domain of a fabric
    /// @param parameters what there is
    /// @throws WormholeError if there is no fabric, or the traffic can't be
    BackgroundTraffic(const CollectiveDomain& domain, const Parameters& parameters);
    ~BackgroundTraffic();

    BackgroundTraffic(const BackgroundTraffic&) = delete;            ///< events hold its address
    BackgroundTraffic& operator=(const BackgroundTraffic&) = delete; ///< events hold its address

    /// @return the traffic; null: there is none
    Ptr<WormholeTraffic> Get() const
    {
        return m_traffic;
    }

    /// Starts it. @return how long the warm-up takes, from now on; 0 without traffic
    Time Start();

    /// Starts it, and has the first round begin after the warm-up; without traffic, now.
    /// @param round begins it
    void Begin(const std::function<void()>& round);

    /// Has the next round begin after a pause.
    /// @param last how long the last one took
    /// @param round begins it
    void Next(Time last, const std::function<void()>& round);

    /// @param unloaded how long a round takes without traffic
    /// @return for how long nothing may begin before rounds count as standing still
    Time GetLimit(Time unloaded) const;

    /// @return when a round began, or was looked at whether it may
    Time GetLastLook() const
    {
        return m_lastLook;
    }

    /// Ends it; what waits to begin does not.
    void Stop();

  private:
    /// Begins a round, unless too many worms wait.
    void Look();

    Ptr<WormholeFabric> m_fabric;          ///< the fabric
    Ptr<WormholeTraffic> m_traffic;        ///< the traffic; null: none
    std::unique_ptr<BacklogLimit> m_limit; ///< ends a simulation with too much of it
    Time m_pause;                          ///< least time between two rounds
    Time m_waited;                         ///< time since the end of the last round
    Time m_patience;                       ///< greatest time from then to the next one
    Time m_lastLook;                       ///< when a round began, or was to
    std::function<void()> m_round;         ///< begins a round
    EventId m_event;                       ///< looks
};

/// @ingroup wormhole
/// @brief Rounds of whatever it is, one after the other beside traffic, with pauses between them,
///        see BackgroundTraffic. Traffic ends with the last round.
class LoadedRounds
{
  public:
    /// Makes the traffic.
    /// @param domain the collective domain of a fabric, which must outlive this
    /// @param traffic what there is
    /// @throws WormholeError as BackgroundTraffic
    LoadedRounds(const CollectiveDomain& domain, const BackgroundTraffic::Parameters& traffic);

    LoadedRounds(const LoadedRounds&) = delete;            ///< events hold its address
    LoadedRounds& operator=(const LoadedRounds&) = delete; ///< events hold its address

    /// Does rounds, once, and waits until all worms have arrived.
    /// @param what is done, such as "a collective"
    /// @param rounds how many, at least 1
    /// @param unloaded how long one takes without traffic
    /// @param enter begins a round, at whose end End must be called
    /// @throws WormholeError if there are no rounds, or one does not end; a BacklogLimit::Overload
    /// if the traffic is more than the fabric takes. The simulation must be destroyed then
    void Run(const std::string& what,
             uint32_t rounds,
             Time unloaded,
             const std::function<void()>& enter);

    /// Ends a round. @return whether it was the last
    bool End();

    /// @return whether rounds are still to be done
    bool HasRemaining() const;

    /// @return when this round began
    Time GetBegin() const
    {
        return m_begin;
    }

  private:
    const CollectiveDomain& m_domain;       ///< where
    BackgroundTraffic m_traffic;            ///< beside the rounds
    std::unique_ptr<StallDetector> m_watch; ///< ends rounds that stand still
    std::function<void()> m_round;          ///< begins a round
    uint32_t m_left{0};                     ///< rounds to be done
    Time m_begin;                           ///< of this round
};

} // namespace ns3

#endif /* WORMHOLE_BACKGROUND_TRAFFIC_H */
