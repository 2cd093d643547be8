// SPDX-License-Identifier: GPL-2.0-only

#ifndef SCHEDULE_RUNNER_H
#define SCHEDULE_RUNNER_H

#include "ns3/callback.h"
#include "ns3/group-messages.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-linked-schedules.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <memory>
#include <unordered_map>

namespace ns3
{

class DataContents;

/// Runs the schedules of a group's members over their hosts' software.
///
/// Members progress through rounds independently. A message that arrives before its receive is
/// posted waits for it, by slot and round, so that rounds may be staggered and overlap.
///
/// The times of a step follow from those of the previous step and the process's busy time, so that
/// a member executes all possible steps at once, ahead of simulated time. Only interactions need
/// events: the fabric's, one per message on the ideal network or by a flag, and one for leaving.
///
/// A member continues while messages wait for their receivers' answers (GroupMessages), but leaves
/// only when all have been sent, so that its schedule ends after the last handshake.
///
/// Messages between members of one host are flags in shared memory, unless Settings differ. A poll
/// detects an RDMA write: a member polls at every poll interval from the beginning of its wait.
class ScheduleRunner : public GroupMessages
{
  public:
    struct Settings
    {
        HostSoftware::Transport transport; ///< how members of different hosts exchange messages
        HostSoftware::WithinHost within;   ///< how members of one host exchange messages
        uint32_t messageBytes;             ///< length of messages, without what steps add
        /// Called with rank and result when a member completes its schedule; null: the group is.
        Callback<void, uint32_t, uint64_t> done{};
        uint32_t ahead{0};               ///< receives posted ahead of those waited for, in order
        DataContents* contents{nullptr}; ///< see SetContents; null: not simulated
    };

    /// @param group the group; it calls Stop at the latest on disposal
    /// @throws WormholeError if schedules use a tree worm on an ideal network
    ScheduleRunner(Collective& group, LinkedSchedules schedules, const Settings& settings);

    /// Sets the collective of CALL steps, which has no group yet.
    void SetInner(Ptr<Collective> inner, const std::vector<uint32_t>& ranks);

    /// Tracks the contents that members hold, from their next round on.
    /// @param contents the contents; must outlive this
    void SetContents(DataContents* contents)
    {
        m_settings.contents = contents;
    }

    const LinkedSchedules& GetSchedules() const
    {
        return m_schedules;
    }

    void Enter(uint32_t rank, uint64_t value);

    void Stop() override
    {
        GroupMessages::Stop();
        m_inner = nullptr;
    }

    /// @return hosts of the members whose messages, or answers, a member waits for, increasing
    std::vector<uint32_t> FindAwaited(uint32_t rank) const;

  private:
    using WithinHost = HostSoftware::WithinHost; ///< how messages are exchanged within a host

    struct Arrival
    {
        uint32_t slot;
        uint64_t round;
        uint64_t value; ///< value carried, or number of a request
        Time time;
        bool isRequest; ///< whether it is a request to send a message
        bool isAwaited; ///< whether its send returns when it is received
    };

    /// A receive posted before it is waited for.
    struct PostedAhead
    {
        uint32_t index;
        Time time;
    };

    struct Member
    {
        uint64_t round{0};
        uint64_t value{0};
        uint32_t next{0}; ///< index of the next step, or of the first receive waited for
        uint32_t groupEnd{0};
        uint32_t awaited{0}; ///< uncompleted receives of the group
        Time time;           ///< end of the last step
        Time posted;
        uint32_t nPending{0};              ///< messages of the round that wait for an answer
        Time sent;                         ///< when the last formerly waiting message was sent
        ActivityRecorder::Id cause{0};     ///< cause of `time`, if recorded
        ActivityRecorder::Id sentCause{0}; ///< cause of `sent`
        bool isEnding{false};
        std::vector<Arrival> early; ///< messages that arrived before their receives were waited for
        std::vector<PostedAhead> ahead; ///< receives posted ahead, in order
        std::vector<uint32_t> taken;    ///< completed receives of the group, if rounds are timed
    };

    void CheckMulticast(uint32_t rank, uint32_t index) const; ///< Refuses an invalid tree worm.

    /// Continues a member's schedule now, because of the current activity.
    void GoOn(uint32_t rank)
    {
        m_members[rank].time = Simulator::Now();
        m_members[rank].cause = GetSoftware(rank).GetActivities().GetCurrent();
        Run(rank);
    }

