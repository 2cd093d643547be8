/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-software.h"

#include "ns3/exact-time.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/time-limit.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostSoftware");

NS_OBJECT_ENSURE_REGISTERED(HostSoftware);

TypeId
HostSoftware::GetTypeId()
{
    static const AttributeWords progresses{"Progress", GetProgressNames()};
    static const AttributeWords rules{"InterfaceRule", HostInterfaces::GetRuleNames()};
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
        type.AddAttribute("Ports",
                          "How many sends of a process may be in progress at once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&HostSoftware::m_ports),
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
            MakeWordAccessor(
                progresses,
                MakeStringAccessor(&HostSoftware::SetProgress, &HostSoftware::GetProgress)),
            MakeWordChecker(progresses));
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
        type.AddAttribute("EagerLimit",
                          "Send/receive: length in bytes of the longest message that is sent at "
                          "once. A longer one is sent when its receiver has answered a request, "
                          "which it does when it is ready to take the message.",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(&HostSoftware::m_eagerLimit),
                          MakeUintegerChecker<uint32_t>());
        type.AddAttribute("RendezvousBytes",
                          "Length in bytes of such a request, and of its answer.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&HostSoftware::m_rendezvousBytes),
                          MakeUintegerChecker<uint32_t>(1));
        type.AddAttribute("MaxPacketBytes",
                          "Longest part of a message that crosses the fabric as one worm, in bytes "
                          "without the header; 0: messages are never cut, but with "
                          "WormholeFabric::Grant = worm into packets that the lanes' buffers hold.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostSoftware::m_maxPacketBytes),
                          MakeUintegerChecker<uint32_t>());
        type.AddAttribute("PacketHeaderBytes",
                          "What each such worm is longer by, in bytes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostSoftware::m_packetHeaderBytes),
                          MakeUintegerChecker<uint32_t>());
        type.AddAttribute("InterfaceRule",
                          "Which interface a message takes where the host has several: first; "
                          "round-robin, one after the other; or by-destination, the number of the "
                          "receiver's host modulo that of interfaces.",
                          StringValue("first"),
                          MakeWordAccessor(rules,
                                           MakeStringAccessor(&HostSoftware::SetInterfaceRule,
                                                              &HostSoftware::GetInterfaceRule)),
                          MakeWordChecker(rules));
        addTime("RegistrationTime",
                "RDMA: registering a buffer with the interface, where a group exchanges addresses "
                "(AddressExchange).",
                &HostSoftware::m_registrationTime);
        type.AddAttribute("SendJitter",
                          "Extra time of each send in seconds, at least 0.",
                          PointerValue(),
                          MakePointerAccessor(&HostSoftware::m_sendJitter),
                          MakePointerChecker<RandomVariableStream>());
        type.AddAttribute("ReceiveJitter",
                          "Extra time of each message taken in seconds, at least 0.",
                          PointerValue(),
                          MakePointerAccessor(&HostSoftware::m_receiveJitter),
                          MakePointerChecker<RandomVariableStream>());
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
    m_interfaces = HostInterfaces();
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
    m_interfaces.SetFirst(device);
    device->AggregateObject(this);
}

const std::string&
HostSoftware::GetActivityName(Activity activity)
{
    static const std::vector<std::string> names{"send",
                                                "receive",
                                                "post",
                                                "copy",
                                                "compute",
                                                "other"};
    return names[static_cast<std::size_t>(activity)];
}

Time
HostSoftware::Send(Ptr<Worm> worm)
{
    const auto wait = OccupySend();
    const ActivityRecorder::Scope scope(GetLastActivity());
    HandOver(std::move(worm), Simulator::Now() + wait);
    return wait;
}

Time
HostSoftware::OccupySend()
{
    ++m_nSends;
    const auto now = Simulator::Now();
    const auto jitter = Draw(m_sendJitter);
    const auto costs = LatencyCosts(LatencyCause::START_UP, m_startUp)
                           .Add(LatencyCause::SEND_OVERHEAD, m_sendOverhead)
                           .Add(LatencyCause::JITTER, jitter);
    return Occupy(0, now, costs, Activity::SEND) - now;
}

Time
HostSoftware::Occupy(const LatencyCosts& costs)
{
    const auto now = Simulator::Now();
    return Take(0, now, costs, Activity::OTHER) - now;
}

Time
HostSoftware::OccupyReceive()
{
    ++m_nReceives;
    const auto jitter = Draw(m_receiveJitter);
    const auto costs = LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, m_receiveOverhead)
                           .Add(LatencyCause::JITTER, jitter);
    const auto now = Simulator::Now();
    const bool costsNothing = costs.GetTotal().IsZero() && m_interruptTime.IsZero();
    return costsNothing ? Time(0) : Take(0, now, costs) - now;
}

