// SPDX-License-Identifier: GPL-2.0-only

#include "collective-domain.h"

#include "ns3/barrier-tree.h"
#include "ns3/group-failures.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/route-recovery.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveDomain");

NS_OBJECT_ENSURE_REGISTERED(CollectiveDomain);

TypeId
CollectiveDomain::GetTypeId()
{
    static TypeId tid =
        NewType::Of<CollectiveDomain, Object>("ns3::CollectiveDomain")
            .Add("Network",
                 "Network for messages between hosts: fabric, or ideal (a message arrives a fixed "
                 "time, Latency, after its send ends).",
                 Sets::Choice({"fabric", "ideal"}, "fabric", &CollectiveDomain::m_ideal))
            .Add("Latency",
                 "Flight time of a message on the ideal network, without SetLevels.",
                 Sets::Duration(&CollectiveDomain::m_latency, MicroSeconds(1)))
            .Add("FailureDetector",
                 "How members of a group detect a dead host, besides by messages never "
                 "acknowledged (HostSoftware::Retransmission): none; heartbeat, sent by each host "
                 "of a group to the next; or fabric, whose management informs all members when an "
                 "outage cuts off a host.",
                 Sets::Word({"none", "heartbeat", "fabric"}, "none", &CollectiveDomain::m_detector))
            .Add("HeartbeatInterval",
                 "Time between two heartbeats of a host while any member of its group is in a "
                 "round.",
                 Sets::Duration(&CollectiveDomain::m_heartbeatInterval, MicroSeconds(100), 1))
            .Add("FailureDelay",
                 "Time since a host's last heartbeat, or its cut-off, until it is considered dead.",
                 Sets::Duration(&CollectiveDomain::m_failureDelay, MilliSeconds(1)))
            .Add("Joined",
                 "A group has received its identifier, but is not set up yet; with the identifier "
                 "and the group.",
                 &CollectiveDomain::m_joinedTrace,
                 "ns3::CollectiveDomain::JoinedTracedCallback")
            .Add("Failed",
                 "A group's member ends its round without a result (Collective::Failed); unless "
                 "that source is connected, too, the failure is still an error.",
                 &CollectiveDomain::m_failedTrace,
                 "ns3::CollectiveDomain::FailedTracedCallback")
            .Add("Sent",
                 "A message between members (except in one host's memory) leaves its sender's "
                 "software, at once or later; with the group, the message, the number of "
                 "receivers, and when it leaves.",
                 &CollectiveDomain::m_sentTrace,
                 "ns3::CollectiveDomain::SentTracedCallback")
            .Add("Received",
                 "A message between members has reached its receiver's software, which may not be "
                 "waiting for it yet; with the group, the message and the host's number.",
                 &CollectiveDomain::m_receivedTrace,
                 "ns3::CollectiveDomain::ReceivedTracedCallback");
    return tid;
}

CollectiveDomain::CollectiveDomain()
    : m_receiver(MakeCallback(&CollectiveDomain::Receive, this)),
      m_changed(MakeCallback(&CollectiveDomain::Change, this))
{
}

void
CollectiveDomain::DoDispose()
{
    m_fabric = nullptr;
    for (const auto& software : m_software)
    {
        software->SetGaveUpCallback(nullptr);
    }
    m_software.clear();
    m_units.clear();
    m_addOnNetworks.clear();
    m_clients.clear();
    m_outages.clear();
    Object::DoDispose();
}

void
CollectiveDomain::SetFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph)
{
    m_fabric = fabric;
    m_graph = graph;
    fabric->SetExplainer(
        MakeCallback(&CollectiveDomain::ExplainMissing, Ptr<const CollectiveDomain>(this)));
    // Before it starts, and tells of those that it knows.
    fabric->TraceConnectWithoutContext(
        "Outage",
        MakeCallback(&CollectiveDomain::NotifyOutage, Ptr<CollectiveDomain>(this)));
}

std::string
CollectiveDomain::ExplainMissing() const
{
    std::string text;
    for (const auto& entry : m_clients)
    {
        const auto missing = entry.second ? entry.second->ExplainMissing() : "";
        text += (text.empty() || missing.empty() ? "" : "; ") + missing;
    }
    return text;
}

