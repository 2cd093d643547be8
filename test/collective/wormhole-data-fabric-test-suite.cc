/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data on fabrics: what members leave with equals a plain computation, for all
// algorithms of all kinds by name.

#include "../test-case.h"
#include "../test-fabrics.h"
#include "data-names.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"

#include <cmath>
#include <cstring>

using namespace ns3;

namespace
{

/// Elements as numbers.
using Numbers = std::vector<double>;

/// What is tried with an algorithm.
struct Trial
{
    DataKind kind;       ///< kind of collective
    std::string name;    ///< algorithm
    uint32_t members;    ///< number of members
    uint32_t tasks;      ///< members of a host
    std::string type;    ///< type of elements, int32 or float64
    bool hasLengths;     ///< whether parts differ in length
    bool keepsOrder;     ///< whether order is kept
    uint64_t segment;    ///< SegmentBytes
    std::string network; ///< Transport

    /// @return the trial in words
    std::string Print() const
    {
        return DataKindInvariant::GetName(kind) + " " + name + ", " + std::to_string(members) +
               " members, " + std::to_string(tasks) + " a host, " + type +
               (hasLengths ? ", lengths by part" : "") + (keepsOrder ? ", in order" : "") +
               ", segments of " + std::to_string(segment) + ", " + network;
    }
};

/// @return elements as bytes
std::vector<uint8_t>
Encode(const Numbers& numbers, const std::string& type)
{
    std::vector<uint8_t> bytes(numbers.size() * (type == "int32" ? 4 : 8));
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (type == "int32")
        {
            const auto element = static_cast<int32_t>(numbers[i]);
            std::memcpy(&bytes[4 * i], &element, 4);
        }
        else
        {
            std::memcpy(&bytes[8 * i], &numbers[i], 8);
        }
    }
    return bytes;
}

/// @return bytes as elements @param bytes the bytes
Numbers
Decode(const std::vector<uint8_t>& bytes, const std::string& type)
{
    Numbers numbers(bytes.size() / (type == "int32" ? 4 : 8));
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (type == "int32")
        {
            int32_t element;
            std::memcpy(&element, &bytes[4 * i], 4);
            numbers[i] = element;
        }
        else
        {
            std::memcpy(&numbers[i], &bytes[8 * i], 8);
        }
    }
    return numbers;
}

/// Runs rounds of a collective, each of which a member enters as soon as it has left the one
/// before.
class Rounds
{
  public:
    /// Rounds that members enter.
    static constexpr uint32_t ROUNDS = 2;

