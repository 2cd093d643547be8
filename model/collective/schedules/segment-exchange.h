// SPDX-License-Identifier: GPL-2.0-only

#ifndef SEGMENT_EXCHANGE_H
#define SEGMENT_EXCHANGE_H

#include "ns3/barrier-tree.h"
#include "ns3/callback.h"
#include "ns3/fabric-graph.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/slot-message.h"
#include "ns3/wormhole-collective.h"

#include <algorithm>
#include <memory>

namespace ns3
{

/// A group's barrier tree as its switches need it for segments: rooted at the root member's switch,
/// or, if all members get a result, at the tree's root switch.
class SlotTree
{
  public:
    struct Switch
    {
        FabricGraph::Node node{0};
        std::shared_ptr<SlotPlan> plan;
        uint32_t senders{0}; ///< number of members whose own segments may be here at once
    };

    /// @param members the members' hosts, by rank
    /// @param root rank of the root, if the kind has one
    SlotTree(const FabricGraph& graph,
             const BarrierTree& tree,
             const std::vector<FabricGraph::Node>& members,
             DataKind kind,
             uint32_t root)
    {
        for (const auto& entry : tree.GetSwitches())
        {
            m_switches.push_back({entry.node, std::make_shared<SlotPlan>(), 1});
            m_switches.back().plan->isSpread = kind == DataKind::BROADCAST;
        }
        std::sort(m_switches.begin(), m_switches.end(), [](const Switch& a, const Switch& b) {
            return a.node < b.node;
        });
        const bool hasRoot = DataKindInvariant::HasRoot(kind);
        const auto place = hasRoot ? graph.SwitchOf(members[root]) : FabricGraph::End();
        const auto top = hasRoot ? place.node : tree.GetRootSwitch();
        SetRoot(graph, tree, top);
        if (hasRoot)
        {
            auto& plan = *m_switches[Find(top)].plan;
            plan.root = place.port;
            if (kind == DataKind::BROADCAST)
            {
                // The root does not confirm that it has its own segments.
                plan.expected.Remove(place.port);
            }
        }
        if (GoesThrough(kind))
        {
            AddRoutes(graph, members, kind, root);
        }
    }

    const std::vector<Switch>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return whether a kind's segments go from member to member, never combined or copied
    static bool GoesThrough(DataKind kind)
    {
        return kind == DataKind::GATHER || kind == DataKind::ALL_TO_ALL;
    }

  private:
    void SetRoot(const FabricGraph& graph, const BarrierTree& tree, FabricGraph::Node top)
    {
        std::vector<std::size_t> reached{Find(top)};
        for (std::size_t i = 0; i < reached.size(); ++i)
        {
            const auto& here = m_switches[reached[i]];
            auto& plan = *here.plan;
            const auto& entry = *tree.Find(here.node);
            plan.outward = entry.GetPorts();
            plan.outward.erase(std::remove(plan.outward.begin(), plan.outward.end(), plan.parent),
                               plan.outward.end());
            std::sort(plan.outward.begin(), plan.outward.end());
            for (const auto port : plan.outward)
            {
                plan.expected.Add(port);
                const auto far = graph.Peer(here.node, port);
                if (graph.IsSwitch(far.node))
                {
                    const auto next = Find(far.node);
                    m_switches[next].plan->parent = far.port;
                    reached.push_back(next);
                }
            }
        }
    }

    /// Sets the switches' ports towards members.
    void AddRoutes(const FabricGraph& graph,
                   const std::vector<FabricGraph::Node>& members,
                   DataKind kind,
                   uint32_t root)
    {
        for (auto& entry : m_switches)
        {
            entry.senders = kind == DataKind::GATHER ? 0 : static_cast<uint32_t>(members.size());
            entry.plan->toMembers.assign(members.size(), entry.plan->parent);
        }
        for (std::size_t rank = 0; rank < members.size(); ++rank)
        {
            const bool sends = kind == DataKind::GATHER && rank != root;
            for (auto at = graph.SwitchOf(members[rank]);;)
            {
                auto& entry = m_switches[Find(at.node)];
                entry.plan->toMembers[rank] = at.port;
                entry.senders += sends;
                if (entry.plan->parent == SlotPlan::NO_PORT)
                {
                    break;
                }
                at = graph.Peer(at.node, entry.plan->parent);
            }
        }
    }

    std::size_t Find(FabricGraph::Node node) const
    {
        const auto found =
            std::partition_point(m_switches.begin(), m_switches.end(), [node](const auto& entry) {
                return entry.node < node;
            });
        return static_cast<std::size_t>(found - m_switches.begin());
    }