void
CollectiveDomain::AddSoftware(Ptr<HostSoftware> software)
{
    if (software->GetDevice())
    {
        software->SetHostReceiver(Worm::MESSAGE, m_receiver);
        software->SetHostReceiver(Worm::COLLECTIVE, m_receiver);
    }
    const auto number = static_cast<uint32_t>(m_software.size());
    software->SetNumber(number);
    software->SetActivities(m_activities);
    software->SetGaveUpCallback([this, number](const HostMessage& message, uint32_t host) {
        GiveUp(number, message, host);
    });
    const auto found = m_graph.GetInterfaces().find(number);
    if (found != m_graph.GetInterfaces().end())
    {
        for (uint32_t i = 1; i < found->second.size(); ++i)
        {
            m_owners[found->second[i]] = {number, i};
        }
    }
    m_software.push_back(software);
}

Ptr<AddOnNetwork>
CollectiveDomain::GetAddOnNetwork(const std::string& setting) const
{
    const auto found = m_addOnNetworks.find(setting);
    WormholeError::ThrowIf(found == m_addOnNetworks.end(),
                           "there is no add-on network " + setting +
                               "; expected one given by CollectiveDomain::AddAddOnNetwork");
    return found->second;
}

void
CollectiveDomain::SetLevels(const ProcessHierarchy& levels)
{
    WormholeError::ThrowIf(levels.GetSize() < GetNHosts(),
                           "levels of " + std::to_string(levels.GetSize()) + " hosts for " +
                               std::to_string(GetNHosts()) + ": expected as many at least");
    m_levels = std::make_shared<ProcessHierarchy>(levels);
}

std::unique_ptr<const FabricGraph>
CollectiveDomain::FindGraphLeft(const std::vector<uint32_t>& hosts) const
{
    const auto recovery = m_fabric ? m_fabric->GetObject<RouteRecovery>() : nullptr;
    return recovery ? recovery->FindLeft(hosts) : nullptr;
}

uint32_t
CollectiveDomain::FindRootHost(const std::vector<uint32_t>& hosts, const ChannelWait& wait) const
{
    WormholeError::ThrowIf(IsIdeal(), "there is no barrier tree on an ideal network");
    const auto left = FindGraphLeft(hosts);
    const auto nodes = MadeOf(hosts, [this](auto host) { return m_graph.HostAt(host); });
    const auto cost = [&](FabricGraph::End end) {
        const auto channel = m_fabric->GetPort(end.node, end.port)->GetChannel();
        const auto next = m_fabric->GetSwitch(m_graph.Peer(end.node, end.port).node);
        const auto hop = m_fabric->GetFlitTime(*channel) + channel->GetDelay() + next->GetDelay();
        return (hop + wait(end)).GetDouble();
    };
    return BarrierTree::FindQuickest(left ? *left : m_graph, nodes, cost).GetRootHost() -
           m_graph.GetNSwitches();
}

Ptr<const WormRoute>
CollectiveDomain::GetRouteToSwitch(uint32_t host, uint32_t fabricSwitch) const
{
    if (m_graph.SwitchOf(m_graph.HostAt(host)).node == fabricSwitch)
    {
        return Create<WormRoute>(WormRoute::Path({0}));
    }
    return m_fabric->GetRouter()->GetRouteToSwitch(host, fabricSwitch);
}

Ptr<const WormRoute>
CollectiveDomain::GetRouteFromSwitch(uint32_t fabricSwitch, uint32_t host) const
{
    const auto route = GetRouteToSwitch(host, fabricSwitch);
    const auto nodes = m_graph.Walk(m_graph.HostAt(host), *route);
    std::vector<uint16_t> ports;
    for (std::size_t stop = 0; stop + 1 < nodes.size(); ++stop)
    {
        const auto port = route->At(static_cast<WormRoute::Stop>(stop))[0].port;
        ports.push_back(m_graph.Peer(nodes[stop], port).port);
    }
    std::reverse(ports.begin(), ports.end());
    return Create<WormRoute>(WormRoute::Path(ports));
}