Time
HostSoftware::Occupy(uint32_t task, Time from, const LatencyCosts& costs, Activity activity)
{
    auto& busyUntil = m_busyUntil[task];
    if (auto* recorder = ActivityRecorder::Get())
    {
        recorder->Occupy({this, task},
                         GetProcessName(task),
                         busyUntil.GetTimeStep(),
                         from.GetTimeStep(),
                         costs);
    }
    const auto duration = costs.GetTotal();
    const auto start = std::max(busyUntil, from);
    busyUntil = TimeLimit::Add(start, duration);
    auto& computingUntil = m_computingUntil[task];
    if (m_progress == Progress::INTERRUPT && start < computingUntil)
    {
        computingUntil = TimeLimit::Add(computingUntil, duration);
    }
    if (duration.IsStrictlyPositive())
    {
        m_busyTrace(task, start, busyUntil, activity);
    }
    return busyUntil;
}

Time
HostSoftware::Take(uint32_t task, Time from, LatencyCosts costs, Activity activity)
{
    // One that is interrupted already goes on with what has come since.
    const bool isInterrupted = m_progress == Progress::INTERRUPT &&
                               m_busyUntil[task] <= Simulator::Now() &&
                               from < m_computingUntil[task];
    if (isInterrupted)
    {
        costs.AddFirst(LatencyCause::INTERRUPT, m_interruptTime);
    }
    return Occupy(task, from, costs, activity);
}

Time
HostSoftware::Compute(uint32_t task, Time duration)
{
    const auto now = Simulator::Now();
    auto& until = m_computingUntil[task];
    switch (m_progress)
    {
    case Progress::IN_CALL:
        until = Occupy(task, now, {LatencyCause::COMPUTE, duration}, Activity::COMPUTE);
        return until;
    case Progress::INTERRUPT:
        until = TimeLimit::Add(std::max({now, until, m_busyUntil[task]}), duration);
        break;
    case Progress::INDEPENDENT:
        until = TimeLimit::Add(std::max(now, until), duration);
        break;
    }
    if (duration.IsStrictlyPositive())
    {
        m_busyTrace(task, until - duration, until, Activity::COMPUTE);
    }
    return until;
}

Time
HostSoftware::GetCallEnd(uint32_t task) const
{
    const auto now = Simulator::Now();
    return m_progress == Progress::INDEPENDENT ? now : std::max(now, m_busyUntil[task]);
}

void
HostSoftware::AddTask(uint32_t task)
{
    if (task >= m_busyUntil.size())
    {
        m_busyUntil.resize(task + 1, Time(0));
        m_computingUntil.resize(task + 1, Time(0));
    }
}

bool
HostSoftware::PassesAtOnce(Direction direction) const
{
    return GetInterfaceTime(direction).IsZero() &&
           (direction == Direction::RECEIVED || m_messageGap.IsZero());
}

Time
HostSoftware::PassInterface(Direction direction, uint32_t interface)
{
    if (PassesAtOnce(direction))
    {
        return Time(0);
    }
    auto& of = m_interfaces.At(interface);
    const auto duration = GetInterfaceTime(direction);
    return direction == Direction::SENT ? of.Send(duration, m_messageGap) : of.Receive(duration);
}

Time
HostSoftware::GetCopyTime(uint64_t bytes) const
{
    return ExactTime::RoundTransmission(bytes, m_copyDataRate);
}

Time
HostSoftware::GetCombineTime(uint64_t bytes) const
{
    return ExactTime::RoundTransmission(bytes, m_combineDataRate);
}

Time
HostSoftware::GetNextPoll(uint32_t task, Time posted, Time from) const
{
    const auto interval = m_pollInterval.GetTimeStep();
    // One that computes polls from when it is through, unless the write interrupts it.
    const auto since =
        m_progress == Progress::INDEPENDENT ? posted : std::max(posted, m_computingUntil[task]);
    if (interval == 0 || from <= since)
    {
        return from;
    }
    const auto polls = ((from - since).GetTimeStep() + interval - 1) / interval;
    return TimeLimit::Add(since, TimeLimit::Multiply(m_pollInterval, polls));
}

Ptr<WormholeNetDevice>
HostSoftware::GetDevice(uint32_t interface) const
{
    return m_interfaces.At(interface).GetDevice();
}

void
HostSoftware::SetReceiver(Worm::Kind kind, Receiver receiver)
{
    GetDevice()->SetReceiver(kind, receiver);
}

void
HostSoftware::SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver)
{
    for (uint32_t i = 0; i < GetNInterfaces(); ++i)
    {
        GetDevice(i)->SetHostReceiver(kind, receiver);
    }
}

const std::vector<std::string>&
HostSoftware::GetProgressNames()
{
    static const std::vector<std::string> names{"in-call", "interrupt", "independent"};
    return names;
}

void
HostSoftware::SetProgress(std::string name)
{
    const auto& names = GetProgressNames();
    m_progress = static_cast<Progress>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string
HostSoftware::GetProgress() const
{
    return GetProgressNames()[static_cast<std::size_t>(m_progress)];
}

int64_t
HostSoftware::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& jitter : {m_sendJitter, m_receiveJitter})
    {
        if (jitter)
        {
            jitter->SetStream(stream + used);
            ++used;
        }
    }
    return used;
}

} // namespace ns3
