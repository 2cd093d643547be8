// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_BACKGROUND_TRAFFIC_H
#define WORMHOLE_BACKGROUND_TRAFFIC_H

#include "ns3/collective-domain.h"
#include "ns3/event-id.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Ends a simulation if its traffic has stalled or overloads the fabric: otherwise worms
///        would accumulate without limit, and measurements would never end.
class BacklogLimit
{
  public:
    /// Thrown when the traffic overloads the fabric.
    struct Overload : public WormholeError
    {
        using WormholeError::WormholeError;
    };

    /// Default maximum number of waiting worms (see CountWaiting) per sending host.
    static constexpr uint64_t PER_SENDER = 200;

    /// Starts checking the backlog; the object must exist until Simulator::Run returns.
    BacklogLimit(Ptr<WormholeFabric> fabric,
                 Ptr<WormholeTraffic> traffic,
                 uint64_t perSender = PER_SENDER)
        : m_fabric(fabric),
          m_traffic(traffic),
          m_perSender(perSender)
    {
        traffic->TraceConnectWithoutContext("Generated", MakeCallback(&BacklogLimit::Look, this));
    }

    ~BacklogLimit()
    {
        m_traffic->TraceDisconnectWithoutContext("Generated",
                                                 MakeCallback(&BacklogLimit::Look, this));
    }

    BacklogLimit(const BacklogLimit&) = delete;            ///< not copyable
    BacklogLimit& operator=(const BacklogLimit&) = delete; ///< not copyable

    /// Counts worms that were generated but neither delivered nor lost.
    static uint64_t CountWaiting(const WormholeTraffic& traffic)
    {
        const auto& counts = traffic.GetCounts();
        return counts.generatedWorms - counts.deliveredWorms - counts.lostWorms;
    }

    /// Throws an Overload or, if worms are deadlocked, a WormholeError that describes the deadlock.
    [[noreturn]] static void Refuse(WormholeFabric& fabric, const WormholeTraffic& traffic);

  private:
    void Look(Ptr<const TrafficWorm>)
    {
        if (CountWaiting(*m_traffic) > m_perSender * m_traffic->GetNSenders())
        {
            Refuse(*m_fabric, *m_traffic);
        }
    }

    Ptr<WormholeFabric> m_fabric;   ///< the fabric
    Ptr<WormholeTraffic> m_traffic; ///< its traffic
    uint64_t m_perSender;           ///< maximum number of waiting worms per sending host
};

/// @ingroup wormhole
/// @brief Ends a simulation that makes no progress for some time, although traffic keeps it going.
class StallDetector
{
  public:
    /// Stops the simulation after 1 to 2 times `limit` without progress; if no host resends
    /// messages, also if no progress follows within `afterLoss` after an outage lost a message;
    /// last() returns the time of the last progress.
    StallDetector(const CollectiveDomain& domain,
                  std::function<Time()> last,
                  Time limit,
                  Time afterLoss);

    /// Stops checking for progress.
    ~StallDetector();

    StallDetector(const StallDetector&) = delete;            ///< not copyable
    StallDetector& operator=(const StallDetector&) = delete; ///< not copyable

  private:
    void Look();
    void NoteLoss(const WormholeLoss& loss);

    std::function<Time()> m_last; ///< returns the time of the last progress
    Time m_limit;                 ///< maximum time without progress
    Time m_afterLoss;             ///< maximum time without progress after a loss
    EventId m_event;              ///< next check
    EventId m_lossEvent;          ///< check after a loss
    Ptr<WormholeFabric> m_fabric; ///< the fabric, if it reports losses
};

/// @ingroup wormhole
/// @brief Background traffic of all hosts during a measurement: creates it, warms it up and ends
///        it.
///
/// A pause is the time in which each host generates PAUSE_WORMS worms on average. Traffic runs for
/// WARM_UP pauses before the first round, and for one pause before each later round. After this, a
/// round still waits until at most WAITING worms per host wait, so that the backlog of one round
/// does not affect the next. Stop ends the traffic; worms in flight still arrive. With a load of 0
/// there is no traffic, no warm-up and no pause.
class BackgroundTraffic
{
  public:
    /// Default first random stream: its number is higher than those of all streams of studies.
    static constexpr int64_t STREAM = int64_t{1} << 40;

    /// Default maximum number of waiting worms per sending host; if more wait, the simulation ends.
    static constexpr uint64_t MOST_WAITING = 2000;

    /// Parameters of the traffic.
    struct Parameters
    {
        double load{0};                     ///< offered load, relative to a host's channel; 0: none
        std::string flits{"64"};            ///< length of worms in flits, see WormLength::Parse
        std::string pattern{"uniform"};     ///< traffic pattern, see WormholeTrafficHelper
        int64_t stream{STREAM};             ///< first of three random stream indexes
        uint64_t mostWaiting{MOST_WAITING}; ///< maximum number of waiting worms per sending host

        /// @return whether there is any traffic
        bool IsThere() const
        {
            return load > 0;
        }

        /// Throws a WormholeError if the length of worms or the pattern is invalid, or the pattern
        /// does not fit the fabric; if the fabric is not known yet (null), the fit is not checked.
        void Check(const FabricGraph* graph) const;
    };

    /// Average number of worms that a host generates in a pause between rounds.
    static constexpr int64_t PAUSE_WORMS = 32;

    /// Maximum number of waiting worms per sending host when a round begins.
    static constexpr uint64_t WAITING = 8;

    /// Length of the warm-up before the first round, as a number of pauses.
    static constexpr int64_t WARM_UP = 4;

