/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-tree.h"

#include <algorithm>

namespace ns3
{

bool
SlotTree::GoesThrough(DataKind kind)
{
    return kind == DataKind::GATHER || kind == DataKind::ALL_TO_ALL;
}

bool
SlotTree::Serves(DataKind kind)
{
    return GoesThrough(kind) || kind == DataKind::ALL_REDUCTION || kind == DataKind::REDUCTION ||
           kind == DataKind::BROADCAST;
}

SlotTree::SlotTree(const FabricGraph& graph,
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
    const bool hasRoot = DataKindLaw::HasRoot(kind);
    const auto place = hasRoot ? graph.SwitchOf(members[root]) : FabricGraph::End();
    const auto top = hasRoot ? place.node : tree.GetRootSwitch();
    HangUp(graph, tree, top);
    if (hasRoot)
    {
        auto& plan = *m_switches[Find(top)].plan;
        plan.root = place.port;
        if (kind == DataKind::BROADCAST)
        {
            // Nobody tells the root's switch that the root has what it sends.
            plan.expected.erase(std::find(plan.expected.begin(), plan.expected.end(), place.port));
        }
    }
    for (auto& entry : m_switches)
    {
        entry.plan->isSpread = kind == DataKind::BROADCAST;
    }
    if (GoesThrough(kind))
    {
        AddWays(graph, members, kind, root);
    }
}

std::size_t
SlotTree::Find(FabricGraph::Node node) const
{
    const auto found = std::lower_bound(
        m_switches.begin(),
        m_switches.end(),
        node,
        [](const Switch& entry, FabricGraph::Node wanted) { return entry.node < wanted; });
    return static_cast<std::size_t>(found - m_switches.begin());
}

void
SlotTree::HangUp(const FabricGraph& graph, const BarrierTree& tree, FabricGraph::Node top)
{
    std::vector<std::size_t> reached{Find(top)};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const auto& here = m_switches[reached[i]];
        auto& plan = *here.plan;
        const auto& entry = *tree.Find(here.node);
        plan.outward.assign(entry.memberPorts.begin(), entry.memberPorts.end());
        plan.outward.insert(plan.outward.end(), entry.childPorts.begin(), entry.childPorts.end());
        if (!entry.IsRoot())
        {
            plan.outward.push_back(entry.parentPort);
        }
        plan.outward.erase(std::remove(plan.outward.begin(), plan.outward.end(), plan.parent),
                           plan.outward.end());
        std::sort(plan.outward.begin(), plan.outward.end());
        plan.expected = plan.outward;
        for (const auto port : plan.outward)
        {
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

void
SlotTree::AddWays(const FabricGraph& graph,
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

} // namespace ns3
