/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-latency-cause.h"

#include "ns3/wormhole-exact-time.h"

namespace ns3
{

namespace
{

struct Words
{
    std::string name;
    std::string words;
};

const Words&
WordsOf(LatencyCause cause)
{
    static const std::array<Words, static_cast<std::size_t>(LatencyCause::N_CAUSES)> words{{
        {"member-late", "a member that came late"},
        {"start-up", "start-up of sends"},
        {"send-overhead", "send overhead"},
        {"copy", "copying messages"},
        {"receive-post", "posting receives"},
        {"receive-overhead", "receive overhead"},
        {"unexpected-copy", "messages that came before their receives"},
        {"poll", "polling"},
        {"jitter", "jitter of the software"},
        {"interrupt", "interrupts"},
        {"compute", "computing"},
        {"flag", "flags in shared memory"},
        {"combine", "combining"},
        {"byte-overhead", "overhead of bytes"},
        {"register-memory", "registers in hosts' memory"},
        {"adapter", "the doorbell and completions of the network adapter"},
        {"pause", "pauses of the schedule"},
        {"memory-busy", "a memory that is busy"},
        {"send-return", "sends that have not returned"},
        {"retransmission", "messages that were sent again"},
        {"message-latency", "latency of messages"},
        {"interface-busy", "an interface that is busy"},
        {"interface", "the interface"},
        {"interface-delay", "delays of interfaces"},
        {"in-transit", "hosts that pass worms on"},
        {"wire", "flits on the wire"},
        {"propagation", "propagation in cables"},
        {"switch-delay", "delays of switches"},
        {"route-read", "reading the route"},
        {"output", "waiting for an output"},
        {"turn", "waiting for its turn"},
        {"buffer-queue", "waiting in a buffer"},
        {"credit", "waiting for room in a buffer"},
        {"credit-return", "credits on their way back"},
        {"outage", "parts that were down"},
        {"ideal-network", "the ideal network"},
        {"gap", "gaps between messages"},
        {"byte-gap", "gaps between bytes"},
        {"add-on-network", "the add-on network"},
        {"register", "a register that waits for a child"},
        {"unexplained", "nothing that is recorded"},
    }};
    return words.at(static_cast<std::size_t>(cause));
}

} // namespace

LatencyGroup
GetGroup(LatencyCause cause)
{
    switch (cause)
    {
    case LatencyCause::MESSAGE_LATENCY:
    case LatencyCause::INTERFACE:
    case LatencyCause::INTERFACE_DELAY:
    case LatencyCause::IN_TRANSIT:
        return LatencyGroup::INTERFACE;
    case LatencyCause::WIRE:
    case LatencyCause::PROPAGATION:
    case LatencyCause::CREDIT_RETURN:
        return LatencyGroup::WIRE;
    case LatencyCause::SWITCH_DELAY:
    case LatencyCause::ROUTE_READ:
        return LatencyGroup::SWITCH;
    case LatencyCause::MEMBER_LATE:
    case LatencyCause::MEMORY_BUSY:
    case LatencyCause::SEND_RETURN:
    case LatencyCause::RETRANSMISSION:
    case LatencyCause::INTERFACE_BUSY:
    case LatencyCause::OUTPUT:
    case LatencyCause::TURN:
    case LatencyCause::BUFFER_QUEUE:
    case LatencyCause::CREDIT:
    case LatencyCause::OUTAGE:
    case LatencyCause::REGISTER:
        return LatencyGroup::WAITING;
    case LatencyCause::IDEAL_NETWORK:
    case LatencyCause::GAP:
    case LatencyCause::BYTE_GAP:
    case LatencyCause::ADD_ON_NETWORK:
    case LatencyCause::UNEXPLAINED:
        return LatencyGroup::OTHER;
    default:
        return LatencyGroup::HOST;
    }
}

const std::string&
GetName(LatencyCause cause)
{
    return WordsOf(cause).name;
}

const std::string&
Describe(LatencyCause cause)
{
    return WordsOf(cause).words;
}

Time
LatencyCosts::GetTotal() const
{
    Time total;
    for (const auto& cost : *this)
    {
        total = TimeLimit::Add(total, cost.time);
    }
    return total;
}

} // namespace ns3
