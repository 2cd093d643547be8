// SPDX-License-Identifier: GPL-2.0-only

// The attributes and trace sources of a host's software.

#include "wormhole-host-software.h"

#include "ns3/new-type.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostSoftware);

namespace
{

/// @return whether a value is a table, or a rate or limit that is set
bool
IsTableOrLimit(const AttributeValue& value)
{
    const auto* costs = dynamic_cast<const CostByLengthValue*>(&value);
    const auto* rate = dynamic_cast<const DataRateValue*>(&value);
    const auto* limit = dynamic_cast<const UintegerValue*>(&value);
    const auto* words = dynamic_cast<const StringValue*>(&value);
    return costs   ? costs->Get().IsTable()
           : rate  ? rate->Get().GetBitRate() > 0
           : limit ? limit->Get() < UINT32_MAX
                   : words && words->Get().find(',') != std::string::npos;
}

/// @return what an attribute sets, which refuses a table beside the rate or limit that it replaces
/// @param name name of either @param other name of the other
Sets
Exclusive(const std::string& name, const std::string& other, Sets sets)
{
    const auto check = [=](const auto* object, const auto& value) {
        TypeId::AttributeInformation info;
        if (IsTableOrLimit(value) && HostSoftware::GetTypeId().LookupAttributeByName(other, &info))
        {
            const auto beside = info.checker->Create();
            if (info.accessor->Get(object, *beside) && IsTableOrLimit(*beside))
            {
                throw WormholeError("HostSoftware::" + name + " beside " + other + "=" +
                                    beside->SerializeToString(info.checker) +
                                    ": expected one of them, since a table holds for all "
                                    "lengths");
            }
        }
        return true;
    };
    sets.accessor = Create<CheckedAccessor>(sets.accessor, check);
    return sets;
}

Sets
Cost(CostByLength HostSoftware::* costs, Time initial = Time(0))
{
    return {Create<CostByLengthValue>(initial),
            MakeCostByLengthAccessor(costs),
            MakeCostByLengthChecker()};
}

Sets
Rate(DataRate HostSoftware::* rate)
{
    return Sets::Rate(rate);
}

Sets
Duration(Time HostSoftware::* time, Time initial = Time(0))
{
    return Sets::Duration(time, initial);
}

Sets
Number(uint32_t HostSoftware::* number, uint32_t initial, uint32_t least = 0)
{
    return Sets::Number(number, initial, least);
}

Sets
Jitter(Ptr<RandomVariableStream> HostSoftware::* jitter)
{
    return Sets::Pointer(jitter);
}

} // namespace

