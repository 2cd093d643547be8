/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_RUNNER_H
#define SCHEDULE_RUNNER_H

#include "ns3/callback.h"
#include "ns3/group-messages.h"
#include "ns3/wormhole-linked-schedules.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class DataContents;

/**
 * @ingroup wormhole
 * @brief Runs the schedules of a group's members over their hosts' software.
 *
 * Members are in rounds of their own; what comes before its receive is posted waits for it, by
 * slot and round, so that rounds may be staggered and overlap. Rounds are counted in 64 bits.
 *
 * A step's times follow from those of the step before and the process's busy time, so that a
 * member runs on as far as it can at once, ahead of simulated time. Only what comes from others
 * costs events: the fabric's or one for each message by the ideal network or a flag, and one for
 * leaving.
 *
 * A member goes on while messages wait for the answer of their receivers (GroupMessages), but
 * leaves when all have been sent, so that whatever would end without handshakes ends with them.
 *
 * Messages between members of one host are flags in shared memory, unless Settings say otherwise.
 * An RDMA write is seen by a poll: a member polls from when it begins to wait, every poll interval.
 */
class ScheduleRunner : public GroupMessages
{
  public:
    /// How schedules are run.
    struct Settings
    {
        HostSoftware::Transport transport; ///< how members of different hosts exchange messages
        HostSoftware::WithinHost within;   ///< how members of one host do
        uint32_t messageBytes;             ///< length of messages, without what steps add
        /// Is told the rank and result of a member at the end of its schedule; null: the group.
        Callback<void, uint32_t, uint64_t> done{};
        /// Receives that are posted beyond those waited for, in their order.
        uint32_t ahead{0};
        /// Of collectives of data, see SetContents; null: nobody wants to know.
        DataContents* contents{nullptr};
    };

    /// @param group the group; it calls Stop at its disposal at the latest
    /// @param schedules its members' schedules
    /// @param settings how they are run
    /// @throws WormholeError if schedules use a tree worm on an ideal network
    ScheduleRunner(Collective& group, LinkedSchedules schedules, const Settings& settings);

    /// Names the collective that CALL is for. The schedules' members have left it when it has a
    /// result for them.
    /// @param inner the collective, without a group yet
    /// @param ranks ranks here of its members
    void SetInner(Ptr<Collective> inner, const std::vector<uint32_t>& ranks);

    /// Has contents follow what members do from their next round on.
    /// @param contents what members hold; must outlive this
    void SetContents(DataContents* contents)
    {
        m_settings.contents = contents;
    }

    /// @return the members' schedules
    const LinkedSchedules& GetSchedules() const
    {
        return m_schedules;
    }

    /// A member begins its next round. @param rank the member @param value its value
    void Enter(uint32_t rank, uint64_t value);

    void Stop() override;

  private:
    using WithinHost = HostSoftware::WithinHost; ///< how messages are exchanged within a host

    struct Arrival
    {
        uint32_t slot;  ///< receiver's slot
        uint64_t round; ///< round that it belongs to
        uint64_t value; ///< value carried, or number of a request
        Time time;      ///< when it came
        bool isRequest; ///< whether it asks if the message may be sent
        uint64_t bytes; ///< length of the message, 0 within a host
    };

    /// A receive that was posted before it is waited for.
    struct PostedAhead
    {
        uint32_t index; ///< index of the step
        Time time;      ///< when it was posted
    };

    struct Member
    {
        uint64_t round{0};    ///< rounds begun
        uint64_t value{0};    ///< value held
        uint32_t next{0};     ///< index of the next step, or of the group waited for
        uint32_t groupEnd{0}; ///< past the group waited for
        uint32_t awaited{0};  ///< receives of the group that are not done
        Time time;            ///< when the last step was over
        Time posted;          ///< when the group was posted
        uint32_t nPending{0}; ///< messages of the round that wait for an answer
        Time sent;            ///< when the last of them that did not wait any more was sent
        ActivityRecorder::Id cause{0};     ///< of `time`, where that is recorded
        ActivityRecorder::Id sentCause{0}; ///< of `sent`
        bool isEnding{false};              ///< whether it only waits for these
        std::vector<Arrival> early;        ///< what came before its receive was waited for
        std::vector<PostedAhead> ahead;    ///< receives posted but not waited for before, in order
    };