    void Run(uint32_t rank); ///< Executes a member's steps as far as possible.

    void EnterInner(uint32_t rank);
    static void LeaveInner(ScheduleRunner* runner, uint32_t rank, uint64_t result);
    void SendAll(uint32_t rank);

    /// Records the process's last activity as the cause of the member's time.
    void NoteCause(uint32_t rank)
    {
        if (GetSoftware(rank).GetActivities().IsRecording())
        {
            m_members[rank].cause = GetSoftware(rank).GetLastActivity(GetTask(rank));
        }
    }

    ActivityRecorder::Id RecordSend(uint32_t rank,
                                    ActivityRecorder::Id before,
                                    Time idle,
                                    Time begin,
                                    const LatencyCosts& costs) const;

    LatencyCosts DrawStepCosts(uint32_t rank, const LinkedSchedules::Step& step) const;

    /// Sends the message of a completed send step.
    void Launch(uint32_t rank, uint32_t index, Time end);

    /// Reports that a member has completed its schedule.
    void Finish(uint32_t rank, uint64_t result)
    {
        if (GetGroup())
        {
            m_settings.done(rank, result);
        }
    }

    void Post(uint32_t rank); ///< Posts a group of receives, and processes waiting messages.

    void Arrive(uint32_t host, const HostMessage& message) override;
    void EndSend(const HostMessage& message, Time end) override;

    uint32_t PostAhead(uint32_t rank); ///< Posts receives after a group, see Settings::ahead.

    /// Answers a request for a receive posted ahead.
    bool AnswerAhead(uint32_t rank, const Arrival& arrival);

    void DoLocally(uint32_t rank); ///< Performs a step in a member's own memory.

    /// @return cost of a flag for its sender or receiver, who copies a broadcast's data
    LatencyCosts GetFlagCosts(const HostSoftware& software, const LinkedSchedules::Step& step) const
    {
        const auto isLong = GetGroup()->GetKind() == DataKind::BROADCAST &&
                            m_settings.messageBytes > GetGroup()->GetFieldBytes();
        return software.GetFlagCosts(step.nRanges > 0 || isLong ? GetBytes(step) : 0);
    }

    /// @return a receive, if it was posted ahead; else null
    static const PostedAhead* FindAhead(const Member& member, uint32_t index)
    {
        const auto found =
            FindIn(member.ahead, [index](const auto& posted) { return posted.index == index; });
        return found == member.ahead.end() ? nullptr : &*found;
    }

    void Take(uint32_t rank, const Arrival& arrival);

    /// @return whether two members communicate through memory, or flags
    bool UseMemory(uint32_t a, uint32_t b) const
    {
        return m_settings.within != WithinHost::INTERFACE && AreNeighbours(a, b);
    }

    uint64_t GetBytes(const LinkedSchedules::Step& step) const;

    bool UseFlags(uint32_t a, uint32_t b) const
    {
        return m_settings.within == WithinHost::FLAGS && AreNeighbours(a, b);
    }

    /// @return cost of a message by the ideal network's levels; null if none, or within a host
    const MessageCost* FindCost(uint32_t a, uint32_t b) const
    {
        return m_levels && !AreNeighbours(a, b)
                   ? &m_levels->GetCost(GetGroup()->GetHost(a), GetGroup()->GetHost(b))
                   : nullptr;
    }

    const Ptr<const WormRoute>& GetRoute(uint32_t rank, uint32_t index);

    Settings m_settings;
    LinkedSchedules m_schedules;
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< of the ideal network; may be null
    std::vector<Member> m_members;                    ///< by rank
    std::vector<Ptr<const WormRoute>> m_routes;       ///< by step, created on first use
    std::unordered_map<uint64_t, Ptr<const WormRoute>>
        m_pairRoutes;                   ///< for blocks, by sender and receiver in 32 bits each
    Ptr<Collective> m_inner;            ///< collective of CALL steps; null if none
    std::vector<uint32_t> m_innerRanks; ///< by rank, the rank in the inner collective
    std::vector<Time> m_ports;          ///< for consecutive sends: when each port becomes free
    std::vector<ActivityRecorder::Id> m_portCauses; ///< each port's last activity
};

} // namespace ns3

#endif /* SCHEDULE_RUNNER_H */
