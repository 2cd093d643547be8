/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-bench.h"

#include "loaded-bench.h"
#include "message-pair.h"

#include "ns3/time-limit.h"
#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

namespace
{

/// Refuses a number out of range. @param what what it is @param number the number
/// @param max the greatest that is accepted
void
CheckRange(const std::string& what, uint64_t number, uint64_t max)
{
    if (number == 0 || number > max)
    {
        throw WormholeError(std::to_string(number) + " " + what + ": accepted are 1 to " +
                            std::to_string(max));
    }
}

} // namespace

MessageBench::MessageBench(Ptr<CollectiveDomain> domain, uint32_t first, uint32_t second)
    : m_pair(CreateObject<MessagePair>())
{
    if (!domain->IsIdeal())
    {
        domain->GetFabric()->Start();
    }
    m_pair->Create(domain, {first, second});
}

MessageBench::~MessageBench()
{
    m_pair->Dispose();
}

Time
MessageBench::PingPong(uint64_t bytes, uint32_t rounds)
{
    return Measure(bytes, 1, bytes, rounds);
}

Time
MessageBench::Stream(uint64_t bytes, uint32_t window, uint32_t rounds)
{
    return Measure(bytes, window, ANSWER_BYTES, rounds);
}

void
MessageBench::Check(uint64_t bytes, uint32_t window, uint32_t rounds)
{
    CheckRange("bytes of a message", bytes, DataMessages::MAX_BYTES);
    CheckRange("messages of a window", window, MAX_WINDOW);
    CheckRange("rounds", rounds, MAX_ROUNDS);
}

std::vector<Time>
MessageBench::MeasureBeside(uint64_t bytes,
                            uint32_t window,
                            uint64_t answer,
                            uint32_t rounds,
                            const TrafficBeside::Parameters& traffic)
{
    Check(bytes, window, rounds);
    const auto size = static_cast<uint32_t>(bytes);
    const auto back = static_cast<uint32_t>(answer);
    const auto unloaded = m_pair->Exchange(size, window, back);
    m_pair->SetRound(size, window, back);
    const auto times = LoadedBench(m_pair, unloaded, traffic).Cross(rounds);
    m_pair->SetRound(0, 0, 0);
    return times;
}

Time
MessageBench::Measure(uint64_t bytes, uint32_t window, uint64_t answer, uint32_t rounds)
{
    Check(bytes, window, rounds);
    const auto round = [&] {
        return m_pair->Exchange(static_cast<uint32_t>(bytes),
                                window,
                                static_cast<uint32_t>(answer));
    };
    auto last = round();
    for (uint32_t i = 1; i < MAX_WARM_UP; ++i)
    {
        const auto before = last;
        last = round();
        if (last == before)
        {
            break;
        }
    }
    Time sum;
    for (uint32_t i = 0; i < rounds; ++i)
    {
        sum = TimeLimit::Add(sum, round());
    }
    return sum;
}

} // namespace ns3
