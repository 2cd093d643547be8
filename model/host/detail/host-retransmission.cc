// SPDX-License-Identifier: GPL-2.0-only

#include "host-retransmission.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-channel.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostRetransmission");

HostRetransmission::HostRetransmission(HostSoftware& host)
    : m_host(host)
{
}

HostRetransmission::~HostRetransmission()
{
    for (auto& peer : m_peers)
    {
        for (auto& pending : peer.second.pending)
        {
            pending.second.timeout.Cancel();
        }
    }
}

void
HostRetransmission::Send(HostSoftware::Outgoing outgoing, Time time)
{
    if (outgoing.left)
    {
        outgoing.left = [left = std::move(outgoing.left), hasLeft = std::make_shared<bool>(false)] {
            if (!std::exchange(*hasLeft, true))
            {
                left();
            }
        };
    }
    outgoing.message.isNumbered = true;
    outgoing.cause = m_host.GetActivities().GetCurrent();
    auto transmission = Create<Transmission>();
    transmission->from = m_host.m_number;
    transmission->receivers =
        outgoing.transmission ? outgoing.transmission->receivers
                              : std::vector<Transmission::Receiver>{{outgoing.destination, 0, 0}};
    for (auto& receiver : transmission->receivers)
    {
        auto& peer = m_peers[receiver.host];
        auto& pending = peer.pending[receiver.number = ++peer.nSent];
        pending.outgoing = outgoing;
        pending.outgoing.destination = receiver.host;
        pending.outgoing.addressBytes = 0;
        pending.handedOver = time;
        receiver.oldest = peer.pending.begin()->first;
        m_unacknowledged += m_host.GetFlits(outgoing.message.bytes);
        StartTimer(receiver.host, receiver.number, time - Simulator::Now());
    }
    outgoing.transmission = transmission;
    m_host.HandOverMessage(std::move(outgoing), time);
}

void
HostRetransmission::StartTimer(uint32_t host, uint64_t number, Time wait)
{
    auto& pending = m_peers[host].pending.at(number);
    const auto doublings = std::min(pending.nTimeouts, 62U);
    auto timeout = TimeLimit::Multiply(m_host.m_retransmissionTimeout, uint64_t{1} << doublings);
    if (const auto& fabric = m_host.GetDevice()->GetFabric())
    {
        // Until it has left: what was handed over before goes first.
        const auto& cable = *m_host.GetDevice()->GetPort()->GetChannel();
        timeout = TimeLimit::Add(timeout,
                                 TimeLimit::Multiply(fabric->GetFlitTime(cable), m_unacknowledged));
    }
    pending.timeout = Simulator::Schedule(TimeLimit::Add(wait, timeout),
                                          &HostRetransmission::TimeOut,
                                          this,
                                          host,
                                          number);
}

void
HostRetransmission::TimeOut(uint32_t host, uint64_t number)
{
    auto& peer = m_peers[host];
    auto& pending = peer.pending.at(number);
    if (pending.nTimeouts++ >= m_host.m_maxRetransmissions)
    {
        GiveUp(host);
        return;
    }
    auto outgoing = pending.outgoing;
    NS_LOG_LOGIC("again, to host " << host << ": " << outgoing.message);
    ++m_host.m_counts.retransmitted;
    m_host.m_retransmittedTrace(outgoing.message, host);
    auto transmission = Create<Transmission>();
    transmission->from = m_host.m_number;
    transmission->receivers = {{host, number, peer.pending.begin()->first}};
    outgoing.transmission = transmission;
    if (outgoing.interface == 0)
    {
        outgoing.route = FindRoute(host);
    }
    StartTimer(host, number, Time(0));
    auto& activities = m_host.GetActivities();
    const auto now = Simulator::Now();
    const ActivityRecorder::Scope before(activities, outgoing.cause);
    const ActivityRecorder::Scope scope(activities,
                                        activities.AddNext(LatencyCause::RETRANSMISSION,
                                                           pending.handedOver,
                                                           now - pending.handedOver,
                                                           m_host.GetProcessName(0)));
    m_host.HandOverMessage(std::move(outgoing), now);
}