    std::vector<Switch> m_switches; ///< in the order of their numbers
};

/// The segments that members send and receive in a round of a data collective in switches.
///
/// A member's segments are numbered in the order in which it sends them. Each part is divided
/// separately, into segments of one length except the last. In an all-to-all, a member sends to the
/// next rank first, then to the one after that, and so on.
class SegmentPlan
{
  public:
    /// What a member sends to one receiver, or one segment of it.
    struct Piece
    {
        uint32_t to{0};    ///< rank of its receiver, if it has one
        uint64_t first{0}; ///< number of its first segment
        uint64_t bytes{0};
        uint64_t inputOffset{0};  ///< where it is in its sender's input, bytes
        uint64_t outputOffset{0}; ///< where it is in a receiver's output, bytes
    };

    /// What a member does in a round.
    struct Member
    {
        std::vector<Piece> pieces; ///< pieces that it sends
        Piece own;                 ///< piece that it keeps for itself, uncombined
        uint64_t nSent{0};         ///< segments that it sends
        uint64_t nReceived{0};     ///< segments with contents that it receives for itself
        uint64_t outputBytes{0};
    };

    SegmentPlan(DataKind kind,
                uint32_t members,
                uint32_t root,
                const std::vector<uint64_t>& parts,
                uint64_t segmentBytes)
        : m_segmentBytes(segmentBytes),
          m_members(members)
    {
        if (SlotTree::GoesThrough(kind))
        {
            AddThrough(kind, root, parts);
            return;
        }
        const auto bytes = parts.front();
        for (uint32_t rank = 0; rank < members; ++rank)
        {
            if (kind != DataKind::BROADCAST || rank == root)
            {
                Add(rank, {rank, 0, bytes, 0, 0});
            }
            auto& member = m_members[rank];
            member.own.bytes = kind == DataKind::BROADCAST && rank == root ? bytes : 0;
            const bool gets =
                kind == DataKind::ALL_REDUCTION || (rank == root) == (kind == DataKind::REDUCTION);
            member.nReceived = gets ? CountSegments(bytes) : 0;
            member.outputBytes = gets || kind == DataKind::BROADCAST ? bytes : 0;
        }
    }

    const Member& Of(uint32_t rank) const
    {
        return m_members[rank];
    }

    Piece GetSegment(uint32_t rank, uint64_t number) const
    {
        const auto& pieces = m_members[rank].pieces;
        const auto piece = *std::prev(std::upper_bound(
            pieces.begin(),
            pieces.end(),
            number,
            [](uint64_t wanted, const Piece& each) { return wanted < each.first; }));
        const auto offset = (number - piece.first) * m_segmentBytes;
        const auto bytes = std::min(m_segmentBytes, piece.bytes - offset);
        return {piece.to, number, bytes, piece.inputOffset + offset, piece.outputOffset + offset};
    }

  private:
    /// Adds the parts that go from one member to another.
    void AddThrough(DataKind kind, uint32_t root, const std::vector<uint64_t>& parts)
    {
        const auto members = static_cast<uint32_t>(m_members.size());
        std::vector<uint64_t> inputs(parts.size()); // where each part is in its sender's input
        std::vector<uint64_t> outputs(parts.size());
        for (uint32_t rank = 0; rank < members; ++rank)
        {
            uint64_t offset = 0;
            for (const auto part : DataKindInvariant::ListInitial(kind, members, root, rank))
            {
                inputs[part] = offset;
                offset += parts[part];
            }
            for (const auto part : DataKindInvariant::ListFinal(kind, members, root, rank))
            {
                outputs[part] = m_members[rank].outputBytes;
                m_members[rank].outputBytes += parts[part];
            }
        }
        const bool isToAll = kind == DataKind::ALL_TO_ALL;
        for (uint32_t from = 0; from < members; ++from)
        {
            for (uint32_t distance = 0; distance < members; ++distance)
            {
                const auto to = (from + distance) % members;
                const auto part = isToAll ? std::size_t{from} * members + to : from;
                const Piece piece{to, 0, parts[part], inputs[part], outputs[part]};
                if (distance == 0)
                {
                    m_members[from].own = piece;
                }
                else if (isToAll || to == root)
                {
                    Add(from, piece);
                }
            }
        }
    }

    uint64_t CountSegments(uint64_t bytes) const
    {
        return (bytes + m_segmentBytes - 1) / m_segmentBytes;
    }

