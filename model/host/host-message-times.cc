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

Time
HostSoftware::SendTime(Transport transport, uint64_t bytes, Path path)
{
    ++m_nSends;
    const auto jitter = Draw(m_sendJitter);
    if (ActivityRecorder::Get())
    {
        ExpectSend(transport, bytes, path, jitter);
    }
    return TimeLimit::Add(GetMeanSendTime(transport, bytes, path), jitter);
}

Time
HostSoftware::ReceiveTime(Transport transport, bool unexpected, uint64_t bytes, Path path)
{
    ++m_nReceives;
    const auto jitter = Draw(m_receiveJitter);
    const auto extra = transport == Transport::SEND_RECEIVE && unexpected
                           ? TimeLimit::Add(m_unexpectedTime, GetCopyTime(bytes))
                           : Time(0);
    if (ActivityRecorder::Get())
    {
        ExpectReceive(transport, bytes, path, extra, jitter);
    }
    const auto time = TimeLimit::Add(GetMeanReceiveTime(transport, bytes, path), jitter);
    return TimeLimit::Add(time, extra);
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

Time
HostSoftware::GetMeanSendTime(Transport transport, uint64_t bytes, Path path) const
{
    const auto posting = transport == Transport::SEND_RECEIVE ? m_descriptorTime : m_postTime;
    const auto constant = TimeLimit::Add(TimeLimit::Add(m_startUp, m_sendOverhead),
                                         TimeLimit::Add(posting, GetTransferTime(transport)));
    return TimeLimit::Add(constant, GetLengthTime(transport, bytes, path, m_sendDataRate));
}

Time
HostSoftware::GetMeanReceiveTime(Transport transport, uint64_t bytes, Path path) const
{
    const auto constant =
        transport == Transport::SEND_RECEIVE
            ? TimeLimit::Add(TimeLimit::Add(m_receiveOverhead, m_matchingTime), m_transferTime)
            : m_pollTime;
    return TimeLimit::Add(constant, GetLengthTime(transport, bytes, path, m_receiveDataRate));
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

void
HostSoftware::ExpectSend(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto posting = transport == Transport::SEND_RECEIVE ? m_descriptorTime : m_postTime;
    ActivityRecorder::Expect(LatencyCause::START_UP, m_startUp);
    ActivityRecorder::Expect(LatencyCause::SEND_OVERHEAD, m_sendOverhead + posting);
    ActivityRecorder::Expect(LatencyCause::COPY,
                             GetLengthTime(transport, bytes, path, m_sendDataRate));
    ActivityRecorder::Expect(LatencyCause::JITTER, jitter);
    // The message leaves before the transfer.
    ActivityRecorder::Expect(LatencyCause::SEND_OVERHEAD, GetTransferTime(transport));
}

void
HostSoftware::ExpectReceive(Transport transport,
                            uint64_t bytes,
                            Path path,
                            Time unexpected,
                            Time jitter) const
{
    if (transport == Transport::SEND_RECEIVE)
    {
        ActivityRecorder::Expect(LatencyCause::RECEIVE_OVERHEAD,
                                 m_receiveOverhead + m_matchingTime + m_transferTime);
    }
    else
    {
        ActivityRecorder::Expect(LatencyCause::POLL, m_pollTime);
    }
    ActivityRecorder::Expect(LatencyCause::COPY,
                             GetLengthTime(transport, bytes, path, m_receiveDataRate));
    ActivityRecorder::Expect(LatencyCause::JITTER, jitter);
    ActivityRecorder::Expect(LatencyCause::UNEXPECTED_COPY, unexpected);
}

} // namespace ns3
