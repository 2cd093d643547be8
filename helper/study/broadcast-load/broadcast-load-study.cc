/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/integer.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

namespace ns3
{

namespace
{

CsvTable
MakeBroadcastLoadTable()
{
    using Is = CsvColumn;
    constexpr int LOAD = 4;
    return PlacementColumns::AddTo(CsvTable{
        {"broadcast: Name of the broadcast that is throttled"},
        {"broadcasters: Groups that broadcast at the same time", Is::WHOLE},
        {"window: Broadcasts of a group that may be outstanding; 0: any number", Is::WHOLE},
        {"gap_us (us): Least time between two broadcasts of a group", Is::NUMBER},
        {"load: Offered load of data traffic, over a channel's rate; 0: none", LOAD},
        {"time_us (us): Time per broadcast of a group", Is::NUMBER},
        {"latency_us (us): Mean time of a broadcast from its beginning to all members", Is::NUMBER},
        {"held_us (us): Mean time that roots were held back", Is::NUMBER},
        {"outstanding: Most broadcasts of a group begun and not at all members", Is::WHOLE},
        {"traffic_us (us): Mean latency of the data traffic meanwhile; nan if there is none",
         Is::NUMBER}});
}

constexpr double US = 1e-6; ///< s

/// A group whose members broadcast again and again.
class Broadcaster
{
  public:
    /// @param over called when the last one is over
    Broadcaster(Ptr<Collective> broadcast,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                uint32_t rounds,
                const std::function<void()>& over)
        : m_broadcast(broadcast),
          m_rounds(rounds),
          m_first(rounds / 4),
          m_over(over),
          m_left(domain->GetNHosts(), 0),
          m_nLeft(rounds, 0),
          m_begins(rounds)
    {
        broadcast->TraceConnectWithoutContext("Begin", MakeCallback(&Broadcaster::Begin, this));
        broadcast->TraceConnectWithoutContext("Leave", MakeCallback(&Broadcaster::Leave, this));
        broadcast->TraceConnectWithoutContext("Ready", MakeCallback(&Broadcaster::Ready, this));
        broadcast->Create(domain, hosts);
    }

    ~Broadcaster()
    {
        m_broadcast->Dispose();
    }

    Broadcaster(const Broadcaster&) = delete;            ///< traces point to it
    Broadcaster& operator=(const Broadcaster&) = delete; ///< traces point to it

    Time GetStart() const
    {
        return m_start;
    }

    /// @return when the last member left so far
    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    void Report(CsvRow& row) const
    {
        const auto share = 1.0 / row["broadcasters"];
        row["time_us"] += share * (m_end - m_start).GetSeconds() / US / (m_rounds - m_first);
        row["latency_us"] += share * m_latency.GetMean();
        row["held_us"] += share * m_held.GetMean();
        row["outstanding"] = std::max<uint64_t>(row["outstanding"], m_outstanding);
    }

  private:
    void Ready(Time)
    {
        for (uint32_t rank = 0; rank < m_left.size(); ++rank)
        {
            Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
        }
    }

    void Begin(Time held)
    {
        m_begins[m_nBegun] = Simulator::Now();
        ++m_nBegun;
        m_outstanding = std::max(m_outstanding, m_nBegun - m_nOver);
        if (m_nBegun > m_first)
        {
            m_held.Add(held.GetSeconds() / US);
        }
    }

    void Leave(uint32_t rank, uint64_t)
    {
        m_lastLeave = Simulator::Now();
        const auto round = m_left[rank]++;
        if (++m_nLeft[round] == m_left.size())
        {
            Finish(round);
        }
        if (m_left[rank] < m_rounds)
        {
            Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
        }
    }

    void Finish(uint32_t round)
    {
        ++m_nOver;
        m_end = Simulator::Now();
        if (round + 1 == m_first)
        {
            m_start = m_end;
        }
        if (round >= m_first)
        {
            m_latency.Add((m_end - m_begins[round]).GetSeconds() / US);
        }
        if (m_nOver == m_rounds)
        {
            m_over();
        }
    }

