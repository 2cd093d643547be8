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

/// The members' part in a data collective in the switches: their interfaces send and receive
/// segments, several in progress at a time.
///
/// A member that enters pays the start-up of one message, whatever the length of its vector; then
/// its interface sends the first Window segments, each as soon as the previous one has left. Each
/// completion of a segment triggers another: in an all-reduction and at the root of a reduction the
/// result completes it, else a message without a segment. If the receiver sends that message, its
/// interface does so as soon as a segment has arrived.
///
/// A member that receives pays for receiving one message when the last segment has arrived. One
/// that only sends leaves when its interface has sent its last segment, or has it in its queue.
class SegmentExchange : public SimpleRefCount<SegmentExchange>
{
  public:
    /// Parameters.
    struct Setting
    {
        DataKind kind{DataKind::ALL_REDUCTION}; ///< what the group does
        uint32_t root{0};
        uint32_t window{1};          ///< number of segments that a member has in progress
        uint32_t headerBytes{1};     ///< header length of a segment's message
        std::vector<uint64_t> parts; ///< lengths of the kind's parts, bytes
        uint64_t segmentBytes{1};    ///< maximum segment length
    };

    /// A member leaves, or, with NOBODY, all segments that members have sent are completed.
    /// Argument: its rank.
    typedef Callback<void, uint32_t> LeaveCallback;

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< no member

    SegmentExchange(Collective& group, const Setting& setting, LeaveCallback leave);

    ~SegmentExchange();

    /// @param input its data; null if only lengths are simulated
    /// @param own the part of its output that it holds already, in place; empty if none
    void Enter(uint32_t rank, SlotWorm::Contents input, std::vector<uint8_t> own);

    void Receive(uint32_t rank, const SlotWorm& worm);

    const std::vector<uint8_t>& GetOutput(uint32_t rank) const
    {
        return m_members[rank].output;
    }

    bool IsQuiet() const
    {
        return m_nUnderWay == 0;
    }

    void Stop(); ///< Detaches from the group: further messages are ignored.

  private:
    struct Member
    {
        bool isInside{false};   ///< whether it has entered and not left
        bool hasStarted{false}; ///< whether its start-up is over
        uint64_t rounds{0};
        uint64_t completed{0}; ///< number of rounds whose segments were received
        uint64_t sent{0};
        uint64_t done{0};
        std::map<uint64_t, uint64_t> received; ///< by incomplete round, segments received
        SlotWorm::Contents input;
        std::map<uint64_t, std::vector<uint8_t>> coming; ///< outputs in progress, by round
        std::vector<uint8_t> output;                     ///< output of the latest round
    };

    void SendMore(uint32_t rank);
    void SendSegment(uint32_t rank, uint64_t number);
    void AnswerSegment(uint32_t rank, SlotMessage::Kind kind, const SlotMessage& segment);
    void Send(uint32_t rank, const SlotMessage& message, SlotWorm::Contents contents);
    void TakeSegment(uint32_t rank, const SlotWorm& worm);
    void Start(uint32_t rank);

    void Complete(uint32_t rank); ///< A member's software has received a round's segments.

    void TryLeave(uint32_t rank);

    Collective* m_group; ///< the group; null once stopped
    Setting m_setting;
    std::unique_ptr<const SegmentPlan> m_plan;
    LeaveCallback m_leave;           ///< called when a member leaves
    std::vector<Member> m_members;   ///< by rank
    Ptr<const WormRoute> m_toSwitch; ///< from a host to its own switch
    uint64_t m_nUnderWay{0};         ///< segments sent but not completed
};

} // namespace ns3

#endif /* SEGMENT_EXCHANGE_H */
