/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-host-software.h"

#include "ns3/former-attribute.h"
#include "ns3/keyword-attribute.h"
#include "ns3/log.h"
#include "ns3/message-packets.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"

#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostSoftware");

NS_OBJECT_ENSURE_REGISTERED(HostSoftware);

TypeId
HostSoftware::GetTypeId()
{
    static const AttributeKeywords progresses{"Progress", GetProgressNames()};
    static const AttributeKeywords rules{"InterfaceRule", GetRuleNames()};
    static const TypeId tid = [] {
        auto type = TypeId("ns3::HostSoftware")
                        .SetParent<Object>()
                        .SetGroupName("Wormhole")
                        .AddConstructor<HostSoftware>();
        const auto addTime = [&type](const char* name,
                                     const char* help,
                                     Time HostSoftware::* time,
                                     Time initial = Time(0)) {
            type.AddAttribute(name,
                              help,
                              TimeValue(initial),
                              MakeTimeAccessor(time),
                              ExactTime::MakeChecker());
        };
        const auto addRate =
            [&type](const char* name, const char* help, DataRate HostSoftware::* rate) {
                type.AddAttribute(name,
                                  help,
                                  DataRateValue(DataRate(0)),
                                  MakeDataRateAccessor(rate),
                                  MakeDataRateChecker());
            };
        const auto addNumber = [&type](const char* name,
                                       const char* help,
                                       uint32_t HostSoftware::* number,
                                       uint32_t initial,
                                       uint32_t least = 0) {
            type.AddAttribute(name,
                              help,
                              UintegerValue(initial),
                              MakeUintegerAccessor(number),
                              MakeUintegerChecker<uint32_t>(least));
        };
        const auto addJitter = [&type](const char* name,
                                       const char* help,
                                       Ptr<RandomVariableStream> HostSoftware::* jitter) {
            type.AddAttribute(name,
                              help,
                              PointerValue(),
                              MakePointerAccessor(jitter),
                              MakePointerChecker<RandomVariableStream>());
        };
        addTime("StartUp",
                "Start-up time t_s of a message: buffers, copies, setting up the interface.",
                &HostSoftware::m_startUp,
                MicroSeconds(2));
        addTime("SendOverhead",
                "What sending a message costs its process besides the start-up; with "
                "DescriptorTime or PostTime, they are s of the (s, r) model.",
                &HostSoftware::m_sendOverhead);
        addTime("ReceiveOverhead",
                "What taking a message costs its process: the host's part of r.",
                &HostSoftware::m_receiveOverhead);
        addNumber("MaxConcurrentSends",
                  "How many sends of a process may be in progress at once.",
                  &HostSoftware::m_maxConcurrentSends,
                  1,
                  1);
        AddFormerAttribute(type,
                           "Ports",
                           "MaxConcurrentSends",
                           UintegerValue(UINT32_MAX),
                           MakeUintegerAccessor(&HostSoftware::m_maxConcurrentSends),
                           MakeUintegerChecker<uint32_t>(1));
        addTime("TransferTime",
                "Send/receive: how long a message of a software algorithm keeps both its sender "
                "and its receiver busy, c of the (s, r) model: the sender at the end of s, while "
                "the message leaves; the receiver before its part of r.",
                &HostSoftware::m_transferTime);
        addTime("MatchingTime",
                "Send/receive: finding the receive that a message is for.",
                &HostSoftware::m_matchingTime);
        addTime("DescriptorTime",
                "Send/receive: posting a descriptor, for every send and every receive.",
                &HostSoftware::m_descriptorTime);
        addTime("UnexpectedTime",
                "Send/receive: copying a message that came before its receive was posted.",
                &HostSoftware::m_unexpectedTime);
        addTime("PostTime",
                "RDMA: posting a write, besides start-up and send overhead.",
                &HostSoftware::m_postTime);
        addTime("PollInterval",
                "RDMA: time between the starts of two polls of a process that waits; 0: a write is "
                "seen at once.",
                &HostSoftware::m_pollInterval);
        addTime("PollTime",
                "RDMA: what the poll that sees a write costs.",
                &HostSoftware::m_pollTime);
        addTime("FlagTime",
                "Writing a flag that processes of one host share, and seeing one: each flag has a "
                "cache line of its own.",
                &HostSoftware::m_flagTime);
        type.AddAttribute(
            "Progress",
            "Who does what a process owes to collectives while it computes: in-call (the process, "
            "between its computations and while it waits), interrupt (the process, which is "
            "interrupted), or independent (an engine of its own, at the same costs).",
            StringValue("in-call"),
            MakeKeywordAccessor(
                progresses,
                MakeStringAccessor(&HostSoftware::SetProgress, &HostSoftware::GetProgress)),
            MakeKeywordChecker(progresses));
        addTime(
            "InterruptTime",
            "Progress interrupt: what a message costs a process that computes, besides taking it.",
            &HostSoftware::m_interruptTime);
        addTime("InterfaceSendTime",
                "How long a message that is sent occupies its host's interface, which serves one "
                "message at a time; 0: it waits for none.",
                &HostSoftware::m_interfaceSendTime);
        addTime("InterfaceReceiveTime",
                "How long a message that has come occupies its host's interface before the "
                "software sees it; 0: it waits for none.",
                &HostSoftware::m_interfaceReceiveTime);
        addRate("SendDataRate",
                "Send/receive: rate at which a process sends: a message of b bytes keeps it busy "
                "for 8 b / rate longer; 0: length costs nothing.",
                &HostSoftware::m_sendDataRate);
        addRate("ReceiveDataRate",
                "Send/receive: rate at which a process takes messages: one of b bytes keeps it "
                "busy for 8 b / rate longer; 0: length costs nothing.",
                &HostSoftware::m_receiveDataRate);
        addRate("CopyDataRate",
                "Rate at which a process copies: a message within the host at either end, in place "
                "of SendDataRate and ReceiveDataRate, and one that came before its receive was "
                "posted, besides UnexpectedTime; 0: length costs nothing.",
                &HostSoftware::m_copyDataRate);
        addRate("CombineDataRate",
                "Rate at which a process combines two vectors, as a sum: those of b bytes each "
                "take it 8 b / rate; 0: it costs nothing.",
                &HostSoftware::m_combineDataRate);
        addTime("MessageGap",
                "Least time between the starts of two messages that the host's interface sends, of "
                "whichever process.",
                &HostSoftware::m_messageGap);
        addNumber("EagerLimit",
                  "Send/receive: length in bytes of the longest message that is sent at "
                  "once. A longer one is sent when its receiver has answered a request, "
                  "which it does when it is ready to take the message.",
                  &HostSoftware::m_eagerLimit,
                  UINT32_MAX);
        addNumber("RendezvousBytes",
                  "Length in bytes of such a request, and of its answer.",
                  &HostSoftware::m_rendezvousBytes,
                  16,
                  1);
        addNumber("MaxPacketBytes",
                  "Longest part of a message that crosses the fabric as one worm, in bytes "
                  "without the header; 0: messages are never cut, but with "
                  "WormholeFabric::Grant = worm into packets that the lanes' buffers hold.",
                  &HostSoftware::m_maxPacketBytes,
                  0);
        addNumber("PacketHeaderBytes",
                  "What each such worm is longer by, in bytes.",
                  &HostSoftware::m_packetHeaderBytes,
                  0);
        type.AddAttribute(
            "InterfaceRule",
            "Which interface a message takes where the host has several: first; "
            "round-robin, one after the other; or by-destination, the number of the "
            "receiver's host modulo that of interfaces.",
            StringValue("first"),
            MakeKeywordAccessor(rules,
                                MakeStringAccessor(&HostSoftware::SetRule, &HostSoftware::GetRule)),
            MakeKeywordChecker(rules));
        addTime("RegistrationTime",
                "RDMA: registering a buffer with the interface, where a group exchanges addresses "
                "(AddressExchange).",
                &HostSoftware::m_registrationTime);
        addJitter("SendJitter",
                  "Extra time of each send in seconds, at least 0.",
                  &HostSoftware::m_sendJitter);
        addJitter("ReceiveJitter",
                  "Extra time of each message taken in seconds, at least 0.",
                  &HostSoftware::m_receiveJitter);
        type.AddTraceSource(
            "Busy",
            "A process will be busy for some time; fires when that is known, at its beginning or "
            "before; with the number of the process on its host, beginning, end, and what it does.",
            MakeTraceSourceAccessor(&HostSoftware::m_busyTrace),
            "ns3::HostSoftware::BusyTracedCallback");
        return type;
    }();
    return tid;
}

