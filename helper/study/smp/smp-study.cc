// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-helper.h"
#include "ns3/collective-registry.h"
#include "ns3/fabric-options.h"
#include "ns3/in-switch-collectives.h"
#include "ns3/integer.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/software-collective.h"
#include "ns3/study-definition.h"
#include "ns3/study-hosts.h"
#include "ns3/study-makers.h"
#include "ns3/study-rows.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-linked-schedules.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{

namespace
{

/// @return the paper's cases. The 64 hosts are the whole cluster, so that their placement is a
/// block; where the batch system had placed the others is not given: they are random, on three
/// switches and, for 38 and 28, on four
const std::vector<JobPlacement::Parameters>&
AllCases()
{
    static const std::vector<JobPlacement::Parameters> cases{{"first", 64, 4},
                                                             {"random", 44, 3},
                                                             {"random", 38, 4},
                                                             {"random", 28, 4}};
    return cases;
}

void
CheckSettings(const std::string& name, const std::string& part)
{
    for (const auto& [attribute, value] : CollectiveRegistry::GetSettings(part))
    {
        WormholeError::ThrowIf(
            attribute == "MessageBytes" || attribute == "Root",
            "broadcast '" + name + "': " + attribute + "=" + value + " has no effect; expected " +
                (attribute == "Root" ? "none: the root is the job's first process"
                                     : "--bytes=" + value + ", the study's list of lengths"));
        CheckSettings(name, value);
    }
}

Ptr<Broadcast>
MakeBroadcast(const std::string& name)
{
    CheckSettings(name, name);
    auto broadcast = CollectiveHelper::MakeBroadcast(name);
    WormholeError::ThrowIf(!DynamicCast<SoftwareCollective>(broadcast) &&
                               !DynamicCast<InSwitchBroadcast>(broadcast),
                           "broadcast '" + name + "'; expected broadcasts by software, and btin");
    return broadcast;
}

void
SetLength(Broadcast& broadcast, uint32_t bytes)
{
    constexpr uint32_t FIELDS = 10; // bits of type and group
    constexpr uint32_t WIDEST = 64; // bits of a value
    if (dynamic_cast<InSwitchBroadcast*>(&broadcast))
    {
        const auto most = (FIELDS + WIDEST + 7) / 8;
        WormholeError::ThrowIf(
            bytes > most,
            std::to_string(bytes) +
                " bytes, but a register holds a whole message, with up to 64 bits "
                "of data; expected 2 to " +
                std::to_string(most) + " bytes");
        broadcast.SetAttribute("WidthBits", UintegerValue(std::min(WIDEST, 8 * bytes - FIELDS)));
    }
    broadcast.SetAttribute("MessageBytes", UintegerValue(bytes));
}

/// @return steps at unit cost, where hosts send or receive one message at a time
uint32_t
CountSteps(const Broadcast& broadcast, const std::vector<uint32_t>& hosts)
{
    const auto software = dynamic_cast<const SoftwareCollective*>(&broadcast);
    // Switches copy the one message that the first member sends.
    return software ? software->GetSchedules().CountOnePortSteps(hosts) : hosts.size() > 1;
}

const std::string SMP_USAGE =
    "Compares broadcasts on a cluster of SMPs. A batch system gives hosts to a job; of these, the "
    "first --hosts take part, with --tasksPerHost processes each. Columns: switches and hosts in "
    "use, bytes, steps (in each, a host sends or receives one message), and simulated time; with "
    "several processes per host, also tasks_per_host. Each placement has a row.\n\n"
    "Examples:\n"
    "  smp-broadcast\n"
    "      all 64 hosts of Roadrunner, Figure 5.1 of Sun et al.; CSV to standard output\n"
    "  smp-broadcast --case=44 --plots=plots --csv=smp-44.csv\n"
    "      44 hosts on three switches, 20 random placements, as in Figure 5.2\n"
    "  smp-broadcast --placement=shuffled --algorithms=mpich[BlockSize=3],sss-mst\n"
    "      64 hosts with ranks in random order, so that messages cross between switches\n"
    "  smp-broadcast --bytes=64,4kB,200kB --topology=roadrunner:wiring=ring,cables=4\n"
    "      other lengths and another wiring\n"
    "  smp-broadcast --tasksPerHost=2 --flag=500ns\n"
    "      two processes per host, which pass on the message by flags\n"
    "  smp-broadcast --fabric=cluster.json --bytes=64,1kB,4kB,16kB,64kB,256kB "
    "--algorithms=tree[Tree=binomial],mpich,sss-mst,multicast --csv=mine.csv --plots=plots\n"
    "      which broadcast suits which length on all hosts of your own fabric\n"
    "  smp-broadcast --topology=torus:4x4,hosts=4 --job=40 --placement=random --hosts=10,20,40 "
    "--algorithms=tree[Tree=binomial],tree[Tree=fibo],sss-mst\n"
    "      your own fabric and job\n"
    "  smp-broadcast --bytes=4kB --load=0.1 --rounds=100\n"
    "      with other traffic, and the 99th percentile of the time\n\n"
    "Algorithms: any broadcast by software, such as mpich[BlockSize=3] (that of early MPICH, for "
    "blocks of 3 consecutive ranks), mpich[BlockSize=1] (a binomial tree), sss-mst (the paper's), "
    "sss-mst[UpToDown=false], sss-mst[Siblings=false], sss-mst[DownToUp=false], "
    "sss-mst[ChannelCaps=false], sss-mst[Senders=informed], mpich[SelfCongestion=true], "
    "tree[Tree=binomial], tree[Tree=fibo] and smp[Inner=tree]; also multicast (one tree worm, "
    "which switches copy) and btin (2 to 10 bytes through the switches' registers). Lengths are "
    "given by --bytes; MessageBytes in a name is refused.";

/// Draws times over hosts: a panel for each number of processes and length, and over bytes if there
/// are three lengths or more, of the greatest number of hosts; with several broadcasts times over
/// those of the last one, too. Of several placements the mean is shown, with its 95 % interval; a
/// ratio is of two broadcasts of one placement.
std::vector<StudyPlot>
MakeSmpPlots(const StudyPlot::Rows& all, const StudyPlot::Rows&)
{
    constexpr std::size_t LEAST = 3; // lengths that make a line
    // A process alone takes no time, and has no place on log axes.
    const auto rows = StudyPlot::Where(all, [](const auto& row) { return row["time_us"] > 0; });
    const auto algorithms = StudyPlot::GroupBy(rows, "algorithm");
    const auto hasLengths = StudyPlot::GroupBy(rows, "bytes").size() >= LEAST;
    StudyPlot::Rows factors; // without the last broadcast's
    for (std::size_t i = 0; i + 1 < algorithms.size(); ++i)
    {
        // Rows of one number of hosts come in the order of placements for every algorithm.
        const auto some = StudyPlot::Over(algorithms[i].second,
                                          algorithms.back().second,
                                          "algorithm",
                                          StudyPlot::Key({"tasks_per_host", "bytes", "hosts"}),
                                          {"time_us"});
        factors.insert(factors.end(), some.begin(), some.end());
    }
    std::map<double, double> most; // hosts, by number of processes
    for (const auto& row : rows)
    {
        auto& hosts = most[row["tasks_per_host"]];
        hosts = std::max<double>(hosts, row["hosts"]);
    }
    std::vector<StudyPlot> plots;
    for (const auto& [name, isFactor, overBytes] : {std::make_tuple("time", false, false),
                                                    std::make_tuple("factor", true, false),
                                                    std::make_tuple("bytes", false, true),
                                                    std::make_tuple("bytes-factor", true, true)})
    {
        StudyPlot plot{name,
                       overBytes ? "bytes" : "hosts",
                       isFactor && !rows.empty() ? "time over that of " + algorithms.back().first
                                                 : "time of a broadcast (us)"};
        const auto isDrawn = [&, isAll = !overBytes](const auto& row) {
            return isAll || (hasLengths && row["hosts"] == most.at(row["tasks_per_host"]));
        };
        const std::string size = overBytes ? "hosts" : "bytes"; // that a panel has in common
        const auto getTitle = [size](const CsvRow& row) {
            const auto tasks = row.GetText("tasks_per_host");
            return row.GetText(size) + " " + size +
                   (tasks == "1" ? "" : ", " + tasks + " processes a host");
        };
        plot.AddLines(StudyPlot::Where(isFactor ? factors : rows, isDrawn),
                      getTitle,
                      "algorithm",
                      plot.xLabel,
                      {{"time_us"}});
        plot.SetGroupSizeAxes();
        plots.push_back(plot);
    }
    return plots;
}

CsvTable
MakeSmpTable()
{
    using Is = CsvColumn;
    return TrafficColumns::AddTo(
        CsvTable{{"algorithm: Name of the broadcast"},
                 {"switches: Number of switches with hosts that take part", Is::WHOLE},
                 {"hosts: Number of hosts that take part", Is::WHOLE},
                 {"bytes (bytes): Length of the message", Is::WHOLE},
                 {"steps: Number of steps; in each, hosts send or receive one message", Is::WHOLE},
                 {"time_us (us): Time until the last process has the message", Is::NUMBER}}
            .AddOptional([](const CsvRow& row) { return row["tasks_per_host"] > 1; },
                         {{"tasks_per_host: Number of processes of each host", Is::WHOLE}},
                         1)
            .AddOptional([](const CsvRow& row) { return row["placement"] > 0; },
                         {{"placement: Number of the random placement", Is::WHOLE}}),
        {"time_us_p99"});
}

/// Broadcasts on clusters of SMPs: the comparison of Sun et al., "Broadcast on Clusters of SMPs
/// with Optimal Concurrency", section III. A batch system gives hosts to a job. Of these, the first
/// so many take part in a broadcast from the first one: with one process each, as in the paper's
/// measurements, which leave out the broadcast within an SMP, or with several, whose ranks follow
/// each other host by host.
class SmpStudy : public StudyDefinition
{
  public:
    SmpStudy()
        : StudyDefinition({"smp-broadcast",
                           "smp_broadcast",
                           "Compares broadcasts on a cluster of SMPs.",
                           SMP_USAGE,
                           "a row for each placement, length, number of hosts and broadcast",
                           true},
                          MakeSmpTable(),
                          MakeSmpPlots)
    {
        Add({{"case=44 (64): A job of the paper (default with your own fabric: all of its hosts), "
              "named by its number of Roadrunner hosts",
              GetCases()},
             "job=40 [1..1000000]: Number of hosts of your own job",
             "jobSwitches=3 [1..1000000]: Number of switches of the job; default: any",
             "stream=0 (0) [0..1GiB]: Stream of random numbers for placements",
             "hosts=8,16,32 [list 1..1000000 alias groupSizes]: Numbers of hosts that take part; "
             "default: 8, 12, ...; for jobs of more than 64 hosts: 8, 16, 32, ...",
             "tasksPerHost=2 (1) [1..1024]: Number of processes on each host that takes part",
             "flag=500ns (500ns) [time] ns3::HostSoftware::FlagTime: Time to set a flag that "
             "processes of a host share; seeing it takes as long again",
             "bytes=64,64kB,1MiB (200000) [list bytes 2..1GiB] ns3::Collective::MessageBytes: "
             "Lengths of the message; kB and MB are 1000 and 1000000 bytes, KiB and MiB 1024 and "
             "1048576",
             "algorithms=mpich[BlockSize=3],sss-mst "
             "(mpich[BlockSize=1],mpich[BlockSize=3],sss-mst) [list]: Broadcasts",
             "startUp=2us (2us) [time] ns3::HostSoftware::StartUp: How long a message keeps its "
             "sender's software busy",
             "receive=1us (0us) [time] ns3::HostSoftware::ReceiveOverhead: How long a message "
             "keeps its receiver's software busy",
             "dataRate=1.2Gbps (1.2Gbps) ns3::WormholeFabric::DataRate: Rate of every channel",
             "flitBytes=3 bytes (3) [bytes 1..1MiB] ns3::WormholeFabric::FlitSize: Size of a flit "
             "(which must take a whole number of ps)"});
        AddOwnAttributes("HostSoftware::TransferTime HostSoftware::RegistrationTime "
                         "HostSoftware::InterfaceSendTime HostSoftware::InterfaceReceiveTime");
        AddHosts("roadrunner:wiring=mesh,cables=2");
        AddTraffic(true);
        AddPlacement("first",
                     20,
                     {"algorithm", "bytes", "hosts"},
                     "time_us",
                     "; with a case of fewer than 64 hosts, the default is random");
        AddExclusion("case", {"job", "jobSwitches"});
        AddNeed({"jobSwitches"}, "job", "40", true);
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        m_cluster = StudyHosts::Read(values);
        const auto& graph = m_cluster.GetTopology()->graph;
        m_cluster.SetTraffic(TrafficOptions::Read(values, &graph));
        const auto job = GetJob(values);
        ReadPlacement(values,
                      graph,
                      job,
                      values.Has("job")    ? "job"
                      : values.Has("case") ? "case"
                                           : FabricOptions::GetName(values));
        if (!JobPlacement::IsRandom(m_job.law) && values.Has("stream"))
        {
            values.Refuse("stream", "has no effect where placement is not random");
        }
        m_hosts = Get<Wholes>("hosts");
        if (!values.Has("hosts"))
        {
            m_hosts = GetSizes();
        }
        values.GetWholes("hosts", 1, m_job.hosts);
        if (values.Has("flag") && Get<uint32_t>("tasksPerHost") == 1)
        {
            values.RefuseAlone("flag", "tasksPerHost", "2");
        }
        values.Check(values.Has("flitBytes") ? "flitBytes" : "dataRate", [&] {
            m_cluster.SetRate(Get<std::string>("dataRate"), Get<uint32_t>("flitBytes"));
        });
        values.Check("algorithms", [&] { CheckAlgorithms(); });
    }

