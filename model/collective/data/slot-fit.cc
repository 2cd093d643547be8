/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-fit.h"

#include "slot-tree.h"

#include "ns3/collective-registry.h"
#include "ns3/string.h"
#include "ns3/wormhole-buffers.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <vector>

namespace ns3
{

std::string
SlotFit::FindObstacle(const DataCollective& group)
{
    if (group.KeepsOrder() && DataKindLaw::Combines(group.GetKind()))
    {
        return "switches combine in the order of ports, not of ranks (KeepsOrder)";
    }
    if (SlotTree::GoesThrough(group.GetKind()) && group.GetNMembers() > UINT16_MAX)
    {
        return "messages have ranks up to " + std::to_string(UINT16_MAX - 1);
    }
    return "";
}

uint32_t
SlotFit::FindSlotBytes(const DataCollective& group)
{
    const auto element = DataValues::GetElementBytes(group.GetDataType());
    const auto& domain = group.GetDomain();
    auto slotBytes = UINT32_MAX;
    for (const auto& entry : group.GetTree().GetSwitches())
    {
        const auto bytes = domain.GetUnit(entry.node)->GetSlotBytes();
        if (bytes < element)
        {
            throw WormholeError(
                "a slot of switch " + domain.GetGraph().GetName(entry.node) + " holds " +
                std::to_string(bytes) + " bytes (CollectiveUnit::SlotBytes), an element has " +
                std::to_string(element) + " (DataType); accepted are at least as many");
        }
        slotBytes = std::min(slotBytes, bytes / element * element);
    }
    return slotBytes;
}

uint32_t
SlotFit::FindSegmentBytes(const DataCollective& group)
{
    const auto& parts = group.GetParts();
    const auto longest = *std::max_element(parts.begin(), parts.end());
    const auto slotBytes = group.GetNMembers() == 1 ? UINT32_MAX : FindSlotBytes(group);
    return static_cast<uint32_t>(std::min<uint64_t>(longest, slotBytes));
}

void
SlotFit::CheckBuffer(const DataCollective& group,
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
        " flits, is to end in a switch, whose buffer at "
        "port " +
        port->GetName() + " holds " + std::to_string(depth) + "; accepted is " + accepted);
}

void
SlotFit::CheckBuffers(const DataCollective& group, uint64_t headerBytes, uint64_t askingBytes)
{
    group.GetDomain().GetFabric()->Start();
    const auto slotBytes = FindSlotBytes(group);
    const auto& graph = group.GetDomain().GetGraph();
    for (const auto& entry : group.GetTree().GetSwitches())
    {
        std::vector<uint16_t> ports(entry.memberPorts.begin(), entry.memberPorts.end());
        ports.insert(ports.end(), entry.childPorts.begin(), entry.childPorts.end());
        if (!entry.IsRoot())
        {
            ports.push_back(entry.parentPort);
        }
        for (const auto number : ports)
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

Ptr<DataCollective>
SlotFit::MakeFallback(const DataCollective& group, const std::string& name)
{
    auto made = StaticCast<DataCollective>(
        CollectiveRegistry::Make(group.GetKind(), name, CollectiveRegistry::Moves::DATA));
    if (made->GetInstanceTypeId() == group.GetInstanceTypeId())
    {
        throw WormholeError("Fallback is '" + name +
                            "', which is in the switches itself; accepted is an algorithm by "
                            "software, or none");
    }
    return made;
}

void
SlotFit::CopyTask(const DataCollective& group, DataCollective& other)
{
    for (const std::string name :
         {"Bytes", "Lengths", "DataType", "DataOperation", "KeepsOrder", "GroupIdBits"})
    {
        StringValue value;
        group.GetAttribute(name, value);
        other.SetAttribute(name, value);
    }
    if (DataKindLaw::HasRoot(group.GetKind()))
    {
        other.SetAttribute("Root", StringValue(std::to_string(group.GetRoot())));
    }
}

} // namespace ns3
