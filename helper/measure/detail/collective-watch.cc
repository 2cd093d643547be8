/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-watch.h"

#include "ns3/callback.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

CollectiveWatch::CollectiveWatch(Ptr<Collective> collective,
                                 const std::string& kind,
                                 uint32_t rounds,
                                 Ptr<UniformRandomVariable> rng,
                                 uint32_t latest)
    : m_collective(collective),
      m_kind(kind),
      m_rounds(rounds),
      m_rng(rng),
      m_latest(latest)
{
    collective->TraceConnectWithoutContext("Ready", MakeCallback(&CollectiveWatch::Ready, this));
    collective->TraceConnectWithoutContext("Enter", MakeCallback(&CollectiveWatch::Enter, this));
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&CollectiveWatch::Leave, this));
}

std::vector<uint32_t>
CollectiveWatch::DrawHosts(uint32_t n,
                           uint32_t nHosts,
                           uint32_t tasks,
                           Ptr<UniformRandomVariable> rng)
{
    std::vector<uint32_t> places;
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        places.insert(places.end(), tasks, host);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        std::swap(places[i], places[rng->GetInteger(i, static_cast<uint32_t>(places.size()) - 1)]);
    }
    places.resize(n);
    return places;
}

bool
CollectiveWatch::HaveAllLeft() const
{
    return !m_left.empty() && *std::min_element(m_left.begin(), m_left.end()) == m_rounds;
}

std::string
CollectiveWatch::GetTrouble() const
{
    if (!m_trouble.empty() || HaveAllLeft())
    {
        return m_trouble;
    }
    if (m_left.empty())
    {
        return "the group never becomes ready";
    }
    const auto last = std::min_element(m_left.begin(), m_left.end());
    return "rank " + std::to_string(last - m_left.begin()) + " never leaves round " +
           std::to_string(*last);
}

void
CollectiveWatch::Note(const std::string& trouble)
{
    if (m_trouble.empty())
    {
        m_trouble = trouble;
    }
}

void
CollectiveWatch::Ready(Time)
{
    const auto n = m_collective->GetNMembers();
    m_left.assign(n, 0);
    m_entered.assign(n, 0);
    m_results.assign(m_rounds, 0);
    m_came.assign(m_rounds, 0);
    m_rootCame.assign(m_rounds, false);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        Come(rank);
    }
}

void
CollectiveWatch::Come(uint32_t rank)
{
    // Some at once, most later.
    const auto delay = m_rng->GetInteger(0, 3) == 0 ? 0 : m_rng->GetInteger(0, m_latest);
    Simulator::Schedule(PicoSeconds(delay), &CollectiveWatch::DoCome, this, rank);
}

void
CollectiveWatch::DoCome(uint32_t rank)
{
    UintegerValue width;
    m_collective->GetAttribute("WidthBits", width);
    const uint64_t value = m_rng->GetInteger(0, 100'000);
    m_collective->Enter(rank, width.Get() == 1 ? value > 3000 : value);
}

void
CollectiveWatch::Enter(uint32_t rank, uint64_t value)
{
    const auto round = m_entered[rank]++;
    auto& result = m_results[round];
    if (m_kind != "broadcast")
    {
        result = m_came[round] == 0 ? value : m_collective->CombineValues(result, value);
    }
    else if (rank == m_collective->GetRoot())
    {
        result = value;
    }
    ++m_came[round];
    m_rootCame[round] = m_rootCame[round] || rank == m_collective->GetRoot();
}

void
CollectiveWatch::Leave(uint32_t rank, uint64_t result)
{
    const auto round = m_left[rank]++;
    const auto who = "rank " + std::to_string(rank) + " leaves round " + std::to_string(round);
    if (round >= m_rounds || m_entered[rank] <= round)
    {
        ++m_nEarly;
        Note(who + ", which it has not entered");
        return;
    }
    const bool isRoot = rank == m_collective->GetRoot();
    const bool getsResult = m_kind != "reduction" || isRoot;
    const bool mayLeave = m_kind == "broadcast"
                              ? m_rootCame[round]
                              : !getsResult || m_came[round] == m_collective->GetNMembers();
    const auto wanted = getsResult ? m_results[round] : 0;
    if (!mayLeave)
    {
        ++m_nEarly;
        Note(who + (m_kind == "broadcast"
                        ? " before the root has come"
                        : " after " + std::to_string(m_came[round]) + " of " +
                              std::to_string(m_collective->GetNMembers()) + " members have come"));
    }
    if (result != wanted)
    {
        ++m_nWrong;
        Note(who + " with " + std::to_string(result) + "; right is " + std::to_string(wanted));
    }
    if (m_left[rank] < m_rounds)
    {
        Come(rank);
    }
}

} // namespace ns3
