// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-makers.h"
#include "ns3/sweep-study.h"
#include "ns3/text-tools.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{

namespace
{

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

    /// Has latencies of data worms be noted, of those made in the time that is measured.
    void ListenTo(WormholeTraffic& traffic)
    {
        traffic.TraceConnectWithoutContext("Delivered",
                                           MakeCallback(&Broadcaster::DeliverData, this));
    }

    /// @return mean latency of these, us; NaN if no worm counts
    double GetDataLatency() const
    {
        return m_data.GetMean();
    }

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
        m_begins[m_nBegun++] = Simulator::Now();
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

    void DeliverData(Ptr<const TrafficWorm> worm, Time latency)
    {
        if (m_start.IsStrictlyPositive() && worm->GetGenerated() >= m_start)
        {
            m_data.Add(latency.GetSeconds() / US);
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
    SampleSummary m_data;          ///< latencies of data worms, us
};

CsvTable
MakeBroadcastLoadTable()
{
    using Is = CsvColumn;
    constexpr int LOAD = 4;
    return PlacementColumns::AddTo(CsvTable{
        {"broadcast: Name of the broadcast that is throttled"},
        {"broadcasters: Number of groups that broadcast at the same time", Is::WHOLE},
        {"window: Broadcasts of a group that may be outstanding; 0: any number", Is::WHOLE},
        {"gap_us (us): Minimum time between two broadcasts of a group", Is::NUMBER},
        {"load: Offered load of data traffic, as a fraction of a channel's rate; 0: none", LOAD},
        {"time_us (us): Time per broadcast of a group", Is::NUMBER},
        {"latency_us (us): Mean time from a broadcast's start until all have it", Is::NUMBER},
        {"held_us (us): Mean time for which the throttle held a root back", Is::NUMBER},
        {"outstanding: Maximum number of a group's broadcasts that had begun but not reached all "
         "members",
         Is::WHOLE},
        {"traffic_us (us): Mean latency of the simultaneous data traffic; nan if there is none",
         Is::NUMBER}});
}

/// Draws times over the window, which is the last where there is none; a curve for each broadcast,
/// gap and load.
std::vector<StudyPlot>
MakeBroadcastLoadPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    // No window is the widest: 0 becomes the greatest number.
    const auto windows = StudyPlot::GroupBy(
        StudyPlot::SortedBy(rows, [](const auto& row) { return row["window"].Whole() - 1; }),
        "window");
    const auto names = KeysOf(windows);
    const auto tics = MadeOfNumbers(names.size(), [&names](uint32_t x) {
        return GnuplotScript::QuoteTic(names[x] == "0" ? "none" : names[x]) + " " +
               std::to_string(x);
    });
    const auto hasGaps = StudyPlot::GroupBy(rows, "gap_us").size() > 1;
    const auto hasLoads = StudyPlot::GroupBy(rows, "load").size() > 1;
    const auto getPlace = [&names](const CsvRow& row) {
        return std::find(names.begin(), names.end(), row.GetText("window")) - names.begin();
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
        plot.axes = "set xtics (" + WordList::WithCommas(tics) + ")\nset xrange [-0.3:" +
                    StudyPlot::Number(static_cast<double>(windows.size()) - 0.7) +
                    "]\nset yrange [0:*]\nset grid\n";
        plot.key = "set key above vertical maxrows 4 Left reverse noenhanced samplen 1.5\n";
        plots.push_back(plot);
    }
    return plots;
}

const std::string BROADCAST_LOAD_USAGE =
    "Measures consecutive broadcasts, throttled or not, with data traffic. All hosts are members; "
    "each enters the next broadcast when it leaves one, so that only the throttle (a window of "
    "outstanding broadcasts, and a gap between two) holds roots back. Columns: time per broadcast, "
    "its latency, how long the throttle held roots back, the maximum number of outstanding "
    "broadcasts, and the latency of the simultaneous data traffic.\n\n"
    "Examples:\n"
    "  broadcast-load\n"
    "      32 hosts, no window or one of 1, 2 or 4, no data traffic; CSV to standard output\n"
    "  broadcast-load --loads=0.2,0.4 --gaps=0us,50us --csv=broadcasts.csv\n"
    "      with data traffic and gaps\n"
    "  broadcast-load --loads=0.2 --csv=broadcasts.csv --plots=plots\n"
    "      with plots over the window\n"
    "  broadcast-load --unexpected=10us --windows=0,1\n"
    "      hosts that copy messages which arrive before they are expected\n"
    "  broadcast-load --broadcasters=8 --broadcasts=mpich,multicast --bytes=4kB "
    "--attribute=WormholePort::BufferDepth=4062\n"
    "      eight roots at once, and long messages; each buffer holds a whole message, so that tree "
    "worms can't deadlock\n"
    "  broadcast-load --topology=torus:4x4,hosts=2 --acks=hw-all\n"
    "      another fabric; a separate synchronisation network acknowledges broadcasts";

void
MeasureBroadcasts(SweepStudy& study, CsvRow& row)
{
    const auto domain = study.Install();
    const auto hosts = study.Place(row);
    const TimeValue gap(NanoSeconds(std::llround(row["gap_us"] * 1000)));
    const auto bytes = study.Get<uint32_t>("bytes");
    const auto nBroadcasters = study.Get<uint32_t>("broadcasters");
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
        broadcast->SetAttribute("Acks", StringValue(study.Get<std::string>("acks")));
        broadcast->SetAttribute("Window", UintegerValue(row["window"]));
        broadcast->SetAttribute("Gap", gap);
        broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
        broadcast->SetAttribute("Root",
                                IntegerValue(uint64_t{i} * study.GetNHosts() / nBroadcasters));
        broadcasters.push_back(std::make_unique<Broadcaster>(broadcast,
                                                             domain,
                                                             hosts,
                                                             study.Get<uint32_t>("rounds"),
                                                             over));
    }
    domain->GetFabric()->Start();
    auto parameters = study.m_traffic;
    parameters.load = row["load"];
    BackgroundTraffic traffic(*domain, parameters);
    if (traffic.Get())
    {
        broadcasters.front()->ListenTo(*traffic.Get());
    }
    traffic.Start();
    const auto lastLeave = [&broadcasters] {
        return GreatestOf(Time(), broadcasters, [](const auto& broadcaster) {
            return broadcaster->GetLastLeave();
        });
    };
    // Far longer than any broadcast, one member after the other, takes.
    SweepStudy::Run(*domain,
                    traffic,
                    lastLeave,
                    MilliSeconds(10) + gap.Get() +
                        SweepStudy::GetMessageTime(*domain, bytes) *
                            (int64_t{4} * study.GetNHosts() * nBroadcasters));
    WormholeError::ThrowIf(going > 0,
                           "broadcast '" + row["broadcast"].Text() +
                               "' came to a stop: " + domain->ExplainMissing());
    for (const auto& broadcaster : broadcasters)
    {
        broadcaster->Report(row);
    }
    row["traffic_us"] = broadcasters.front()->GetDataLatency();
    broadcasters.clear();
    domain->Dispose();
}

