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

/// @ingroup wormhole @brief A group's barrier tree as its switches need it for segments: hung up at
/// the switch of the root member, or, where all members get a result, at the tree's root switch.
class SlotTree
{
  public:
    /// A switch of the tree.
    struct Switch
    {
        FabricGraph::Node node{0};      ///< the switch
        std::shared_ptr<SlotPlan> plan; ///< what it is to know
        uint32_t senders{0};            ///< members whose own segments may be here at once
    };

    /// @param graph the fabric
    /// @param tree the group's barrier tree
    /// @param members the members' hosts, by rank
    /// @param kind what the group does
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

    /// @return whether segments of a kind go from one member to another, and are never combined or
    /// copied @param kind the kind
    static bool GoesThrough(DataKind kind);

    /// @return whether a kind can be done in the switches @param kind the kind
    static bool Serves(DataKind kind);

  private:
    void SetRoot(const FabricGraph& graph, const BarrierTree& tree, FabricGraph::Node top);

    /// Tells switches by which ports members are reached.
    void AddRoutes(const FabricGraph& graph,
                   const std::vector<FabricGraph::Node>& members,
                   DataKind kind,
                   uint32_t root);
    std::size_t Find(FabricGraph::Node node) const;

    std::vector<Switch> m_switches; ///< in the order of their numbers
};

/// @ingroup wormhole @brief Whether the switches of a group's barrier tree can serve a collective
/// of data, and what does if they can't.
class SlotFit
{
  public:
    /// @return why they can't, whatever slots they have; empty: they can @param group the group
    static std::string FindObstacle(const Collective& group);

    /// @return length of the longest segment, bytes: what the smallest slot holds of whole
    /// elements, or the longest part @param group the group
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const Collective& group);

    /// Refuses buffers that do not hold the messages that end in their switch: those of a full
    /// slot, however short the vector is, so that a fabric is fit for all lengths or for none.
    /// @param group the group, whose fabric is started
    /// @param headerBytes what a message is longer than its segment by
    /// @param askingBytes length of messages that may come by any port of the tree's switches
    /// @throws WormholeError if there is one
    static void CheckBuffers(const Collective& group, uint64_t headerBytes, uint64_t askingBytes);

    /// @return another algorithm of a group's kind @param group the group @param name its name
    /// @throws WormholeError if there is none, or it is of the group's own type
    static Ptr<Collective> MakeFallback(const Collective& group, const std::string& name);

    /// Has another algorithm do what a group does. @param group the group @param other the
    /// algorithm
    static void CopyTask(const Collective& group, Collective& other);
};

} // namespace ns3

#endif /* SLOT_TREE_H */