    void Add(uint32_t from, Piece piece)
    {
        const auto segments = CountSegments(piece.bytes);
        if (segments > 0)
        {
            auto& sender = m_members[from];
            piece.first = sender.nSent;
            sender.pieces.push_back(piece);
            sender.nSent += segments;
            m_members[piece.to].nReceived += segments;
        }
    }

    uint64_t m_segmentBytes{1};
    std::vector<Member> m_members; ///< by rank
};

/// The members' part in a data collective in the switches: their interfaces send and receive
/// segments, several in progress at a time.
///
/// A member that enters is charged the start-up of one message, whatever the length of its vector;
/// then its interface sends the first Window segments, each as soon as the previous one has left.
/// When a segment is completed, the next one is sent. In an all-reduction, and at the root of a
/// reduction, the result completes a segment; otherwise a message without a segment completes it.
/// If the receiver sends this message, its interface does so as soon as a segment has arrived.
///
/// A member that receives is charged for receiving one message when the last segment has arrived.
/// A member that only sends leaves when its interface has sent or queued its last segment.
class SegmentExchange : public SimpleRefCount<SegmentExchange>
{
  public:
    /// A member leaves (argument: its rank), or all segments are completed (NOBODY).
    typedef Callback<void, uint32_t> LeaveCallback;

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< no member

    /// @param window number of segments that a member has in progress
    /// @param headerBytes header length of a segment's message
    /// @param segmentBytes maximum segment length
    SegmentExchange(Collective& group,
                    uint32_t window,
                    uint32_t headerBytes,
                    uint64_t segmentBytes,
                    LeaveCallback leave)
        : m_group(&group),
          m_kind(group.GetKind()),
          m_root(DataKindInvariant::HasRoot(m_kind) ? group.GetRoot() : 0),
          m_window(window),
          m_headerBytes(headerBytes),
          m_plan(m_kind, group.GetNMembers(), m_root, group.GetParts(), segmentBytes),
          m_leave(leave),
          m_members(group.GetNMembers()),
          m_toSwitch(Create<WormRoute>(WormRoute::Path({0})))
    {
    }

    /// Detaches from the group: further messages are ignored.
    void Stop()
    {
        m_group = nullptr;
        m_leave.Nullify();
    }

    /// @param input its data; null if only lengths are simulated
    void Enter(uint32_t rank, SlotWorm::Contents input)
    {
        auto& member = m_members[rank];
        member.isInside = true;
        member.input = std::move(input);
        if (member.input && !DataKindInvariant::Combines(m_kind) && m_plan.Of(rank).outputBytes > 0)
        {
            // What others sent earlier is in the output already.
            auto& output = member.coming[member.rounds];
            output.resize(m_plan.Of(rank).outputBytes);
            const auto& own = m_plan.Of(rank).own;
            std::copy_n(member.input->begin() + static_cast<std::ptrdiff_t>(own.inputOffset),
                        own.bytes,
                        output.begin() + static_cast<std::ptrdiff_t>(own.outputOffset));
        }
        ++member.rounds;
        if (m_plan.Of(rank).nReceived == 0)
        {
            member.completed = member.rounds;
        }
        if (m_plan.Of(rank).nSent == 0)
        {
            TryLeave(rank);
            return;
        }
        member.hasStarted = false;
        auto& software = m_group->GetSoftware(rank);
        software.InvokeAfter(0, software.OccupySend(), this, &SegmentExchange::Start, rank);
    }

    void Receive(uint32_t rank, const SlotWorm& worm)
    {
        if (!m_group)
        {
            return;
        }
        const auto& message = worm.GetSlotMessage();
        const bool hasSegment = message.bytes > 0;
        if (message.kind == SlotMessage::THROUGH)
        {
            AnswerSegment(rank, SlotMessage::CREDIT, message);
            TakeSegment(rank, worm);
            return;
        }
        if (m_kind == DataKind::BROADCAST && hasSegment)
        {
            AnswerSegment(rank, SlotMessage::INWARD, message);
            TakeSegment(rank, worm);
            return;
        }
        ++m_members[rank].done;
        --m_nUnderWay;
        SendMore(rank);
        if (hasSegment)
        {
            TakeSegment(rank, worm);
        }
        TryLeave(rank);
        if (m_group && IsQuiet())
        {
            m_leave(NOBODY);
        }
    }

    const std::vector<uint8_t>& GetOutput(uint32_t rank) const
    {
        return m_members[rank].output;
    }

    bool IsQuiet() const
    {
        return m_nUnderWay == 0;
    }

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

