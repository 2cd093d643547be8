/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-switch-barrier.h"

#include "ns3/exact-time.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InSwitchBarrier");

NS_OBJECT_ENSURE_REGISTERED(InSwitchBarrier);

TypeId
InSwitchBarrier::GetTypeId()
{
    static const AttributeWords exhaustions{"Exhaustion", {"fail", "memory"}};
    static TypeId tid =
        TypeId("ns3::InSwitchBarrier")
            .SetParent<Barrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<InSwitchBarrier>()
            .AddAttribute(
                "Exhaustion",
                "What to do where a switch has no register left: fail, or memory (a "
                "host at that switch keeps it).",
                StringValue("fail"),
                MakeWordAccessor(exhaustions, MakeStringAccessor(&InSwitchBarrier::m_exhaustion)),
                MakeWordChecker(exhaustions))
            .AddAttribute("SetupSize",
                          "Length of a Setup_Register or release message in bytes: type, group, "
                          "operation, width, parent port and child bits.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&InSwitchBarrier::m_setupSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MemoryTime",
                          "Time that a host's software takes for a message to a register in its "
                          "memory; no paper gives it.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&InSwitchBarrier::m_memoryTime),
                          ExactTime::MakeChecker())
            .AddTraceSource("InMemory",
                            "At creation, a switch has no register left and a host's memory "
                            "serves instead; once for each such switch, with the numbers of "
                            "switch and host.",
                            MakeTraceSourceAccessor(&InSwitchBarrier::m_inMemoryTrace),
                            "ns3::InSwitchBarrier::InMemoryTracedCallback");
    return tid;
}

void
InSwitchBarrier::DoCreate()
{
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (GetTask(rank) > 0)
        {
            throw WormholeError("host " + GetDomain().GetHostName(GetHost(rank)) +
                                " is a member twice; a barrier in the switches has one member of "
                                "a host, or use smp[Inner=btin]");
        }
    }
    m_top = GetRank(GetTree().GetRootHost() - GetDomain().GetGraph().GetNSwitches());
    m_toSwitch = ns3::Create<WormRoute>(WormRoute::Path({0}));
    if (GetNMembers() == 1)
    {
        BeReady();
        return;
    }
    Reserve();
    ChangeRegisters(CollectiveMessage::SETUP);
}

bool
InSwitchBarrier::HoldsRegisters() const
{
    return true;
}

void
InSwitchBarrier::DoRelease()
{
    if (GetNMembers() == 1)
    {
        BeReleased();
        return;
    }
    ChangeRegisters(CollectiveMessage::RELEASE);
}

void
InSwitchBarrier::Reserve()
{
    const auto& graph = GetDomain().GetGraph();
    m_inMemory.clear();
    std::string full;
    for (const auto& entry : GetTree().GetSwitches())
    {
        if (graph.GetNPorts(entry.node) > BarrierRegister::MOST_PORTS)
        {
            throw WormholeError("switch " + graph.GetName(entry.node) + " has " +
                                std::to_string(graph.GetNPorts(entry.node)) +
                                " ports; a barrier register has bits for " +
                                std::to_string(BarrierRegister::MOST_PORTS));
        }
        if (GetDomain().GetUnit(entry.node)->GetNFree() == 0)
        {
            full += (full.empty() ? "" : ", ") + graph.GetName(entry.node);
            if (m_exhaustion == "memory")
            {
                const auto host = ChooseKeeper(entry);
                m_inMemory[entry.node] = {host,
                                          graph.SwitchOf(graph.HostAt(host)).port,
                                          BarrierRegister()};
            }
        }
    }
    if (!full.empty() && m_exhaustion == "fail")
    {
        throw WormholeError("group " + std::to_string(GetGroup()) + " of " +
                            std::to_string(GetNMembers()) +
                            " members cannot be: no barrier register is left in " + full +
                            "; release a group, give switches more (CollectiveUnit::Registers), "
                            "or let hosts keep them (InSwitchBarrier::Exhaustion memory)");
    }
    for (const auto& entry : GetTree().GetSwitches())
    {
        auto unit = GetDomain().GetUnit(entry.node);
        const auto found = m_inMemory.find(entry.node);
        if (found == m_inMemory.end())
        {
            unit->Reserve(GetGroup());
        }
        else
        {
            unit->ReserveInMemory(GetGroup(), found->second.port);
            m_inMemoryTrace(entry.node, found->second.host);
        }
    }
}

