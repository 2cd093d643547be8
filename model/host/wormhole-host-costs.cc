/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-host-costs.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <string>

namespace ns3
{

namespace
{

Time
DrawJitter(const Ptr<RandomVariableStream>& jitter)
{
    if (!jitter)
    {
        return Time(0);
    }
    const auto seconds = jitter->GetValue();
    if (!(seconds >= 0))
    {
        throw WormholeError("jitter of a host's software drew " + std::to_string(seconds) +
                            " s; accepted are random variables of at least 0 s");
    }
    return TimeLimit::FromSeconds(seconds, "jitter of a host's software drew");
}

} // namespace

LatencyCosts
HostCosts::DrawSendCosts(Transport transport, uint64_t bytes, Path path)
{
    ++m_nSends;
    return GetSendCosts(transport, bytes, path, DrawJitter(m_sendJitter));
}

LatencyCosts
HostCosts::DrawSendCosts()
{
    ++m_nSends;
    return LatencyCosts(LatencyCause::START_UP, m_startUp)
        .Add(LatencyCause::SEND_OVERHEAD, m_sendOverhead)
        .Add(LatencyCause::JITTER, DrawJitter(m_sendJitter));
}

LatencyCosts
HostCosts::DrawReceiveCosts(Transport transport, bool unexpected, uint64_t bytes, Path path)
{
    ++m_nReceives;
    auto costs = GetReceiveCosts(transport, bytes, path, DrawJitter(m_receiveJitter));
    if (transport == Transport::SEND_RECEIVE && unexpected)
    {
        costs.Add(LatencyCause::UNEXPECTED_COPY,
                  TimeLimit::Add(m_unexpectedTime, GetCopyTime(bytes)));
    }
    return costs;
}

LatencyCosts
HostCosts::DrawReceiveCosts()
{
    ++m_nReceives;
    return LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, m_receiveOverhead)
        .Add(LatencyCause::JITTER, DrawJitter(m_receiveJitter));
}

Time
HostCosts::GetCopyTime(uint64_t bytes) const
{
    return ExactTime::RoundTransmission(bytes, m_copyDataRate);
}

Time
HostCosts::GetCombineTime(uint64_t bytes) const
{
    return ExactTime::RoundTransmission(bytes, m_combineDataRate);
}

Time
HostCosts::GetLengthTime(Transport transport, uint64_t bytes, Path path, DataRate rate) const
{
    if (path == Path::MEMORY)
    {
        return GetCopyTime(bytes);
    }
    // A write is moved by the interfaces alone.
    return transport == Transport::RDMA ? Time(0) : ExactTime::RoundTransmission(bytes, rate);
}

LatencyCosts
HostCosts::GetSendCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto posting = transport == Transport::SEND_RECEIVE ? m_descriptorTime : m_postTime;
    return LatencyCosts(LatencyCause::START_UP, m_startUp)
        .Add(LatencyCause::SEND_OVERHEAD, TimeLimit::Add(m_sendOverhead, posting))
        .Add(LatencyCause::COPY, GetLengthTime(transport, bytes, path, m_sendDataRate))
        .Add(LatencyCause::JITTER, jitter)
        // The message leaves before the transfer.
        .Add(LatencyCause::SEND_OVERHEAD, GetTransferTime(transport));
}

LatencyCosts
HostCosts::GetReceiveCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto overhead =
        TimeLimit::Add(TimeLimit::Add(m_receiveOverhead, m_matchingTime), m_transferTime);
    auto costs = transport == Transport::SEND_RECEIVE
                     ? LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, overhead)
                     : LatencyCosts(LatencyCause::POLL, m_pollTime);
    return costs.Add(LatencyCause::COPY, GetLengthTime(transport, bytes, path, m_receiveDataRate))
        .Add(LatencyCause::JITTER, jitter);
}

int64_t
HostCosts::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& jitter : {m_sendJitter, m_receiveJitter})
    {
        if (jitter)
        {
            jitter->SetStream(stream + used++);
        }
    }
    return used;
}

} // namespace ns3