    /// After a round that took t, the backlog must clear within PATIENCE * (t + PATIENCE * pause).
    static constexpr int64_t PATIENCE = 8;

    /// Creates the traffic, which Begin or Start starts; this object must outlive Simulator::Run;
    /// with a load above 0, throws a WormholeError if there is no fabric or the traffic is invalid.
    BackgroundTraffic(const CollectiveDomain& domain, const Parameters& parameters);

    ~BackgroundTraffic()
    {
        Stop();
    }

    /// @return the traffic; null if none
    Ptr<WormholeTraffic> Get() const
    {
        return m_traffic;
    }

    /// Starts the traffic. @return the warm-up time, counted from now; 0 without traffic
    Time Start();

    /// Starts the traffic, if any, and schedules the first round for the end of the warm-up.
    void Begin(const std::function<void()>& round)
    {
        m_round = round;
        m_waited = Time(0);
        m_patience = m_pause * PATIENCE;
        m_event = Simulator::Schedule(Start(), &BackgroundTraffic::Look, this);
    }

    /// Schedules the next round after a pause, given the duration of the last round.
    void Next(Time last, const std::function<void()>& round)
    {
        m_round = round;
        m_waited = m_pause;
        m_patience = (last + m_pause * PATIENCE) * PATIENCE;
        m_event = Simulator::Schedule(m_pause, &BackgroundTraffic::Look, this);
    }

    /// Returns the time after GetLastLook() at which a round counts as stalled; `unloaded` is the
    /// time that a round takes without traffic.
    Time GetLimit(Time unloaded) const
    {
        return (unloaded + m_pause) * PATIENCE * int64_t{128};
    }

    /// @return time of the last check whether a round may start; before any check, time of Start
    Time GetLastLook() const
    {
        return m_lastLook;
    }

    /// Ends the traffic, and cancels the round that waits to start, if any.
    void Stop();

  private:
    /// Starts a round, unless too many worms wait.
    void Look();

    Ptr<WormholeFabric> m_fabric;          ///< the fabric
    Ptr<WormholeTraffic> m_traffic;        ///< the traffic; null if none
    std::unique_ptr<BacklogLimit> m_limit; ///< ends an overloaded simulation
    Time m_pause;                          ///< minimum time between two rounds
    Time m_waited;                         ///< time since the end of the last round
    Time m_patience;                       ///< maximum time from a round's end to the next start
    Time m_lastLook;                       ///< time of the last start or check
    std::function<void()> m_round;         ///< starts a round
    EventId m_event;                       ///< next check
};

/// @ingroup wormhole
/// @brief Runs rounds under background traffic, with pauses between them, see BackgroundTraffic.
///        Traffic ends with the last round.
class LoadedRounds
{
  public:
    /// Creates traffic in a domain that must outlive this object; throws like BackgroundTraffic.
    LoadedRounds(const CollectiveDomain& domain, const BackgroundTraffic::Parameters& traffic)
        : m_domain(domain),
          m_traffic(domain, traffic)
    {
    }

    /// Performs rounds, each started by `enter` and ended by a call of End, and waits until all
    /// worms have arrived; `what` names a round in errors; `unloaded` is a round's time without
    /// traffic; call it once; it throws a WormholeError if there are no rounds or one does not end,
    /// and a BacklogLimit::Overload if traffic overloads the fabric: then destroy the simulation.
    void Run(const std::string& what,
             uint32_t rounds,
             Time unloaded,
             const std::function<void()>& enter);

    /// Ends a round, and tells whether it was the last round.
    bool End();

    /// @return whether rounds remain
    bool HasRemaining() const
    {
        return m_left > 0;
    }

    /// @return start of the current round
    Time GetBegin() const
    {
        return m_begin;
    }

  private:
    const CollectiveDomain& m_domain;       ///< the collective domain
    BackgroundTraffic m_traffic;            ///< background traffic
    std::unique_ptr<StallDetector> m_watch; ///< ends stalled rounds
    std::function<void()> m_round;          ///< starts a round
    uint32_t m_left{0};                     ///< rounds remaining
    Time m_begin;                           ///< start of the current round
};

/// @ingroup wormhole
/// @brief The options --load, --pattern and --flits for background traffic of all hosts (see
///        BackgroundTraffic), common to many programs that measure collectives on a fabric.
///
/// Without --load, or with --load=0, there is no background traffic.
class TrafficOptions
{
  public:
    /// @return the traffic options
    static std::vector<StudyParameter> GetParameters();

    /// Adds the traffic options.
    static void Add(ProgramOptions& options)
    {
        for (const auto& parameter : GetParameters())
        {
            options.Add(parameter);
        }
    }

    /// Tells whether the options request traffic.
    static bool IsThere(const OptionValues& options);

    /// Reads the traffic's parameters for a fabric; the graph may be null if the fabric is not
    /// known yet; throws a WormholeError if a parameter is invalid, or an option has no effect.
    static BackgroundTraffic::Parameters Read(const OptionValues& options,
                                              const FabricGraph* graph);

    /// For an ideal network: throws a WormholeError if a traffic option except --load=0 is given;
    /// the error says that `accepted` is expected instead.
    static void RefuseIdeal(const OptionValues& options, const std::string& accepted);

    /// Throws a WormholeError if the option `name`, which has an effect only under traffic, is
    /// given without traffic.
    static void RefuseWithout(const OptionValues& options, const std::string& name);
};

} // namespace ns3

#endif /* WORMHOLE_BACKGROUND_TRAFFIC_H */
