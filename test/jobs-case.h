// SPDX-License-Identifier: GPL-2.0-only

#ifndef JOBS_CASE_H
#define JOBS_CASE_H

// Random jobs that follow GOAL schedules, run with and without explanations and traffic.

#include "round-case.h"

namespace ns3
{

/// @return a random schedule whose ranks go in the same order of messages, so that it ends
inline GoalSchedule
DrawGoal(Ptr<UniformRandomVariable> rng, uint32_t ranks, uint32_t messages)
{
    GoalSchedule schedule(ranks);
    std::vector<std::vector<uint32_t>> last(ranks); // operations that the next may wait for
    const auto add = [&](uint32_t rank, const GoalSchedule::Operation& operation) {
        const auto index = schedule.Add(rank, operation);
        if (!last[rank].empty() && rng->GetInteger(0, 3) > 0)
        {
            const auto before =
                last[rank][rng->GetInteger(0, static_cast<uint32_t>(last[rank].size()) - 1)];
            const bool isOnStart = rng->GetInteger(0, 3) == 0;
            schedule.At(rank).dependencies.push_back({before, index, isOnStart});
        }
        last[rank].push_back(index);
    };
    for (uint32_t i = 0; i < messages; ++i)
    {
        const auto from = rng->GetInteger(0, ranks - 1);
        const auto to = (from + rng->GetInteger(1, ranks - 1)) % ranks;
        const auto bytes = rng->GetInteger(0, 5) == 0 ? 70000 : rng->GetInteger(0, 3000);
        const auto tag = rng->GetInteger(0, 2);
        const auto cpu = static_cast<uint8_t>(rng->GetInteger(0, 1));
        const auto nic = static_cast<uint8_t>(rng->GetInteger(0, 1));
        add(from, {bytes, to, tag, cpu, nic, GoalSchedule::SEND});
        add(to, {bytes, from, tag, cpu, nic, GoalSchedule::RECEIVE});
        if (rng->GetInteger(0, 1))
        {
            add(to, {rng->GetInteger(0, 5000), 0, 0, cpu, 0, GoalSchedule::CALC});
        }
    }
    return schedule;
}

/// @return whether an error says that a schedule does not end, as of random ones some do not
inline bool
IsEndless(const std::string& error)
{
    return error.find("waits for ever") < error.size() ||
           error.find("is never received") < error.size();
}

/// Jobs over a fabric or an ideal network, with hosts' costs.
struct JobsCase
{
    std::string topology; ///< text of a family; empty: ideal
    bool hasLanes{false}; ///< whether whole worms are granted
    uint32_t depth{0};    ///< of buffers, flits; 0: as much as covers the round trip
    uint32_t nHosts{0};   ///< number of hosts
    std::vector<std::shared_ptr<const GoalSchedule>> jobs; ///< what they do
    std::vector<std::vector<uint32_t>> hosts;              ///< by job and rank
    std::string transport{"sendrecv"};                     ///< how messages are exchanged
    std::map<std::string, std::string> software;           ///< attributes
    std::vector<LoadWorm> load;            ///< traffic, from the simulation's beginning on
    Time start;                            ///< when jobs begin
    BackgroundTraffic::Parameters traffic; ///< what they are run again beside
    uint32_t rounds{0};                    ///< how often they are
};

struct JobsOutcome
{
    std::vector<std::vector<Time>> ends;                ///< by job and rank
    std::vector<LatencyIntervals> paths;                ///< by job
    std::vector<LatencyReport::Row> rows;               ///< of all jobs
    std::vector<std::vector<std::vector<Time>>> rounds; ///< by job, round and rank
    std::vector<std::vector<LatencyIntervals>> beside;  ///< paths by job and round
    std::string refusal;                                ///< why it did not end
};

/// @return what became of jobs @param isExplained whether they are recorded @param observe is shown
/// the fabric before anything happens; may be empty
inline JobsOutcome
RunJobs(const JobsCase& what,
        bool isExplained,
        const std::function<void(Ptr<WormholeFabric>)>& observe = {})
{
    StartAnew();
    auto helper = WithSoftware(what.software);
    Ptr<CollectiveDomain> domain;
    if (what.topology.empty())
    {
        domain = helper.InstallIdeal(what.nHosts, NanoSeconds(1700));
    }
    else
    {
        const auto fabrics = WithFabric({{"Grant", what.hasLanes ? "worm" : "flit"}}, what.depth);
        domain = InstallDomain(MakeTopology(what.topology).graph, helper, fabrics);
    }
    CollectiveHelper::AssignStreams(domain, 50);
    JobsOutcome outcome;
    GoalBench bench(domain);
    for (std::size_t job = 0; job < what.jobs.size(); ++job)
    {
        bench.Add(what.jobs[job], what.hosts[job], what.transport);
    }
    if (isExplained)
    {
        bench.Record();
    }
    const auto fabric = domain->GetFabric();
    if (observe)
    {
        observe(fabric);
    }
    SendLoad(fabric, what.load);
    if (what.start.IsStrictlyPositive())
    {
        RunFor(what.start);
    }
    outcome.refusal = ErrorOf([&] {
        bench.Run();
        if (what.rounds > 0)
        {
            bench.RunUnderTraffic(what.traffic, what.rounds);
        }
    });
    for (uint32_t job = 0; outcome.refusal.empty() && job < what.jobs.size(); ++job)
    {
        outcome.ends.push_back(bench.GetFinishTimes(job));
        outcome.rounds.push_back(bench.GetRounds(job));
        if (isExplained)
        {
            outcome.paths.push_back(bench.Explain(job));
            outcome.beside.push_back(bench.ExplainUnderTraffic(job));
            const auto rows = LatencyReport(outcome.paths.back(), [&](const Worm& worm) {
                                  return bench.Describe(worm);
                              }).GetRows();
            outcome.rows.insert(outcome.rows.end(), rows.begin(), rows.end());
        }
    }
    return outcome;
}

/// @return what is wrong with an explanation of a job, from 0 until its last rank ends, or nothing
inline std::string
FindFault(const LatencyIntervals& path, const std::vector<Time>& ends)
{
    return FindFault(path, 0, Greatest(ends).GetTimeStep());
}

class JobsDraw : public CaseDraw
{
  public:
    using CaseDraw::CaseDraw;

