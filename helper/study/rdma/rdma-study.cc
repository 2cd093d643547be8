// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-options.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/schedule-blocks.h"
#include "ns3/string.h"
#include "ns3/study-hosts.h"
#include "ns3/study-makers.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-background-traffic.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// Barriers before those that are averaged over, in which tasks fall into step.
constexpr uint32_t WARM_UP = 8;

struct Preset
{
    const char* name;    ///< name
    int64_t rdmaStep;    ///< time of a step by remote writes, ps
    int64_t messageStep; ///< time of a step by messages, ps
};

/// Clusters of Gupta et al. (2002). The paper gives the latency of barriers, and so of a step:
/// 31.88 us / 3 and 45.14 us / 3 on cluster 1, 29 us / 3 and 40.5 us / 3 on cluster 2. How a step
/// divides into sending and receiving is not given: each has a half. It does not matter for powers
/// of two; for others, a partner's message may be there before it is waited for. On cluster 3 the
/// 65 us of 32 nodes with two tasks are five steps and two flags, each of which is assumed to take
/// 1 us, half of it to set it; a step by messages is that by a remote write over 1 - 0.41.
const Preset PRESETS[] = {{"cluster-1", 31880000 / 3, 45140000 / 3},
                          {"cluster-2", 29000000 / 3, 40500000 / 3},
                          {"cluster-3", 63000000 / 5, 63000000 / 5 * 100 / 59}};

/// To set a flag, or to see one, on each of these clusters.
const auto PRESET_FLAG = NanoSeconds(500);

const char* const REMOTE_WRITES = "smp[Inner=pairwise-exchange|Transport=rdma]";

const std::vector<std::string> TRANSPORTS{"rdma", "send-receive"};

const std::vector<std::string> WITHIN_HOST{"flags", "memory", "interface"};

/// @return number of steps of a pairwise exchange: floor(log2 n), and 2 if n is no power of two
uint32_t
GetSteps(uint32_t n)
{
    uint32_t log = 0;
    while (n >> (log + 1) > 0)
    {
        ++log;
    }
    return (n & (n - 1)) == 0 ? log : log + 2;
}

Time
GetPart(Time time, uint32_t percent)
{
    return time * int64_t{percent} / int64_t{100};
}

const std::string RDMA_USAGE =
    "Compares barriers by pairwise exchange. With remote writes (rdma), tasks of a node meet by "
    "flags in shared memory, and one of them exchanges with other nodes; with messages "
    "(send-receive), all tasks exchange.\n\n"
    "Examples:\n"
    "  rdma-barrier\n"
    "      2 to 64 nodes with one and two tasks, costs of cluster 1 of Gupta et al. (2002)\n"
    "  rdma-barrier --nodes=2,3,8,16 --tasksPerNode=1,2 --csv=barriers.csv\n"
    "  rdma-barrier --preset=cluster-2 --nodes=8,16 --plots=plots "
    "--published=data/rdma-published.csv\n"
    "      another cluster, with plots that include the paper's values\n"
    "  rdma-barrier --nodes=2,8,32 --withinHost=flags,memory --interfacePercent=0,50,80\n"
    "      tasks of a node that wait for each other at its interface\n"
    "  rdma-barrier --rdmaSend=2us --rdmaReceive=3us --flag=200ns --topology=torus:4x4\n"
    "      your own costs and fabric\n"
    "  rdma-barrier --nodes=8,16 --load=0.2 --pattern=hotspot --barriers=200\n"
    "      with other traffic, and the 99th percentile of the time\n\n"
    "A message or write between two hosts of one switch takes its send time and its receive time; "
    "further hops, and waiting for other worms, add to this time.";

std::string
GetTransport(const CsvRow& row)
{
    return row["transport"].Text() == "rdma" ? "RDMA writes" : "send/receive";
}

std::string
GetTasksTitle(const CsvRow& row)
{
    return row.GetText("tasks_per_node") +
           (row["tasks_per_node"] == 1 ? " task per node" : " tasks per node");
}

/// @return title of a curve, with how tasks of a node exchange messages where there are several
/// ways
std::string
GetWay(const CsvRow& row, bool hasWays)
{
    return GetTransport(row) +
           (hasWays && row["transport"].Text() != "rdma" ? ", " + row["within_host"].Text() : "");
}

