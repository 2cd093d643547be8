// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/csv-file.h"
#include "ns3/json-file.h"
#include "ns3/worm-explainer.h"

using namespace ns3;

SUITE("wormhole-timeline", UNIT);

namespace
{

struct Ran
{
    FabricCounts counts; ///< of its fabric
    Time end;            ///< when it ended
};

/// A fabric of one lane whose worms have choices.
const std::string CHOICES = "torus:3x3,hosts=2,routing=adaptive[Lanes=1]";

/// Fabrics with lanes; on the last one worms have choices.
const std::vector<std::string> IN_LANES{"torus:3x3,hosts=2,routing=dateline",
                                        "torus:3x3,hosts=2,routing=adaptive"};

/// Fabrics whose hosts pass worms on, whole and as they come.
const std::vector<std::string> IN_TRANSIT{
    "irregular:switches=9,hosts=18,routing=in-transit[Mode=whole]",
    "irregular:switches=9,hosts=18,routing=in-transit"};

constexpr uint32_t DEPTH = 128; ///< of buffers, flits, which holds the longest worms

/// Runs traffic, then a barrier. @return what that did @param watch is given the domain and the
/// graph before anything happens
template <typename WATCH>
Ran
RunTrafficAndBarrier(const std::string& routeHeader,
                     WATCH watch,
                     const std::string& text = "torus:3x3,hosts=2")
{
    StartAnew();
    const auto topology = MakeTopology(text);
    auto domain = InstallDomain(topology, {}, WithFabric({{"RouteHeader", routeHeader}}, DEPTH));
    const auto fabric = domain->GetFabric();
    watch(domain, topology.graph);
    StartTraffic(fabric, topology.graph, 0.6, "uniform:8:64", MicroSeconds(20));
    CollectiveBench(CollectiveHelper::MakeBarrier("btin"), domain, {0, 3, 5, 8, 11, 16})
        .Cross({}, {});
    CollectiveBench(CollectiveHelper::MakeBarrier("dissemination"), domain, {0, 3, 5, 8})
        .Cross({}, {});
    return {fabric->GetCounts(), Simulator::Now()};
}

struct Event
{
    std::string phase;    ///< its letter
    std::string category; ///< its category
    std::string name;     ///< its name
    uint64_t process{0};  ///< group of tracks
    uint64_t thread{0};   ///< track
    double from{0};       ///< us
    double duration{0};   ///< us
    double waited{0};     ///< how long a worm waited for its output, us
    int lane{-1};         ///< lane in which it was granted that; -1: none is told
    double count{0};      ///< number of worms that wait
};

std::vector<Event>
ReadEvents(const std::string& path)
{
    std::vector<Event> events;
    const JsonFile file(path);
    for (const auto& item : file.GetRoot().Get("traceEvents").GetItems())
    {
        Event event;
        event.phase = item.Get("ph").GetString();
        event.name = item.Get("name").GetString();
        event.process = item.Get("pid").GetUnsigned(1, UINT32_MAX);
        event.category = item.Has("cat") ? item.Get("cat").GetString() : "";
        event.thread = item.Has("tid") ? item.Get("tid").GetUnsigned(0, UINT32_MAX) : 0;
        event.from = item.Has("ts") ? item.Get("ts").GetReal(0, 1e9) : 0;
        event.duration = item.Has("dur") ? item.Get("dur").GetReal(0, 1e9) : 0;
        if (item.Has("args"))
        {
            const auto& args = item.Get("args");
            event.waited = args.Has("waited_us") ? args.Get("waited_us").GetReal(0, 1e9) : 0;
            event.lane =
                args.Has("lane") ? static_cast<int>(args.Get("lane").GetUnsigned(0, 255)) : -1;
            event.count = args.Has("worms") ? args.Get("worms").GetReal(0, 1e9) : 0;
        }
        events.push_back(event);
    }
    return events;
}

/// @param phase letter of slices, or of another kind of event
std::size_t
CountSlices(const std::vector<Event>& events,
            const std::string& category,
            const std::string& phase = "X")
{
    return CountIf(events, [&](const Event& event) {
        return event.phase == phase && event.category == category;
    });
}

} // namespace