Ptr<const WormRoute>
CollectiveDomain::GetAnswerRoute(uint32_t fabricSwitch, uint32_t host) const
{
    const auto hostPorts = m_graph.PortsToHosts(fabricSwitch);
    if (m_graph.SwitchOf(m_graph.HostAt(host)).node == fabricSwitch || hostPorts.empty())
    {
        return GetRouteFromSwitch(fabricSwitch, host);
    }
    const auto from = m_graph.Peer(fabricSwitch, hostPorts.front()).node - m_graph.GetNSwitches();
    const auto route = m_fabric->GetRouter()->GetSwitchPath(from, host);
    std::vector<uint16_t> ports;
    for (WormRoute::Stop stop = 1; route->At(stop).size() > 0; ++stop)
    {
        ports.push_back(route->At(stop)[0].port);
    }
    return Create<WormRoute>(WormRoute::Path(ports));
}

bool
CollectiveDomain::IsCutOff(uint32_t host, const std::set<Ptr<WormholeChannel>>& cables) const
{
    for (uint32_t i = 0; i < m_software[host]->GetNInterfaces(); ++i)
    {
        if (cables.count(m_software[host]->GetDevice(i)->GetPort()->GetChannel()) == 0)
        {
            return false;
        }
    }
    return true;
}

bool
CollectiveDomain::IsCutOff(uint32_t host) const
{
    const auto now = Simulator::Now();
    return std::any_of(m_outages.upper_bound(now), m_outages.end(), [&](const auto& entry) {
        return entry.second.from <= now && IsCutOff(host, m_fabric->GetCables(entry.second.part));
    });
}

Ptr<HostSoftware>
CollectiveDomain::GetSoftware(uint32_t host) const
{
    if (host >= m_software.size())
    {
        throw WormholeError("host " + std::to_string(host) + " has no software; expected 0 to " +
                            std::to_string(int64_t(m_software.size()) - 1));
    }
    return m_software[host];
}

Ptr<CollectiveUnit>
CollectiveDomain::GetUnit(uint32_t fabricSwitch) const
{
    if (fabricSwitch >= m_units.size())
    {
        throw WormholeError("switch " + std::to_string(fabricSwitch) +
                            " has no collective unit; expected 0 to " +
                            std::to_string(int64_t(m_units.size()) - 1));
    }
    return m_units[fabricSwitch];
}

uint16_t
CollectiveDomain::Join(CollectiveClient* client, uint32_t idBits)
{
    const uint32_t nIds = uint32_t{1} << idBits;
    uint32_t id = 0;
    for (auto entry = m_clients.begin(); entry != m_clients.end() && entry->first == id; ++entry)
    {
        ++id;
    }
    WormholeError::ThrowIf(
        id >= nIds,
        "all " + std::to_string(nIds) + " group identifiers of " + std::to_string(idBits) +
            " bits are in use; release a group or widen Collective::GroupIdBits");
    m_clients[static_cast<uint16_t>(id)] = client;
    m_joinedTrace(static_cast<uint16_t>(id), client);
    return static_cast<uint16_t>(id);
}

void
CollectiveDomain::Drop(uint16_t group)
{
    Abandon(group);
    m_dropped.insert(group);
    for (const auto& unit : m_units)
    {
        unit->Drop(group);
    }
}

void
CollectiveDomain::GiveUp(uint32_t from, const HostMessage& message, uint32_t to)
{
    if (const auto client = FindClient(message.group))
    {
        client->GetFailures().Suspect(from,
                                      to,
                                      GetHostName(to) + " never acknowledged a message of " +
                                          GetHostName(from));
    }
}