    void SendMore(uint32_t rank)
    {
        auto& member = m_members[rank];
        const auto last = member.rounds * m_plan.Of(rank).nSent;
        while (member.hasStarted && member.sent < last && member.sent < member.done + m_window)
        {
            SendSegment(rank, member.sent++);
            ++m_nUnderWay;
        }
    }

    void SendSegment(uint32_t rank, uint64_t number)
    {
        const auto segment = m_plan.GetSegment(rank, number % m_plan.Of(rank).nSent);
        SlotMessage message;
        message.kind = SlotTree::GoesThrough(m_kind)   ? SlotMessage::THROUGH
                       : m_kind == DataKind::BROADCAST ? SlotMessage::OUTWARD
                                                       : SlotMessage::INWARD;
        message.segment = number;
        message.bytes = static_cast<uint32_t>(segment.bytes);
        message.from = static_cast<uint16_t>(rank);
        message.to = static_cast<uint16_t>(segment.to);
        SlotWorm::Contents contents;
        if (const auto& input = m_members[rank].input)
        {
            const auto begin = input->begin() + static_cast<std::ptrdiff_t>(segment.inputOffset);
            contents = std::make_shared<const std::vector<uint8_t>>(begin, begin + message.bytes);
        }
        Send(rank, message, std::move(contents));
    }

    void AnswerSegment(uint32_t rank, SlotMessage::Kind kind, const SlotMessage& segment)
    {
        auto message = segment;
        message.kind = kind;
        message.bytes = 0;
        Send(rank, message, nullptr);
    }

    void Send(uint32_t rank, const SlotMessage& message, SlotWorm::Contents contents)
    {
        const auto flits =
            m_group->GetDomain().GetFabric()->GetFlits(m_headerBytes + message.bytes);
        m_group->GetSoftware(rank).HandOver(
            Create<SlotWorm>(m_group->GetGroup(), message, flits, m_toSwitch, std::move(contents)),
            Simulator::Now());
    }

    void TakeSegment(uint32_t rank, const SlotWorm& worm)
    {
        auto& member = m_members[rank];
        const auto& message = worm.GetSlotMessage();
        // The number is the sender's; where segments are combined, all members number them alike.
        const bool isThrough = message.kind == SlotMessage::THROUGH;
        const auto from = isThrough                       ? uint32_t{message.from}
                          : m_kind == DataKind::BROADCAST ? m_root
                                                          : rank;
        const auto nSent = m_plan.Of(from).nSent;
        const auto round = message.segment / nSent;
        if (worm.GetContents())
        {
            auto& output = member.coming[round];
            output.resize(m_plan.Of(rank).outputBytes);
            const auto offset = m_plan.GetSegment(from, message.segment % nSent).outputOffset;
            std::copy(worm.GetContents()->begin(),
                      worm.GetContents()->end(),
                      output.begin() + static_cast<std::ptrdiff_t>(offset));
        }
        // A sender may be in its next round while another's segment of this round is in flight.
        auto& received = member.received[round];
        if (++received < m_plan.Of(rank).nReceived)
        {
            return;
        }
        member.received.erase(round);
        auto& software = m_group->GetSoftware(rank);
        software.InvokeAfter(0, software.OccupyReceive(), this, &SegmentExchange::Complete, rank);
    }

    void Start(uint32_t rank)
    {
        if (m_group)
        {
            m_members[rank].hasStarted = true;
            SendMore(rank);
            TryLeave(rank);
        }
    }

    /// A member's software has received a round's segments.
    void Complete(uint32_t rank)
    {
        if (m_group)
        {
            ++m_members[rank].completed;
            TryLeave(rank);
        }
    }

    void TryLeave(uint32_t rank)
    {
        auto& member = m_members[rank];
        if (!member.isInside || member.completed < member.rounds ||
            member.sent < member.rounds * m_plan.Of(rank).nSent)
        {
            return;
        }
        member.isInside = false;
        const auto coming = member.coming.find(member.rounds - 1);
        member.output.clear();
        if (coming != member.coming.end())
        {
            member.output = std::move(coming->second);
            member.coming.erase(coming);
        }
        m_leave(rank);
    }

    Collective* m_group; ///< the group; null once stopped
    DataKind m_kind;
    uint32_t m_root;
    uint32_t m_window;
    uint32_t m_headerBytes;
    const SegmentPlan m_plan;
    LeaveCallback m_leave;           ///< called when a member leaves
    std::vector<Member> m_members;   ///< by rank
    Ptr<const WormRoute> m_toSwitch; ///< from a host to its own switch
    uint64_t m_nUnderWay{0};         ///< segments sent but not completed
};

} // namespace ns3

#endif /* SEGMENT_EXCHANGE_H */