TypeId
HostSoftware::GetTypeId()
{
    static const AttributeKeywords returns{"SendReturn",
                                           GetSendReturnNames(),
                                           AttributeKeywords::Form::BY_LENGTH};
    static const TypeId tid = [] {
        auto type = NewType::Of<HostSoftware, Object>("ns3::HostSoftware");
        type.Add("StartUp",
                 "Start-up time t_s of each send: buffers, copies, setting up the interface.",
                 Cost(&HostSoftware::m_startUp, MicroSeconds(2)));
        type.Add("SendOverhead",
                 "A process's cost of sending a message, besides the start-up and its transport's "
                 "costs; these together are s of the (s, r) model.",
                 Exclusive("SendOverhead", "SendDataRate", Cost(&HostSoftware::m_sendOverhead)));
        type.Add("ReceiveOverhead",
                 "A process's cost of receiving a message (no RDMA write): the host's part of r.",
                 Exclusive("ReceiveOverhead",
                           "ReceiveDataRate",
                           Cost(&HostSoftware::m_receiveOverhead)));
        type.Add("MaxConcurrentSends",
                 "Maximum number of sends of a process in progress at once.",
                 Number(&HostSoftware::m_maxConcurrentSends, 1, 1));
        AddFormerAttribute(type,
                           "Ports",
                           "MaxConcurrentSends",
                           UintegerValue(UINT32_MAX),
                           MakeUintegerAccessor(&HostSoftware::m_maxConcurrentSends),
                           MakeUintegerChecker<uint32_t>(1));
        type.Add("TransferTime",
                 "Send/receive: time c of the (s, r) model, for which a software algorithm's "
                 "message keeps both ends busy: its sender at the end of s, while the message "
                 "leaves, and its receiver before the receiver's part of r.",
                 Cost(&HostSoftware::m_transferTime));
        type.Add("MatchingTime",
                 "Send/receive: time to find the receive that matches a message.",
                 Cost(&HostSoftware::m_matchingTime));
        type.Add("DescriptorTime",
                 "Send/receive: time to post a descriptor, for every send and every receive.",
                 Duration(&HostSoftware::m_descriptorTime));
        type.Add("UnexpectedTime",
                 "Send/receive: time to copy a message that came before its receive was posted.",
                 Cost(&HostSoftware::m_unexpectedTime));
        type.Add("PostTime",
                 "RDMA: time to post a write, besides start-up and send overhead.",
                 Cost(&HostSoftware::m_postTime));
        type.Add("PollInterval",
                 "RDMA: time between the starts of two polls of a waiting process; 0: a write is "
                 "detected at once.",
                 Duration(&HostSoftware::m_pollInterval));
        type.Add("PollTime",
                 "RDMA: cost of the poll that detects a write.",
                 Cost(&HostSoftware::m_pollTime));
        type.Add("FlagTime",
                 "Time to write a flag that processes of one host share, or to detect one; each "
                 "flag has a cache line of its own.",
                 Duration(&HostSoftware::m_flagTime));
        type.Add("Progress",
                 "Who progresses collectives while a process computes: in-call (the process, "
                 "between its computations and while it waits), interrupt (the process, which is "
                 "interrupted), or independent (a separate engine, at the same costs).",
                 Sets::Choice<HostSoftware, Progress>(GetProgressNames(),
                                                      "in-call",
                                                      &HostSoftware::m_progress));
        type.Add(
            "InterruptTime",
            "With Progress interrupt: what a message costs a computing process, besides receiving "
            "it.",
            Duration(&HostSoftware::m_interruptTime));
        type.Add("InterfaceSendTime",
                 "Time for which a sent message occupies its host's interface, which serves one "
                 "message at a time; 0: none, so that only MessageGap and InterfaceDataRate count. "
                 "With Sharing in-turn: minimum time from a worm's tail to a message's first worm.",
                 Exclusive("InterfaceSendTime",
                           "InterfaceDataRate",
                           Cost(&HostSoftware::m_interfaceSendTime)));
        type.Add("InterfaceReceiveTime",
                 "Time for which an arrived message occupies its host's interface before the "
                 "software sees the message; 0: messages do not wait.",
                 Cost(&HostSoftware::m_interfaceReceiveTime));
        type.Add("SendDataRate",
                 "Send/receive: rate at which a process sends: a message of b bytes keeps it busy "
                 "for an extra 8 b / rate; 0: length costs nothing.",
                 Exclusive("SendDataRate", "SendOverhead", Rate(&HostSoftware::m_sendDataRate)));
        type.Add("ReceiveDataRate",
                 "Send/receive: rate at which a process receives: a message of b bytes keeps it "
                 "busy for an extra 8 b / rate; 0: length costs nothing.",
                 Exclusive("ReceiveDataRate",
                           "ReceiveOverhead",
                           Rate(&HostSoftware::m_receiveDataRate)));
        type.Add("CopyDataRate",
                 "Rate at which a process copies a message within the host, at either end (instead "
                 "of SendDataRate and ReceiveDataRate), or a message that came before its receive "
                 "was posted (besides UnexpectedTime); 0: length costs nothing.",
                 Exclusive("CopyDataRate", "CopyTime", Rate(&HostSoftware::m_copyDataRate)));
        type.Add(
            "CombineDataRate",
            "Rate at which a process combines (such as adds) two vectors: vectors of b bytes each "
            "take 8 b / rate; 0: combining is free.",
            Exclusive("CombineDataRate", "CombineTime", Rate(&HostSoftware::m_combineDataRate)));
        type.Add("CopyTime",
                 "Time that each copy described by CopyDataRate takes a process, besides that.",
                 Exclusive("CopyTime", "CopyDataRate", Cost(&HostSoftware::m_copyTime)));
        type.Add("CombineTime",
                 "Time that a process takes to combine two vectors, besides CombineDataRate.",
                 Exclusive("CombineTime", "CombineDataRate", Cost(&HostSoftware::m_combineTime)));
        type.Add("MemoryDataRate",
                 "Rate at which a host's memory copies and combines for all its processes: b bytes "
                 "take 8 b / rate, for one process at a time; 0: the memory is no limit.",
                 Rate(&HostSoftware::m_memoryDataRate));
        type.Add("Latency",
                 "Time from when a message to a process leaves its sender until it is at the "
                 "interface. This time occupies neither.",
                 Cost(&HostSoftware::m_latency));
        type.Add(
            "SendReturn",
            "When a send between hosts returns, after its process's own work: copied, at once; "
            "left, when the message has left the interface; or received, when the receiving "
            "process has it. In a list, such as 0:copied,8KiB:received, each word applies from its "
            "length on.",
            Exclusive("SendReturn",
                      "EagerLimit",
                      Sets{Create<StringValue>("copied"),
                           MakeKeywordAccessor(returns,
                                               MakeStringAccessor(&HostSoftware::SetSendReturn,
                                                                  &HostSoftware::PrintSendReturn)),
                           MakeKeywordChecker(returns)}));
        type.Add("Sharing",
                 "How messages share the interface that sends them: in-order, each as a whole; or "
                 "in-turn, messages to different hosts worm by worm (S15). With in-turn, long "
                 "messages share it only if MaxPacketBytes divides them.",
                 Sets::Choice<HostSoftware, bool>({"in-order", "in-turn"},
                                                  "in-order",
                                                  &HostSoftware::m_isInTurn));
        type.Add("MessageSegments",
                 "With Sharing in-turn: maximum number of worms that represent the packets of a "
                 "message (MaxPacketBytes); more if lanes' buffers hold less (Grant = worm).",
                 Number(&HostSoftware::m_messageSegments, 16, 1));
        type.Add(
            "InterfaceDataRate",
            "Rate at which the interface gets the data that it sends, over PCI Express or the "
            "like: a message (with Sharing in-turn, a worm) of b bytes starts at least 8 b / rate "
            "before the next; 0: no limit.",
            Exclusive("InterfaceDataRate",
                      "InterfaceSendTime",
                      Rate(&HostSoftware::m_interfaceDataRate)));
        type.Add("MessageGap",
                 "Minimum time between the starts of two messages that the host's interface sends, "
                 "from any of the host's processes.",
                 Cost(&HostSoftware::m_messageGap));
        type.Add(
            "EagerLimit",
            "Send/receive: length in bytes of the longest message that is sent at once. A longer "
            "one is sent when its receiver has answered a request; the receiver answers when it is "
            "ready to receive the message.",
            Exclusive("EagerLimit", "SendReturn", Number(&HostSoftware::m_eagerLimit, UINT32_MAX)));
        type.Add("RendezvousBytes",
                 "Length in bytes of the request before a long message, and of its answer.",
                 Number(&HostSoftware::m_rendezvousBytes, 16, 1));
        type.Add("MaxPacketBytes",
                 "Longest part of a message in a packet, in bytes without the header; a packet is "
                 "a worm (see MessageSegments). 0: messages are divided only with Grant = worm of "
                 "WormholeFabric, into packets that the lanes' buffers hold.",
                 Number(&HostSoftware::m_maxPacketBytes, 0));
        type.Add("PacketHeaderBytes",
                 "Length of the header of each packet, in bytes.",
                 Number(&HostSoftware::m_packetHeaderBytes, 0));
        type.Add("InterfaceRule",
                 "How a message selects one of several interfaces of a host: first; round-robin; "
                 "or by-destination, the number of the receiver's host modulo the number of "
                 "interfaces.",
                 Sets::Choice<HostSoftware, Rule>({"first", "round-robin", "by-destination"},
                                                  "first",
                                                  &HostSoftware::m_rule));
        type.Add("RegistrationTime",
                 "RDMA: time to register a buffer with the interface, if a group exchanges "
                 "addresses (AddressExchange).",
                 Duration(&HostSoftware::m_registrationTime));
        type.Add("AdapterMessageTime",
                 "Time that the network adapter's processor takes to send or receive a message "
                 "when it runs a collective (algorithm nic).",
                 Cost(&HostSoftware::m_adapterMessageTime, MicroSeconds(1)));
        type.Add("AdapterStepTime",
                 "Cost of each step of a collective for the network adapter's processor, besides "
                 "messages.",
                 Duration(&HostSoftware::m_adapterStepTime));
        type.Add("DoorbellTime",
                 "Time that a process takes to hand a collective over to the network adapter.",
                 Duration(&HostSoftware::m_doorbellTime, MicroSeconds(1)));
        type.Add(
            "CompletionTime",
            "Time for a process to detect that the network adapter has completed a collective.",
            Duration(&HostSoftware::m_completionTime, MicroSeconds(1)));
        type.Add("SendJitter",
                 "Extra time of each send in seconds, at least 0.",
                 Jitter(&HostSoftware::m_sendJitter));
        type.Add("ReceiveJitter",
                 "Extra time of each received message in seconds, at least 0.",
                 Jitter(&HostSoftware::m_receiveJitter));
        type.Add("Retransmission",
                 "Whether messages between hosts are acknowledged, sent again after a timeout, and "
                 "received exactly once and in order.",
                 Sets::Flag(&HostSoftware::m_retransmits));
        type.Add("RetransmissionTimeout",
                 "Time, besides that of all unacknowledged messages on the host's cable, after "
                 "which an unacknowledged message that the interface has is sent again; it doubles "
                 "at each repetition. It should exceed a message's wait in the network, else "
                 "messages that are not lost are sent again.",
                 Duration(&HostSoftware::m_retransmissionTimeout, MicroSeconds(100)));
        type.Add("MaxRetransmissions",
                 "Number of times that a message is sent again before its sender gives up and "
                 "considers the receiver's host dead.",
                 Number(&HostSoftware::m_maxRetransmissions, 7));
        type.Add("AcknowledgementBytes",
                 "Length of an acknowledgement, which occupies no process.",
                 Number(&HostSoftware::m_acknowledgementBytes, 8, 1));
        type.Add(
            "Retransmitted",
            "A message is sent again; with the number of the host that has not acknowledged it.",
            &HostSoftware::m_retransmittedTrace,
            "ns3::HostSoftware::MessageTracedCallback");
        type.Add("Duplicate",
                 "A message that had arrived before is dropped; with the number of its sender's "
                 "host.",
                 &HostSoftware::m_duplicateTrace,
                 "ns3::HostSoftware::MessageTracedCallback");
        type.Add("GaveUp",
                 "A message was never acknowledged; with the number of the receiver's host.",
                 &HostSoftware::m_gaveUpTrace,
                 "ns3::HostSoftware::MessageTracedCallback");
        type.Add("Busy",
                 "A process will be busy for some time; fires when that is known, at the start or "
                 "before; with the number of the process on its host, start, end, and activity.",
                 &HostSoftware::m_busyTrace,
                 "ns3::HostSoftware::BusyTracedCallback");
        return type;
    }();
    return tid;
}

} // namespace ns3
