// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-latency-cause.h"

#include "ns3/wormhole-exact-time.h"

#include <array>

namespace ns3
{

namespace
{

struct Words
{
    std::string name;
    std::string words;
    LatencyGroup group;
};

const Words&
WordsOf(LatencyCause cause)
{
    static const std::array<Words, static_cast<std::size_t>(LatencyCause::N_CAUSES)> words{{
        {"member-late", "a member that came late", LatencyGroup::WAITING},
        {"start-up", "start-up of sends", LatencyGroup::HOST},
        {"send-overhead", "send overhead", LatencyGroup::HOST},
        {"copy", "copying messages", LatencyGroup::HOST},
        {"receive-post", "posting receives", LatencyGroup::HOST},
        {"receive-overhead", "receive overhead", LatencyGroup::HOST},
        {"unexpected-copy", "messages that came before their receives", LatencyGroup::HOST},
        {"poll", "polling", LatencyGroup::HOST},
        {"jitter", "jitter of the software", LatencyGroup::HOST},
        {"interrupt", "interrupts", LatencyGroup::HOST},
        {"compute", "computing", LatencyGroup::HOST},
        {"flag", "flags in shared memory", LatencyGroup::HOST},
        {"combine", "combining", LatencyGroup::HOST},
        {"byte-overhead", "overhead of bytes", LatencyGroup::HOST},
        {"register-memory", "registers in hosts' memory", LatencyGroup::HOST},
        {"adapter", "the doorbell and completions of the network adapter", LatencyGroup::HOST},
        {"pause", "pauses of the schedule", LatencyGroup::HOST},
        {"memory-busy", "a memory that is busy", LatencyGroup::WAITING},
        {"send-return", "sends that have not returned", LatencyGroup::WAITING},
        {"retransmission", "messages that were sent again", LatencyGroup::WAITING},
        {"message-latency", "latency of messages", LatencyGroup::INTERFACE},
        {"interface-busy", "an interface that is busy", LatencyGroup::WAITING},
        {"interface", "the interface", LatencyGroup::INTERFACE},
        {"interface-delay", "delays of interfaces", LatencyGroup::INTERFACE},
        {"in-transit", "hosts that pass worms on", LatencyGroup::INTERFACE},
        {"wire", "flits on the wire", LatencyGroup::WIRE},
        {"propagation", "propagation in cables", LatencyGroup::WIRE},
        {"switch-delay", "delays of switches", LatencyGroup::SWITCH},
        {"route-read", "reading the route", LatencyGroup::SWITCH},
        {"output", "waiting for an output", LatencyGroup::WAITING},
        {"turn", "waiting for its turn", LatencyGroup::WAITING},
        {"buffer-queue", "waiting in a buffer", LatencyGroup::WAITING},
        {"credit", "waiting for room in a buffer", LatencyGroup::WAITING},
        {"credit-return", "credits on their way back", LatencyGroup::WIRE},
        {"outage", "parts that were down", LatencyGroup::WAITING},
        {"ideal-network", "the ideal network", LatencyGroup::OTHER},
        {"gap", "gaps between messages", LatencyGroup::OTHER},
        {"byte-gap", "gaps between bytes", LatencyGroup::OTHER},
        {"add-on-network", "the add-on network", LatencyGroup::OTHER},
        {"register", "a register that waits for a child", LatencyGroup::WAITING},
        {"unexplained", "nothing that is recorded", LatencyGroup::OTHER},
    }};
    return words.at(static_cast<std::size_t>(cause));
}

} // namespace

LatencyGroup
GetGroup(LatencyCause cause)
{
    return WordsOf(cause).group;
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
    auto total = m_costs.empty() ? Time() : m_costs.front().time;
    for (std::size_t i = 1; i < m_costs.size(); ++i)
    {
        total = TimeLimit::Add(total, m_costs[i].time);
    }
    return total;
}

} // namespace ns3
