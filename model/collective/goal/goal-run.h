/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_RUN_H
#define GOAL_RUN_H

#include "goal-schedule.h"
#include "message-matching.h"

#include "ns3/activity-recorder.h"
#include "ns3/group-messages.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Runs a GOAL schedule over the hosts' software, for a GoalProgram.
 */
class GoalRun : public GroupMessages
{
  public:
    /**
     * @param group the program; it calls Stop at its disposal at the latest
     * @param schedule what its members do; must outlive this
     * @param transport how members of different hosts exchange messages
     * @param within how members of one host do
     */
    GoalRun(Collective& group,
            const GoalSchedule& schedule,
            HostSoftware::Transport transport,
            HostSoftware::WithinHost within);

    /// A member begins. @param rank the member
    void Enter(uint32_t rank);

    /// @return operations that have ended in this round
    uint64_t GetNDone() const;

    /// @return what a rank waits for; empty: nothing
    std::string ExplainWait() const;

  private:
    using WithinHost = HostSoftware::WithinHost; ///< how messages are exchanged within a host

    /// A message that has come, or the request for one.
    struct Arrival
    {
        uint32_t from{0};      ///< sender's rank
        uint32_t operation{0}; ///< its send
        uint64_t number{0};    ///< of a request
        Time time;             ///< when it came
        bool isRequest{false}; ///< whether it is a request
    };

    struct RankState
    {
        std::unique_ptr<GoalSchedule::Successors> onEnd;   ///< who waits for ends
        std::unique_ptr<GoalSchedule::Successors> onStart; ///< who waits for starts
        std::vector<uint32_t> missing;                     ///< by operation, what it waits for
        std::vector<uint32_t> tasks;       ///< by processor, number of its process on the host
        MessageMatching receives;          ///< posted receives without a message
        MessageMatching messages;          ///< messages that have come without a receive
        std::map<uint64_t, Arrival> early; ///< what is known of the latter, by sender and send
        std::map<uint64_t, std::pair<uint32_t, Time>>
            answered;         ///< receives whose requests were answered, and when they were posted
        uint64_t nDone{0};    ///< operations that have ended
        bool isInside{false}; ///< whether it has begun and is not through
        uint64_t round{0};    ///< rounds begun
    };

    const GoalSchedule::Operation& Get(uint32_t rank, uint32_t index) const;
    static uint64_t Key(uint32_t from, uint32_t operation);

    /// Does an operation that waits for nothing any more.
    void Do(uint32_t rank, uint32_t index);

    /// @return what a send or a calculation keeps its processor busy with, jitter included
    LatencyCosts DrawCosts(uint32_t rank, const GoalSchedule::Operation& operation) const;

    /// @return what an operation's processor was busy with last, if that is recorded
    ActivityRecorder::Id GetLastActivity(uint32_t rank, uint32_t index) const;

    void Send(uint32_t rank, uint32_t index, Time end);
    void Post(uint32_t rank, uint32_t index);
    void Take(uint32_t rank, uint32_t index, Time posted, const Arrival& arrival);
    void End(uint32_t rank, uint32_t index);

    /// Lets those go on that wait for the start of an operation.
    void Start(uint32_t rank, uint32_t index);

    void At(Time time, void (GoalRun::*what)(uint32_t, uint32_t), uint32_t rank, uint32_t index);

    /// What At has happen, unless stopped.
    void Happen(void (GoalRun::*what)(uint32_t, uint32_t), uint32_t rank, uint32_t index);

    void Arrive(uint32_t host, const HostMessage& message) override;
    void EndSend(const HostMessage& message, Time end) override;
    void ArriveInMemory(HostMessage message);

    const GoalSchedule& m_schedule;      ///< what members do
    HostSoftware::Transport m_transport; ///< how messages are exchanged
    WithinHost m_within;                 ///< how they are within a host
    std::vector<RankState> m_ranks;      ///< by rank
    std::map<std::pair<uint32_t, uint32_t>, Ptr<const WormRoute>> m_routes; ///< by sender, receiver
};

} // namespace ns3

#endif /* GOAL_RUN_H */
