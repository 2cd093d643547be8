/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long messages keep processes busy, and what with.

#include "host-software.h"

#include "ns3/exact-time.h"
#include "ns3/time-limit.h"
#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

LatencyCosts
HostSoftware::DrawSendCosts(Transport transport, uint64_t bytes, Path path)
{
    ++m_nSends;
    return GetSendCosts(transport, bytes, path, Draw(m_sendJitter));
}

LatencyCosts
HostSoftware::DrawReceiveCosts(Transport transport, bool unexpected, uint64_t bytes, Path path)
{
    ++m_nReceives;
    auto costs = GetReceiveCosts(transport, bytes, path, Draw(m_receiveJitter));
    if (transport == Transport::SEND_RECEIVE && unexpected)
    {
        costs.Add(LatencyCause::UNEXPECTED_COPY,
                  TimeLimit::Add(m_unexpectedTime, GetCopyTime(bytes)));
    }
    return costs;
}

LatencyCosts
HostSoftware::GetFlagCosts(uint64_t bytes) const
{
    return LatencyCosts(LatencyCause::FLAG, m_flagTime).Add(LatencyCause::COPY, GetCopyTime(bytes));
}

Time
HostSoftware::GetLengthTime(Transport transport, uint64_t bytes, Path path, DataRate rate) const
{
    if (path == Path::MEMORY)
    {
        return GetCopyTime(bytes);
    }
    // A write is moved by the interfaces alone.
    return transport == Transport::RDMA ? Time(0) : ExactTime::RoundTransmission(bytes, rate);
}

LatencyCosts
HostSoftware::GetSendCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
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
HostSoftware::GetReceiveCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto overhead =
        TimeLimit::Add(TimeLimit::Add(m_receiveOverhead, m_matchingTime), m_transferTime);
    auto costs = transport == Transport::SEND_RECEIVE
                     ? LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, overhead)
                     : LatencyCosts(LatencyCause::POLL, m_pollTime);
    return costs.Add(LatencyCause::COPY, GetLengthTime(transport, bytes, path, m_receiveDataRate))
        .Add(LatencyCause::JITTER, jitter);
}

Time
HostSoftware::GetMeanSendTime(Transport transport, uint64_t bytes, Path path) const
{
    return GetSendCosts(transport, bytes, path, Time(0)).GetTotal();
}

Time
HostSoftware::GetMeanReceiveTime(Transport transport, uint64_t bytes, Path path) const
{
    return GetReceiveCosts(transport, bytes, path, Time(0)).GetTotal();
}

Time
HostSoftware::Draw(const Ptr<RandomVariableStream>& jitter)
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

} // namespace ns3
