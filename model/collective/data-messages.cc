// SPDX-License-Identifier: GPL-2.0-only

#include "data-messages.h"

#include <utility>

namespace ns3
{

DataMessages::DataMessages(Collective& group, Client& client, const Setting& setting)
    : GroupMessages(group, setting.transport),
      m_client(&client),
      m_setting(setting),
      m_members(group.GetNMembers())
{
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
    Launch(message);
}

void
DataMessages::Launch(const HostMessage& message)
{
    const auto bytes = GetBytes(message);
    auto& software = GetSoftware(message.from);
    const bool isInMemory = AreNeighbours(message.from, message.to);
    const auto costs =
        isInMemory ? software.GetFlagCosts(bytes) : DrawSendCosts(message.from, bytes);
    const auto end = software.Occupy(GetTask(message.from),
                                     Simulator::Now(),
                                     costs,
                                     HostSoftware::Activity::SEND);
    const ActivityRecorder::Scope scope(software.GetActivities(),
                                        software.GetLastActivity(GetTask(message.from)));
    if (isInMemory)
    {
        PassInMemory(message, end);
        return;
    }
    Parcel parcel;
    parcel.message = message;
    parcel.message.bytes = bytes;
    parcel.route = IsIdeal() ? nullptr : FindRoute(message.from, message.to);
    parcel.flight = GetGroup()->GetDomain().GetLatency();
    SendParcel(std::move(parcel), end);
}

void
DataMessages::Arrive(uint32_t, const HostMessage& message)
{
    auto& software = GetSoftware(message.to);
    const auto now = Simulator::Now();
    if (message.phase == HostMessage::REQUEST)
    {
        Answer(message.to, message.from, message.value, now);
        return;
    }
    const auto bytes = GetBytes(message);
    const auto costs = AreNeighbours(message.from, message.to)
                           ? software.GetFlagCosts(bytes)
                           : software.DrawReceiveCosts(m_setting.transport, false, bytes);
    const auto end = software.ChargeReceive(GetTask(message.to), now, costs);
    software.InvokeAfter(GetTask(message.to), end - now, this, &DataMessages::Take, message);
}

void
DataMessages::Take(HostMessage message)
{
    if (!GetGroup())
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
        m_client->ReceiveData(message.to,
                              message.from,
                              message.tag,
                              Simulator::Now() - TimeStep(message.round));
        m_taker = NOBODY;
        if (m_setting.acknowledged && GetGroup())
        {
            m_records[id].isTaken = true;
            Acknowledge(id);
        }
    }
    if (GetGroup() && IsQuiet())
    {
        m_client->NotifyQuiet();
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
    Launch(ack);
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
        m_client->ReceiveLastAcknowledgement(from);
    }
}

} // namespace ns3
