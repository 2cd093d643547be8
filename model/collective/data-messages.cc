/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-messages.h"

#include "ns3/simulator.h"
#include "ns3/time-limit.h"

namespace ns3
{

namespace
{

/// Of a message's tag, beside its length: it is an acknowledgement.
constexpr uint32_t ACK = 1U << 31;

} // namespace

DataMessages::DataMessages(Collective& group, Client& client, const Setting& setting)
    : m_group(&group),
      m_client(&client),
      m_setting(setting)
{
    for (uint32_t rank = 0; rank < group.GetNMembers(); ++rank)
    {
        Member member{};
        member.software = &group.GetSoftware(rank);
        member.task = group.GetTask(rank);
        member.software->AddTask(member.task);
        m_members.push_back(member);
    }
}

void
DataMessages::Stop()
{
    m_group = nullptr;
}

void
DataMessages::Send(uint32_t from, uint32_t to, uint32_t bytes)
{
    ++m_members[from].sent;
    const auto id = ++m_nSent;
    if (m_setting.acknowledged)
    {
        auto& record = m_records[id];
        record.from = from;
        record.to = to;
        if (m_setting.answers && from == m_taker)
        {
            record.answered = m_taken;
            ++m_records[m_taken].open;
        }
        else
        {
            ++m_members[from].unacknowledged;
        }
    }
    HostMessage message;
    message.from = from;
    message.to = to;
    message.tag = bytes;
    message.round = static_cast<uint64_t>(Simulator::Now().GetTimeStep());
    message.value = id;
    Launch(message, bytes);
}

void
DataMessages::Launch(const HostMessage& message, uint32_t bytes)
{
    const auto& member = m_members[message.from];
    auto& domain = m_group->GetDomain();
    const auto now = Simulator::Now();
    const bool isFlag = AreNeighbours(message.from, message.to);
    const auto end = member.software->Occupy(
        member.task,
        now,
        isFlag ? member.software->GetFlagTime() : member.software->SendTime(m_setting.transport));
    if (isFlag || domain.IsIdeal())
    {
        const auto flight = isFlag ? Time(0) : domain.GetLatency();
        Simulator::Schedule(TimeLimit::Add(end, flight) - now,
                            &DataMessages::Arrive,
                            Ptr<DataMessages>(this),
                            message);
        return;
    }
    auto onWire = message;
    onWire.group = m_group->GetGroup();
    auto fabric = domain.GetFabric();
    auto route =
        fabric->GetRouter()->GetRoute(m_group->GetHost(message.from), m_group->GetHost(message.to));
    member.software->HandOver(Create<HostMessageWorm>(onWire, fabric->GetFlits(bytes), route), end);
}

void
DataMessages::Receive(const HostMessage& message)
{
    Arrive(message);
}

void
DataMessages::Arrive(HostMessage message)
{
    if (!m_group)
    {
        return;
    }
    auto& software = *m_members[message.to].software;
    const auto now = Simulator::Now();
    const auto end = software.Take(m_members[message.to].task,
                                   now,
                                   AreNeighbours(message.from, message.to)
                                       ? software.GetFlagTime()
                                       : software.ReceiveTime(m_setting.transport, false));
    if (end > now)
    {
        Simulator::Schedule(end - now, &DataMessages::Take, Ptr<DataMessages>(this), message);
    }
    else
    {
        Take(message);
    }
}

void
DataMessages::Take(HostMessage message)
{
    if (!m_group)
    {
        return;
    }
    const auto id = message.value;
    if (message.tag & ACK)
    {
        TakeAcknowledgement(id);
    }
    else
    {
        ++m_members[message.to].received;
        ++m_nReceived;
        m_taker = message.to;
        m_taken = id;
        m_client->TakeData(message.to,
                           message.from,
                           message.tag,
                           Simulator::Now() - TimeStep(message.round));
        m_taker = NOBODY;
        if (m_setting.acknowledged && m_group)
        {
            m_records[id].isTaken = true;
            Acknowledge(id);
        }
    }
    if (m_group && IsQuiet())
    {
        m_client->BeQuiet();
    }
}

void
DataMessages::Acknowledge(uint64_t id)
{
    const auto& record = m_records.at(id);
    if (!record.isTaken || record.open > 0)
    {
        return;
    }
    HostMessage ack;
    ack.from = record.to;
    ack.to = record.from;
    ack.tag = ACK;
    ack.value = id;
    Launch(ack, m_setting.ackBytes);
}

void
DataMessages::TakeAcknowledgement(uint64_t id)
{
    const auto found = m_records.find(id);
    const auto [from, to, answered, open, isTaken] = found->second;
    m_records.erase(found);
    if (answered > 0)
    {
        --m_records.at(answered).open;
        Acknowledge(answered);
    }
    else if (--m_members[from].unacknowledged == 0)
    {
        m_client->TakeLastAcknowledgement(from);
    }
}

uint64_t
DataMessages::GetSent(uint32_t rank) const
{
    return m_members.at(rank).sent;
}

uint64_t
DataMessages::GetReceived(uint32_t rank) const
{
    return m_members.at(rank).received;
}

uint64_t
DataMessages::GetUnacknowledged(uint32_t rank) const
{
    return m_members.at(rank).unacknowledged;
}

uint64_t
DataMessages::GetNUnderWay() const
{
    return m_nSent - m_nReceived;
}

bool
DataMessages::IsQuiet() const
{
    return GetNUnderWay() == 0 && m_records.empty();
}

uint32_t
DataMessages::GetTaker() const
{
    return m_taker;
}

bool
DataMessages::AreNeighbours(uint32_t a, uint32_t b) const
{
    return m_members[a].software == m_members[b].software;
}

} // namespace ns3