    Rounds(const Trial& trial, Ptr<CollectiveDomain> domain, Ptr<UniformRandomVariable> rng)
        : m_trial(trial),
          m_round(trial.members, 0)
    {
        const auto n = trial.members;
        const bool isInteger = trial.type == "int32";
        m_collective =
            CollectiveHelper::MakeData(DataKindInvariant::GetName(trial.kind), trial.name);
        const auto nParts = DataKindInvariant::GetNParts(trial.kind, n);
        std::string lengths;
        std::vector<uint32_t> counts; // elements of each part
        for (uint64_t part = 0; part < nParts; ++part)
        {
            counts.push_back(trial.hasLengths ? (part * 5 + 1) % 7 : nParts == 1 ? 37 : 3);
            lengths += (part == 0 ? "" : ",") + std::to_string(counts[part] * (isInteger ? 4 : 8));
        }
        m_collective->SetAttribute("Lengths", StringValue(lengths));
        m_collective->SetAttribute("DataType", StringValue(trial.type));
        m_collective->SetAttribute("KeepsOrder", BooleanValue(trial.keepsOrder));
        m_collective->SetAttribute("Transport", StringValue(trial.network));
        m_collective->SetAttribute("SegmentBytes", UintegerValue(trial.segment));
        m_collective->SetAttribute("Root", IntegerValue(n * 7 / 11));
        std::vector<uint32_t> hosts;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            hosts.push_back((rank / trial.tasks * 7 + 3) % domain->GetNHosts());
            m_collective->SetLeaveCallback(rank,
                                           CallbackOf([this, rank](uint64_t) { Leave(rank); }));
        }
        m_data.resize(ROUNDS, std::vector<std::vector<Numbers>>(n));
        for (auto& round : m_data)
        {
            for (auto& member : round)
            {
                for (const auto count : counts)
                {
                    Numbers numbers;
                    for (uint32_t i = 0; i < count; ++i)
                    {
                        numbers.push_back(isInteger ? rng->GetInteger(0, 100'000'000)
                                                    : rng->GetValue(0, 1));
                    }
                    member.push_back(numbers);
                }
            }
        }
        m_collective->Create(domain, hosts);
        if (!m_collective->IsReady())
        {
            Simulator::Run(); // switches are asked for slots
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            Simulator::Schedule(NanoSeconds(rng->GetInteger(0, 20'000)),
                                [this, rank] { Enter(rank); });
        }
        Simulator::Run();
    }

    ~Rounds()
    {
        m_collective->Release();
        Simulator::Run();
        m_collective->Dispose();
    }

    /// @return what went wrong; empty: nothing
    std::string GetTrouble() const
    {
        for (uint32_t rank = 0; rank < m_round.size() && m_trouble.empty(); ++rank)
        {
            if (m_round[rank] < ROUNDS)
            {
                return "rank " + std::to_string(rank) + " left " + std::to_string(m_round[rank]) +
                       " times";
            }
        }
        return m_trouble;
    }

  private:
    void Enter(uint32_t rank)
    {
        const auto bytes = Encode(GetInput(rank), m_trial.type);
        if (!bytes.empty())
        {
            m_collective->SetInput(rank, bytes);
        }
        m_collective->Enter(rank);
    }

    void Leave(uint32_t rank)
    {
        const auto wanted = GetWanted(rank);
        const auto has = Decode(m_collective->GetOutput(rank), m_trial.type);
        bool isRight = has.size() == wanted.size();
        for (std::size_t i = 0; isRight && i < has.size(); ++i)
        {
            const auto tolerance = m_trial.type == "int32" ? 0 : 1e-12 * wanted[i];
            isRight = std::abs(has[i] - wanted[i]) <= tolerance;
        }
        if (!isRight)
        {
            m_trouble = "rank " + std::to_string(rank) + " leaves round " +
                        std::to_string(m_round[rank]) + " with other values";
        }
        if (++m_round[rank] < ROUNDS)
        {
            Enter(rank);
        }
    }

    /// @return a member's data for its round, by part @param rank the member, or another
    const std::vector<Numbers>& Data(uint32_t rank, uint32_t round) const
    {
        return m_data[round][rank];
    }

    /// Adds numbers at the end of others.
    static void Add(Numbers& to, const Numbers& numbers)
    {
        to.insert(to.end(), numbers.begin(), numbers.end());
    }

    /// @return a part summed over the first members
    Numbers Sum(uint32_t part, uint32_t members, uint32_t round) const
    {
        Numbers sum(Data(0, round)[part].size(), 0);
        for (uint32_t rank = 0; rank < members; ++rank)
        {
            for (std::size_t i = 0; i < sum.size(); ++i)
            {
                sum[i] += Data(rank, round)[part][i];
            }
        }
        return sum;
    }

    /// @return what a member enters its round with
    Numbers GetInput(uint32_t rank) const
    {
        const auto n = m_trial.members;
        const bool isRoot = rank == n * 7 / 11;
        const auto& data = Data(rank, m_round[rank]);
        Numbers input;
        for (uint32_t part = 0; part < data.size(); ++part)
        {
            const bool isOwn =
                m_trial.kind == DataKind::BROADCAST || m_trial.kind == DataKind::SCATTER ? isRoot
                : m_trial.kind == DataKind::GATHER || m_trial.kind == DataKind::ALL_GATHER
                    ? part == rank
                : m_trial.kind == DataKind::ALL_TO_ALL ? part / n == rank
                                                       : true;
            if (isOwn)
            {
                Add(input, data[part]);
            }
        }
        return input;
    }

    /// @return what a member must leave its round with
    Numbers GetWanted(uint32_t rank) const
    {
        const auto n = m_trial.members;
        const auto root = n * 7 / 11;
        const auto round = m_round[rank];
        Numbers wanted;
        switch (m_trial.kind)
        {
        case DataKind::BARRIER:
            return wanted;
        case DataKind::BROADCAST:
            return Data(root, round)[0];
        case DataKind::REDUCTION:
            return rank == root ? Sum(0, n, round) : wanted;
        case DataKind::ALL_REDUCTION:
            return Sum(0, n, round);
        case DataKind::SCAN:
            return Sum(0, rank + 1, round);
        case DataKind::SCATTER:
            return Data(root, round)[rank];
        case DataKind::REDUCE_SCATTER:
            return Sum(rank, n, round);
        case DataKind::GATHER:
        case DataKind::ALL_GATHER:
            for (uint32_t from = 0; from < n; ++from)
            {
                if (m_trial.kind == DataKind::ALL_GATHER || rank == root)
                {
                    Add(wanted, Data(from, round)[from]);
                }
            }
            return wanted;
        case DataKind::ALL_TO_ALL:
            for (uint32_t from = 0; from < n; ++from)
            {
                Add(wanted, Data(from, round)[from * n + rank]);
            }
            return wanted;
        }
        return wanted;
    }

    Trial m_trial;                                         ///< what is tried
    Ptr<DataCollective> m_collective;                      ///< the collective
    std::vector<uint32_t> m_round;                         ///< rounds left, by rank
    std::vector<std::vector<std::vector<Numbers>>> m_data; ///< by round, rank and part
    std::string m_trouble;                                 ///< what went wrong
};

/// All algorithms of a kind on a torus and on an irregular fabric, with short messages sent at once
/// or after a handshake: two rounds, one behind the other.
class DataFabricTestCase : public TestCase
{
  public:
    explicit DataFabricTestCase(DataKind kind)
        : TestCase("Contents on fabrics: " + DataKindInvariant::GetName(kind)),
          m_kind(kind)
    {
    }

