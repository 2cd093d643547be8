/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

/**
 * @ingroup wormhole
 * @brief A switch's reduction slots: which groups have how many, and what they do with segments.
 *
 * A group asks for slots (ADMIT) and is granted all of them or none, so that the switch never holds
 * one back. It may then have as many segments under way here. A segment takes a slot from its first
 * message's arrival until the last one that the group's members wait for is sent on:
 *
 * - one that is combined: from the first contribution until the result, or the news that there is
 *   one, goes outward;
 * - one that is spread: from its arrival until all below, and where this is the top all, have told
 *   that they have it;
 * - one that goes through: from its arrival until the news that it has come goes back.
 *
 * Contributions are combined one after the other, as they come (at the same instant by port), each
 * in its bytes / CombineRate, header included; but those to a group's next segment wait until the
 * one before is complete, so that members that are ahead do not hold up what others wait for. What
 * follows from the last is sent when it is combined. Their contents are put together then, in the
 * order of ports, so that the result does not depend on times.
 */
class ReductionSlots
{
  public:
    typedef std::function<void(Ptr<SlotWorm>)> SendCallback; ///< Sends a worm from the switch.
    /// Has Resume called at a time, later than now.
    typedef std::function<void(Time)> ResumeCallback;

    /// @param name the switch's name, for messages
    /// @param activities records what it does
    /// @param slots how many there are
    /// @param combineRate rate at which contributions are combined; 0: that takes no time
    /// @param send sends a worm
    /// @param resume has Resume called
    ReductionSlots(std::string name,
                   Ptr<ActivityRecorder> activities,
                   uint32_t slots,
                   DataRate combineRate,
                   SendCallback send,
                   ResumeCallback resume);

    /// A message has come. @param worm the message @param port port that it came by
    void Take(Ptr<const SlotWorm> worm, uint16_t port);

    void Resume(); ///< Goes on with what has been combined by now.

    /// @return number of slots that are granted to no group
    uint32_t GetNFree() const
    {
        return m_nSlots - m_nGranted;
    }

    uint32_t GetNHeld() const; ///< @return number of slots that hold a segment

    /// @return how many held a segment at once, at most, of any one group
    uint32_t GetMaxHeld() const
    {
        return m_mostHeld;
    }

  private:
    /// Who and which: of a segment that goes through, the sender's rank, else 0; and its number.
    typedef std::pair<uint16_t, uint64_t> SegmentKey;

    /// Routes over one channel each.
    typedef std::vector<Ptr<const WormRoute>> Routes;

    struct Slot
    {
        uint32_t arrived{0};                      ///< messages that have come INWARD
        std::vector<bool> came;                   ///< by which ports, see SlotPlan::expected
        std::vector<SlotWorm::Contents> contents; ///< by the same; empty if there are none
    };

    struct Contribution
    {
        Ptr<const SlotWorm> worm; ///< the message
        uint16_t port{0};         ///< port that it came by
    };

    struct Group
    {
        uint32_t granted{0};                  ///< how many slots it has
        std::shared_ptr<const SlotPlan> plan; ///< its place in the tree
        Routes toParent;                      ///< one channel to the parent
        Routes toOutward;                     ///< one channel each outward
        Routes toRoot;                        ///< top: one channel to the root
        Routes toOthers;                      ///< top: one channel each to all but the root
        std::map<SegmentKey, Slot> held;      ///< segments that take a slot
        uint64_t nCombined{0};                ///< segments combined, all before the next one
        /// Contributions to be combined, by segment and in the order in which they came.
        std::map<std::pair<uint64_t, uint64_t>, Contribution> waiting;
    };

    void CombineNext(); ///< Begins to combine the next contribution, if there is one.

    /// @return the group of a message @throws WormholeError if none has slots
    Group& FindGroup(const SlotWorm& worm);

    /// @return the slot of a segment, taken now if it is new
    Slot& Hold(Group& group, const SegmentKey& key, uint16_t id);

    void Admit(const SlotWorm& worm);
    void Free(const SlotWorm& worm);
    void Answer(const SlotWorm& worm, SlotMessage::Kind kind);

    /// Notes a contribution that has come INWARD and has been combined.
    void Count(const SlotWorm& worm, uint16_t port);

    /// All contributions to a segment have come. @param worm the last contribution
    void Complete(Group& group, const Slot& slot, const SlotWorm& worm);

    void Spread(const SlotWorm& worm); ///< Sends something OUTWARD on.
    void Pass(const SlotWorm& worm);   ///< Sends a segment, or news of it, towards a member.

    /// @return what was contributed to a segment, in order of ports; null if there are no contents
    static SlotWorm::Contents Combine(const Group& group, const Slot& slot);

    /// Sends a message by some ports, a worm each: where cables have different rates, none waits
    /// for another.
    void Send(const SlotWorm& worm,
              SlotMessage::Kind kind,
              const Routes& routes,
              uint64_t flits,
              uint32_t bytes,
              const SlotWorm::Contents& contents);

    std::string m_name;                 ///< the switch's name
    Ptr<ActivityRecorder> m_activities; ///< records what is done
    uint32_t m_nSlots;                  ///< how many there are
    DataRate m_combineRate;             ///< rate at which contributions are combined
    SendCallback m_send;                ///< sends a worm
    ResumeCallback m_resume;            ///< has Resume called
    uint32_t m_nGranted{0};             ///< slots granted
    uint32_t m_mostHeld{0};             ///< see GetMaxHeld
    std::map<uint16_t, Group> m_groups; ///< by identifier
    uint64_t m_nCame{0};                ///< contributions that have ever waited
    Contribution m_combining;           ///< what is being combined; null: nothing
    int64_t m_combinedAt{0};            ///< when that is over, ns-3 time units
    ActivityRecorder::Id m_combiningActivity{ActivityRecorder::NONE}; ///< that, where recorded
};

} // namespace ns3

#endif /* REDUCTION_SLOTS_H */
