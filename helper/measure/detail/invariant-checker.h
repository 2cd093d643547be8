// SPDX-License-Identifier: GPL-2.0-only

#ifndef INVARIANT_CHECKER_H
#define INVARIANT_CHECKER_H

#include "ns3/callback.h"
#include "ns3/ordering.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-collective.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Makes members enter a group's rounds at random times, and checks the invariant of its kind
/// (DataKindInvariant): a member leaves only after all members whose contributions it needs have
/// entered, and with the correct result. For data, members are given 32-bit elements, which are
/// summed. After each change of members the checks begin anew, with the same number of rounds.
class InvariantChecker
{
  public:
    /// @param latest maximum wait of a member before it enters again, ps
    InvariantChecker(Ptr<Collective> collective,
                     uint32_t rounds,
                     Ptr<UniformRandomVariable> rng,
                     uint32_t latest)
        : m_collective(collective),
          m_rounds(rounds),
          m_rng(rng),
          m_latest(latest)
    {
        collective->TraceConnectWithoutContext("Ready",
                                               MakeCallback(&InvariantChecker::Ready, this));
        collective->TraceConnectWithoutContext("Enter",
                                               MakeCallback(&InvariantChecker::Enter, this));
        collective->TraceConnectWithoutContext("Leave",
                                               MakeCallback(&InvariantChecker::Leave, this));
    }

    /// @param tasks maximum number of members per host
    /// @return hosts of a group's members, in random order
    static std::vector<uint32_t> DrawHosts(uint32_t n,
                                           uint32_t nHosts,
                                           uint32_t tasks,
                                           Ptr<UniformRandomVariable> rng)
    {
        auto places = MadeOfNumbers(nHosts * tasks, [tasks](uint32_t i) { return i / tasks; });
        for (uint32_t i = 0; i < n; ++i)
        {
            std::swap(places[i],
                      places[rng->GetInteger(i, static_cast<uint32_t>(places.size()) - 1)]);
        }
        places.resize(n);
        return places;
    }

    /// @return the first premature departure or wrong result; empty if there was none
    const std::string& GetWrong() const
    {
        return m_trouble;
    }

    /// @return the first violation, in one line; empty if there was none
    std::string GetTrouble() const
    {
        if (m_left.empty())
        {
            return m_trouble.empty() ? "the group never becomes ready" : m_trouble;
        }
        const auto last = std::min_element(m_left.begin(), m_left.end());
        if (!m_trouble.empty() || *last == m_rounds)
        {
            return m_trouble;
        }
        return "rank " + std::to_string(last - m_left.begin()) + " never leaves round " +
               std::to_string(*last);
    }

  private:
    static int32_t GetElement(uint32_t rank, uint64_t part, uint64_t index)
    {
        return static_cast<int32_t>(1 + rank * 1009 + part * 31 + index);
    }