    /// @param topologies texts of fabrics, or empty for an ideal network
    JobsCase Make(const std::vector<std::string>& topologies)
    {
        JobsCase what;
        what.nHosts = 8;
        what.topology = Pick(topologies);
        what.transport = Pick({"sendrecv", "sendrecv", "rdma"});
        const auto nJobs = Draw(1, 3);
        for (uint32_t job = 0; job < nJobs; ++job)
        {
            const auto ranks = Draw(2, 9);
            what.jobs.push_back(
                std::make_shared<GoalSchedule>(DrawGoal(GetRandom(), ranks, Draw(1, 4 * ranks))));
            what.hosts.push_back(
                MadeOfNumbers(ranks, [&](uint32_t) { return Draw(0, what.nHosts - 1); }));
        }
        what.software = PickSoftware({
            {"StartUp", {"0ns", "731ns"}},
            {"SendOverhead", {"0ns", "313ns"}},
            {"ReceiveOverhead", {"0ns", "517ns"}},
            {"InterfaceSendTime", {"0ns", "901ns"}},
            {"InterfaceReceiveTime", {"0ns", "607ns"}},
            {"MessageGap", {"0ns", "1009ns"}},
            {"EagerLimit", {"4294967295", "4294967295", "1000"}},
            {"MaxPacketBytes", {"0", "1500"}},
        });
        return what;
    }

    /// @return a case on a fabric, which may have lanes, or hosts that pass worms on
    JobsCase MakeOnFabric()
    {
        auto what = Make(Words("mesh:2,hosts=4 torus:2x2,hosts=2 mesh:4,hosts=2 "
                               "irregular:switches=8,hosts=16 "
                               "irregular:switches=8,hosts=16,routing=nue[Lanes=2] "
                               "irregular:switches=8,hosts=16,routing=in-transit "
                               "torus:4x4,routing=adaptive"));
        what.hasLanes = what.topology.find("routing=") != std::string::npos &&
                        what.topology.find("in-transit") == std::string::npos;
        if (what.hasLanes)
        {
            what.depth = LANE_DEPTH;
            what.software["MaxPacketBytes"] = "1500"; // so that they fit the lanes
        }
        return what;
    }
};

} // namespace ns3

#endif /* JOBS_CASE_H */