uint32_t
InSwitchBarrier::ChooseKeeper(const BarrierTree::SwitchEntry& entry) const
{
    const auto& graph = GetDomain().GetGraph();
    if (entry.IsMember())
    {
        return entry.representative - graph.GetNSwitches();
    }
    const auto ports = graph.PortsToHosts(entry.node);
    if (ports.empty())
    {
        throw WormholeError("group " + std::to_string(GetGroup()) + " of " +
                            std::to_string(GetNMembers()) +
                            " members cannot be: no barrier register is left in switch " +
                            graph.GetName(entry.node) + ", and it has no host to keep one");
    }
    return graph.Peer(entry.node, ports.front()).node - graph.GetNSwitches();
}

CollectiveMessage
InSwitchBarrier::MakeSetup(const BarrierTree::SwitchEntry& entry) const
{
    CollectiveMessage setup;
    setup.type = CollectiveMessage::SETUP;
    setup.group = GetGroup();
    setup.operation = GetOperation();
    setup.widthBits = static_cast<uint8_t>(GetWidthBits());
    setup.parent = entry.IsRoot() ? GetDomain().GetGraph().SwitchOf(GetTree().GetRootHost()).port
                                  : entry.parentPort;
    for (const auto& ports : {entry.childPorts, entry.memberPorts})
    {
        for (const auto port : ports)
        {
            setup.children |= uint64_t{1} << port;
        }
    }
    if (entry.IsRoot())
    {
        setup.children &= ~(uint64_t{1} << setup.parent);
    }
    return setup;
}

void
InSwitchBarrier::ChangeRegisters(CollectiveMessage::Type type)
{
    const auto& graph = GetDomain().GetGraph();
    auto fabric = GetDomain().GetFabric();
    m_changesLeft = static_cast<uint32_t>(GetTree().GetSwitches().size());
    for (const auto& entry : GetTree().GetSwitches())
    {
        auto message = MakeSetup(entry);
        message.type = type;
        const auto installer = entry.installer - graph.GetNSwitches();
        const auto found = m_inMemory.find(entry.node);
        if (found != m_inMemory.end() && found->second.host == installer)
        {
            TakeInMemory(entry.node, message);
            continue;
        }
        const bool own = graph.SwitchOf(entry.installer).node == entry.node;
        GetDomain().GetSoftware(installer)->Send(ns3::Create<CollectiveWorm>(
            message,
            fabric->GetFlits(m_setupSize),
            own ? m_toSwitch : fabric->GetRouter()->GetRouteToSwitch(installer, entry.node)));
    }
}

void
InSwitchBarrier::RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type)
{
    NS_LOG_FUNCTION(this << fabricSwitch << type);
    if (--m_changesLeft > 0)
    {
        return;
    }
    if (type == CollectiveMessage::SETUP)
    {
        BeReady();
    }
    else
    {
        m_inMemory.clear();
        BeReleased();
    }
}

void
InSwitchBarrier::DoEnter(uint32_t rank, uint64_t value)
{
    if (GetNMembers() == 1)
    {
        Leave(rank, value);
    }
    else if (rank == m_top)
    {
        m_rootCame = true;
        m_rootValue = value;
        TryDistribute();
    }
    else
    {
        CollectiveMessage message;
        message.type = CollectiveMessage::REDUCTION;
        message.group = GetGroup();
        message.value = value;
        GetSoftware(rank).Send(ns3::Create<CollectiveWorm>(message, GetMessageFlits(), m_toSwitch));
    }
}