TEST_CASE(TimelineTestCase, "A timeline holds all worms at all channels, and is reproducible")
{
    const auto write = [&](const std::string& path, Timeline::Settings settings = {}) -> Ran {
        settings.path = path;
        Timeline timeline(settings);
        const auto ran = RunTrafficAndBarrier("none", [](auto, const auto&) {});
        timeline.Finish();
        return ran;
    };
    const auto path = CreateTempDirFilename("whole.json");
    const auto ran = write(path);
    const auto events = ReadEvents(path);
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "worm"), ran.counts.wormHops, "slices of worms");
    NS_TEST_EXPECT_MSG_GT(ran.counts.wormHops, 1000, "enough to judge by");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "collective"), 6 + 4, "rounds of members");
    NS_TEST_EXPECT_MSG_GT(CountSlices(events, "register"), 0, "registers");
    NS_TEST_EXPECT_MSG_GT(CountSlices(events, "process"), 0, "software");
    std::map<std::pair<uint64_t, uint64_t>, std::multimap<double, double>> tracks;
    std::set<std::pair<uint64_t, uint64_t>> named;
    for (const auto& event : events)
    {
        if (event.phase == "X")
        {
            tracks[{event.process, event.thread}].emplace(event.from, event.from + event.duration);
        }
        else if (event.name == "thread_name")
        {
            named.emplace(event.process, event.thread);
        }
    }
    for (const auto& [track, slices] : tracks)
    {
        NS_TEST_EXPECT_MSG_EQ(named.count(track), 1, "its name");
        double last = 0;
        for (const auto& [from, until] : slices)
        {
            // Far less than a ps, and more than what us in double are off by.
            NS_TEST_EXPECT_MSG_GT_OR_EQ(from + 1e-8, last, "no overlap in " << track.second);
            last = until;
        }
    }

    // Every delivery has an arrow, and messages between members of dissemination, too: 4 log 4.
    const auto arrows = CountSlices(events, "worm", "s");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(arrows, CountSlices(events, "arrival"), "arrows");
    NS_TEST_EXPECT_MSG_EQ(arrows, CountSlices(events, "worm", "f"), "begin and end");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "message", "s"), 8, "arrows of messages");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "message", "f"), 8, "begin and end");

    const auto again = CreateTempDirFilename("again.json");
    write(again);
    NS_TEST_EXPECT_MSG_EQ((ReadText(path) == ReadText(again)), true, "the same bytes");

    Timeline::Settings window;
    window.from = MicroSeconds(5);
    window.until = MicroSeconds(6);
    const auto part = CreateTempDirFilename("part.json");
    write(part, window);
    const auto expected = CountIf(events, [](const Event& event) {
        return event.phase == "X" && event.from <= 6 && event.from + event.duration >= 5;
    });
    const auto isSlice = [](const Event& event) { return event.phase == "X"; };
    NS_TEST_EXPECT_MSG_EQ(CountIf(ReadEvents(part), isSlice), expected, "slices within the window");

    window = {};
    window.hosts = {"h3"};
    write(part, window);
    std::size_t ofHost = 0;
    for (const auto& event : ReadEvents(part))
    {
        if (event.category == "worm" && event.phase == "X")
        {
            ++ofHost;
            const auto padded = event.name + " ";
            // Distributions end at several, of which h3 may be one.
            const bool isIts = padded.find(" h3 ") != std::string::npos ||
                               padded.find("ends") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isIts, true, event.name << " is none of h3's");
        }
    }
    NS_TEST_EXPECT_MSG_GT(ofHost, 10, "worms of h3");
}

