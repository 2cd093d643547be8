// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_ORACLE_H
#define FLIT_ORACLE_H

#include "../test-tools.h"

#include "ns3/worm-replay.h"
#include "ns3/wormhole-fabric.h"

#include <cstddef>
#include <optional>

namespace ns3
{

/// The delays and depths of a case's fabric: the case's own everywhere, or uneven ones around them.
class FabricDelays
{
  public:
    FabricDelays(const WormCase& worms, bool uneven)
        : m_case(worms),
          m_uneven(uneven)
    {
    }

    /// @return flit time of the cable at a port, ps
    int64_t GetFlitTime(FabricGraph::Node node, int port) const
    {
        return m_case.GetTiming({node, static_cast<FabricGraph::Port>(port)}).flitTimePs;
    }

    /// @return propagation delay p of the cable at a port, ps
    int64_t GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const
    {
        // The same seen from either end of the cable.
        const auto far = m_case.graph.Peer(node, port);
        return m_case.GetTiming({node, port}).linkDelayPs *
               (m_uneven ? 1 + (node + far.node + port + far.port) % 4 : 1);
    }

    /// @return delay t_r of a switch, ps
    int64_t GetSwitchDelay(FabricGraph::Node node) const
    {
        return m_case.GetTiming({node, 0}).switchDelayPs + (m_uneven ? 13 * (node % 3) : 0);
    }

    /// @return depth D of the buffer at a port, flits
    uint32_t GetDepth(FabricGraph::Node node, FabricGraph::Port port) const
    {
        const auto depth = m_case.GetTiming({node, port}).depth;
        return m_uneven ? 1 + (depth + 5 * node + 3 * port) % (depth + 3) : depth;
    }

    void Apply(WormholeFabric& fabric) const
    {
        for (FabricGraph::Node node = 0; node < m_case.graph.GetNSwitches(); ++node)
        {
            auto fabricSwitch = fabric.GetSwitch(node);
            fabricSwitch->SetAttribute("Delay", TimeValue(PicoSeconds(GetSwitchDelay(node))));
            for (FabricGraph::Port number = 0; number < fabricSwitch->GetNPorts(); ++number)
            {
                auto port = fabricSwitch->GetPort(number);
                if (port->IsConnected())
                {
                    port->SetAttribute("BufferDepth", UintegerValue(GetDepth(node, number)));
                    port->GetChannel()->SetAttribute(
                        "Delay",
                        TimeValue(PicoSeconds(GetLinkDelay(node, number))));
                }
            }
        }
    }

  private:
    const WormCase& m_case; ///< the case
    bool m_uneven;          ///< whether cables, switches and buffers differ
};

/// A worm in a buffer, or in the sending queue of a host, at an instant of which all has happened.
struct FlitWaiting
{
    /// An output that the worm has asked for.
    struct Output
    {
        std::optional<std::size_t> owner; ///< worm that has it
        uint32_t credits;                 ///< slots that are free beyond it
        std::set<std::size_t> beyond;     ///< worms in the buffer there

        bool operator==(const Output& other) const
        {
            return owner == other.owner && credits == other.credits && beyond == other.beyond;
        }
    };

    std::size_t front;           ///< worm in front, which may be this
    bool isReady;                ///< whether its head could ask if it were in front
    std::vector<Output> outputs; ///< by branch; none before it has asked

    bool operator==(const FlitWaiting& other) const
    {
        return front == other.front && isReady == other.isReady && outputs == other.outputs;
    }
};

/// A worm that waits for a lane of an output, at an instant whose grants are made.
struct LaneWaiting
{
    std::optional<std::size_t> owner; ///< worm that has the output
    int64_t credits;                  ///< the lane's, without those that its owner will take
    std::vector<std::size_t> before;  ///< worms that asked for the lane earlier, in order
};

/// What worms of a case did and waited for, by worm and stop of its route.
struct FlitLog
{
    using Key = std::pair<std::size_t, WormRoute::Stop>; ///< a worm, and a stop

    /// A worm that a host passes on (S13).
    struct Passing
    {
        int64_t ready; ///< when the flit was ready for which it waited
        int64_t put;   ///< when it was put into the sending queue
    };

    std::map<Key, std::map<int64_t, FlitWaiting>> waiting; ///< by time, where it changes; of flits
    std::map<Key, std::vector<int64_t>> starts;            ///< of flits that start on the way there
    std::map<Key, int64_t> reads;                          ///< S1b: when a flit was dropped there
    std::map<Key, Passing> passings;                       ///< at a host there
    std::map<Key, int64_t> asked;                          ///< when it asked for the lane to there
    std::map<Key, std::map<int64_t, LaneWaiting>> lanes;   ///< for that, by time; of whole worms
};

/// Moves every flit of a case on its own, by rules S1 to S14 and S1b and nothing else: slow, plain,
/// and without a line in common with the fabric that it judges. @param delays delays and depths of
/// its fabric @param log where to write what worms did at each instant; null: nowhere
/// @return when worms started, left and arrived, and what outages made of them
ReplayOutcome MoveFlitByFlit(const WormCase& worms,
                             const FabricDelays& delays,
                             FlitLog* log = nullptr);

inline std::string
PrintOutcome(const WormCase& worms, const ReplayOutcome& outcome)
{
    std::ostringstream os;
    PrintReplay(os, worms, outcome);
    return os.str();
}

inline std::vector<uint64_t>
ListBlocked(const ReplayOutcome& outcome)
{
    std::vector<uint64_t> blocked;
    for (std::size_t w = 0; w < outcome.worms.size(); ++w)
    {
        if (outcome.worms[w].blocked)
        {
            blocked.push_back(w);
        }
    }
    return blocked;
}

inline std::vector<uint64_t>
GetReported(const ReplayOutcome& outcome)
{
    return outcome.reports.empty() ? std::vector<uint64_t>() : outcome.reports.back().blocked;
}

/// @return what the oracle says of a case whose cables, switches and buffers are all as it tells
inline ReplayOutcome
AskOracle(const WormCase& worms)
{
    return MoveFlitByFlit(worms, FabricDelays(worms, false));
}

/// Runs a case in a fabric. @param scheduler ns-3's, such as Map @param prepare gives the fabric
/// what the case does not have
inline ReplayOutcome
ReplayBy(const std::string& scheduler,
         const WormCase& worms,
         ReplaySending sending = ReplaySending::AT_FIRST,
         const std::function<void(WormholeFabric&)>& prepare = {})
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::" + scheduler + "Scheduler"));
    return ReplayWorms(worms, prepare, sending);
}

/// @return where a fabric's outcome differs from the oracle's, in times or in whom its last report
/// of a deadlock names, or nothing
inline std::string
FindDifference(const WormCase& worms, const ReplayOutcome& oracle, const ReplayOutcome& outcome)
{
    const auto found = PrintOutcome(worms, outcome);
    const auto wanted = PrintOutcome(worms, oracle);
    if (found != wanted)
    {
        return found + ", not " + wanted;
    }
    const auto blocked = ListBlocked(oracle);
    const bool isReported = outcome.reports.empty() == blocked.empty();
    return isReported && GetReported(outcome) == blocked
               ? ""
               : "others are blocked than " + outcome.deadlock;
}

} // namespace ns3

#endif /* FLIT_ORACLE_H */