    Ptr<Collective> m_broadcast;   ///< the broadcast
    uint32_t m_rounds;             ///< how many of them
    uint32_t m_first;              ///< how many are not measured
    std::function<void()> m_over;  ///< called when the last one is over
    std::vector<uint32_t> m_left;  ///< broadcasts left, by rank
    std::vector<uint32_t> m_nLeft; ///< members that have left, by broadcast
    std::vector<Time> m_begins;    ///< when broadcasts began
    uint32_t m_nBegun{0};          ///< broadcasts begun
    uint32_t m_nOver{0};           ///< broadcasts at all members
    uint32_t m_outstanding{0};     ///< the most begun and not over
    Time m_start;                  ///< when the measurement began
    Time m_end;                    ///< when the last broadcast so far was over
    Time m_lastLeave;              ///< when the last member left so far
    SampleSummary m_latency;       ///< of broadcasts, us
    SampleSummary m_held;          ///< how long roots were held back, us
};

/// Latencies of data worms made in the time that is measured.
class DataRecord
{
  public:
    DataRecord(Ptr<WormholeTraffic> traffic, const Broadcaster& broadcaster)
        : m_broadcaster(broadcaster)
    {
        traffic->TraceConnectWithoutContext("Delivered", MakeCallback(&DataRecord::Deliver, this));
    }

    /// @return mean latency in us; NaN if no worm counts
    double GetMean() const
    {
        return m_latency.GetMean();
    }

  private:
    void Deliver(Ptr<const TrafficWorm> worm, Time latency)
    {
        const auto start = m_broadcaster.GetStart();
        if (start.IsStrictlyPositive() && worm->GetGenerated() >= start)
        {
            m_latency.Add(latency.GetSeconds() / US);
        }
    }

