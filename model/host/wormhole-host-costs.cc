// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-host-costs.h"

#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

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
                            " s; expected random variables of at least 0 s");
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
HostCosts::DrawSendCosts(uint64_t bytes)
{
    ++m_nSends;
    return LatencyCosts(LatencyCause::START_UP, m_startUp.At(bytes))
        .Add(LatencyCause::SEND_OVERHEAD, m_sendOverhead.At(bytes))
        .Add(LatencyCause::JITTER, DrawJitter(m_sendJitter));
}

LatencyCosts
HostCosts::DrawReceiveCosts(Transport transport, bool unexpected, uint64_t bytes, Path path)
{
    ++m_nReceives;
    auto costs = GetReceiveCosts(transport, bytes, path, DrawJitter(m_receiveJitter));
    if (transport == Transport::SEND_RECEIVE && unexpected)
    {
        const auto copy = GetCopyCosts(bytes);
        costs
            .Add(LatencyCause::UNEXPECTED_COPY,
                 TimeLimit::Add(m_unexpectedTime.At(bytes), copy.GetTotal()))
            .SetMemoryTime(costs.GetMemoryTime() + copy.GetMemoryTime());
    }
    return costs;
}

LatencyCosts
HostCosts::DrawReceiveCosts(uint64_t bytes)
{
    ++m_nReceives;
    return LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, m_receiveOverhead.At(bytes))
        .Add(LatencyCause::JITTER, DrawJitter(m_receiveJitter));
}

void
HostCosts::SetSendReturn(std::string text)
{
    m_sendReturn.clear();
    const auto& names = GetSendReturnNames();
    for (const auto& [bytes, word] :
         ParseByLength(text.find(':') < text.size() ? text : "0:" + text))
    {
        const auto name = std::find(names.begin(), names.end(), word);
        m_sendReturn.emplace_back(bytes, static_cast<SendReturn>(name - names.begin()));
    }
}

std::string
HostCosts::PrintSendReturn() const
{
    std::string text;
    for (const auto& [bytes, when] : m_sendReturn)
    {
        text += (text.empty() ? "" : ",") +
                (m_sendReturn.size() > 1 ? PrintByteSize(bytes) + ":" : "") +
                GetSendReturnNames()[static_cast<std::size_t>(when)];
    }
    return text;
}

void
HostCosts::AddLength(LatencyCosts& costs,
                     Transport transport,
                     uint64_t bytes,
                     Path path,
                     DataRate rate) const
{
    if (path == Path::MEMORY)
    {
        costs.Add(GetCopyCosts(bytes));
    }
    else if (transport != Transport::RDMA) // a write is moved by the interfaces alone
    {
        costs.Add(LatencyCause::COPY, ExactTime::RoundTransmission(bytes, rate));
    }
}

LatencyCosts
HostCosts::GetSendCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto posting =
        transport == Transport::SEND_RECEIVE ? m_descriptorTime : m_postTime.At(bytes);
    LatencyCosts costs(LatencyCause::START_UP, m_startUp.At(bytes));
    costs.Add(LatencyCause::SEND_OVERHEAD, TimeLimit::Add(m_sendOverhead.At(bytes), posting));
    AddLength(costs, transport, bytes, path, m_sendDataRate);
    costs.Add(LatencyCause::JITTER, jitter);
    // The message leaves before the transfer: who sends it (GroupMessages, ScheduleRunner)
    // subtracts that again.
    costs.Add(LatencyCause::SEND_OVERHEAD, GetTransferTime(transport, bytes));
    return costs;
}

LatencyCosts
HostCosts::GetReceiveCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const
{
    const auto overhead =
        TimeLimit::Add(TimeLimit::Add(m_receiveOverhead.At(bytes), m_matchingTime.At(bytes)),
                       m_transferTime.At(bytes));
    auto costs = transport == Transport::SEND_RECEIVE
                     ? LatencyCosts(LatencyCause::RECEIVE_OVERHEAD, overhead)
                     : LatencyCosts(LatencyCause::POLL, m_pollTime.At(bytes));
    AddLength(costs, transport, bytes, path, m_receiveDataRate);
    costs.Add(LatencyCause::JITTER, jitter);
    return costs;
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