    Rows ListRows() override
    {
        CsvRow common(m_table);
        common["tasks_per_host"] = Get<uint32_t>("tasksPerHost");
        TrafficColumns::Set(common, m_cluster.GetTraffic());
        StudySweep sweep(common);
        sweep.Over("bytes", Get<Wholes>("bytes")).Over("hosts", m_hosts);
        sweep.Over("algorithm", Get<Words>("algorithms"));
        JobPlacement placement(m_cluster.GetTopology()->graph, m_job);
        placement.AssignStreams(Get<uint32_t>("stream"));
        m_placed.clear();
        Rows rows;
        const auto number = JobPlacement::IsRandom(m_job.law) ? Get<uint32_t>("placements") : 1;
        while (m_placed.size() < number)
        {
            m_placed.push_back(placement.Draw());
            for (auto row : sweep.GetRows())
            {
                row["placement"] = m_nPlacements > 0 ? m_placed.size() : 0;
                rows.push_back(row);
            }
        }
        return rows;
    }

    CsvRow MeasureRow(CsvRow row, std::size_t number) override
    {
        const auto ofPlacement =
            Get<Wholes>("bytes").size() * m_hosts.size() * Get<Words>("algorithms").size();
        const auto first = m_placed.at(number / ofPlacement).begin();
        const auto rounds = m_cluster.GetTraffic().IsThere() ? Get<uint32_t>("rounds") : 1;
        return MeasureOn({first, first + row["hosts"].Whole()}, rounds, row);
    }