  private:
    void DoRun() override
    {
        auto names = ListSoftwareNames(m_kind);
        if (std::find(names.begin(), names.end(), "tree") != names.end())
        {
            names.insert(names.end(),
                         {"tree[Tree=fibo]", "tree[Tree=fibo-levels]", "tree[Tree=kary-3]"});
        }
        const auto all = CollectiveHelper::GetDataNames(DataKindInvariant::GetName(m_kind));
        if (std::find(all.begin(), all.end(), "btin") != all.end())
        {
            names.push_back(IN_SWITCH); // the only one that is not by software alone
        }
        for (const bool isTorus : {true, false})
        {
            for (const bool isEager : {true, false})
            {
                StartAnew();
                const auto topology = isTorus ? MakeTopology("torus:4x4,hosts=2")
                                              : MakeTopology(DrawFabric(12, 32), "irregular");
                CollectiveHelper helper;
                helper.SetSoftwareAttribute("EagerLimit", UintegerValue(isEager ? UINT32_MAX : 64));
                const auto domain = InstallDomain(topology, helper);
                auto rng = MakeRandom(11);
                for (const auto& name : names)
                {
                    Try(name, domain, rng);
                }
                Simulator::Destroy();
            }
        }
    }

    /// Tries an algorithm.
    void Try(const std::string& name,
             const Ptr<CollectiveDomain>& domain,
             const Ptr<UniformRandomVariable>& rng)
    {
        for (const uint32_t members : {1, 2, 3, 5, 8, 13})
        {
            for (const uint64_t segment : {0, 16})
            {
                for (const std::string network : {"sendrecv", "rdma"})
                {
                    ++m_number;
                    const auto nParts = DataKindInvariant::GetNParts(m_kind, members);
                    const Trial trial{m_kind,
                                      name,
                                      members,
                                      1 + m_number / 2 % 3,
                                      m_number / 3 % 2 ? "int32" : "float64",
                                      nParts > 1 && m_number / 4 % 2 > 0,
                                      m_number / 5 % 2 > 0 && name != IN_SWITCH,
                                      segment,
                                      network};
                    const Rounds rounds(trial, domain, rng);
                    NS_TEST_EXPECT_MSG_EQ(rounds.GetTrouble(), "", trial.Print());
                }
            }
        }
    }

    /// Leaders in the switches, which do not combine in order of ranks.
    static constexpr const char* IN_SWITCH = "smp[Inner=btin]";

    DataKind m_kind;      ///< the kind
    uint32_t m_number{0}; ///< trials so far
};

TEST_SUITE(DataFabricTestSuite, "wormhole-data-fabric", UNIT)
{
    for (const auto kind : DataKindInvariant::GetAll())
    {
        AddTestCase(new DataFabricTestCase(kind), WORMHOLE_TEST_QUICK);
    }
}

} // namespace
