/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The law of throughput of doc/user/in-switch-data.rst: the least of the line's rate, the window's
// and the combiner's.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/data-rate.h"
#include "ns3/in-switch-data-collective.h"

#include <cmath>
#include <numeric>

using namespace ns3;

namespace
{

/// What is asked of a fabric.
struct LawCase
{
    uint64_t bytes{8};                ///< of the vector
    uint32_t slotBytes{32};           ///< longest segment
    uint32_t window{1 << 20};         ///< segments under way
    uint64_t combineBps{0};           ///< rate of the combiner, bit/s; 0: at once
    uint32_t headerBytes{8};          ///< what a message is longer by
    std::string kind{"allreduction"}; ///< what is done
    uint32_t spareFlits{56};          ///< what buffers hold beyond a message: a round trip
};

constexpr double LINE_BPS = 1280e6;        ///< rate of every cable, bit/s
constexpr double STARTUP_SECONDS = 2e-6;   ///< what sending costs
constexpr double RECEIVE_SECONDS = 0.5e-6; ///< what receiving costs

/// What was measured.
struct Measured
{
    std::vector<double> leaves; ///< when members leave, by rank, since all entered, seconds
    uint32_t root{0};           ///< rank of the root
    uint32_t mostPorts{0};      ///< most ports by which a switch of the tree combines

    /// @return when the last one leaves, seconds
    double GetTime() const
    {
        return *std::max_element(leaves.begin(), leaves.end());
    }
};

/// @return a collective of all hosts, once
Measured
Measure(const WormholeTopology& fabric, const LawCase& law)
{
    Simulator::Destroy();
    WormholeHelper fabricHelper;
    fabricHelper.SetPortAttribute("BufferDepth",
                                  UintegerValue(law.slotBytes + law.headerBytes + law.spareFlits));
    CollectiveHelper helper;
    helper.SetUnitAttribute("Slots", UintegerValue(UINT32_MAX));
    helper.SetUnitAttribute("SlotBytes", UintegerValue(law.slotBytes));
    helper.SetUnitAttribute("CombineRate", DataRateValue(DataRate(law.combineBps)));
    helper.SetSoftwareAttribute("StartUp", TimeValue(NanoSeconds(2000)));
    helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(NanoSeconds(500)));
    auto made = fabricHelper.Install(fabric.graph);
    made->SetRouter(fabric.router);
    auto domain = helper.Install(made, fabric.graph);
    auto group = CollectiveHelper::MakeData(law.kind, "btin");
    group->SetAttribute("Bytes", UintegerValue(law.bytes));
    group->SetAttribute("Window", UintegerValue(law.window));
    group->SetAttribute("HeaderBytes", UintegerValue(law.headerBytes));
    auto hosts = MakeRange(fabric.graph.GetNHosts());
    group->Create(domain, hosts);
    Simulator::Run();
    Measured measured;
    measured.leaves.resize(hosts.size());
    measured.root = group->GetRoot();
    for (const auto& entry : group->GetTree().GetSwitches())
    {
        const auto ports = entry.memberPorts.size() + entry.childPorts.size();
        measured.mostPorts = std::max(measured.mostPorts, static_cast<uint32_t>(ports));
    }
    const auto from = Simulator::Now();
    for (const auto host : hosts)
    {
        group->SetLeaveCallback(
            host,
            MakeBoundCallback(
                +[](double* at, uint64_t) { *at = Simulator::Now().GetSeconds(); },
                &measured.leaves[host]));
        group->Enter(host);
    }
    Simulator::Run();
    for (auto& leave : measured.leaves)
    {
        leave -= from.GetSeconds();
    }
    group->Dispose();
    Simulator::Destroy();
    return measured;
}

/// The law, for a case on a fabric.
class SlotLaw
{
  public:
    SlotLaw(const WormholeTopology& fabric, const LawCase& law)
        : m_law(law)
    {
        auto first = law;
        first.bytes = std::min<uint64_t>(law.bytes, law.slotBytes);
        const auto alone = Measure(fabric, first);
        m_first = alone.GetTime();
        m_roundTrip = FindRoundTrip(fabric, alone);
        const double message = law.slotBytes + law.headerBytes;
        const double payload = law.slotBytes / message;
        // Where buffers hold little beyond a message, the next waits for credits: 2 p + t_r are
        // 54.4 flits.
        const auto period = std::max(message, 54.4 + message - law.spareFlits);
        m_line = LINE_BPS / 8 * law.slotBytes / period;
        m_window = static_cast<double>(law.window) * law.slotBytes / m_roundTrip;
        m_combine = law.combineBps ? law.combineBps / 8.0 * payload / alone.mostPorts : HUGE_VAL;
    }

    /// @return the rate, bytes of the vector per second
    double GetRate() const
    {
        return std::min({m_line, m_window, m_combine});
    }

    /// @return which of the three it is
    std::string GetBound() const
    {
        return GetRate() == m_line ? "line" : GetRate() == m_window ? "window" : "combiner";
    }

    /// @return the time, seconds
    double GetTime() const
    {
        const auto first = std::min<uint64_t>(m_law.bytes, m_law.slotBytes);
        return m_first + static_cast<double>(m_law.bytes - first) / GetRate();
    }