  private:
    static std::vector<std::string> GetCases()
    {
        return MadeOf(AllCases(), [](const auto& job) { return std::to_string(job.hosts); });
    }

    /// Refuses broadcasts that are unknown, neither by software nor btin, can't be or set what the
    /// study sets.
    void CheckAlgorithms() const
    {
        // Some can't be for a group, but can for a process alone.
        CsvRow row(m_table);
        const auto& bytes = Get<Wholes>("bytes");
        row["bytes"] = *std::min_element(bytes.begin(), bytes.end());
        const auto most = *std::max_element(m_hosts.begin(), m_hosts.end());
        const auto block = JobPlacement(m_cluster.GetTopology()->graph, {"first", most}).Draw();
        for (const auto& algorithm : Get<Words>("algorithms"))
        {
            row["algorithm"] = algorithm;
            MeasureOn(block, 0, row);
        }
    }

    /// With 0 rounds the group is only made.
    CsvRow MeasureOn(const std::vector<uint32_t>& hosts, uint32_t rounds, CsvRow row) const
    {
        const auto& algorithm = row["algorithm"].Text();
        auto broadcast = MakeBroadcast(algorithm);
        broadcast->SetAttribute("Root", IntegerValue(0));
        StudyHosts::Task task;
        task.hosts = JoinedOf(hosts, [this](uint32_t host) {
            return std::vector<uint32_t>(Get<uint32_t>("tasksPerHost"), host);
        });
        task.rounds = rounds;
        task.flag = Get<Time>("flag");
        task.s = Get<Time>("startUp");
        task.r = Get<Time>("receive");
        task.isReceiversPart = true;
        task.hasPauses = true;
        std::vector<std::vector<Time>> leaves;
        try
        {
            SetLength(*broadcast, row["bytes"].Whole());
            leaves = m_cluster.Run(broadcast, task);
        }
        catch (const WormholeError& error)
        {
            throw WormholeError("broadcast '" + algorithm + "': " + error.what());
        }
        SampleSummary summary;
        for (const auto& times : leaves)
        {
            // A leaf of the tree leaves when it has the message, and it or another leaf is the
            // last.
            summary.Add(std::max_element(times.begin(), times.end())->ToDouble(Time::US));
        }
        row["switches"] = JobPlacement::CountSwitches(m_cluster.GetTopology()->graph, hosts);
        row["steps"] = CountSteps(*broadcast, task.hosts);
        row["time_us"] = summary.GetMean();
        row["time_us_p99"] = summary.GetPercentile99();
        return row;
    }

