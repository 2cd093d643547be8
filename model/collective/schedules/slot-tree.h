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

/// @ingroup wormhole @brief A group's barrier tree as its switches need it for segments: rooted at
/// the root member's switch, or, if all members get a result, at the tree's root switch.
class SlotTree
{
  public:
    /// A switch of the tree.
    struct Switch
    {
        FabricGraph::Node node{0};      ///< the switch
        std::shared_ptr<SlotPlan> plan; ///< its plan
        uint32_t senders{0}; ///< number of members whose own segments may be here at once
    };

    /// @param graph the fabric
    /// @param tree the group's barrier tree
    /// @param members the members' hosts, by rank
    /// @param kind the group's kind
    /// @param root rank of the root, if the kind has one
    SlotTree(const FabricGraph& graph,
             const BarrierTree& tree,
             const std::vector<FabricGraph::Node>& members,
             DataKind kind,
             uint32_t root);

    /// @return the switches, in the order of their numbers
    const std::vector<Switch>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return whether a kind's segments go from one member to another, and are never combined or
    ///         copied @param kind the kind
    static bool GoesThrough(DataKind kind);

    /// @return whether the switches support a kind @param kind the kind
    static bool Serves(DataKind kind);

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

/// @ingroup wormhole @brief Checks whether the switches of a group's barrier tree can serve a data
/// collective, and creates the fallback if they can't.
class SlotFit
{
  public:
    /// @return the reason why they can't, whatever their slots; empty if they can @param group the
    ///         group
    static std::string FindObstacle(const Collective& group);

    /// @return maximum segment length, bytes: the whole elements that fit into the smallest slot,
    ///         or the longest part @param group the group
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const Collective& group);

    /// Refuses buffers that do not hold the messages that end in their switch: those of a full
    /// slot, however short the vector is, so that a fabric supports all lengths or none.
    /// @param group the group, whose fabric is started
    /// @param headerBytes header length of a segment's message
    /// @param askingBytes length of messages that may come by any port of the tree's switches
    /// @throws WormholeError if a buffer is too small
    static void CheckBuffers(const Collective& group, uint64_t headerBytes, uint64_t askingBytes);

    /// @return another algorithm of a group's kind @param group the group @param name its name
    /// @throws WormholeError if there is none, or it has the group's own type
    static Ptr<Collective> MakeFallback(const Collective& group, const std::string& name);

    /// Makes another algorithm perform a group's operation. @param group the group
    /// @param other the algorithm
    static void CopyTask(const Collective& group, Collective& other);
};

} // namespace ns3

#endif /* SLOT_TREE_H */