/// Where there are lanes, slices of worms tell them, and each lane has a number of worms that wait;
/// what worms waited in sum is what these numbers say, and more where worms ask for several
/// outputs.
TEST_CASE_WITH(LaneTimelineTestCase,
               (const std::string& text),
               "Lanes and numbers of waiting worms on " + text)
{
    Timeline::Settings settings;
    settings.path = CreateTempDirFilename("lanes.json");
    Timeline timeline(settings);
    std::size_t nPassed = 0;
    const auto ran = RunTrafficAndBarrier(
        "none",
        [&nPassed](auto domain, const auto&) {
            const auto fabric = domain->GetFabric();
            for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
            {
                Listen(fabric->GetHost(host), "InTransit", [&](Ptr<const Worm>) { ++nPassed; });
            }
        },
        text);
    timeline.Finish();
    const auto events = ReadEvents(settings.path);
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "worm"), ran.counts.wormHops, "slices of worms");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "in-transit"), nPassed, "slices at hosts");
    NS_TEST_EXPECT_MSG_EQ((nPassed > 0), IsIn(IN_TRANSIT, text), "where hosts pass worms on");
    std::set<int> lanes;
    double waited = 0;
    double counted = 0;
    std::map<std::string, Event> last;
    for (const auto& event : events)
    {
        if (event.phase == "X" && event.category == "worm")
        {
            lanes.insert(event.lane);
            waited += event.waited;
        }
        if (event.phase == "C")
        {
            auto& before = last[event.name];
            counted += before.count * (event.from - before.from);
            before = event;
        }
    }
    const bool hasLanes = IsIn(IN_LANES, text);
    const bool hasChoices = text.find("adaptive") != std::string::npos;
    NS_TEST_EXPECT_MSG_EQ(*lanes.begin(), (hasLanes ? 0 : -1), "lanes are told of all, or none");
    NS_TEST_EXPECT_MSG_EQ((lanes.size() > 1), hasLanes, "there are several");
    std::size_t nOfLanes = 0;
    for (const auto& [name, event] : last)
    {
        NS_TEST_EXPECT_MSG_EQ(event.count, 0, name << ": nobody waits in the end");
        nOfLanes += name.find(" lane ") != std::string::npos;
    }
    NS_TEST_EXPECT_MSG_EQ(nOfLanes, (hasLanes ? last.size() : 0), "numbers are of lanes");
    NS_TEST_EXPECT_MSG_GT(waited, 1, "worms wait");
    constexpr double TOLERANCE = 1e-6; // us in double, of thousands of slices
    NS_TEST_EXPECT_MSG_GT(counted, waited * (1 - TOLERANCE), "numbers tell of all who wait");
    if (!hasChoices)
    {
        NS_TEST_EXPECT_MSG_LT(counted, waited * (1 + TOLERANCE), "and of nobody else");
    }
}

TEST_CASE(TimelineMistakeTestCase, "Timelines that can't be are refused")
{
    const auto path = CreateTempDirFilename("none.json");
    Timeline::Settings settings;
    settings.path = path;
    settings.from = MicroSeconds(2);
    settings.until = MicroSeconds(1);
    Refuses([&] { Timeline timeline(settings); }, "expected an end after the beginning");
    settings = {};
    settings.path = CreateTempDirFilename("no-folder/there.json");
    Refuses([&] { Timeline timeline(settings); }, "can't be written");
    settings.path = path;
    settings.hosts = {"h99"};
    {
        Timeline timeline(settings);
        Refuses([&] { Timeline another(settings); }, "expected one timeline at a time");
    }
    {
        Timeline timeline(settings);
        Refuses([&] { RunTrafficAndBarrier("none", [](auto, const auto&) {}); },
                "there is no host 'h99'; expected names of hosts, such as h0");
    }
}

/// @return a time in us, as tables have it, in ps
int64_t
ReadPs(const CsvFile& file, std::size_t row, const std::string& column)
{
    return std::llround(file.GetNumber(row, column) * 1e6);
}

