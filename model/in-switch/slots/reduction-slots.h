// SPDX-License-Identifier: GPL-2.0-only

#ifndef REDUCTION_SLOTS_H
#define REDUCTION_SLOTS_H

#include "slot-message.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-activity-recorder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A switch's reduction slots: how many each group has, and how they process segments.
///
/// A group requests slots (ADMIT) and is granted all or none of these, so that the switch never has
/// to stall the group, which may have one segment per slot in progress. A segment occupies a slot
/// from its first message's arrival until the last message for which members wait is sent:
///
/// - when combining: from the first contribution until the result, or the notice of a result, is
///   sent outward;
/// - when spreading: from its arrival until all members below (at the top, all members) have
///   confirmed its receipt;
/// - when passing through: from its arrival until its confirmation goes back.
///
/// Contributions are combined one after the other, in order of arrival (ties by port), each taking
/// CombineTime and its bytes / CombineRate, including the header. Contributions to a group's next
/// segment wait until the previous segment is complete, so that members that are ahead do not delay
/// others. When the last contribution is combined, the result is sent. Only then are contents
/// combined, in the order of ports, so that the result does not depend on timing.
class ReductionSlots
{
  public:
    typedef std::function<void(Ptr<SlotWorm>)> SendCallback;
    typedef std::function<void(Time)> ResumeCallback;

    /// @param combineRate rate at which contributions are combined; 0: infinite
    /// @param combineTime additional time of each contribution
    ReductionSlots(std::string name,
                   Ptr<ActivityRecorder> activities,
                   uint32_t slots,
                   DataRate combineRate,
                   Time combineTime,
                   SendCallback send,
                   ResumeCallback resume)
        : m_name(std::move(name)),
          m_activities(std::move(activities)),
          m_nSlots(slots),
          m_combineRate(combineRate),
          m_combineTime(combineTime),
          m_send(std::move(send)),
          m_resume(std::move(resume))
    {
    }

    void Take(Ptr<const SlotWorm> worm, uint16_t port);

    void Resume(); ///< Completes what has been combined by now.

    bool HasGroup(uint16_t group) const
    {
        return m_groups.count(group) > 0;
    }

    void Drop(uint16_t group)
    {
        if (const auto found = m_groups.find(group); found != m_groups.end())
        {
            m_nGranted -= found->second.granted;
            m_groups.erase(found);
        }
    }

    /// @return ports at which a group's first segment is still missing, lowest first
    /// @param group its identifier
    std::vector<uint16_t> GetAwaited(uint16_t group) const;

    uint32_t GetNFree() const
    {
        return m_nSlots - m_nGranted;
    }

  private:
    /// Key of a segment: its sender's rank if it passes through, else 0; and its number.
    typedef std::pair<uint16_t, uint64_t> SegmentKey;

    /// Routes over one channel each.
    typedef std::vector<Ptr<const WormRoute>> Routes;

    struct Slot
    {
        PortSet arrived;                                 ///< ports by which INWARD messages came
        std::map<uint16_t, SlotWorm::Contents> contents; ///< by port, where there are any
    };

    struct Contribution
    {
        Ptr<const SlotWorm> worm;
        uint16_t port{0};
    };

    struct Group
    {
        uint32_t granted{0};
        std::shared_ptr<const SlotPlan> plan; ///< its place in the tree
        Routes toParent;
        Routes toOutward;
        Routes toRoot;   ///< top: one channel to the root
        Routes toOthers; ///< top: one channel each to all but the root
        std::map<SegmentKey, Slot> held;
        uint64_t nCombined{0}; ///< number of segments combined, in order
        /// Contributions to be combined, by segment and order of arrival.
        std::map<std::pair<uint64_t, uint64_t>, Contribution> waiting;
    };

    void CombineNext(); ///< Starts combining the next contribution, if there is one.

    /// @throws WormholeError if the worm's group has no slots
    Group& FindGroup(const SlotWorm& worm);

    /// @return the slot of a segment, occupied now if it is new
    Slot& Hold(Group& group, const SegmentKey& key, uint16_t id);

    void Admit(const SlotWorm& worm);
    void Free(const SlotWorm& worm);
    void Answer(const SlotWorm& worm, SlotMessage::Kind kind);

    /// Counts a contribution that came INWARD and has been combined.
    void Count(const SlotWorm& worm, uint16_t port);

    void Complete(Group& group, const Slot& slot, const SlotWorm& worm);

    void Spread(const SlotWorm& worm); ///< Forwards a message OUTWARD.
    void Pass(const SlotWorm& worm); ///< Forwards a segment, or its confirmation, towards a member.

    /// @return a segment's contributions combined in order of ports; null if there are no contents
    static SlotWorm::Contents Combine(const Group& group, const Slot& slot);

    /// Sends a message on several ports as one worm each, so that none waits for another.
    void Send(const SlotWorm& worm,
              SlotMessage::Kind kind,
              const Routes& routes,
              uint64_t flits,
              uint32_t bytes,
              const SlotWorm::Contents& contents);

    std::string m_name;
    Ptr<ActivityRecorder> m_activities;
    uint32_t m_nSlots;
    DataRate m_combineRate;
    Time m_combineTime;
    SendCallback m_send;
    ResumeCallback m_resume;
    uint32_t m_nGranted{0};
    std::map<uint16_t, Group> m_groups; ///< by identifier
    uint64_t m_nCame{0};                ///< number of contributions that have waited
    Contribution m_combining;           ///< the contribution being combined; null: none
    int64_t m_combinedAt{0};            ///< when it is finished, ns-3 time units
    ActivityRecorder::Id m_combiningActivity{ActivityRecorder::NONE}; ///< its activity, if recorded
};

} // namespace ns3

#endif /* REDUCTION_SLOTS_H */
