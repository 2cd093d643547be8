// SPDX-License-Identifier: GPL-2.0-only

#ifndef ENGINE_OBSERVER_H
#define ENGINE_OBSERVER_H

#include "wormhole-node-state.h"

#include "ns3/callback.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-port.h"

namespace ns3
{

/// What engines tell of worms, each thing once: to the trace sources of ports, to the log, and to a
/// WormRecorder. Where nobody listens, it costs a look at a flag.
///
/// The log is the component WormholeRunEngine. An engine knows of most things ahead, so every line
/// has its own time. Requests, grants, heads and tails are of level LOG_LOGIC, credits of
/// LOG_DEBUG.
class EngineObserver
{
  public:
    explicit EngineObserver(const FlitTimes& times)
        : m_times(times)
    {
    }

    /// Has worms that start from now on recorded. @param recorder where to; null: no longer
    void SetRecorder(Ptr<WormRecorder> recorder)
    {
        m_recorder = std::move(recorder);
    }

    const Ptr<WormRecorder>& GetRecorder() const
    {
        return m_recorder;
    }

    /// Looks whether anything is logged or recorded; called whenever the engine begins to work.
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

    // Where flits are granted (S5).

    void Ask(const WormHop& hop, int64_t time) const
    {
        Record([&](auto& recorder) { recorder.Ask(hop, time); });
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

    /// @param time when the first one comes; the others follow a flit time apart
    void Credit(const WormholeOutput& output, uint64_t credits, int64_t time) const
    {
        if (m_isOn)
        {
            LogCredits(output, credits, time);
        }
    }

    // Where outputs are granted to whole worms (S11).

    void Ask(const LaneHop& hop, int64_t time) const;

    void Grant(const LaneRequest& request,
               int64_t time,
               int64_t now,
               const FlitEnvelope& starts,
               const std::vector<int32_t>& priorities) const;

    // Where flits move one by one: templates, since their hops and branches are known there only.

    /// @param priorities of lanes, if outputs are granted to whole worms; else null
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

    /// A flit, which the branch has counted, starts. @param takesSlot whether in the buffer beyond
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

/// Is told what happens at a port; arguments: what, and the worm.
using PortObserver = Callback<void, WormholePort::Trace, Ptr<const Worm>>;

/// Has somebody told what happens at a port, each thing at its time, as its trace sources do.
void ObservePort(WormholePort& port,
                 std::initializer_list<WormholePort::Trace> traces,
                 const PortObserver& observer);

} // namespace ns3

#endif /* ENGINE_OBSERVER_H */