void
HostRetransmission::GiveUp(uint32_t host)
{
    auto pending = std::exchange(m_peers[host].pending, {});
    for (auto& entry : pending)
    {
        entry.second.timeout.Remove();
        m_unacknowledged -= m_host.GetFlits(entry.second.outgoing.message.bytes);
    }
    m_host.m_counts.gaveUp += pending.size();
    const auto gaveUp = m_host.m_gaveUp; // who is told may dispose of this
    const Ptr<HostSoftware> keeper(&m_host);
    for (const auto& entry : pending)
    {
        const auto& outgoing = entry.second.outgoing;
        NS_LOG_LOGIC("given up, to host " << host << ": " << outgoing.message);
        keeper->m_gaveUpTrace(outgoing.message, host);
        if (gaveUp)
        {
            gaveUp(outgoing.message, host);
        }
    }
}

void
HostRetransmission::Receive(const Ptr<const Worm>& worm,
                            const std::function<void(const Ptr<const Worm>&)>& take)
{
    const auto& packet = static_cast<const HostPacketWorm&>(*worm);
    const auto& transmission = *packet.GetCut().GetTransmission();
    const auto from = transmission.from;
    const auto own =
        *std::find_if(transmission.receivers.begin(),
                      transmission.receivers.end(),
                      [this](const auto& receiver) { return receiver.host == m_host.m_number; });
    if (transmission.isAcknowledgement)
    {
        TakeAcknowledgement(from, own.number);
        return;
    }
    Acknowledge(from, own.number, packet.GetMessage());
    auto& peer = m_peers[from];
    if (own.number < peer.expected || !peer.held.emplace(own.number, worm).second)
    {
        ++m_host.m_counts.duplicates;
        m_host.m_duplicateTrace(packet.GetMessage(), from);
    }
    // What comes before the oldest and is not here was given up.
    const auto keeper = Ptr<HostSoftware>(&m_host);
    while (!peer.held.empty() && peer.held.begin()->first <= std::max(peer.expected, own.oldest))
    {
        const auto next = peer.held.extract(peer.held.begin());
        peer.expected = next.key() + 1;
        take(next.mapped());
        if (!keeper->m_reliability)
        {
            return; // disposed of
        }
    }
    peer.expected = std::max(peer.expected, own.oldest);
}

void
HostRetransmission::TakeAcknowledgement(uint32_t host, uint64_t number)
{
    auto& pending = m_peers[host].pending;
    const auto found = pending.find(number);
    if (found == pending.end())
    {
        return; // acknowledged before, or given up
    }
    found->second.timeout.Remove();
    m_unacknowledged -= m_host.GetFlits(found->second.outgoing.message.bytes);
    const auto left = std::move(found->second.outgoing.left);
    pending.erase(found);
    if (left)
    {
        left();
    }
}

void
HostRetransmission::Acknowledge(uint32_t host, uint64_t number, const HostMessage& message)
{
    auto transmission = Create<Transmission>();
    transmission->from = m_host.m_number;
    transmission->isAcknowledgement = true;
    transmission->receivers = {{host, number, 0}};
    HostSoftware::Outgoing outgoing{message, 0, FindRoute(host), 0, host, {}};
    std::swap(outgoing.message.from, outgoing.message.to);
    outgoing.message.phase = HostMessage::NOTICE;
    outgoing.message.bytes = m_host.m_acknowledgementBytes;
    outgoing.transmission = transmission;
    m_host.HandOverMessage(std::move(outgoing), Simulator::Now());
}

Ptr<const WormRoute>
HostRetransmission::FindRoute(uint32_t host) const
{
    const auto& device = m_host.GetDevice();
    if (host == m_host.m_number)
    {
        // To the host's switch and back.
        const auto port = device->GetPort();
        const auto& cable = *port->GetChannel();
        const auto far = cable.GetPort(cable.GetPort(0) == port ? 1 : 0);
        return Create<WormRoute>(WormRoute::Path({0, static_cast<uint16_t>(far->GetNumber())}));
    }
    return device->GetFabric()->GetRouter()->GetRoute(m_host.m_number, host);
}

} // namespace ns3
