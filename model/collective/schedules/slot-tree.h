// SPDX-License-Identifier: GPL-2.0-only

#ifndef SLOT_TREE_H
#define SLOT_TREE_H

#include "ns3/barrier-tree.h"
#include "ns3/collective-registry.h"
#include "ns3/fabric-graph.h"
#include "ns3/slot-message.h"
#include "ns3/string.h"
#include "ns3/wormhole-buffers.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>

namespace ns3
{

/// A group's barrier tree as its switches need it for segments: rooted at the root member's switch,
/// or, if all members get a result, at the tree's root switch.
class SlotTree
{
  public:
    /// A switch of the tree.
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
                // Nobody tells the root's switch that the root has what it sends.
                plan.expected.Remove(place.port);
            }
        }
        for (auto& entry : m_switches)
        {
            entry.plan->isSpread = kind == DataKind::BROADCAST;
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

    /// @return whether a kind's segments go from one member to another, and are never combined or
    /// copied
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

/// Checks whether the switches of a group's barrier tree can serve a data collective, and creates
/// the fallback if they can't.
class SlotFit
{
  public:
    /// @return the reason why they can't, whatever their slots; empty if they can
    static std::string FindObstacle(const Collective& group)
    {
        if (group.KeepsOrder() && DataKindInvariant::Combines(group.GetKind()))
        {
            return "switches combine in the order of ports, not of ranks (KeepsOrder)";
        }
        if (SlotTree::GoesThrough(group.GetKind()) && group.GetNMembers() > UINT16_MAX)
        {
            return "messages have ranks up to " + std::to_string(UINT16_MAX - 1);
        }
        return "";
    }

    /// @return maximum segment length, bytes: the whole elements that fit into the smallest slot,
    /// or the longest part
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const Collective& group)
    {
        const auto& parts = group.GetParts();
        const auto longest = *std::max_element(parts.begin(), parts.end());
        const auto slotBytes = group.GetNMembers() == 1 ? UINT32_MAX : FindSlotBytes(group);
        return static_cast<uint32_t>(std::min<uint64_t>(longest, slotBytes));
    }

    /// Refuses buffers that do not hold the messages that end in their switch: those of a full
    /// slot, however short the vector is, so that a fabric supports all lengths or none.
    /// @param askingBytes length of messages that may come by any port of the tree's switches
    /// @throws WormholeError if a buffer is too small
    static void CheckBuffers(const Collective& group, uint64_t headerBytes, uint64_t askingBytes)
    {
        group.GetDomain().GetFabric()->Start();
        const auto slotBytes = FindSlotBytes(group);
        const auto& graph = group.GetDomain().GetGraph();
        for (const auto& entry : group.GetTree().GetSwitches())
        {
            for (const auto number : entry.GetPorts())
            {
                CheckBuffer(group, entry.node, number, headerBytes, slotBytes);
            }
            for (uint32_t number = 0; number < graph.GetNPorts(entry.node); ++number)
            {
                const auto port = static_cast<uint16_t>(number);
                if (graph.Peer(entry.node, port).node != FabricGraph::NONE)
                {
                    CheckBuffer(group, entry.node, port, askingBytes, 0);
                }
            }
        }
    }

    /// @throws WormholeError if there is none, or it has the group's own type
    static Ptr<Collective> MakeFallback(const Collective& group, const std::string& name)
    {
        auto made =
            CollectiveRegistry::Make(group.GetKind(), name, CollectiveRegistry::Moves::DATA);
        WormholeError::ThrowIf(made->GetInstanceTypeId() == group.GetInstanceTypeId(),
                               "Fallback is '" + name +
                                   "', which is in the switches itself; expected an algorithm by "
                                   "software, or none");
        return made;
    }

    /// Makes another algorithm perform a group's operation.
    static void CopyTask(const Collective& group, Collective& other)
    {
        group.CopyAttributes(
            other,
            {"Bytes", "Lengths", "DataType", "DataOperation", "KeepsOrder", "GroupIdBits"});
        if (DataKindInvariant::HasRoot(group.GetKind()))
        {
            other.SetAttribute("Root", StringValue(std::to_string(group.GetRoot())));
        }
    }

  private:
    /// @return what the smallest slot of the group's tree holds of whole elements, bytes
    static uint32_t FindSlotBytes(const Collective& group)
    {
        const auto element = DataValues::GetElementBytes(group.GetDataType());
        const auto& domain = group.GetDomain();
        auto slotBytes = UINT32_MAX;
        for (const auto& entry : group.GetTree().GetSwitches())
        {
            const auto bytes = domain.GetUnit(entry.node)->GetSlotBytes();
            WormholeError::ThrowIf(
                bytes < element,
                "a slot of switch " + domain.GetGraph().GetName(entry.node) + " holds " +
                    std::to_string(bytes) + " bytes (CollectiveUnit::SlotBytes), an element has " +
                    std::to_string(element) + " (DataType); expected at least as many");
            slotBytes = std::min(slotBytes, bytes / element * element);
        }
        return slotBytes;
    }

    /// Refuses a buffer that does not hold a message, of a header and a segment.
    static void CheckBuffer(const Collective& group,
                            uint32_t node,
                            uint16_t number,
                            uint64_t headerBytes,
                            uint64_t slotBytes)
    {
        const auto fabric = group.GetDomain().GetFabric();
        const auto port = fabric->GetSwitch(node)->GetPort(number);
        const uint32_t depth = port->GetState().input.upstream->depth;
        const auto bytes = headerBytes + slotBytes;
        const auto flits = fabric->GetFlits(bytes);
        if (flits <= depth)
        {
            return;
        }
        auto accepted =
            "a BufferDepth (of WormholePort) of " + std::to_string(flits) + " flits or more";
        // Shorter segments of whole elements that fit, where there are any.
        const auto element = DataValues::GetElementBytes(group.GetDataType());
        auto fits = slotBytes;
        while (fits >= element && fabric->GetFlits(headerBytes + fits) > depth)
        {
            fits -= std::min<uint64_t>(fits, element);
        }
        if (fits >= element)
        {
            accepted =
                "SlotBytes (of CollectiveUnit) up to " + std::to_string(fits) + ", or " + accepted;
        }
        throw WormholeError(
            "a message of " + std::to_string(bytes) + " bytes, " + std::to_string(flits) +
            " flits, is to end in a switch, whose buffer at port " + port->GetName() + " holds " +
            std::to_string(depth) + "; expected " + accepted);
    }
};

} // namespace ns3

#endif /* SLOT_TREE_H */