TEST_CASE(DeadlockTimelineTestCase, "A timeline shows a deadlock")
{
    Timeline::Settings settings;
    settings.path = CreateTempDirFilename("deadlock.json");
    const auto path = CreateTempDirFilename("occupancy.csv");
    constexpr uint64_t SHALLOW = 4; // flits
    Refuses(
        [&] {
            Timeline timeline(settings);
            WormTables tables({"", path, Time(0)});
            auto fabric = WithFabric({}, SHALLOW).Install(MakeRing(4));
            SendAround(*fabric, 0, 4);
            Simulator::Run();
        },
        "wait");
    const auto end = Simulator::Now().GetPicoSeconds();
    // Each worm holds its interface and one cable of the ring, and waits for the next one.
    const auto events = ReadEvents(settings.path);
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "worm"), 4 * 2, "channels held");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "arrival"), 0, "nobody arrives");
    const auto text = ReadText(settings.path);
    std::size_t unfinished = 0;
    for (auto at = text.find("unfinished"); at != std::string::npos;
         at = text.find("unfinished", at + 1))
    {
        ++unfinished;
    }
    NS_TEST_EXPECT_MSG_EQ(unfinished, 4 * 2, "marked");
    NS_TEST_EXPECT_MSG_EQ(CountSlices(events, "wait"), 4, "each waits for the next cable");
    for (const auto& event : events)
    {
        const auto isOpen = event.category == "wait" || event.category == "worm";
        const auto until = std::llround((event.from + event.duration) * 1e6);
        NS_TEST_EXPECT_MSG_LT((isOpen ? std::abs(end - until) : 0), 1000, "shortened to whole ns");
    }
    const CsvFile rows(path,
                       Words("fabric from_us until_us output to lane flits waiting waited_us"));
    std::map<std::string, uint64_t> flits;
    int64_t waited = 0;
    for (std::size_t row = 0; row < rows.GetNRows(); ++row)
    {
        flits[rows.Get(row, "output")] += rows.GetWhole(row, "flits");
        waited += ReadPs(rows, row, "waited_us") > 0;
        NS_TEST_EXPECT_MSG_LT(rows.GetNumber(row, "until_us"), (end + 1) * 1e-6, "row " << row);
    }
    NS_TEST_EXPECT_MSG_EQ(waited, 4, "outputs of the ring, each with a worm that waits to the end");
    for (const auto& [output, sent] : flits)
    {
        const auto buffers = output[0] == 'h' ? 2 : 1; // on the way to where its worm waits
        NS_TEST_EXPECT_MSG_EQ(sent, buffers * SHALLOW, output);
    }
    const auto isNumber = [](const Event& event) { return event.phase == "C"; };
    NS_TEST_EXPECT_MSG_EQ(CountIf(events, isNumber), 4, "a worm waits at each switch");
}

/// Compares the tables of a simulation's worms with the loads of its channels.
/// @return the first difference; empty if there is none
std::string
CompareTables(const WormTables::Settings& files,
              const ChannelRecord& record,
              const FabricGraph& graph,
              const FabricCounts& counts)
{
    const CsvFile worms(files.worms,
                        Words("fabric worm kind source destinations flits created_us injected_us "
                              "delivered_us hops waiting_us blocked_by blocked_us lost_us"));
    uint64_t hops = 0;
    int64_t waited = 0;
    for (std::size_t row = 0; row < worms.GetNRows(); ++row)
    {
        hops += worms.GetWhole(row, "hops");
        waited += ReadPs(worms, row, "waiting_us");
        const auto created = ReadPs(worms, row, "created_us");
        const auto injected = ReadPs(worms, row, "injected_us");
        if (created > injected || injected >= ReadPs(worms, row, "delivered_us"))
        {
            return "order of times in row " + std::to_string(row);
        }
        const auto isBlocked = !worms.Get(row, "blocked_by").empty();
        if (isBlocked && worms.Get(row, "blocked_by") == worms.Get(row, "worm"))
        {
            return "it blocks itself, row " + std::to_string(row);
        }
    }
    std::map<std::string, std::pair<uint64_t, int64_t>> uses; // flits and time waited by output
    const CsvFile occupancy(
        files.occupancy,
        Words("fabric from_us until_us output to lane flits waiting waited_us"));
    for (std::size_t row = 0; row < occupancy.GetNRows(); ++row)
    {
        auto& [flits, ps] = uses[occupancy.Get(row, "output")];
        flits += occupancy.GetWhole(row, "flits");
        ps += ReadPs(occupancy, row, "waited_us");
        const auto length = ReadPs(occupancy, row, "until_us") - ReadPs(occupancy, row, "from_us");
        const auto interval = files.interval.GetPicoSeconds();
        if (length <= 0 || (interval > 0 && length != interval))
        {
            return "length of row " + std::to_string(row);
        }
    }
    int64_t expected = 0;
    for (const auto& channel : record.GetChannels())
    {
        const auto name =
            graph.GetName(channel.from.node) + ":" + std::to_string(channel.from.port);
        expected += channel.waiting.GetPicoSeconds();
        if (uses[name] != std::make_pair(channel.flits, channel.waiting.GetPicoSeconds()))
        {
            return name + ": " + std::to_string(uses[name].first) + " flits, waited " +
                   std::to_string(uses[name].second) + " ps; expected " +
                   std::to_string(channel.flits) + " and " +
                   std::to_string(channel.waiting.GetPicoSeconds());
        }
    }
    if (worms.GetNRows() != counts.worms || hops != counts.wormHops || waited != expected)
    {
        return std::to_string(worms.GetNRows()) + " worms, " + std::to_string(hops) + " hops, " +
               std::to_string(waited) + " ps waited; expected " + std::to_string(counts.worms) +
               ", " + std::to_string(counts.wormHops) + ", " + std::to_string(expected);
    }
    return "";
}