void
HostSoftware::DoDispose()
{
    SetFirst(nullptr);
    m_later.clear();
    m_nextLater.Cancel();
    m_nextLater = EventId(); // which holds this object
    m_sendJitter = nullptr;
    m_receiveJitter = nullptr;
    Object::DoDispose();
}

void
HostSoftware::Install(Ptr<WormholeNetDevice> device)
{
    SetFirst(device);
    device->AggregateObject(this);
}

std::string
HostSoftware::GetProcessName(uint32_t task) const
{
    std::string name = "h" + std::to_string(m_number);
    if (const auto& device = GetDevice())
    {
        const auto port = device->GetPort()->GetName();
        name = port.substr(0, port.rfind(':'));
    }
    return task == 0 ? name : name + "." + std::to_string(task);
}

Time
HostSoftware::Send(Ptr<Worm> worm)
{
    const auto wait = OccupySend();
    const ActivityRecorder::Scope scope(GetActivities(), GetLastActivity());
    HandOver(std::move(worm), Simulator::Now() + wait);
    return wait;
}

Time
HostSoftware::OccupySend()
{
    const auto now = Simulator::Now();
    return Occupy(0, now, DrawSendCosts(), Activity::SEND) - now;
}

Time
HostSoftware::OccupyReceive()
{
    const auto costs = DrawReceiveCosts();
    const auto now = Simulator::Now();
    const bool costsNothing = costs.GetTotal().IsZero() && m_interruptTime.IsZero();
    return costsNothing ? Time(0) : ChargeReceive(0, now, costs) - now;
}

