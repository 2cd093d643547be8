/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Min and max of floats that are IEEE 754-2019's: the same bits by every algorithm, in any order of
// members.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/data-collective.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ns3;

namespace
{

/// @return a float of these bits @param bits its bits
template <class FLOAT, class BITS>
FLOAT
FromBits(BITS bits)
{
    FLOAT value;
    static_assert(sizeof(value) == sizeof(bits), "as many bits");
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

/// @return values that are hard to order, NaNs with contents and signs among them
template <class FLOAT>
std::vector<FLOAT>
ListHardValues()
{
    const auto infinity = std::numeric_limits<FLOAT>::infinity();
    std::vector<FLOAT> values{0, -FLOAT{0}, 1, -2, infinity, -infinity, -FLOAT{0}, 0};
    if constexpr (sizeof(FLOAT) == 4)
    {
        values.push_back(FromBits<FLOAT>(0xFFC01234U)); // quiet, negative
        values.push_back(FromBits<FLOAT>(0x7F800001U)); // signalling
    }
    else
    {
        values.push_back(FromBits<FLOAT>(uint64_t{0xFFF8'0000'0000'1234}));
        values.push_back(FromBits<FLOAT>(uint64_t{0x7FF0'0000'0000'0001}));
    }
    return values;
}

/// What all algorithms of a kind give, compared with the definition, bit by bit.
template <class FLOAT>
class FloatOrderTestCase : public SimulationTestCase
{
  public:
    /// @param operation min or max
    FloatOrderTestCase(DataKind kind, const std::string& operation)
        : SimulationTestCase(DataKindInvariant::GetName(kind) + ": " + operation +
                             " of floats of " + std::to_string(sizeof(FLOAT)) +
                             " bytes, by every algorithm"),
          m_kind(kind),
          m_operation(operation)
    {
    }

  private:
    static constexpr uint32_t MEMBERS = 6; ///< of groups
    static constexpr uint32_t WIDTH = 20;  ///< elements of a part

    /// @return what must come out
    FLOAT Expect(const std::vector<uint32_t>& from, uint64_t element) const
    {
        auto result = At(from.front(), element);
        for (std::size_t i = 1; i < from.size(); ++i)
        {
            const auto other = At(from[i], element);
            if (std::isnan(result) || std::isnan(other))
            {
                result = std::numeric_limits<FLOAT>::quiet_NaN();
            }
            else if (result == other)
            {
                const bool either = std::signbit(result) || std::signbit(other);
                const bool both = std::signbit(result) && std::signbit(other);
                result = std::copysign(result, (m_operation == "min" ? either : both) ? -1 : 1);
            }
            else
            {
                result = (result < other) == (m_operation == "min") ? result : other;
            }
        }
        return result;
    }

    /// @return what a member gives
    static FLOAT At(uint32_t rank, uint64_t element)
    {
        static const auto values = ListHardValues<FLOAT>();
        // Some elements have no NaN: each member's values go through the list in steps of its own.
        const auto n = values.size() - (element % 2 == 0 ? 2 : 0);
        return values[(element / 2 + rank * (1 + element % 3)) % n];
    }

    void Check(const std::string& name, Ptr<CollectiveDomain> domain, std::vector<uint32_t> hosts)
    {
        const auto collective =
            CollectiveHelper::MakeData(DataKindInvariant::GetName(m_kind), name);
        const auto bytes = WIDTH * sizeof(FLOAT);
        const auto nParts = DataKindInvariant::GetNParts(m_kind, MEMBERS);
        collective->SetAttribute("Bytes", UintegerValue(bytes * nParts));
        collective->SetAttribute("DataType",
                                 StringValue(sizeof(FLOAT) == 4 ? "float32" : "float64"));
        collective->SetAttribute("DataOperation", StringValue(m_operation));
        collective->Create(domain, hosts);
        Simulator::Run();
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            std::vector<FLOAT> given;
            for (uint64_t element = 0; element < WIDTH * nParts; ++element)
            {
                given.push_back(At(rank, element));
            }
            std::vector<uint8_t> input(given.size() * sizeof(FLOAT));
            std::memcpy(input.data(), given.data(), input.size());
            collective->SetInput(rank, input);
            collective->Enter(rank);
        }
        Simulator::Run();
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
            const auto found = collective->GetOutput(rank);
            NS_TEST_ASSERT_MSG_EQ(found.size(), expected.size() * sizeof(FLOAT), name);
            NS_TEST_EXPECT_MSG_EQ(
                (found.empty() || std::memcmp(found.data(), expected.data(), found.size()) == 0),
                true,
                name << ", rank " << rank << " of " << hosts.front() << " first");
        }
        collective->Dispose();
    }

    void DoRun() override
    {
        const auto made = MakeTopology("torus:3x3");
        const auto domain = InstallDomain(made);
        for (const auto& name : CollectiveHelper::GetDataNames(DataKindInvariant::GetName(m_kind)))
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

TEST_SUITE(DataFloatsTestSuite, "wormhole-data-floats", UNIT)
{
    for (const auto kind : DataKindInvariant::GetAll())
    {
        for (const std::string operation : {"min", "max"})
        {
            if (DataKindInvariant::Combines(kind))
            {
                AddTestCase(new FloatOrderTestCase<float>(kind, operation), WORMHOLE_TEST_QUICK);
                AddTestCase(new FloatOrderTestCase<double>(kind, operation), WORMHOLE_TEST_QUICK);
            }
        }
    }
}

} // namespace
