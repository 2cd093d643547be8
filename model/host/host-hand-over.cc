/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a host's software hands messages to its interfaces: when, and cut into which packets.

#include "host-software.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

void
HostSoftware::HandOver(Ptr<Worm> worm, Time time, uint32_t interface)
{
    auto wait = time - Simulator::Now();
    if (wait.IsStrictlyPositive() && !PassesAtOnce(Direction::SENT))
    {
        // Other messages may ask for the interface until then.
        ActivityRecorder::Schedule(wait,
                                   &HostSoftware::HandOver,
                                   Ptr<HostSoftware>(this),
                                   std::move(worm),
                                   time,
                                   interface);
        return;
    }
    const auto passes = PassInterface(Direction::SENT, interface);
    RecordLaunch(*worm, RecordSending(*worm, interface, time, passes), time + passes);
    wait += passes;
    m_interfaces.At(interface).HandOver(std::move(worm), wait);
}

void
HostSoftware::HandOverMessage(const HostMessage& message,
                              uint64_t bytes,
                              uint32_t addressBytes,
                              const Ptr<const WormRoute>& route,
                              Time time,
                              uint32_t interface)
{
    const auto now = Simulator::Now();
    const auto nPackets = GetNPackets(bytes, addressBytes);
    const bool isAlone = m_lastAlone <= now || m_lastAlone == time;
    if (m_later.empty() && isAlone && nPackets == 1)
    {
        // The fabric knows best when the only one that waits is due: other hosts' may be as well.
        m_lastAlone = time;
        HandOver(Create<HostMessageWorm>(message, GetPacketFlits(bytes, addressBytes, 0), route),
                 time,
                 interface);
        return;
    }
    const auto added = m_later.emplace_hint(m_later.upper_bound(time),
                                            time,
                                            LaterMessage{message,
                                                         bytes,
                                                         addressBytes,
                                                         interface,
                                                         route,
                                                         ActivityRecorder::GetCurrentIfActive()});
    if (added == m_later.begin())
    {
        m_nextLater.Cancel();
        m_nextLater =
            Simulator::Schedule(time - now, &HostSoftware::HandOverNext, Ptr<HostSoftware>(this));
    }
}

void
HostSoftware::HandOverNext()
{
    m_nextLater = EventId();
    const auto now = Simulator::Now();
    while (!m_later.empty() && m_later.begin()->first <= now)
    {
        const auto next = m_later.extract(m_later.begin());
        HandOverNow(next.mapped());
    }
    if (!m_later.empty())
    {
        m_nextLater = Simulator::Schedule(m_later.begin()->first - now,
                                          &HostSoftware::HandOverNext,
                                          Ptr<HostSoftware>(this));
    }
}

void
HostSoftware::HandOverNow(const LaterMessage& of)
{
    if (!GetDevice()->GetFabric())
    {
        return; // which is gone
    }
    const auto now = Simulator::Now();
    const auto n = GetNPackets(of.bytes, of.addressBytes);
    const auto wait = PassInterface(Direction::SENT, of.interface);
    const auto& interface = m_interfaces.At(of.interface);
    const ActivityRecorder::Scope scope(of.cause);
    const auto cut = n > 1 ? Create<MessageCut>(n) : nullptr;
    auto passed = ActivityRecorder::NONE;
    for (uint64_t packet = 0; packet < n; ++packet)
    {
        const auto flits = GetPacketFlits(of.bytes, of.addressBytes, packet);
        const Ptr<Worm> worm =
            cut ? Ptr<Worm>(Create<HostPacketWorm>(of.message, flits, of.route, cut))
                : Ptr<Worm>(Create<HostMessageWorm>(of.message, flits, of.route));
        passed = packet == 0 ? RecordSending(*worm, of.interface, now, wait) : passed;
        RecordLaunch(*worm, passed, now + wait);
        interface.HandOver(worm, wait);
    }
}

uint64_t
HostSoftware::GetPacketBytes(uint32_t addressBytes) const
{
    if (m_maxPacketBytes > 0)
    {
        return m_maxPacketBytes;
    }
    const auto fabric = GetDevice()->GetFabric(); // null when it is gone
    const auto most = fabric ? fabric->GetMaxWormBytes() : UINT64_MAX;
    const auto header = uint64_t{m_packetHeaderBytes} + addressBytes;
    if (most <= header)
    {
        throw WormholeError("a packet of a message has " + std::to_string(header) +
                            " bytes besides its share, but a lane's buffer holds " +
                            std::to_string(most) +
                            " bytes; with WormholeFabric::Grant = worm it must hold all of it: "
                            "accepted is a deeper WormholePort::BufferDepth");
    }
    return most - header;
}

uint64_t
HostSoftware::GetNPackets(uint64_t bytes, uint32_t addressBytes) const
{
    const auto most = GetPacketBytes(addressBytes);
    const auto n = bytes == 0 ? 1 : bytes / most + (bytes % most > 0);
    if (n > MAX_PACKETS)
    {
        const std::string reason =
            m_maxPacketBytes > 0 ? "HostSoftware::MaxPacketBytes" : "what a lane's buffer holds";
        throw WormholeError("a message of " + std::to_string(bytes) + " bytes makes " +
                            std::to_string(n) + " packets of " + std::to_string(most) + " bytes (" +
                            reason + "); accepted are at most " + std::to_string(MAX_PACKETS));
    }
    return n;
}

uint64_t
HostSoftware::GetPacketFlits(uint64_t bytes, uint32_t addressBytes, uint64_t packet) const
{
    const auto most = GetPacketBytes(addressBytes);
    const auto share = std::min(bytes - packet * most, most);
    return GetDevice()->GetFabric()->GetFlits(share + m_packetHeaderBytes + addressBytes);
}

uint64_t
HostSoftware::GetFlits(uint64_t bytes, uint32_t addressBytes) const
{
    const auto n = GetNPackets(bytes, addressBytes);
    // All packets but the last are alike.
    return (n - 1) * GetPacketFlits(bytes, addressBytes, 0) +
           GetPacketFlits(bytes, addressBytes, n - 1);
}

} // namespace ns3
