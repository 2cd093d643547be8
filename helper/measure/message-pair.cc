/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-pair.h"

#include "ns3/host-message.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MessagePair);

TypeId
MessagePair::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MessagePair")
                            .SetParent<Collective>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<MessagePair>();
    return tid;
}

void
MessagePair::DoCreate()
{
    m_data = ns3::Create<DataMessages>(
        *this,
        *this,
        DataMessages::Setting{HostSoftware::Transport::SEND_RECEIVE, false, false, 1});
    BeReady();
}

void
MessagePair::DoDispose()
{
    if (m_data)
    {
        m_data->Stop();
    }
    Collective::DoDispose();
    m_data = nullptr;
}

Time
MessagePair::Exchange(uint32_t bytes, uint32_t window, uint32_t answer)
{
    const auto begin = Simulator::Now();
    Send(bytes, window, answer);
    Simulator::Run();
    if (!m_isAnswered)
    {
        throw WormholeError("a message of " + std::to_string(bytes) + " bytes from " +
                            GetDomain().GetHostName(GetHost(0)) + " to " +
                            GetDomain().GetHostName(GetHost(1)) +
                            " does not come back: " + GetDomain().ExplainMissing());
    }
    return m_end - begin;
}

void
MessagePair::Send(uint32_t bytes, uint32_t window, uint32_t answer)
{
    m_left = window;
    m_answer = answer;
    m_isAnswered = false;
    for (uint32_t i = 0; i < window; ++i)
    {
        m_data->Send(0, 1, bytes);
    }
}

void
MessagePair::SetRound(uint32_t bytes, uint32_t window, uint32_t answer)
{
    m_bytes = bytes;
    m_window = window;
    m_answer = answer;
}

void
MessagePair::TakeData(uint32_t to, uint32_t, uint32_t, Time)
{
    if (to == 0)
    {
        m_isAnswered = true;
        m_end = Simulator::Now();
        if (m_window > 0)
        {
            Leave(1, 0);
            Leave(0, 0);
        }
    }
    else if (--m_left == 0)
    {
        m_data->Send(1, 0, m_answer);
    }
}

bool
MessagePair::GetsResult(uint32_t) const
{
    return false;
}

bool
MessagePair::HasLongMessages() const
{
    return true;
}

void
MessagePair::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    m_data->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
}

void
MessagePair::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

void
MessagePair::TakeLastAcknowledgement(uint32_t)
{
}

void
MessagePair::BeQuiet()
{
}

void
MessagePair::DoEnter(uint32_t rank, uint64_t)
{
    if (m_window == 0)
    {
        Leave(rank, 0);
    }
    else if (rank == 1) // the last to come
    {
        Send(m_bytes, m_window, m_answer);
    }
}

void
MessagePair::DoRelease()
{
    BeReleased();
}

} // namespace ns3
