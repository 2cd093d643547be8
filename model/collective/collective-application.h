// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_APPLICATION_H
#define COLLECTIVE_APPLICATION_H

#include "wormhole-collective.h"

#include "ns3/application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

namespace ns3
{

/// @ingroup wormhole @brief Checks the order of steps: a process that enters a collective must wait
/// for that collective once before entering it again or ending the schedule.
class SplitPhaseOrder
{
  public:
    /// Counts a step that is a computation, which is always allowed.
    void Compute()
    {
        ++m_nSteps;
    }

    /// Checks a step that enters a collective and waits for it. @param group the collective
    /// @throws WormholeError if an earlier step has entered it, and no step since has waited for it
    void Meet(Ptr<const Collective> group)
    {
        CheckEnter(group);
        ++m_nSteps;
    }

    /// Checks a step that enters a collective. @param group the collective
    /// @throws WormholeError if an earlier step has entered it, and no step since has waited for it
    void Enter(Ptr<const Collective> group)
    {
        CheckEnter(group);
        m_entered[group] = m_nSteps++;
    }

    /// Checks a step that waits for a collective. @param group the collective
    /// @throws WormholeError if no step has entered it since the last step that waited for it
    void Wait(Ptr<const Collective> group);

    /// Ends the schedule. @throws WormholeError if a collective was entered but not waited for
    void CheckEnd() const;

  private:
    void CheckEnter(Ptr<const Collective> group) const;

    uint32_t m_nSteps{0};
    /// Collectives entered but not yet waited for, each with the number of the step that entered.
    std::map<Ptr<const Collective>, uint32_t> m_entered;
};

/// @ingroup wormhole
/// @brief One process of a parallel program: a schedule of computations and collectives.
///
/// A collective may be entered in one step and waited for in another, with computations and other
/// collectives in between (a fuzzy, or split-phase, barrier). A step that enters a collective ends
/// as soon as the process can do no more for it until a message arrives. By default, collectives do
/// not progress during a computation, but wait until it ends (see HostSoftware::Progress). Unless
/// Progress is independent, a computation begins when the processor is free, and occupies it.
///
/// A step that enters a collective waits until its group is set up. CollectiveApplicationHelper
/// creates the processes of all members at once.
class CollectiveApplication : public Application
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// Appends a computation to the schedule.
    /// @param seconds its duration in s, at least 0, drawn anew for each execution
    void AddComputation(Ptr<RandomVariableStream> seconds)
    {
        m_order.Compute();
        m_steps.push_back({Kind::COMPUTE, seconds, 0, 0});
    }

    /// Appends a step that enters a collective and waits for it.
    /// @param group the group; it may get its members later, but before this process starts
    /// @param rank this process's rank; its host and task are the same in all groups
    /// @param value its value
    /// @throws WormholeError if an earlier step has entered it, and no step since has waited for it
    void AddCollective(Ptr<Collective> group, uint32_t rank, uint64_t value = 0)
    {
        m_order.Meet(group);
        m_steps.push_back({Kind::MEET, nullptr, FindGroup(group, rank), value});
    }

    /// Appends a step that enters a collective without waiting.
    /// @param group,rank,value as for AddCollective
    /// @throws WormholeError if an earlier step has entered it, and no step since has waited for it
    void AddEnter(Ptr<Collective> group, uint32_t rank, uint64_t value = 0)
    {
        m_order.Enter(group);
        m_steps.push_back({Kind::ENTER, nullptr, FindGroup(group, rank), value});
    }

    /// Appends a step that waits until it may leave a collective. @param group the collective
    /// @throws WormholeError if no step has entered it since the last step that waited for it
    void AddWait(Ptr<Collective> group)
    {
        m_order.Wait(group);
        m_steps.push_back({Kind::WAIT, nullptr, FindGroup(group, 0), 0});
    }

    /// @return number of times that the schedule was completed
    uint64_t GetNDone() const
    {
        return m_nDone;
    }