    const Broadcaster& m_broadcaster; ///< what is measured beside it
    SampleSummary m_latency;          ///< latencies, us
};

/// Draws times over the window, which is the last where there is none; a curve for each broadcast,
/// gap and load.
std::vector<StudyPlot>
MakeBroadcastLoadPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    // No window is the widest: 0 becomes the greatest number.
    const auto windows = StudyPlot::GroupBy(
        StudyPlot::SortedBy(rows, [](const auto& row) { return row["window"].Whole() - 1; }),
        "window");
    std::string tics;
    for (std::size_t x = 0; x < windows.size(); ++x)
    {
        const auto& window = windows[x].first;
        tics += (x > 0 ? ", " : "") + GnuplotScript::QuoteTic(window == "0" ? "none" : window) +
                " " + std::to_string(x);
    }
    const auto hasGaps = StudyPlot::GroupBy(rows, "gap_us").size() > 1;
    const auto hasLoads = StudyPlot::GroupBy(rows, "load").size() > 1;
    const auto getPlace = [&](const CsvRow& row) {
        return std::find_if(windows.begin(),
                            windows.end(),
                            [&](const auto& each) { return each.first == row.GetText("window"); }) -
               windows.begin();
    };
    const auto getCurve = [&](const CsvRow& row) {
        return row["broadcast"].Text() +
               (hasGaps ? ", gap " + StudyPlot::Number(row["gap_us"]) + " us" : "") +
               (hasLoads ? ", load " + StudyPlot::Number(row["load"]) : "");
    };
    std::vector<StudyPlot> plots;
    for (const auto& [name, label, value] :
         {std::make_tuple("time", "time per broadcast (us)", "time_us"),
          std::make_tuple("latency",
                          "from its beginning until all members have it (us)",
                          "latency_us"),
          std::make_tuple("traffic", "latency of a data worm (us)", "traffic_us")})
    {
        StudyPlot plot{name, "window: broadcasts that may be outstanding", label};
        plot.AddLines(rows, StudyPlot::NoKey, getCurve, getPlace, {{value}});
        plot.axes = "set xtics (" + tics + ")\nset xrange [-0.3:" +
                    StudyPlot::Number(static_cast<double>(windows.size()) - 0.7) +
                    "]\nset yrange [0:*]\nset grid\n";
        plot.key = "set key above vertical maxrows 4 Left reverse noenhanced samplen 1.5\n";
        plots.push_back(plot);
    }
    return plots;
}

const std::string USAGE =
    "Broadcasts one after the other, throttled or not, beside data traffic. All hosts are members; "
    "each enters the next broadcast when it leaves one, so that only the throttle holds roots "
    "back: a window of outstanding broadcasts, and a gap between two. Columns: time per "
    "broadcast, its latency, how long roots were held back, the most broadcasts outstanding, and "
    "the latency of the data traffic meanwhile.\n"
    "\n"
    "Examples:\n"
    "  broadcast-load\n"
    "      32 hosts, windows of 1, 2 and 4 and none, without data traffic; CSV to standard output\n"
    "  broadcast-load --loads=0.2,0.4 --gaps=0us,50us --csv=broadcasts.csv\n"
    "      beside data traffic, and with gaps\n"
    "  broadcast-load --loads=0.2 --csv=broadcasts.csv --plots=plots\n"
    "      with plots over the window\n"
    "  broadcast-load --unexpected=10us --windows=0,1\n"
    "      hosts that copy messages which come before they are waited for\n"
    "  broadcast-load --broadcasters=8 --broadcasts=mpich,multicast --bytes=4kB "
    "--attribute=WormholePort::BufferDepth=4062\n"
    "      eight roots at once, and long messages, of which buffers hold one: tree worms\n"
    "      could wait for each other for ever\n"
    "  broadcast-load --topology=torus:4x4,hosts=2 --acks=hw-all\n"
    "      another fabric; acknowledged by an add-on network";

/// Broadcasts one after the other, throttled or not, beside data traffic: the situation of the
/// data-parallel codes of Hyder and Wood (1996), section 4.3. All hosts are members of one group or
/// several, whose roots are spread over the hosts, and enter the next broadcast of each group as
/// soon as they leave one. The first quarter of each group's broadcasts is not measured; data worms
/// count if they are made after that, and arrive before the last broadcast is over.
class BroadcastLoadStudy : public FabricStudy
{
  public:
    BroadcastLoadStudy()
        : FabricStudy({"broadcast-load",
                       "broadcast_load",
                       "Measures broadcasts, throttled or not, beside data traffic.",
                       USAGE,
                       "a row for each broadcast, load, gap and window",
                       true},
                      MakeBroadcastLoadTable(),
                      MakeBroadcastLoadPlots)
    {
        Add({"broadcasts=mpich,multicast (tree[Tree=fibo]) [list]: Broadcasts",
             "windows=0,1,2 (0,1,2,4) [list 0..1000000]: How many broadcasts may be outstanding; "
             "0: any number",
             "gaps=0us,50us (0us) [list time]: Least times between two broadcasts",
             "loads=0.1,0.3 [list ratio 0..10]: Offered loads of data traffic, ratios of a "
             "channel's rate; none is measured, too",
             "acks=hw-all (tree): Reduction by which members acknowledge",
             "broadcasters=8 (1) [1..1000000]: Groups of all hosts that broadcast at once",
             "rounds=64 (64) [4..1000000]: Broadcasts of each; the first quarter is not measured",
             "bytes=4kB (0) [bytes 0..1GiB] ns3::Collective::MessageBytes: Length of a "
             "broadcast's message; 0: its fields",
             {"pattern=uniform (uniform): Who sends data to whom",
              WormholeTrafficHelper::GetPatternNames()},
             "flits=64 (64): Length of data worms, as in latency-load"});
        AddMessageCosts("4.2us", "7.3us");
        Add({"unexpected=10us (0us) [time] ns3::HostSoftware::UnexpectedTime: How much longer, if "
             "it came before it was waited for",
             "seed=1 (1) [1..1000000]: Seed of random numbers"});
        AddFabric("clos:ports=8,levels=2", "clos:ports=8,levels=2");
        AddDelays();
        AddPlacement("first",
                     1,
                     {"broadcast", "load", "gap_us", "window"},
                     "time_us",
                     ", of all hosts");
        AddCondition({"pattern", "flits", "seed"},
                     "traffic, of loads",
                     [this](const OptionValues&) { return !Get<Ratios>("loads").empty(); });
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        ReadFabric(values);
        values.Check("flits", [&] { WormLength::Parse(Get<std::string>("flits")); });
        values.Check("broadcasts", [&] {
            for (const auto& name : Get<Words>("broadcasts"))
            {
                CollectiveHelper::MakeBroadcast(name);
            }
        });
        values.Check("acks", [&] { CollectiveHelper::MakeReduction(Get<std::string>("acks")); });
        values.Check("broadcasters", [&] {
            const auto hosts = std::to_string(GetNHosts());
            const auto broadcasters = Get<uint32_t>("broadcasters");
            StudyCheck::RefuseIf(broadcasters > GetNHosts(),
                                 std::to_string(broadcasters) + " broadcasters on a fabric of " +
                                     hosts + " hosts; expected 1 to " + hosts);
        });
        ReadPlacement(values, m_topology->graph, {values.Get("placement"), GetNHosts()});
    }

