// SPDX-License-Identifier: GPL-2.0-only

#ifndef ENGINE_OBSERVER_H
#define ENGINE_OBSERVER_H

#include "wormhole-node-state.h"

#include "ns3/callback.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-port.h"

namespace ns3
{

/// Passes on what engines report of worms, each event once: to the trace sources of ports, to the
/// log, and to a WormRecorder. If nothing listens, an event costs one check of a flag.
///
/// The log component is WormholeRunEngine. An engine knows most events in advance, so every line
/// states the time of its event. Requests, grants, heads and tails have level LOG_LOGIC, credits
/// have LOG_DEBUG.
class EngineObserver
{
  public:
    explicit EngineObserver(const FlitTimes& times)
        : m_times(times)
    {
    }

    /// Records worms that start from now on. @param recorder takes records; null: ends recording
    void SetRecorder(Ptr<WormRecorder> recorder)
    {
        m_recorder = std::move(recorder);
    }

    const Ptr<WormRecorder>& GetRecorder() const
    {
        return m_recorder;
    }

    /// Checks whether anything is logged or recorded; called whenever the engine begins to work.
    void Refresh()
    {
        m_isOn = m_recorder || IsLogged();
    }

    bool IsOn() const
    {
        return m_isOn;
    }

    template <class CALL>
    void Record(CALL call) const
    {
        if (m_recorder)
        {
            call(*m_recorder);
        }
    }

    // If outputs are granted flit by flit (S5).

    void Ask(const WormHop& hop, int64_t time) const
    {
        Record([&](auto& recorder) { recorder.Ask(hop, time, m_times); });
        for (const auto& branch : hop.branches)
        {
            Tell(WormholePort::REQUEST, *branch.output, hop, time);
        }
    }

    void Grant(const WormBranch& branch, int64_t time) const
    {
        Tell(WormholePort::GRANT, *branch.output, *branch.hop, time);
        if (m_isOn)
        {
            Record([&](auto& recorder) { recorder.Grant(branch, time, m_times); });
        }
    }

    void Start(const WormBranch& branch,
               uint64_t first,
               const FlitPart& starts,
               int64_t stride) const
    {
        Record([&](auto& recorder) { recorder.Start(branch, first, starts, stride); });
        if (first == 0)
        {
            Tell(WormholePort::HEAD_START, *branch.output, *branch.hop, starts.time);
        }
    }

    void Leave(const WormBranch& branch, const WormHop& holder, int64_t left) const
    {
        Tell(WormholePort::TAIL_LEFT, *branch.output, holder, left);
        if (m_isOn)
        {
            Record([&](auto& recorder) { recorder.Leave(branch, left); });
        }
    }

    /// @param time when the first credit comes; the others follow, each a flit time later
    void Credit(const WormholeOutput& output, uint64_t credits, int64_t time) const
    {
        if (m_isOn)
        {
            LogCredits(output, credits, time);
        }
    }

    // If outputs are granted to whole worms (S11).

    void Ask(const LaneHop& hop, int64_t time) const;

    void Grant(const LaneRequest& request,
               int64_t time,
               int64_t now,
               const FlitEnvelope& starts,
               const std::vector<int32_t>& priorities) const;

    // For FlitEngine: templates, since hops and branches are known only there.

    /// @param priorities priorities of lanes if outputs are granted to whole worms; else null
    template <class HOP, class BRANCH>
    void Grant(const HOP& hop,
               const BRANCH& branch,
               int64_t time,
               const std::vector<int32_t>* priorities) const
    {
        Tell(WormholePort::GRANT, *branch.taken->output->port, hop, time);
        Record([&](auto& recorder) {
            const auto lanes = priorities ? *priorities : std::vector<int32_t>();
            recorder.Grant(hop, branch, time, m_times, lanes);
        });
    }

    /// A flit, counted by the branch, starts. @param takesSlot whether it takes a slot beyond
    template <class HOP, class BRANCH>
    void Start(const HOP& hop, const BRANCH& branch, int64_t time, bool takesSlot) const
    {
        Record([&](auto& recorder) { recorder.Start(hop, branch, time, takesSlot); });
        if (branch.sent == 1)
        {
            Tell(WormholePort::HEAD_START, *branch.taken->output->port, hop, time);
        }
    }

    template <class HOP, class BRANCH>
    void Leave(const HOP& hop, const BRANCH& branch, int64_t left) const
    {
        Record([&](auto& recorder) { recorder.Leave(hop, branch, left); });
        Tell(WormholePort::TAIL_LEFT, *branch.taken->output->port, hop, left);
    }

    /// Tells a port's listeners, and the log. @tparam HOP WormHop, LaneHop or FlitHop
    template <typename HOP>
    void Tell(WormholePort::Trace event,
              const WormholeOutput& output,
              const HOP& hop,
              int64_t time) const
    {
        if (output.traced || m_isOn)
        {
            TellListeners(event, output, *hop.worm, time);
        }
    }

    template <typename HOP>
    static void Deliver(const WormholeInput& input, const HOP& hop, int64_t time)
    {
        if (input.traced)
        {
            input.port->Notify(WormholePort::DELIVERED, hop.GetWorm(), time - input.node->delay);
        }
    }

  private:
    static bool IsLogged();
    void TellListeners(WormholePort::Trace event,
                       const WormholeOutput& output,
                       const Worm& worm,
                       int64_t time) const;
    static void Log(WormholePort::Trace event,
                    const WormholeOutput& output,
                    const Worm& worm,
                    int64_t time);
    static void LogCredits(const WormholeOutput& output, uint64_t credits, int64_t time);

    const FlitTimes& m_times;
    Ptr<WormRecorder> m_recorder; ///< records worms; mostly null
    bool m_isOn{false};           ///< whether anything is logged or recorded
};

/// Called for each event at a port; arguments: the kind of event, and the worm.
using PortObserver = Callback<void, WormholePort::Trace, Ptr<const Worm>>;

/// Reports events at a port to an observer, each at its time, as the port's trace sources do.
void ObservePort(WormholePort& port,
                 std::initializer_list<WormholePort::Trace> traces,
                 const PortObserver& observer);

} // namespace ns3

#endif /* ENGINE_OBSERVER_H */