StudyPlot
DrawNodes(const StudyPlot::Rows& rows, const std::string& cluster, const StudyPlot::Rows& published)
{
    const auto hasWays = StudyPlot::GroupBy(rows, "within_host").size() > 1;
    StudyPlot plot{"latency", "nodes", "barrier latency (us)"};
    const auto getTitle = [&](const CsvRow& row) { return cluster + GetTasksTitle(row); };
    const auto sorted = StudyPlot::SortedBy(
        StudyPlot::SortedBy(rows,
                            [](const auto& row) { return row["transport"].Text() == "rdma"; }),
        "tasks_per_node");
    plot.AddLines(sorted,
                  getTitle,
                  [hasWays](const CsvRow& row) { return GetWay(row, hasWays); },
                  "nodes",
                  {{"latency_us_mean"}});
    plot.AddPublished(
        published,
        sorted,
        getTitle,
        [](const auto& figure, const auto& row) {
            return figure["tasks_per_node"] == row["tasks_per_node"];
        },
        "nodes",
        [](const CsvRow& figure) { return GetTransport(figure) + ", paper"; });
    plot.SetGroupSizeAxes();
    return plot;
}

/// @return latency of the greatest number of nodes over the part of interfaces
StudyPlot
DrawInterface(const StudyPlot::Rows& all,
              const std::string& cluster,
              const StudyPlot::Rows& published)
{
    const auto most = StudyPlot::SortedBy(all, "nodes").back();
    const auto rows = StudyPlot::Where(all, [&](const auto& row) {
        // With one task a node, nothing is sent within it.
        return row["nodes"] == most["nodes"] &&
               (row["tasks_per_node"] > 1 ||
                row["within_host"].Text() == all.front()["within_host"].Text());
    });
    StudyPlot plot{"interface",
                   "interface occupied, percent of a message's time",
                   "barrier latency (us), " + cluster + most.GetText("nodes") + " nodes"};
    plot.AddLines(rows,
                  StudyPlot::NoKey,
                  [](const CsvRow& row) {
                      return GetWay(row, row["tasks_per_node"] > 1) + ", " + GetTasksTitle(row);
                  },
                  "interface_percent",
                  {{"latency_us_mean"}});
    // Which part of interfaces a published figure is of, the paper does not say.
    for (const auto& figure : published)
    {
        if (figure["nodes"] == most["nodes"])
        {
            plot.panels.front().curves.push_back(
                {GetTransport(figure) + ", " + GetTasksTitle(figure) + ", paper",
                 figure["transport"].Text() == "rdma" ? "lines lw 1.5 lc rgb \"#808080\""
                                                      : "lines lw 1.5 lc rgb \"black\"",
                 {},
                 "",
                 StudyPlot::Number(figure["value"])});
        }
    }
    plot.axes = std::string(StudyPlot::OPEN_AXES) + "set yrange [0:*]\n";
    plot.key = "set key outside right top Left reverse\n";
    plot.width = 1100;
    plot.height = 520;
    return plot;
}

CsvTable
MakeRdmaTable()
{
    using Is = CsvColumn;
    return PlacementColumns::AddTo(TrafficColumns::AddTo(
        {{"transport: Transport: rdma or send-receive", TRANSPORTS},
         {"nodes: Number of nodes", Is::WHOLE},
         {"tasks_per_node: Number of tasks on each node", Is::WHOLE},
         {"steps: Number of consecutive exchanges between nodes (rdma) or tasks (send-receive)",
          Is::WHOLE},
         {"latency_us_mean (us): Mean time of a barrier", Is::NUMBER},
         {"within_host: How tasks of a node exchange messages", WITHIN_HOST},
         {"interface_percent (percent): Share of a message's time in which it occupies interfaces",
          Is::WHOLE},
         {"set_up_us (us): Time until the group is ready", Is::NUMBER}},
        {"latency_us_p99"}));
}