    JobPlacement::Parameters GetJob(const OptionValues& values) const
    {
        const JobPlacement::Parameters own{values.Get("placement"),
                                           Get<uint32_t>("job"),
                                           Get<uint32_t>("jobSwitches")};
        auto job = own;
        const auto isOwn = FabricOptions::Has(values) || !JobPlacement::IsRule(own.law);
        if (!values.Has("job") && (!isOwn || values.Has("case")))
        {
            job = *FindIn(AllCases(), [this](const auto& each) {
                return std::to_string(each.hosts) == Get<std::string>("case");
            });
        }
        if (!values.Has("case") || values.Has("placement"))
        {
            job.law = own.law;
        }
        return job;
    }

    std::vector<uint32_t> GetSizes() const
    {
        constexpr uint32_t FIRST = 8;
        constexpr uint32_t STEP = 4;
        constexpr uint32_t MANY = 64;
        const auto all = m_job.hosts;
        std::vector<uint32_t> sizes;
        for (auto n = std::min(FIRST, all); n < all;)
        {
            sizes.push_back(n);
            n += (all > MANY) ? n : STEP;
        }
        sizes.push_back(all);
        return sizes;
    }

    StudyHosts m_cluster;         // the cluster, a fabric
    Wholes m_hosts;               // numbers of hosts that take part
    std::vector<Wholes> m_placed; // hosts of each placement of the job
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeSmpStudy()
{
    return std::make_unique<SmpStudy>();
}

} // namespace ns3