void
CollectiveDomain::NotifyOutage(const WormholeOutage& outage)
{
    const auto now = Simulator::Now();
    m_outages.erase(m_outages.begin(), m_outages.upper_bound(now));
    m_outages.emplace(outage.until, outage);
    if (m_detector != "fabric" || !m_fabric || outage.until - outage.from <= m_failureDelay)
    {
        return;
    }
    const auto cables = m_fabric->GetCables(outage.part);
    const auto hosts =
        NumbersWith(GetNHosts(), [&](uint32_t host) { return IsCutOff(host, cables); });
    if (!hosts.empty())
    {
        Simulator::Schedule(std::max(outage.from + m_failureDelay - now, Time(0)),
                            &CollectiveDomain::NotifyDead,
                            Ptr<CollectiveDomain>(this),
                            hosts);
    }
}

void
CollectiveDomain::NotifyDead(std::vector<uint32_t> hosts)
{
    const auto clients = m_clients; // who is told may leave
    for (const auto& [group, client] : clients)
    {
        if (client && FindClient(group) == client)
        {
            client->GetFailures().NotifyDead(hosts);
        }
    }
}

CollectiveClient&
CollectiveDomain::ClientOf(uint16_t group) const
{
    const auto client = FindClient(group);
    if (!client)
    {
        throw WormholeError("a message came for group " + std::to_string(group) +
                            ", which does not exist (any more)");
    }
    return *client;
}

void
CollectiveDomain::Receive(uint32_t host, Ptr<const Worm> worm)
{
    const auto packet = dynamic_cast<const HostPacketWorm*>(PeekPointer(worm));
    if (packet && !packet->GetCut().Add(host))
    {
        return; // other packets of the message are to come
    }
    const auto owner = FindOwner(host);
    auto flight = m_activities->IsRecording()
                      ? m_activities->Land(PeekPointer(worm), worm->GetId(), GetHostName(host))
                      : ActivityRecorder::NONE;
    const auto wait = owner.host < m_software.size()
                          ? m_software[owner.host]->PassInterface(HostSoftware::Direction::RECEIVED,
                                                                  *worm,
                                                                  flight,
                                                                  owner.interface)
                          : Time(0);
    if (wait.IsStrictlyPositive())
    {
        m_activities->ScheduleAfter(flight,
                                    wait,
                                    &CollectiveDomain::Deliver,
                                    Ptr<CollectiveDomain>(this),
                                    owner.host,
                                    worm);
        return;
    }
    const ActivityRecorder::Scope scope(*m_activities, flight);
    Deliver(owner.host, worm);
}

void
CollectiveDomain::Deliver(uint32_t host, Ptr<const Worm> worm)
{
    const auto deliver = [this, host](const Ptr<const Worm>& taken) { DeliverNow(host, taken); };
    const bool isNumbered = worm->GetKind() == Worm::MESSAGE &&
                            static_cast<const HostMessageWorm&>(*worm).GetMessage().isNumbered;
    isNumbered ? m_software[host]->Acknowledge(worm, deliver) : deliver(worm);
}

void
CollectiveDomain::DeliverNow(uint32_t host, const Ptr<const Worm>& worm)
{
    if (worm->GetKind() == Worm::MESSAGE)
    {
        const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
        if (message.phase == HostMessage::NOTICE)
        {
            if (const auto client = FindClient(message.group))
            {
                client->GetFailures().Receive(host, message);
            }
            return;
        }
    }
    NS_LOG_FUNCTION(this << host << worm->GetId());
    const auto group = worm->GetKind() == Worm::COLLECTIVE
                           ? static_cast<const CollectiveWorm&>(*worm).GetMessage().group
                           : static_cast<const HostMessageWorm&>(*worm).GetMessage().group;
    if (m_dropped.count(group) == 0)
    {
        ClientOf(group).ReceiveAt(host, worm);
    }
}

void
CollectiveDomain::Change(uint32_t fabricSwitch, uint16_t group, CollectiveMessage::Type type)
{
    NS_LOG_FUNCTION(this << fabricSwitch << group << type);
    using Message = CollectiveMessage;
    if (type == Message::SETUP || type == Message::RELEASE || type == Message::RESTORE)
    {
        ClientOf(group).RegisterChanged(fabricSwitch, type);
        return;
    }
    ClientOf(group).GetFailures().FailAll({},
                                          "switch " + m_graph.GetName(fabricSwitch) +
                                              " has lost what it held of the group");
}

} // namespace ns3
