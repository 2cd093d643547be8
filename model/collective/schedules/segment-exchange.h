/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_EXCHANGE_H
#define SEGMENT_EXCHANGE_H

#include "ns3/callback.h"
#include "ns3/data-kind.h"
#include "ns3/simple-ref-count.h"
#include "ns3/slot-message.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

class SegmentPlan;

/**
 * @ingroup wormhole
 * @brief What members of a collective of data in the switches do: their interfaces send segments
 *        and take them, some under way at a time.
 *
 * A member that enters pays the start-up of one message, however long its vector; then its
 * interface has it, and sends the first Window segments, each as soon as the one before has left.
 * Whenever it is told what has become of one, it sends another: in an all-reduction and at the root
 * of a reduction by the result, else by a message that carries no segment. Where such a message is
 * the receiver's to send, its interface does so as soon as a segment has come.
 *
 * A member that receives pays for taking one message when the last segment has come. One that only
 * sends leaves when its interface has sent its last segment, or has it in its queue.
 */
class SegmentExchange : public SimpleRefCount<SegmentExchange>
{
  public:
    /// What is asked for.
    struct Setting
    {
        DataKind kind{DataKind::ALL_REDUCTION}; ///< what the group does
        uint32_t root{0};                       ///< rank of the root
        uint32_t window{1};                     ///< segments that a member has under way
        uint32_t headerBytes{1};                ///< what a message is longer than its segment by
        std::vector<uint64_t> parts;            ///< lengths of the kind's parts, bytes
        uint64_t segmentBytes{1};               ///< longest segment
    };

    /// A member leaves, or, with NOBODY, all segments are done with that members have sent.
    /// Argument: its rank.
    typedef Callback<void, uint32_t> LeaveCallback;

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< no member

    /// @param group the group, which calls Stop at its disposal @param setting what is asked for
    /// @param leave told who leaves
    SegmentExchange(Collective& group, const Setting& setting, LeaveCallback leave);

    ~SegmentExchange();

    /// A member enters. @param rank the member @param input what it has; null where lengths alone
    /// count @param own what of its output it has itself already, at its place; empty if nothing
    void Enter(uint32_t rank, SlotWorm::Contents input, std::vector<uint8_t> own);

    /// A message has arrived. @param rank the member that it is for @param worm the message
    void Receive(uint32_t rank, const SlotWorm& worm);

    /// @return what a member has left with @param rank the member
    const std::vector<uint8_t>& GetOutput(uint32_t rank) const;

    /// @return whether all segments are done with that members have sent
    bool IsQuiet() const
    {
        return m_nUnderWay == 0;
    }

    void Stop(); ///< Lets go of the group: whatever comes is ignored.

  private:
    struct Member
    {
        bool isInside{false};   ///< whether it has entered and not left
        bool hasStarted{false}; ///< whether its start-up is over
        uint64_t rounds{0};     ///< how often it has entered
        uint64_t completed{0};  ///< rounds whose segments it has taken
        uint64_t sent{0};       ///< segments sent
        uint64_t done{0};       ///< of those, that are done with
        std::map<uint64_t, uint64_t>
            received;             ///< by round that is not complete, segments that came
        SlotWorm::Contents input; ///< what it has
        std::map<uint64_t, std::vector<uint8_t>> coming; ///< outputs that come, by round
        std::vector<uint8_t> output;                     ///< what it has left with
    };

    void SendMore(uint32_t rank);
    void SendSegment(uint32_t rank, uint64_t number);
    void AnswerSegment(uint32_t rank, SlotMessage::Kind kind, const SlotMessage& segment);
    void Send(uint32_t rank, const SlotMessage& message, SlotWorm::Contents contents);
    void TakeSegment(uint32_t rank, const SlotWorm& worm);
    void Start(uint32_t rank);

    void Complete(uint32_t rank); ///< A member's software has taken a round's segments.

    void TryLeave(uint32_t rank);

    Collective* m_group;                       ///< the group; null once stopped
    Setting m_setting;                         ///< what is asked for
    std::unique_ptr<const SegmentPlan> m_plan; ///< which segments
    LeaveCallback m_leave;                     ///< told who leaves
    std::vector<Member> m_members;             ///< by rank
    Ptr<const WormRoute> m_toSwitch;           ///< from a host to its own switch
    uint64_t m_nUnderWay{0};                   ///< segments sent that are not done with
};

} // namespace ns3

#endif /* SEGMENT_EXCHANGE_H */