    Rows ListRows() override
    {
        Ratios loads{0};
        loads.insert(loads.end(), Get<Ratios>("loads").begin(), Get<Ratios>("loads").end());
        Ratios gaps;
        for (const auto& gap : Get<Times>("gaps"))
        {
            gaps.push_back(gap.GetSeconds() / US);
        }
        CsvRow common(m_table);
        common["broadcasters"] = Get<uint32_t>("broadcasters");
        return StudySweep(common)
            .Over("broadcast", Get<Words>("broadcasts"))
            .Over("load", loads)
            .Over("gap_us", gaps)
            .Over("window", Get<Wholes>("windows"))
            .Over("placement", GetPlacements())
            .GetRows();
    }

    CsvRow MeasureRow(CsvRow row, std::size_t) override
    {
        const SeedKeeper seedKeeper(Get<uint32_t>("seed"));
        const SimulationScope ownSimulation;
        const auto domain = Install();
        const auto hosts = PlaceMembers(m_topology->graph, row);
        const TimeValue gap(NanoSeconds(std::llround(row["gap_us"] * 1000)));
        const auto bytes = Get<uint32_t>("bytes");
        const auto nBroadcasters = Get<uint32_t>("broadcasters");
        auto going = nBroadcasters;
        const auto over = [&going] {
            if (--going == 0)
            {
                Simulator::Stop();
            }
        };
        std::vector<std::unique_ptr<Broadcaster>> broadcasters;
        for (uint32_t i = 0; i < nBroadcasters; ++i)
        {
            auto broadcast = CollectiveHelper::MakeBroadcast("throttled");
            broadcast->SetAttribute("Inner", StringValue(row["broadcast"].Text()));
            broadcast->SetAttribute("Acks", StringValue(Get<std::string>("acks")));
            broadcast->SetAttribute("Window", UintegerValue(row["window"]));
            broadcast->SetAttribute("Gap", gap);
            broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
            broadcast->SetAttribute("Root",
                                    IntegerValue(uint64_t{i} * GetNHosts() / nBroadcasters));
            broadcasters.push_back(std::make_unique<Broadcaster>(broadcast,
                                                                 domain,
                                                                 hosts,
                                                                 Get<uint32_t>("rounds"),
                                                                 over));
        }
        // Far longer than any broadcast, one member after the other, takes.
        domain->GetFabric()->Start();
        const auto limit =
            MilliSeconds(10) + gap.Get() +
            GetMessageTime(*domain, bytes) * (int64_t{4} * GetNHosts() * nBroadcasters);
        const auto lastLeave = [&broadcasters] {
            Time last;
            for (const auto& broadcaster : broadcasters)
            {
                last = std::max(last, broadcaster->GetLastLeave());
            }
            return last;
        };
        const auto watch =
            row["load"] > 0 ? std::make_unique<StallDetector>(lastLeave, limit) : nullptr;
        BackgroundTraffic traffic(*domain,
                                  {row["load"],
                                   Get<std::string>("flits"),
                                   Get<std::string>("pattern"),
                                   1,
                                   BacklogLimit::PER_SENDER});
        const auto record = traffic.Get()
                                ? std::make_unique<DataRecord>(traffic.Get(), *broadcasters.front())
                                : nullptr;
        traffic.Start();
        Simulator::Run();
        if (going > 0)
        {
            throw WormholeError("broadcast '" + row["broadcast"].Text() +
                                "' came to a stop: " + domain->ExplainMissing());
        }
        for (const auto& broadcaster : broadcasters)
        {
            broadcaster->Report(row);
        }
        row["traffic_us"] = record ? record->GetMean() : std::numeric_limits<double>::quiet_NaN();
        broadcasters.clear();
        domain->Dispose();
        return row;
    }
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeBroadcastLoadStudy()
{
    return std::make_unique<BroadcastLoadStudy>();
}

} // namespace ns3
