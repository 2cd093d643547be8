/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_TREE_H
#define SLOT_TREE_H

#include "ns3/barrier-tree.h"
#include "ns3/data-kind.h"
#include "ns3/fabric-graph.h"
#include "ns3/slot-message.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// A group's barrier tree as its switches need it for segments: rooted at
/// the root member's switch, or, if all members get a result, at the tree's root switch.
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
             uint32_t root);

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
    void SetRoot(const FabricGraph& graph, const BarrierTree& tree, FabricGraph::Node top);

    /// Sets the switches' ports towards members.
    void AddRoutes(const FabricGraph& graph,
                   const std::vector<FabricGraph::Node>& members,
                   DataKind kind,
                   uint32_t root);
    std::size_t Find(FabricGraph::Node node) const;

    std::vector<Switch> m_switches; ///< in the order of their numbers
};

/// Checks whether the switches of a group's barrier tree can serve a data
/// collective, and creates the fallback if they can't.
class SlotFit
{
  public:
    /// @return the reason why they can't, whatever their slots; empty if they can
    static std::string FindObstacle(const Collective& group);

    /// @return maximum segment length, bytes: the whole elements that fit into the smallest slot,
    /// or the longest part
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const Collective& group);

    /// Refuses buffers that do not hold the messages that end in their switch: those of a full
    /// slot, however short the vector is, so that a fabric supports all lengths or none.
    /// @param askingBytes length of messages that may come by any port of the tree's switches
    /// @throws WormholeError if a buffer is too small
    static void CheckBuffers(const Collective& group, uint64_t headerBytes, uint64_t askingBytes);

    /// @throws WormholeError if there is none, or it has the group's own type
    static Ptr<Collective> MakeFallback(const Collective& group, const std::string& name);

    /// Makes another algorithm perform a group's operation.
    static void CopyTask(const Collective& group, Collective& other);
};

} // namespace ns3

#endif /* SLOT_TREE_H */
