/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_APPLICATION_H
#define COLLECTIVE_APPLICATION_H

#include "collective.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief One process of a parallel schedule: it computes, does a collective, computes again, and so
 *        on, as its schedule says.
 *
 * Computing keeps the process's processor busy, so that what the process owes to collectives waits
 * meanwhile. A group that is not set up yet is waited for. CollectiveApplicationHelper makes the
 * processes of all members at once.
 */
class CollectiveApplication : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Adds a computation to the end of the schedule.
     * @param seconds how long it takes, drawn each time; at least 0
     */
    void AddComputation(Ptr<RandomVariableStream> seconds);

    /**
     * Adds a collective to the end of the schedule. A process is a member of a group once, and on
     * the same host and task in all groups.
     * @param group the group; it may get its members later, but before this starts
     * @param rank this process's rank there
     * @param value what it enters with
     */
    void AddCollective(Ptr<Collective> group, uint32_t rank, uint64_t value = 0);

    /// @return how often the schedule was done to its end
    uint64_t GetNDone() const;

    /// @return the result of the last collective done
    uint64_t GetResult() const;

    /**
     * Fixes the streams of the computations' random numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignComputationStreams(int64_t stream);

    /**
     * Callback of the trace source Step.
     * @param step index of the step in the schedule
     * @param duration what it took
     */
    typedef void (*StepTracedCallback)(uint32_t step, Time duration);

    /**
     * Callback of the trace source Done.
     * @param nDone how often the schedule was done
     */
    typedef void (*DoneTracedCallback)(uint64_t nDone);

  protected:
    void DoDispose() override;

  private:
    /// A step of the schedule: a computation or a collective.
    struct Step
    {
        Ptr<RandomVariableStream> seconds; ///< computation: how long
        Ptr<Collective> group;             ///< collective: its group
        uint32_t rank;                     ///< this process's rank there
        uint64_t value;                    ///< what it enters with
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Begins the step that is next.
    void Begin();

    /// Enters the group of the step begun, once that is ready.
    void Enter();

    /// A group has become ready: perhaps that of the step begun.
    void Ready(Time);

    /// The collective of the step begun is done. @param result its result
    void Leave(uint64_t result);

    /// The step begun is done.
    void End();

    uint32_t m_repetitions{1}; ///< attribute
    std::vector<Step> m_steps; ///< the schedule
    std::size_t m_next{0};     ///< step that is next or has begun
    uint64_t m_nDone{0};       ///< how often the schedule was done
    uint64_t m_result{0};      ///< of the last collective
    bool m_running{false};     ///< whether started and not stopped
    bool m_waiting{false};     ///< whether the group of the step begun is not ready yet
    Time m_since;              ///< when the step began

    TracedCallback<uint32_t, Time> m_stepTrace; ///< trace source Step
    TracedCallback<uint64_t> m_doneTrace;       ///< trace source Done
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_H */