    /// Refuses a tree worm that can't be.
    void CheckMulticast(uint32_t rank, uint32_t index) const;

    void Run(uint32_t rank); ///< Goes on with a member's steps as far as possible.

    void EnterInner(uint32_t rank);
    static void LeaveInner(ScheduleRunner* runner, uint32_t rank, uint64_t result);
    void SendAll(uint32_t rank);

    void NoteCurrent(Member& member) const; ///< Notes that the present has led to a member's time.
    void NoteCause(uint32_t rank);          ///< Notes what a member was busy with until its time.

    /// Notes a send. @return number of an activity that is over when it is
    ActivityRecorder::Id RecordSend(uint32_t rank,
                                    ActivityRecorder::Id before,
                                    Time idle,
                                    Time begin,
                                    LatencyCosts costs) const;

    void Launch(uint32_t rank, uint32_t index, Time end); ///< Does a send whose time is over.
    void Finish(uint32_t rank, uint64_t result); ///< Tells that a member has done its schedule.
    void Post(uint32_t rank); ///< Posts a group of receives and takes what is there.

    void Arrive(uint32_t host, const HostMessage& message) override;
    void EndSend(const HostMessage& message, Time end) override;
    void ArriveAt(uint32_t rank, const Arrival& arrival);

    void ArriveNow(uint32_t rank, Arrival arrival); ///< A message in memory, or a flag, has come.

    /// Posts the receives that follow a group, as far as Settings say.
    /// @return how many were not posted before
    uint32_t PostAhead(uint32_t rank);

    /// Answers a request for a receive that is posted, but not waited for.
    /// @return whether it is one
    bool AnswerAhead(uint32_t rank, const Arrival& arrival);

    void DoLocally(uint32_t rank); ///< Does a step in a member's own memory.

    /// @return what a message by a flag costs its sender or receiver
    LatencyCosts GetFlagCosts(const HostSoftware& software,
                              const LinkedSchedules::Step& step) const;

    /// @return a receive if it was posted before it is waited for; else null
    static const PostedAhead* FindAhead(const Member& member, uint32_t index);

    void Take(uint32_t rank, const Arrival& arrival);

    /// @return whether two members exchange messages in memory, or flags
    bool UseMemory(uint32_t a, uint32_t b) const;

    uint64_t GetBytes(const LinkedSchedules::Step& step) const;

    bool UseFlags(uint32_t a, uint32_t b) const; ///< @return whether two members exchange flags

    /// @return what a message costs by the levels of the ideal network; null if it has none, or
    /// both are on one host
    const MessageCost* FindCost(uint32_t a, uint32_t b) const;

    /// @return way of a send's message
    const Ptr<const WormRoute>& GetRoute(uint32_t rank, uint32_t index);

    Settings m_settings;                              ///< how schedules are run
    LinkedSchedules m_schedules;                      ///< members' schedules
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< of the ideal network; may be null
    std::vector<Member> m_members;                    ///< by rank
    std::vector<Ptr<const WormRoute>> m_routes;       ///< by step, once used
    std::unordered_map<uint64_t, Ptr<const WormRoute>>
        m_pairRoutes;                   ///< of blocks, by sender and receiver in 32 bits each
    Ptr<Collective> m_inner;            ///< what CALL is for; null if nothing
    std::vector<uint32_t> m_innerRanks; ///< by rank, rank in the inner collective
    std::vector<Time> m_ports;          ///< of a run of sends: when each port is free
    std::vector<ActivityRecorder::Id> m_portCauses; ///< what each was busy with until then
};

} // namespace ns3

#endif /* SCHEDULE_RUNNER_H */