/// Barriers by remote writes against barriers by messages: the comparison of Gupta et al. (2002).
/// Both are pairwise exchanges. By remote writes, with several tasks a node, a node's tasks meet by
/// flags in shared memory, and one of them exchanges with other nodes; by messages, all tasks
/// exchange, those of one node in a way of one's choice. Tasks enter the next barrier as soon as
/// they leave one.
class RdmaStudy : public StudyDefinition
{
  public:
    RdmaStudy()
        : StudyDefinition({"rdma-barrier",
                           "rdma",
                           "Compares barriers by remote writes with barriers by messages.",
                           RDMA_USAGE,
                           "a row for each transport, number of tasks and number of nodes"},
                          MakeRdmaTable())
    {
        const auto presets =
            MadeOf(PRESETS, [](const auto& preset) { return std::string(preset.name); });
        Add({{"preset=cluster-2 (cluster-1) [both]: A cluster of the paper, whose costs apply "
              "unless other options set them",
              presets},
             "nodes=2,3,8,16 [list 1..10000 alias groupSizes]: Numbers of nodes; default: 2 to 64",
             "tasksPerNode=1,2 (1,2) [list 1..1000]: Numbers of tasks on each node",
             {"transports=rdma (rdma,send-receive) [list]: Transports to compare", TRANSPORTS},
             "rdmaSend=5us [time]: How long a remote write keeps its sender busy",
             "rdmaReceive=5us [time]: Time from the end of rdmaSend until the target has seen the "
             "write",
             "messageSend=7us [time]: How long a message keeps its sender busy",
             "messageReceive=7us [time]: Time from the end of messageSend until the receiver has "
             "the message",
             "flag=500ns [time]: Time to set a flag in the node's memory; seeing it takes as long "
             "again",
             {"withinHost=flags,memory (flags) [list]: How tasks of a node communicate in rows of "
              "send-receive: by flags, by messages in memory, or by messages through the "
              "interface and back. Rows of rdma always use flags",
              WITHIN_HOST},
             "interfacePercent=0,50 (0) [list 0..100]: Percentage of a message's send and receive "
             "times for which the message occupies its node's interface exclusively",
             {"exchange=direct (none): How nodes exchange, by messages, the addresses of their "
              "buffers when a group is made for remote writes",
              AddressExchange::GetNames()},
             "registration=10us (0us) [time]: Time for a node to register its buffer before the "
             "exchange",
             "barriers=20 (20) [1..1000000]: Number of consecutive barriers to average over"});
        AddOwnAttributes("HostSoftware::StartUp HostSoftware::ReceiveOverhead "
                         "HostSoftware::PollTime HostSoftware::FlagTime HostSoftware::TransferTime "
                         "HostSoftware::InterfaceSendTime HostSoftware::InterfaceReceiveTime");
        AddHosts("", "one switch");
        AddTraffic();
        AddPlacement("first",
                     1,
                     {"transport", "within_host", "interface_percent", "tasks_per_node", "nodes"},
                     "latency_us_mean");
        AddPublished({"id,quantity,cluster,transport,nodes,tasks_per_node,value,unit,use,where,why",
                      {{"quantity", {"latency"}}},
                      "us"});
        AddCondition(
            {"linkDelay", "switchDelay", "placement", "placements"},
            "a fabric: the path over one switch is part of a message's send and receive times",
            [](const OptionValues& values) { return FabricOptions::Has(values); });
        AddCondition({"flag", "withinHost"},
                     "several tasks on a node",
                     [this](const OptionValues&) {
                         return AnyOf(Get<Wholes>("tasksPerNode"), [](auto n) { return n > 1; });
                     });
    }

    /// Draws latency of barriers over the number of nodes, a panel for each number of tasks. With
    /// several parts of a message's time in which interfaces are occupied, latency is over that
    /// part, of the greatest number of nodes. Figures of other clusters are left out.
    std::vector<StudyPlot> MakePlots() const override
    {
        const auto cluster = m_isOwn ? "" : Get<std::string>("preset");
        // A task alone takes no time, and has no place on log axes.
        const auto rows =
            StudyPlot::Where(m_rows, [](const auto& row) { return row["latency_us_mean"] > 0; });
        const auto figures = StudyPlot::Where(m_published, [&](const auto& figure) {
            return figure["cluster"].Text() == cluster;
        });
        if (rows.empty())
        {
            return {};
        }
        const auto hasOnePart = StudyPlot::GroupBy(rows, "interface_percent").size() == 1;
        return {(hasOnePart ? DrawNodes
                            : DrawInterface)(rows, cluster.empty() ? "" : cluster + ", ", figures)};
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        if (values.Has("registration") && Get<std::string>("exchange") == AddressExchange::NONE)
        {
            values.RefuseAlone("registration", "exchange", "direct or dissemination");
        }
        TakeCosts(values);
        m_nodes = Get<Wholes>("nodes");
        for (uint32_t n = 2; !values.Has("nodes") && n <= 64; ++n)
        {
            m_nodes.push_back(n);
        }
        m_hosts = StudyHosts::Read(values);
        const auto topology = m_hosts.GetTopology();
        m_hosts.SetTraffic(TrafficOptions::Read(values, topology ? &topology->graph : nullptr));
        values.Check("nodes", [&] {
            m_hosts.CheckNumber(*std::max_element(m_nodes.begin(), m_nodes.end()));
        });
        if (topology)
        {
            const auto most = *std::max_element(m_nodes.begin(), m_nodes.end());
            ReadPlacement(values, topology->graph, {values.Get("placement"), most});
        }
        for (const auto& transport : Get<Words>("transports"))
        {
            const auto r = m_costs.at(transport).second;
            const std::string name = transport == "rdma" ? "rdmaReceive" : "messageReceive";
            values.Check(values.Has(name) ? name : "preset", [&] { m_hosts.CheckReceiving(r); });
            values.Check("interfacePercent", [&] {
                for (const auto percent : Get<Wholes>("interfacePercent"))
                {
                    m_hosts.CheckReceiving(r, GetPart(r, percent));
                }
            });
        }
    }

