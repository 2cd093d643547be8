/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The law of throughput of doc/in-switch-data.rst: the least of the line's rate, the window's and
// the combiner's.

#include "test-tools.h"

#include "ns3/collective-helper.h"
#include "ns3/data-rate.h"
#include "ns3/in-switch-data-collective.h"
#include "ns3/test.h"
#include "ns3/topology-factory.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

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
};

constexpr double LINE_BPS = 1280e6;        ///< rate of every cable, bit/s
constexpr double STARTUP_SECONDS = 2e-6;   ///< what sending costs
constexpr double RECEIVE_SECONDS = 0.5e-6; ///< what receiving costs

/// @return time of an all-reduction of all hosts, seconds @param fabric the fabric
/// @param law what is asked @param mostPorts where to write how many ports a switch of the tree
/// combines at most
double
Measure(const WormholeTopology& fabric, const LawCase& law, uint32_t& mostPorts)
{
    Simulator::Destroy();
    WormholeHelper fabricHelper;
    // A message, and a round trip of 56 flits besides.
    fabricHelper.SetPortAttribute("BufferDepth",
                                  UintegerValue(law.slotBytes + law.headerBytes + 56));
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
    std::vector<uint32_t> hosts;
    for (uint32_t host = 0; host < fabric.graph.GetNHosts(); ++host)
    {
        hosts.push_back(host);
    }
    group->Create(domain, hosts);
    Simulator::Run();
    mostPorts = 0;
    for (const auto& entry : group->GetTree().GetSwitches())
    {
        mostPorts =
            std::max(mostPorts,
                     static_cast<uint32_t>(entry.memberPorts.size() + entry.childPorts.size()));
    }
    const auto from = Simulator::Now();
    Time last;
    for (const auto host : hosts)
    {
        group->SetLeaveCallback(
            host,
            MakeBoundCallback(+[](Time* at, uint64_t) { *at = Simulator::Now(); }, &last));
        group->Enter(host);
    }
    Simulator::Run();
    group->Dispose();
    Simulator::Destroy();
    return (last - from).GetSeconds();
}

/// The law, for a case on a fabric.
class SlotLaw
{
  public:
    /// @param fabric the fabric @param law the case
    SlotLaw(const WormholeTopology& fabric, const LawCase& law)
        : m_law(law)
    {
        auto first = law;
        first.bytes = std::min<uint64_t>(law.bytes, law.slotBytes);
        m_first = Measure(fabric, first, m_ports);
        const double message = law.slotBytes + law.headerBytes;
        const double payload = law.slotBytes / message;
        m_line = LINE_BPS / 8 * payload;
        m_window = static_cast<double>(law.window) * law.slotBytes / GetRoundTrip();
        m_combine = law.combineBps ? law.combineBps / 8.0 * payload / m_ports : HUGE_VAL;
    }

    /// @return time between the sending of a segment and its result
    double GetRoundTrip() const
    {
        return m_first - STARTUP_SECONDS - RECEIVE_SECONDS;
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
    LawCase m_law;       ///< the case
    uint32_t m_ports{0}; ///< most ports that a switch combines
    double m_first{0};   ///< time of the first segment alone, software included, seconds
    double m_line{0};    ///< the line's rate, bytes of the vector per second
    double m_window{0};  ///< the window's
    double m_combine{0}; ///< the combiner's
};

/// Times of all-reductions are within 1 % of the law.
class SlotLawTestCase : public TestCase
{
  public:
    /// @param longest bytes of the longest vector @param segments how many it is cut into
    SlotLawTestCase(uint64_t longest, uint64_t segments)
        : TestCase("The law, 8 B to " + std::to_string(longest) + " B in " +
                   std::to_string(segments) + " segments"),
          m_longest(longest),
          m_segments(segments)
    {
    }

  private:
    void DoRun() override
    {
        StartAnew();
        for (const std::string name :
             {"clos:ports=16,levels=2", "torus:8x8,hosts=2", "irregular:switches=75,hosts=256"})
        {
            const auto fabric = MakeTopology(name);
            for (uint64_t bytes = 8; bytes <= m_longest; bytes *= 8)
            {
                LawCase law;
                law.bytes = bytes;
                law.slotBytes = static_cast<uint32_t>(std::max<uint64_t>(32, bytes / m_segments));
                Check(fabric, law, "line");
                law.window = 2;
                // The first segment, and so many whole windows.
                law.bytes = law.slotBytes * (1 + bytes / law.slotBytes / 2 * 2);
                Check(fabric, law, law.bytes > law.slotBytes ? "window" : "");
                law.bytes = bytes;
                law.window = 1 << 20;
                law.combineBps = 300'000'000;
                Check(fabric, law, "combiner");
            }
        }
        std::clog << "greatest deviations from the law:";
        for (const auto& [bound, deviation] : m_worst)
        {
            std::clog << " " << bound << " " << deviation * 100 << " %";
        }
        std::clog << std::endl;
    }

    /// Checks a case. @param fabric the fabric @param law the case @param bound what bounds the
    /// rate
    void Check(const WormholeTopology& fabric, const LawCase& law, const std::string& bound)
    {
        const SlotLaw wanted(fabric, law);
        uint32_t ports = 0;
        const auto time = Measure(fabric, law, ports);
        const auto deviation = std::abs(time / wanted.GetTime() - 1);
        m_worst[bound] = std::max(m_worst[bound], deviation);
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

    uint64_t m_longest;                    ///< bytes of the longest vector
    uint64_t m_segments;                   ///< how many it is cut into
    std::map<std::string, double> m_worst; ///< greatest deviation, by what bounds the rate
};

/// The law of collectives of data in the switches.
class SlotLawTestSuite : public TestSuite
{
  public:
    SlotLawTestSuite()
        : TestSuite("wormhole-slot-law", Type::SYSTEM)
    {
        AddTestCase(new SlotLawTestCase(64 << 20, 64), WORMHOLE_TEST_QUICK);
        AddTestCase(new SlotLawTestCase(64 << 20, 2048), WORMHOLE_TEST_EXTENSIVE);
    }
};

/// The suite.
SlotLawTestSuite g_slotLawTestSuite;

} // namespace