TEST_CASE(ChannelRecordTestCase, "Loads of channels sum to worm-hops and flit-hops")
{
    const std::string torus = "torus:3x3,hosts=2";
    for (const auto& [routeHeader, topology] : {std::make_pair("none", torus),
                                                std::make_pair("source", torus),
                                                std::make_pair("none", IN_TRANSIT.front()),
                                                std::make_pair("source", IN_TRANSIT.back())})
    {
        const WormTables::Settings files{CreateTempDirFilename("worms.csv"),
                                         CreateTempDirFilename("occupancy.csv")};
        WormTables tables(files);
        Ptr<ChannelRecord> record;
        FabricGraph fabricGraph(1, 1, 1);
        const auto ran = RunTrafficAndBarrier(
            routeHeader,
            [&](auto domain, const auto& graph) {
                record = ChannelRecord::Begin(domain->GetFabric(), graph);
                fabricGraph = graph;
            },
            topology);
        NS_TEST_EXPECT_MSG_EQ(tables.Finish(), "", "worms");
        const auto how = std::string("route header ") + routeHeader + ", " + topology;
        const auto difference = CompareTables(files, *record, fabricGraph, ran.counts);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "tables, " << how);
        NS_TEST_EXPECT_MSG_EQ(record->CountWorms(), ran.counts.wormHops, "worms");
        uint64_t flits = 0;
        Time waiting;
        for (const auto& channel : record->GetChannels())
        {
            flits += channel.flits;
            waiting += channel.waiting;
            NS_TEST_EXPECT_MSG_EQ((record->GetUtilisation(channel) <= 1), true, "utilisation");
        }
        NS_TEST_EXPECT_MSG_EQ(flits, ran.counts.flitHops, "flits, " << how);
        NS_TEST_EXPECT_MSG_GT(waiting, Time(0), "at such a load worms wait");
        std::ostringstream csv;
        record->WriteCsv(csv);
        const auto text = csv.str();
        const std::size_t nLines = std::count(text.begin(), text.end(), '\n');
        NS_TEST_EXPECT_MSG_EQ(nLines, record->GetChannels().size() + 1, "rows");
    }
}