    Rows ListRows() override
    {
        CsvRow row(m_table);
        TrafficColumns::Set(row, m_hosts.GetTraffic());
        return JoinedOf(Get<Words>("transports"), [&](const auto& transport) {
            // Remote writes are for tasks that share flags.
            row["transport"] = transport;
            return StudySweep(row)
                .Over("within_host",
                      transport == "rdma" ? Words{"flags"} : Get<Words>("withinHost"))
                .Over("interface_percent", Get<Wholes>("interfacePercent"))
                .Over("tasks_per_node", Get<Wholes>("tasksPerNode"))
                .Over("nodes", m_nodes)
                .Over("placement", GetPlacements())
                .GetRows();
        });
    }

    CsvRow MeasureRow(CsvRow row, std::size_t) override
    {
        const bool isRdma = row["transport"].Text() == "rdma";
        if (const auto topology = m_hosts.GetTopology())
        {
            m_hosts.SetPlaces(PlaceMembers(topology->graph, row, row["nodes"].Whole()));
        }
        row["steps"] =
            GetSteps(row["nodes"].Whole() * (isRdma ? 1 : row["tasks_per_node"].Whole()));
        auto barrier = CollectiveHelper::MakeBarrier(isRdma ? REMOTE_WRITES : "pairwise-exchange");
        barrier->SetAttribute("WithinHost", StringValue(row["within_host"].Text()));
        const auto task = MakeTask(row, row["transport"].Text());
        const auto times = m_hosts.Run(barrier, task);
        Time sum;
        for (std::size_t rank = 0; rank < task.hosts.size(); ++rank)
        {
            sum += times.back()[rank] - times[WARM_UP - 1][rank];
        }
        row["latency_us_mean"] = sum.ToDouble(Time::US) / static_cast<double>(task.hosts.size()) /
                                 Get<uint32_t>("barriers");
        const auto last = [&](std::size_t round) {
            return *std::max_element(times[round].begin(), times[round].end());
        };
        SampleSummary summary;
        for (std::size_t round = WARM_UP; round < times.size(); ++round)
        {
            summary.Add((last(round) - last(round - 1)).ToDouble(Time::US));
        }
        row["latency_us_p99"] = summary.GetPercentile99();
        const auto& exchange = Get<std::string>("exchange");
        if (isRdma && exchange != "none")
        {
            barrier = CollectiveHelper::MakeBarrier(REMOTE_WRITES);
            barrier->SetAttribute("AddressExchange", StringValue(exchange));
            // Addresses are exchanged by messages, so that these have their costs.
            row["set_up_us"] =
                m_hosts.MeasureSetUp(barrier, MakeTask(row, "send-receive")).ToDouble(Time::US);
        }
        return row;
    }

  private:
    void TakeCosts(const OptionValues& values)
    {
        const auto found =
            std::find_if(std::begin(PRESETS), std::end(PRESETS), [&](const auto& preset) {
                return preset.name == Get<std::string>("preset");
            });
        const auto take = [&](const std::string& name, Time byPreset) {
            m_isOwn = m_isOwn || values.Has(name); // it is no cluster of the paper then
            return values.Has(name) ? Get<Time>(name) : byPreset;
        };
        const auto halves = [&](const std::string& name, int64_t step) {
            return std::make_pair(take(name + "Send", PicoSeconds(step / 2)),
                                  take(name + "Receive", PicoSeconds(step - step / 2)));
        };
        m_costs = {{"rdma", halves("rdma", found->rdmaStep)},
                   {"send-receive", halves("message", found->messageStep)}};
        m_flag = take("flag", PRESET_FLAG);
    }

    StudyHosts::Task MakeTask(const CsvRow& row, const std::string& transport) const
    {
        StudyHosts::Task task;
        for (uint32_t node = 0; node < row["nodes"]; ++node)
        {
            task.hosts.insert(task.hosts.end(), row["tasks_per_node"], node);
        }
        task.rounds = WARM_UP + Get<uint32_t>("barriers");
        std::tie(task.s, task.r) = m_costs.at(transport);
        task.receiver = transport == "rdma" ? "PollTime" : "ReceiveOverhead";
        task.flag = m_flag;
        task.interfaceSend = GetPart(task.s, row["interface_percent"].Whole());
        task.interfaceReceive = GetPart(task.r, row["interface_percent"].Whole());
        task.registration = Get<Time>("registration");
        return task;
    }

    Wholes m_nodes;     // numbers of nodes
    StudyHosts m_hosts; // the nodes
    /// How long a message keeps its sender busy, and from then until it is received, between two
    /// hosts, by transport.
    std::map<std::string, std::pair<Time, Time>> m_costs;
    Time m_flag;         // to set a flag that a node's tasks share, and to see one
    bool m_isOwn{false}; // whether some cost is one's own
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeRdmaStudy()
{
    return std::make_unique<RdmaStudy>();
}

} // namespace ns3