uint32_t
ReadBroadcasts(SweepStudy& study, const OptionValues& values)
{
    values.Check("acks", [&] { CollectiveHelper::MakeReduction(study.Get<std::string>("acks")); });
    const auto hosts = study.GetNHosts();
    const auto broadcasters = study.Get<uint32_t>("broadcasters");
    values.Check("broadcasters", [&] {
        const auto most = std::to_string(hosts);
        WormholeError::ThrowIf(broadcasters > hosts,
                               std::to_string(broadcasters) + " broadcasters on a fabric of " +
                                   most + " hosts; expected 1 to " + most);
    });
    study.ChooseNone("loads");
    study.m_traffic.pattern = study.Get<std::string>("pattern");
    study.m_traffic.mostWaiting = BacklogLimit::PER_SENDER;
    study.m_common["broadcasters"] = broadcasters;
    return hosts;
}

} // namespace

/// Consecutive broadcasts, throttled or not, beside data traffic: the situation of the
/// data-parallel codes of Hyder and Wood (1996), section 4.3. All hosts are members of one group or
/// several, whose roots are spread over the hosts, and enter the next broadcast of each group as
/// soon as they leave one. The first quarter of each group's broadcasts is not measured; data worms
/// count if they are made after that, and arrive before the last broadcast is over.
std::unique_ptr<StudyDefinition>
MakeBroadcastLoadStudy()
{
    return std::make_unique<SweepStudy>(SweepCase{
        {"broadcast-load",
         "broadcast_load",
         "Measures broadcasts, throttled or not, with data traffic.",
         BROADCAST_LOAD_USAGE,
         "a row for each broadcast, load, gap and window",
         true},
        MakeBroadcastLoadTable(),
        MakeBroadcastLoadPlots,
        {{"broadcasts=mpich,multicast (tree[Tree=fibo]) [list]: Broadcasts",
          "windows=0,1,2 (0,1,2,4) [list 0..1000000]: How many broadcasts may be outstanding; "
          "0: any number",
          "gaps=0us,50us (0us) [list time]: Minimum times between two broadcasts",
          "loads=0.1,0.3 [list ratio 0..10]: Offered loads of data traffic, fractions of a "
          "channel's rate; zero load is always measured",
          "acks=hw-all (tree): Name of the reduction by which members acknowledge a broadcast",
          "broadcasters=8 (1) [1..1000000]: Number of groups that broadcast at once, each of all "
          "hosts",
          "rounds=64 (64) [4..1000000]: Broadcasts by each group; the first quarter isn't measured",
          "bytes=4kB (0) [bytes 0..1GiB] ns3::Collective::MessageBytes: Length of a broadcast's "
          "message; 0: only the fields for type, group and value",
          {"pattern=uniform (uniform): Pattern of the data traffic",
           WormholeTrafficHelper::GetPatternNames()},
          "flits=64 (64): Length of data worms in flits, in any form that latency-load takes"},
         SweepStudy::GetMessageCosts("4.2us", "7.3us"),
         {"unexpected=10us (0us) [time] ns3::HostSoftware::UnexpectedTime: Extra receive time of a "
          "message that arrives before its receiver waits for it",
          "seed=1 (1) [1..1000000]: Seed of random numbers"}},
        {"clos:ports=8,levels=2", "clos:ports=8,levels=2"},
        false,
        "first",
        "; all hosts are members",
        {{"broadcast", "broadcasts"}, {"load", "loads"}, {"gap_us", "gaps"}, {"window", "windows"}},
        "time_us",
        [](SweepStudy& study) {
            study.AddCondition({"pattern", "flits", "seed"},
                               "traffic, of loads",
                               [](const OptionValues& values) { return values.Has("loads"); });
        },
        "broadcasts",
        [](const std::string& name) { CollectiveHelper::MakeBroadcast(name); },
        ReadBroadcasts,
        MeasureBroadcasts});
}

} // namespace ns3