TEST_CASE(RingChannelRecordTestCase, "Loads of channels of rounds, whose worms follow each other")
{
    // Tables keep worms; without them the next one is where the last one was.
    const auto measure = [this](const std::vector<uint32_t>& hosts, bool hasTables) {
        StartAnew();
        const auto graph = MakeTopology("torus:4x4").graph;
        const WormTables::Settings files{CreateTempDirFilename("worms.csv"),
                                         CreateTempDirFilename("occupancy.csv")};
        const auto tables = hasTables ? std::make_unique<WormTables>(files) : nullptr;
        const auto domain = InstallDomain(graph);
        const auto record = ChannelRecord::Begin(domain->GetFabric(), graph);
        CrossOnce(
            SetUp(CollectiveHelper::MakeData("allreduction", "ring[Bytes=4096]"), domain, hosts));
        const auto waiting =
            SumOf(record->GetChannels(), [](const auto& channel) { return channel.waiting; });
        const auto counts = domain->GetFabric()->GetCounts();
        std::string trouble;
        if (tables)
        {
            trouble = tables->Finish();
            trouble += CompareTables(files, *record, graph, counts);
        }
        return std::make_pair(trouble, waiting);
    };
    const std::vector<uint32_t> crossed{0, 5, 10, 3, 6};
    NS_TEST_EXPECT_MSG_EQ(measure(crossed, true).first, "", "tables");
    NS_TEST_EXPECT_MSG_GT(measure(crossed, true).second, Time(0), "channels are shared");
    NS_TEST_EXPECT_MSG_EQ(measure(crossed, false).second, measure(crossed, true).second, "waiting");
    NS_TEST_EXPECT_MSG_EQ(measure({0, 1, 2, 3}, false).second, Time(0), "no channel is shared");
}

/// Where there are lanes, what worms waited for each channel is what their explanations say.
TEST_CASE_WITH(LaneChannelRecordTestCase, (const std::string& text), "Loads of channels on " + text)
{
    const auto topology = MakeTopology(text);
    const WormTables::Settings files{CreateTempDirFilename("worms.csv"),
                                     CreateTempDirFilename("occupancy.csv"),
                                     NanoSeconds(500)};
    WormTables tables(files);
    auto fabric = WithFabric({}, DEPTH).Install(topology.graph);
    const auto recorder = fabric->GetRecorder();
    const auto record = ChannelRecord::Begin(fabric, topology.graph);
    StartTraffic(fabric, topology.graph, 0.6, "uniform:8:64", MicroSeconds(20));
    Simulator::Run();
    const auto counts = fabric->GetCounts();
    std::map<std::string, int64_t> waits;
    const WormExplainer explainer(*recorder);
    for (uint64_t id = 0; id < counts.worms; ++id)
    {
        const auto& worm = *recorder->Find(id)->worm;
        for (WormRoute::Stop end = 1; end < worm.GetRoute()->GetNStops(); ++end)
        {
            for (const auto& interval : explainer.Explain(id, end))
            {
                const bool isForOutput = interval.cause == LatencyCause::OUTPUT ||
                                         interval.cause == LatencyCause::TURN ||
                                         interval.cause == LatencyCause::CREDIT;
                waits[interval.place] += isForOutput ? interval.to - interval.from : 0;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(record->CountWorms(), counts.wormHops, "worms");
    uint64_t flits = 0;
    int64_t waited = 0;
    for (const auto& channel : record->GetChannels())
    {
        flits += channel.flits;
        waited += channel.waiting.GetTimeStep();
        const auto name =
            topology.graph.GetName(channel.from.node) + ":" + std::to_string(channel.from.port);
        NS_TEST_EXPECT_MSG_EQ((record->GetUtilisation(channel) <= 1), true, "utilisation");
        NS_TEST_EXPECT_MSG_EQ(channel.waiting.GetTimeStep(), waits[name], name);
    }
    NS_TEST_EXPECT_MSG_EQ(flits, counts.flitHops, "flits");
    NS_TEST_EXPECT_MSG_GT(waited, 0, "worms wait");
    NS_TEST_EXPECT_MSG_EQ(tables.Finish(), "", "worms");
    NS_TEST_EXPECT_MSG_EQ(CompareTables(files, *record, topology.graph, counts), "", "tables");
}

ADD_CASES()
{
    AddQuick<LaneTimelineTestCase>("torus:3x3,hosts=2");
    AddQuick<LaneTimelineTestCase>(CHOICES);
    AddQuickEach<LaneTimelineTestCase>(Join(IN_TRANSIT, IN_LANES));
    AddQuickEach<LaneChannelRecordTestCase>(IN_LANES);
}