    void Ready(Time)
    {
        const auto n = m_collective->GetNMembers();
        ++m_nChanges;
        m_left.assign(n, 0);
        m_values.assign(n, {});
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            Come(rank);
        }
    }

    void Come(uint32_t rank)
    {
        // Some at once, most later.
        const auto delay = m_rng->GetInteger(0, 3) == 0 ? 0 : m_rng->GetInteger(0, m_latest);
        Simulator::Schedule(PicoSeconds(delay), &InvariantChecker::DoCome, this, rank, m_nChanges);
    }

    void DoCome(uint32_t rank, uint32_t change)
    {
        if (change != m_nChanges || !m_collective->MayEnter(rank))
        {
            return;
        }
        if (m_collective->MovesData())
        {
            GiveInput(rank);
            m_collective->Enter(rank);
            return;
        }
        UintegerValue width;
        m_collective->GetAttribute("WidthBits", width);
        const uint64_t value = m_rng->GetInteger(0, 100'000);
        m_collective->Enter(rank, width.Get() == 1 ? value > 3000 : value);
    }

    void Enter(uint32_t rank, uint64_t value)
    {
        m_values[rank].push_back(value);
    }

    void Leave(uint32_t rank, uint64_t result)
    {
        const auto round = m_left[rank]++;
        const auto who = "rank " + std::to_string(rank) + " leaves round " + std::to_string(round);
        const auto hasCome = [&](uint32_t member) { return m_values[member].size() > round; };
        if (round >= m_rounds || !hasCome(rank))
        {
            Note(who + ", which it has not entered");
            return;
        }
        const auto parts = m_collective->GetOutputParts(rank);
        const bool mayLeave = AllOf(parts, [&](uint64_t part) {
            const auto from = GetContributors(rank, part);
            return AllOf(from, hasCome);
        });
        if (!mayLeave)
        {
            const auto n = m_collective->GetNMembers();
            const auto came = NumbersWith(n, hasCome).size();
            Note(who + (m_collective->GetKind() == DataKind::BROADCAST
                            ? " before the root has come"
                            : " after " + std::to_string(came) + " of " + std::to_string(n) +
                                  " members have come"));
        }
        if (m_collective->MovesData())
        {
            CheckOutput(rank);
        }
        else if (const auto wanted = FindResult(rank, round); result != wanted)
        {
            Note(who + " with " + std::to_string(result) + "; right is " + std::to_string(wanted));
        }
        if (m_left[rank] < m_rounds)
        {
            Come(rank);
        }
    }

    void Note(const std::string& trouble)
    {
        if (m_trouble.empty())
        {
            m_trouble = trouble;
        }
    }

    uint32_t GetRoot() const
    {
        return DataKindInvariant::HasRoot(m_collective->GetKind()) ? m_collective->GetRoot() : 0;
    }

    /// @return the ranks whose contributions to a part a member must have when it leaves, in order
    std::vector<uint32_t> GetContributors(uint32_t rank, uint64_t part) const
    {
        return DataKindInvariant::GetFinal(m_collective->GetKind(),
                                           m_collective->GetNMembers(),
                                           GetRoot(),
                                           rank,
                                           part);
    }

    /// @return the value with which a member must leave, from the values of members in the round
    uint64_t FindResult(uint32_t rank, uint32_t round) const
    {
        uint64_t result = 0;
        bool isFirst = true;
        for (const auto from : GetContributors(rank, 0))
        {
            if (m_values[from].size() > round)
            {
                const auto value = m_values[from][round];
                result = std::exchange(isFirst, false) ? value
                                                       : m_collective->CombineValues(result, value);
            }
        }
        return result;
    }

    void GiveInput(uint32_t rank) const
    {
        const auto elements = JoinedOf(m_collective->GetInputParts(rank), [&](uint64_t part) {
            return MadeOfNumbers(m_collective->GetParts()[part] / sizeof(int32_t),
                                 [&](uint32_t i) { return GetElement(rank, part, i); });
        });
        std::vector<uint8_t> bytes(elements.size() * sizeof(int32_t));
        std::copy_n(reinterpret_cast<const uint8_t*>(elements.data()), bytes.size(), bytes.data());
        m_collective->SetInput(rank, bytes);
    }

    void CheckOutput(uint32_t rank)
    {
        const auto wanted = JoinedOf(m_collective->GetOutputParts(rank), [&](uint64_t part) {
            const auto from = GetContributors(rank, part);
            return MadeOfNumbers(m_collective->GetParts()[part] / sizeof(int32_t), [&](uint32_t i) {
                return SumOf(from, [&](uint32_t other) { return GetElement(other, part, i); });
            });
        });
        const auto bytes = m_collective->GetOutput(rank);
        const bool isRight =
            bytes.size() == wanted.size() * sizeof(int32_t) &&
            std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const uint8_t*>(wanted.data()));
        if (!isRight)
        {
            Note("rank " + std::to_string(rank) + " leaves with " +
                 (bytes.empty() ? "nothing" : "wrong data"));
        }
    }

    Ptr<Collective> m_collective;
    uint32_t m_rounds; ///< number of rounds
    Ptr<UniformRandomVariable> m_rng;
    uint32_t m_latest;            ///< maximum wait of a member before it enters again, ps
    uint32_t m_nChanges{0};       ///< how often the group has become ready
    std::string m_trouble;        ///< the first violation
    std::vector<uint32_t> m_left; ///< number of rounds that each member has left
    std::vector<std::vector<uint64_t>>
        m_values; ///< the values with which members entered, by rank and round
};

} // namespace ns3

#endif /* INVARIANT_CHECKER_H */
