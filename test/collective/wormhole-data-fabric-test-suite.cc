// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

// Collectives of data on fabrics: what members leave with equals a plain computation, for all
// algorithms of all kinds by name.
SUITE("wormhole-data-fabric", UNIT);

namespace
{

using Numbers = std::vector<double>;

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

    std::string Print() const
    {
        return DataKindInvariant::GetName(kind) + " " + name + ", " + std::to_string(members) +
               " members, " + std::to_string(tasks) + " a host, " + type +
               (hasLengths ? ", lengths by part" : "") + (keepsOrder ? ", in order" : "") +
               ", segments of " + std::to_string(segment) + ", " + network;
    }
};

/// Runs rounds of a collective, each of which a member enters as soon as it has left the one
/// before.
class Rounds
{
  public:
    static constexpr uint32_t ROUNDS = 2;

    Rounds(const Trial& trial, Ptr<CollectiveDomain> domain, Ptr<UniformRandomVariable> rng)
        : m_trial(trial),
          m_collective(MakeData(trial.kind, trial.name)),
          m_round(trial.members, 0),
          m_data(ROUNDS, std::vector<std::vector<Numbers>>(trial.members))
    {
        const auto n = trial.members;
        const auto nParts = DataKindInvariant::GetNParts(trial.kind, n);
        std::string lengths;
        std::vector<uint32_t> counts; // elements of each part
        for (uint64_t part = 0; part < nParts; ++part)
        {
            counts.push_back(trial.hasLengths ? (part * 5 + 1) % 7 : nParts == 1 ? 37 : 3);
            lengths +=
                (part == 0 ? "" : ",") + std::to_string(counts[part] * (IsInteger() ? 4 : 8));
        }
        SetAll(m_collective,
               Text("Lengths=", lengths, "|DataType=", trial.type, "|Root=", n * 7 / 11));
        SetAll(m_collective, Text("Transport=", trial.network, "|SegmentBytes=", trial.segment));
        m_collective->SetAttribute("KeepsOrder", BooleanValue(trial.keepsOrder));
        std::vector<uint32_t> hosts;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            hosts.push_back((rank / trial.tasks * 7 + 3) % domain->GetNHosts());
            m_collective->SetLeaveCallback(rank,
                                           CallbackOf([this, rank](uint64_t) { Leave(rank); }));
        }
        for (auto& round : m_data)
        {
            for (auto& member : round)
            {
                for (const auto count : counts)
                {
                    Numbers numbers;
                    for (uint32_t i = 0; i < count; ++i)
                    {
                        numbers.push_back(IsInteger() ? rng->GetInteger(0, 100'000'000)
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

    std::string GetTrouble() const
    {
        for (uint32_t rank = 0; rank < m_round.size() && m_trouble.empty(); ++rank)
        {
            if (m_round[rank] < ROUNDS)
            {
                return Text("rank ", rank, " left ", m_round[rank], " times");
            }
        }
        return m_trouble;
    }

  private:
    bool IsInteger() const
    {
        return m_trial.type == "int32";
    }

    void Enter(uint32_t rank)
    {
        const auto input = GetInput(rank);
        const auto bytes = IsInteger() ? ToBytes(std::vector<int32_t>(input.begin(), input.end()))
                                       : ToBytes(input);
        if (!bytes.empty())
        {
            m_collective->SetInput(rank, bytes);
        }
        m_collective->Enter(rank);
    }

    void Leave(uint32_t rank)
    {
        const auto wanted = GetWanted(rank);
        const auto output = m_collective->GetOutput(rank);
        const auto whole = FromBytes<int32_t>(output);
        const auto has =
            IsInteger() ? Numbers(whole.begin(), whole.end()) : FromBytes<double>(output);
        const auto isNear = [this](double found, double number) {
            return std::abs(found - number) <= (IsInteger() ? 0 : 1e-12 * number);
        };
        if (!std::equal(has.begin(), has.end(), wanted.begin(), wanted.end(), isNear))
        {
            m_trouble = Text("rank ", rank, " leaves round ", m_round[rank], " with other values");
        }
        if (++m_round[rank] < ROUNDS)
        {
            Enter(rank);
        }
    }

    const std::vector<Numbers>& Data(uint32_t rank, uint32_t round) const
    {
        return m_data[round][rank];
    }

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
                input = Join(input, data[part]);
            }
        }
        return input;
    }

    Numbers GetWanted(uint32_t rank) const
    {
        const auto n = m_trial.members;
        const auto root = n * 7 / 11;
        const auto round = m_round[rank];
        Numbers wanted;
        const bool isExchange = m_trial.kind == DataKind::ALL_TO_ALL;
        switch (m_trial.kind)
        {
        case DataKind::BARRIER:
            break;
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
        case DataKind::ALL_TO_ALL:
            for (uint32_t from = 0; from < n; ++from)
            {
                if (m_trial.kind != DataKind::GATHER || rank == root)
                {
                    wanted = Join(wanted, Data(from, round)[isExchange ? from * n + rank : from]);
                }
            }
        }
        return wanted;
    }

    Trial m_trial;                                         ///< what is tried
    Ptr<DataCollective> m_collective;                      ///< the collective
    std::vector<uint32_t> m_round;                         ///< rounds left, by rank
    std::vector<std::vector<std::vector<Numbers>>> m_data; ///< by round, rank and part
    std::string m_trouble;                                 ///< what went wrong
};

/// @param isAll whether both fabrics are tried with both limits, or each with one
TEST_CASE_WITH(DataFabricTestCase,
               (DataKind kind, bool isAll),
               "Contents on fabrics: " + DataKindInvariant::GetName(kind) +
                   (isAll ? ", with all limits" : ""))
{
    // Leaders in the switches, which do not combine in order of ranks.
    constexpr const char* IN_SWITCH = "smp[Inner=btin]";
    uint32_t number{0}; // trials so far
    auto names = ListSoftwareNames(kind);
    if (IsIn(names, "tree"))
    {
        names.insert(names.end(),
                     {"tree[Tree=fibo]", "tree[Tree=fibo-levels]", "tree[Tree=kary-3]"});
    }
    if (IsIn(ListDataNames(kind), "btin"))
    {
        names.push_back(IN_SWITCH); // the only one that is not by software alone
    }
    for (const auto& [isTorus, limit] :
         Combine<bool, std::string>({true, false}, {"4294967295", "64"}))
    {
        if (!isAll && isTorus == (limit == "64"))
        {
            continue;
        }
        StartAnew();
        const auto topology = isTorus ? MakeTopology("torus:4x4,hosts=2")
                                      : MakeTopology(DrawFabric(12, 32), "irregular");
        const auto domain = InstallDomain(topology, WithSoftware({{"EagerLimit", limit}}));
        auto rng = MakeRandom(11);
        for (const auto& name : names)
        {
            for (const auto& [members, segment, network] :
                 Combine<uint32_t, uint64_t, std::string>({1, 2, 3, 5, 8, 13},
                                                          {0, 16},
                                                          {"sendrecv", "rdma"}))
            {
                ++number;
                const auto nParts = DataKindInvariant::GetNParts(kind, members);
                const Trial trial{kind,
                                  name,
                                  members,
                                  1 + number / 2 % 3,
                                  number / 3 % 2 ? "int32" : "float64",
                                  nParts > 1 && number / 4 % 2 > 0,
                                  number / 5 % 2 > 0 && name != IN_SWITCH,
                                  segment,
                                  network};
                const Rounds rounds(trial, domain, rng);
                NS_TEST_EXPECT_MSG_EQ(rounds.GetTrouble(), "", trial.Print());
            }
        }
    }
}

ADD_CASES()
{
    for (const auto kind : DataKindInvariant::GetAll())
    {
        AddQuick<DataFabricTestCase>(kind, false);
        AddExtensive<DataFabricTestCase>(kind, true);
    }
}

// Min and max of floats that are IEEE 754-2019's: the same bits by every algorithm, in any order of
// members.
SUITE("wormhole-data-floats", UNIT);

/// @return values that are hard to order, NaNs with contents and signs among them
template <class FLOAT>
std::vector<FLOAT>
ListHardValues()
{
    const auto infinity = std::numeric_limits<FLOAT>::infinity();
    const std::vector<FLOAT> values{0, -FLOAT{0}, 1, -2, infinity, -infinity, -FLOAT{0}, 0};
    // The bits of a quiet, negative one, and of a signalling one.
    const std::vector<uint32_t> narrow{0xFFC01234, 0x7F800001};
    const std::vector<uint64_t> wide{0xFFF8'0000'0000'1234, 0x7FF0'0000'0000'0001};
    return Join(values, FromBytes<FLOAT>(sizeof(FLOAT) == 4 ? ToBytes(narrow) : ToBytes(wide)));
}

template <class FLOAT>
class FloatOrderTestCase : public ModuleTestCase
{
  public:
    FloatOrderTestCase(DataKind kind, const std::string& operation)
        : ModuleTestCase(DataKindInvariant::GetName(kind) + ": " + operation + " of floats of " +
                         std::to_string(sizeof(FLOAT)) + " bytes, by every algorithm"),
          m_kind(kind),
          m_operation(operation)
    {
    }

  private:
    static constexpr uint32_t MEMBERS = 6; ///< of groups
    static constexpr uint32_t WIDTH = 20;  ///< elements of a part

    FLOAT Expect(const std::vector<uint32_t>& from, uint64_t element) const
    {
        auto result = At(from.front(), element);
        for (std::size_t i = 1; i < from.size(); ++i)
        {
            const auto other = At(from[i], element);
            // -0 is less than 0.
            const bool isLess = result == other ? std::signbit(other) : other < result;
            if (std::isnan(result) || std::isnan(other))
            {
                result = std::numeric_limits<FLOAT>::quiet_NaN();
            }
            else if (isLess == (m_operation == "min"))
            {
                result = other;
            }
        }
        return result;
    }

    static FLOAT At(uint32_t rank, uint64_t element)
    {
        static const auto values = ListHardValues<FLOAT>();
        // Some elements have no NaN: each member's values go through the list in steps of its own.
        const auto n = values.size() - (element % 2 == 0 ? 2 : 0);
        return values[(element / 2 + rank * (1 + element % 3)) % n];
    }

    void Check(const std::string& name, Ptr<CollectiveDomain> domain, std::vector<uint32_t> hosts)
    {
        const auto collective = MakeData(m_kind, name);
        const auto nParts = DataKindInvariant::GetNParts(m_kind, MEMBERS);
        SetAll(collective,
               Text("Bytes=", WIDTH * sizeof(FLOAT) * nParts, "|DataOperation=", m_operation));
        SetAll(collective, Text("DataType=float", 8 * sizeof(FLOAT)));
        SetUp(collective, domain, hosts);
        EnterWith(collective, MadeOfNumbers(MEMBERS, [&](uint32_t rank) {
                      const auto at = [rank](uint32_t element) { return At(rank, element); };
                      return ToBytes(MadeOf(MakeRange(WIDTH * nParts), at));
                  }));
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            std::vector<FLOAT> expected;
            for (uint64_t part = 0; part < nParts; ++part)
            {
                const auto from =
                    DataKindInvariant::GetFinal(m_kind, MEMBERS, collective->GetRoot(), rank, part);
                for (uint64_t i = 0; i < WIDTH && !from.empty(); ++i)
                {
                    expected.push_back(Expect(from, part * WIDTH + i));
                }
            }
            Holds(collective->GetOutput(rank) == ToBytes(expected),
                  Text(name, ", rank ", rank, " of ", hosts.front(), " first"));
        }
        collective->Dispose();
    }

    void DoRun() override
    {
        const auto domain = InstallDomain(MakeTopology("torus:3x3"));
        for (const auto& name : ListDataNames(m_kind))
        {
            std::vector<uint32_t> hosts{0, 1, 2, 4, 5, 8};
            for (uint32_t turn = 0; turn < (IS_SANITIZED ? 1 : 4); ++turn)
            {
                Check(name, domain, hosts);
                std::rotate(hosts.begin(), hosts.begin() + 1 + turn, hosts.end());
            }
        }
    }

    DataKind m_kind;         ///< the kind
    std::string m_operation; ///< min or max
};

ADD_CASES()
{
    for (const auto& [kind, operation] : Combine(DataKindInvariant::GetAll(), Words("min max")))
    {
        if (DataKindInvariant::Combines(kind))
        {
            AddQuick<FloatOrderTestCase<float>>(kind, operation);
            AddQuick<FloatOrderTestCase<double>>(kind, operation);
        }
    }
}

} // namespace