  private:
    /// Finds the longest time between the sending of a segment and news of what became of it.
    /// @return that time, seconds
    double FindRoundTrip(const WormholeTopology& fabric, const Measured& alone) const
    {
        if (m_law.kind == "allreduction")
        {
            return alone.GetTime() - STARTUP_SECONDS - RECEIVE_SECONDS;
        }
        // Who only sends leaves when its second segment goes, if one may be under way.
        auto two = m_law;
        two.window = 1;
        two.bytes = 2 * uint64_t{two.slotBytes};
        const auto measured = Measure(fabric, two);
        const auto& leaves = measured.leaves;
        if (m_law.kind == "broadcast")
        {
            return leaves[measured.root] - STARTUP_SECONDS;
        }
        double longest = 0; // the root is near: the way to it and back is short
        for (uint32_t rank = 0; rank < leaves.size(); ++rank)
        {
            if (rank != measured.root)
            {
                longest = std::max(longest, leaves[rank] - STARTUP_SECONDS);
            }
        }
        return longest;
    }

    LawCase m_law;         ///< the case
    double m_roundTrip{0}; ///< time between the sending of a segment and news of it, seconds
    double m_first{0};     ///< time of the first segment alone, software included, seconds
    double m_line{0};      ///< the line's rate, bytes of the vector per second
    double m_window{0};    ///< the window's
    double m_combine{0};   ///< the combiner's
};

/// Times of all-reductions are within 1 % of the law.
class SlotLawTestCase : public SimulationTestCase
{
  public:
    /// @param longest bytes of the longest vector @param segments how many it is cut into
    SlotLawTestCase(const std::string& kind, uint64_t longest, uint64_t segments)
        : SimulationTestCase("The law, " + kind + ", 8 B to " + std::to_string(longest) + " B in " +
                             std::to_string(segments) + " segments"),
          m_kind(kind),
          m_longest(longest),
          m_segments(segments)
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string name :
             {"clos:ports=16,levels=2", "torus:8x8,hosts=2", "irregular:switches=75,hosts=256"})
        {
            const auto fabric = MakeTopology(name);
            for (uint64_t bytes = 8; bytes <= m_longest; bytes *= 8)
            {
                LawCase law;
                law.kind = m_kind;
                law.bytes = bytes;
                law.slotBytes = static_cast<uint32_t>(std::max<uint64_t>(32, bytes / m_segments));
                Check(fabric, law, "line");
                law.window = 2;
                // The first segment, and so many whole windows.
                law.bytes = law.slotBytes * (1 + bytes / law.slotBytes / 2 * 2);
                Check(fabric, law, law.bytes > law.slotBytes ? "window" : "");
                law.bytes = bytes;
                law.window = 1 << 20;
                if (m_kind == "allreduction")
                {
                    law.combineBps = 300'000'000;
                    Check(fabric, law, "combiner");
                    law.combineBps = 0;
                    law.spareFlits = 20;
                    Check(fabric, law, "line");
                }
            }
        }
    }

    void Check(const WormholeTopology& fabric, const LawCase& law, const std::string& bound)
    {
        const SlotLaw wanted(fabric, law);
        const auto time = Measure(fabric, law).GetTime();
        const auto deviation = std::abs(time / wanted.GetTime() - 1);
        const auto what = fabric.family + ", " + std::to_string(law.bytes) +
                          " bytes in segments of " + std::to_string(law.slotBytes) + ": " +
                          std::to_string(time * 1e6) + " us, the law says " +
                          std::to_string(wanted.GetTime() * 1e6);
        NS_TEST_EXPECT_MSG_LT(deviation, 0.01, what);
        if (!bound.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(wanted.GetBound(), bound, what);
        }
    }

    std::string m_kind;  ///< the kind
    uint64_t m_longest;  ///< bytes of the longest vector
    uint64_t m_segments; ///< how many it is cut into
};

/// Gathers keep the root's cable busy, and total exchanges in one switch everybody's.
SIMULATION_TEST_CASE(SlotLineTestCase, "Gathers and total exchanges at the rate of the line")
{
    const auto check = [&](const WormholeTopology& fabric, const LawCase& law) {
        const auto segments = law.bytes / law.slotBytes * (fabric.graph.GetNHosts() - 1);
        const auto bits = 8 * segments * (law.slotBytes + law.headerBytes);
        const auto time = Measure(fabric, law).GetTime();
        NS_TEST_EXPECT_MSG_EQ_TOL(time * LINE_BPS / static_cast<double>(bits),
                                  1,
                                  0.01,
                                  law.kind << ", " << fabric.family);
    };
    LawCase law;
    law.slotBytes = 256;
    law.bytes = 4'096;
    for (const std::string name :
         {"clos:ports=16,levels=2", "torus:8x8,hosts=2", "irregular:switches=75,hosts=256"})
    {
        law.kind = "gather";
        const auto fabric = MakeTopology(name);
        check(fabric, law);
    }
    law.kind = "alltoall";
    law.bytes = 16'384;
    const auto fabric = MakeTopology("full:1,hosts=12");
    check(fabric, law); // news goes behind all segments
}

TEST_SUITE(SlotLawTestSuite, "wormhole-slot-law", SYSTEM)
{
    AddTestCase(new SlotLineTestCase, WORMHOLE_TEST_QUICK);
    for (const std::string kind : {"allreduction", "reduction", "broadcast"})
    {
        // The law of reductions has all that those of the others have.
        AddTestCase(new SlotLawTestCase(kind, 64 << 20, 64),
                    kind == "allreduction" ? WORMHOLE_TEST_QUICK : WORMHOLE_TEST_EXTENSIVE);
        AddTestCase(new SlotLawTestCase(kind, 64 << 20, 2048), WORMHOLE_TEST_EXTENSIVE);
    }
}

} // namespace