void
HostSoftware::HandOver(Ptr<Worm> worm, Time time, uint32_t interface)
{
    auto& activities = GetActivities();
    const auto wait = time - Simulator::Now();
    if (wait.IsStrictlyPositive() && !PassesAtOnce(Direction::SENT))
    {
        // Other messages may ask for the interface until then.
        activities.Schedule(wait,
                            &HostSoftware::HandOver,
                            Ptr<HostSoftware>(this),
                            std::move(worm),
                            time,
                            interface);
        return;
    }
    auto cause = activities.GetCurrent();
    const auto passes = PassInterface(Direction::SENT, *worm, cause, interface);
    Launch(std::move(worm), wait + passes, interface, cause);
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
    const MessagePackets packets({m_maxPacketBytes, m_packetHeaderBytes},
                                 GetDevice()->GetFabric(),
                                 bytes,
                                 addressBytes);
    const bool isAlone = m_lastAlone <= now || m_lastAlone == time;
    if (m_later.empty() && isAlone && packets.GetN() == 1)
    {
        // The fabric knows best when the only one that waits is due: other hosts' may be as well.
        m_lastAlone = time;
        HandOver(Create<HostMessageWorm>(message, packets.GetFlits(0), route), time, interface);
        return;
    }
    const auto added = m_later.emplace_hint(
        m_later.upper_bound(time),
        time,
        LaterMessage{message, bytes, addressBytes, interface, route, GetActivities().GetCurrent()});
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
    const auto fabric = GetDevice()->GetFabric();
    if (!fabric)
    {
        return; // which is gone
    }
    const MessagePackets packets({m_maxPacketBytes, m_packetHeaderBytes},
                                 fabric,
                                 of.bytes,
                                 of.addressBytes);
    const auto n = packets.GetN();
    const auto cut = n > 1 ? Create<PacketAssembly>(n) : nullptr;
    auto cause = of.cause;
    Time wait;
    for (uint64_t packet = 0; packet < n; ++packet)
    {
        const auto flits = packets.GetFlits(packet);
        const Ptr<Worm> worm =
            cut ? Ptr<Worm>(Create<HostPacketWorm>(of.message, flits, of.route, cut))
                : Ptr<Worm>(Create<HostMessageWorm>(of.message, flits, of.route));
        if (packet == 0)
        {
            wait = PassInterface(Direction::SENT, *worm, cause, of.interface);
        }
        Launch(worm, wait, of.interface, cause);
    }
}

void
HostSoftware::Launch(Ptr<Worm> worm,
                     Time wait,
                     uint32_t interface,
                     ActivityRecorder::Id cause) const
{
    if (GetActivities().IsRecording())
    {
        GetActivities().Launch(PeekPointer(worm), cause, (Simulator::Now() + wait).GetTimeStep());
    }
    if (wait.IsZero())
    {
        GetDevice(interface)->SendWorm(std::move(worm));
    }
    else
    {
        GetDevice(interface)->SendWormLater(std::move(worm), wait);
    }
}

uint64_t
HostSoftware::GetFlits(uint64_t bytes, uint32_t addressBytes) const
{
    return MessagePackets({m_maxPacketBytes, m_packetHeaderBytes},
                          GetDevice()->GetFabric(),
                          bytes,
                          addressBytes)
        .GetFlits();
}

std::string
HostSoftware::Describe(const HostMessage& message) const
{
    std::ostringstream text;
    const auto name = GetActivities().GetGroupName(message.group);
    text << name << (name.empty() ? "" : ", ") << message;
    return text.str();
}

std::string
HostSoftware::Describe(const Worm& worm) const
{
    return worm.GetKind() == Worm::MESSAGE
               ? Describe(static_cast<const HostMessageWorm&>(worm).GetMessage())
               : "a message of a switch's collective unit";
}

} // namespace ns3