    /// @return the result of the last collective
    uint64_t GetResult() const
    {
        return m_result;
    }

    /// Assigns random streams to computations. @param stream first one @return how many it assigns
    int64_t AssignComputationStreams(int64_t stream)
    {
        int64_t used = 0;
        for (const auto& step : m_steps)
        {
            if (step.seconds)
            {
                step.seconds->SetStream(stream + used);
                ++used;
            }
        }
        return used;
    }

    /// Callback of the trace source Step.
    /// @param step index of the step in the schedule @param duration its duration
    typedef void (*StepTracedCallback)(uint32_t step, Time duration);

    /// Callback of the trace source Done. @param nDone number of completions of the schedule
    typedef void (*DoneTracedCallback)(uint64_t nDone);

  protected:
    void DoDispose() override
    {
        m_running = m_waiting = m_leaving = false;
        m_steps.clear();
        m_groups.clear();
        m_order = SplitPhaseOrder();
        Application::DoDispose();
    }

  private:
    enum class Kind : uint8_t
    {
        COMPUTE,
        MEET, ///< enters a collective and waits for it
        ENTER,
        WAIT,
    };

    struct Step
    {
        Kind kind;
        Ptr<RandomVariableStream> seconds; ///< duration of a computation
        uint32_t group;                    ///< collective: index of its group
        uint64_t value;
    };

    struct Group
    {
        Ptr<Collective> collective;
        uint32_t rank;
        bool isEntered{false}; ///< whether the collective is entered and not yet waited for
        bool hasLeft{false};   ///< whether the process may leave the collective
        uint64_t result{0};    ///< the collective's result, if hasLeft
    };

    void StartApplication() override;

    void StopApplication() override
    {
        m_running = false;
    }

    /// @return index of a group, which is added if it is new
    uint32_t FindGroup(const Ptr<Collective>& collective, uint32_t rank);

    /// @return software of the process's host; null if it has none
    HostSoftware* FindSoftware(uint32_t& task) const;

    void Begin();

    void Compute();        ///< Starts the current step's computation, once the processor is free.
    void EndComputation(); ///< Ends the computation, unless interruptions delay its end.
    void Enter();          ///< Enters the group of the current step, once that group is ready.
    void Return();         ///< Ends the step once the process can do no more for its group now.

    /// Called when a group, possibly that of the current step, has become ready.
    void Ready(Time)
    {
        if (m_waiting)
        {
            // Not at once: others first learn that the group is ready.
            m_waiting = false;
            Later(Time(0), &CollectiveApplication::Enter);
        }
    }

    static void Leave(Ptr<CollectiveApplication> application, uint32_t group, uint64_t result);

    void EndWait()
    {
        auto& group = m_groups[m_steps[m_next].group];
        m_leaving = group.isEntered = false;
        m_result = group.result;
        End();
    }

    void End(); ///< Ends the current step.

    void Later(Time wait, void (CollectiveApplication::*step)())
    {
        Simulator::Schedule(wait, [self = Ptr<CollectiveApplication>(this), step] {
            if (!self->m_steps.empty()) // else it was disposed of
            {
                ((*self).*step)();
            }
        });
    }

    uint32_t m_repetitions{1};
    std::vector<Step> m_steps;
    std::vector<Group> m_groups;
    SplitPhaseOrder m_order; ///< checks the order of its steps
    std::size_t m_next{0};   ///< index of the current or next step
    uint64_t m_nDone{0};     ///< number of completions of the schedule
    uint64_t m_result{0};    ///< result of the last collective
    bool m_running{false};   ///< whether it has started and has not stopped
    bool m_waiting{false};   ///< whether the current step waits for its group to become ready
    bool m_leaving{false};   ///< whether the current step waits to leave its group
    Time m_since;            ///< start of the current step

    TracedCallback<uint32_t, Time> m_stepTrace;
    TracedCallback<uint64_t> m_doneTrace;
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_H */
