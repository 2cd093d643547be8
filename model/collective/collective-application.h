/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_APPLICATION_H
#define COLLECTIVE_APPLICATION_H

#include "wormhole-collective.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Checks the order of a process's steps: a collective is waited for after
/// it was entered, once, and before it is entered again or the schedule ends.
class SplitPhaseOrder
{
  public:
    void Compute(); ///< The next step has nothing to do with it: a computation.

    /// The next step enters and waits.
    /// @param group its collective
    /// @throws WormholeError if a step has entered it that none has waited for
    void Meet(Ptr<const Collective> group);

    /// The next step enters.
    /// @param group its collective
    /// @throws WormholeError if a step has entered it that none has waited for
    void Enter(Ptr<const Collective> group);

    /// The next step waits.
    /// @param group its collective
    /// @throws WormholeError if no step has entered it that none has waited for
    void Wait(Ptr<const Collective> group);

    /// The schedule ends here. @throws WormholeError if something entered was not waited for
    void CheckEnd() const;

  private:
    void CheckEnter(Ptr<const Collective> group) const;

    uint32_t m_nSteps{0};                                ///< steps so far
    std::map<Ptr<const Collective>, uint32_t> m_entered; ///< step that entered, not waited for
};

/**
 * @ingroup wormhole
 * @brief One process of a parallel schedule: it computes, does a collective, computes again, and so
 *        on, as its schedule says.
 *
 * A collective may be entered in one step and waited for in another, with computations and other
 * collectives in between (a fuzzy, or split-phase, barrier). The step that enters is over when the
 * process has nothing to do for the collective until a message comes. What the process owes to
 * collectives while it computes is done as HostSoftware's Progress says: by default computing keeps
 * the processor busy, so that it waits until the computation ends; a computation that begins while
 * a collective is entered begins when the processor is free.
 *
 * A group that is not set up yet is waited for. CollectiveApplicationHelper makes the processes of
 * all members at once.
 */
class CollectiveApplication : public Application
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// Adds a computation to the end of the schedule.
    /// @param seconds how long it takes, drawn each time; at least 0
    void AddComputation(Ptr<RandomVariableStream> seconds);

    /// Adds a collective to the end of the schedule. A process is a member of a group once, and on
    /// the same host and task in all groups.
    /// @param group the group; it may get its members later, but before this starts
    /// @param rank this process's rank there
    /// @param value what it enters with
    /// @throws WormholeError if a step before has entered it that no step has waited for
    void AddCollective(Ptr<Collective> group, uint32_t rank, uint64_t value = 0);

    /// Adds to the end of the schedule that the process enters a collective, and goes on.
    /// @param group the group, as for AddCollective
    /// @param rank this process's rank there
    /// @param value what it enters with
    /// @throws WormholeError if a step before has entered it that no step has waited for
    void AddEnter(Ptr<Collective> group, uint32_t rank, uint64_t value = 0);

    /// Adds to the end of the schedule that the process waits until it may leave a collective.
    /// @param group a group that a step before enters
    /// @throws WormholeError if none has, or a step since has waited for it
    void AddWait(Ptr<Collective> group);

    /// @return how often the schedule was done to its end
    uint64_t GetNDone() const
    {
        return m_nDone;
    }

    /// @return the result of the last collective done
    uint64_t GetResult() const
    {
        return m_result;
    }

    /// Fixes the streams of the computations' random numbers.
    /// @param stream first stream to use
    /// @return number of streams used
    int64_t AssignComputationStreams(int64_t stream);

    /// Callback of the trace source Step.
    /// @param step index of the step in the schedule
    /// @param duration what it took
    typedef void (*StepTracedCallback)(uint32_t step, Time duration);

    /// Callback of the trace source Done. @param nDone how often the schedule was done
    typedef void (*DoneTracedCallback)(uint64_t nDone);

  protected:
    void DoDispose() override;

  private:
    enum class Kind : uint8_t
    {
        COMPUTE, ///< computes
        MEET,    ///< enters a collective, and waits for it
        ENTER,   ///< enters a collective
        WAIT,    ///< waits for a collective
    };

    struct Step
    {
        Kind kind;                         ///< what it does
        Ptr<RandomVariableStream> seconds; ///< computation: how long
        uint32_t group;                    ///< collective: index of its group
        uint64_t value;                    ///< collective: what it enters with
    };

    struct Group
    {
        Ptr<Collective> collective; ///< the collective
        uint32_t rank;              ///< this process's rank there
        bool isEntered{false};      ///< whether it is entered and was not waited for
        bool hasLeft{false};        ///< whether the process may leave it
        uint64_t result{0};         ///< then: with what
    };

    void StartApplication() override;
    void StopApplication() override;

    /// @return index of a group, new or known
    uint32_t FindGroup(const Ptr<Collective>& collective, uint32_t rank);

    /// @return software of the process's host; null: nobody knows of it
    HostSoftware* FindSoftware(uint32_t& task) const;

    bool IsBetween() const; ///< @return whether some collective is entered and was not waited for

    void Begin();

    void Compute(); ///< Computes, as the step begun says, once the process is free for that.

    /// What the step begun computes is done, unless it was interrupted since.
    void EndComputation();

    void Enter(); ///< Enters the group of the step begun, once that is ready.

    /// The process has done for now what there is to do for a group that it has entered.
    void Return();

    void Ready(Time); ///< A group has become ready: perhaps that of the step begun.

    static void Leave(Ptr<CollectiveApplication> application, uint32_t group, uint64_t result);
    void EndWait();

    void End(); ///< The step begun is done.

    uint32_t m_repetitions{1};   ///< attribute
    std::vector<Step> m_steps;   ///< the schedule
    std::vector<Group> m_groups; ///< its groups
    SplitPhaseOrder m_order;     ///< checks the order of its steps
    std::size_t m_next{0};       ///< step that is next or has begun
    uint64_t m_nDone{0};         ///< how often the schedule was done
    uint64_t m_result{0};        ///< of the last collective
    bool m_running{false};       ///< whether started and not stopped
    bool m_waiting{false};       ///< whether the group of the step begun is not ready yet
    bool m_leaving{false};       ///< whether the step begun waits until it may leave its group
    Time m_since;                ///< when the step began

    TracedCallback<uint32_t, Time> m_stepTrace; ///< trace source Step
    TracedCallback<uint64_t> m_doneTrace;       ///< trace source Done
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_H */