void
InSwitchBarrier::TryDistribute()
{
    if (!m_rootCame || !m_othersCame)
    {
        return;
    }
    m_rootCame = m_othersCame = false;
    CollectiveMessage message;
    message.type = CollectiveMessage::DISTRIBUTION;
    message.group = GetGroup();
    message.value = CombineValues(m_rootValue, m_othersValue);
    GetSoftware(m_top).Send(ns3::Create<CollectiveWorm>(message, GetMessageFlits(), m_toSwitch));
    Leave(m_top, message.value);
}

void
InSwitchBarrier::Take(uint32_t host, CollectiveMessage message)
{
    if (message.type == CollectiveMessage::REDUCTION)
    {
        m_othersCame = true;
        m_othersValue = message.value;
        TryDistribute();
    }
    else
    {
        Leave(GetRank(host), message.value);
    }
}

void
InSwitchBarrier::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto& message = static_cast<const CollectiveWorm&>(*worm).GetMessage();
    if (message.toMemory)
    {
        const auto& graph = GetDomain().GetGraph();
        TakeInMemory(graph.SwitchOf(graph.HostAt(host)).node, message);
    }
    else
    {
        const auto wait = GetDomain().GetSoftware(host)->OccupyReceive();
        if (wait.IsZero())
        {
            Take(host, message);
        }
        else
        {
            Simulator::Schedule(wait,
                                &InSwitchBarrier::Take,
                                Ptr<InSwitchBarrier>(this),
                                host,
                                message);
        }
    }
}

void
InSwitchBarrier::TakeInMemory(uint32_t fabricSwitch, CollectiveMessage message)
{
    const auto host = m_inMemory.at(fabricSwitch).host;
    const auto wait = GetDomain().GetSoftware(host)->Occupy(m_memoryTime);
    Simulator::Schedule(wait,
                        &InSwitchBarrier::ApplyInMemory,
                        Ptr<InSwitchBarrier>(this),
                        fabricSwitch,
                        message);
}

void
InSwitchBarrier::ApplyInMemory(uint32_t fabricSwitch, CollectiveMessage message)
{
    auto& memory = m_inMemory.at(fabricSwitch);
    message.toMemory = false;
    switch (message.type)
    {
    case CollectiveMessage::SETUP:
        memory.reg = BarrierRegister(message);
        RegisterChanged(fabricSwitch, message.type);
        break;
    case CollectiveMessage::RELEASE:
        GetDomain().GetUnit(fabricSwitch)->ReleaseFromMemory(GetGroup());
        RegisterChanged(fabricSwitch, message.type);
        break;
    case CollectiveMessage::REDUCTION:
        if (memory.reg.Arrive(message.parent, message.value))
        {
            message.value = memory.reg.GetResult();
            SendFromMemory(memory, message, {memory.reg.GetParent()});
        }
        break;
    case CollectiveMessage::DISTRIBUTION:
        SendFromMemory(memory, message, memory.reg.GetChildren());
        break;
    }
}

void
InSwitchBarrier::SendFromMemory(const Memory& memory,
                                const CollectiveMessage& message,
                                std::vector<uint16_t> ports)
{
    const auto self = std::find(ports.begin(), ports.end(), memory.port);
    const bool toSelf = self != ports.end();
    if (toSelf)
    {
        ports.erase(self);
    }
    if (!ports.empty())
    {
        std::vector<std::vector<uint16_t>> stops(2 + ports.size());
        stops[0] = {0};
        stops[1] = ports;
        GetDomain()
            .GetSoftware(memory.host)
            ->Send(ns3::Create<CollectiveWorm>(message,
                                               GetMessageFlits(),
                                               ns3::Create<WormRoute>(WormRoute::Tree(stops))));
    }
    if (toSelf)
    {
        Take(memory.host, message);
    }
}

std::vector<std::pair<uint32_t, uint32_t>>
InSwitchBarrier::GetInMemory() const
{
    std::vector<std::pair<uint32_t, uint32_t>> places;
    for (const auto& [fabricSwitch, memory] : m_inMemory)
    {
        places.emplace_back(fabricSwitch, memory.host);
    }
    return places;
}

} // namespace ns3
