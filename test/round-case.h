// SPDX-License-Identifier: GPL-2.0-only

#ifndef ROUND_CASE_H
#define ROUND_CASE_H

// Random rounds of collectives, run with and without explanations.

#include "test-fabrics.h"

namespace ns3
{

/// A worm that is no part of the collective.
struct LoadWorm
{
    uint32_t from;  ///< sending host
    uint32_t to;    ///< receiving host
    uint64_t flits; ///< length
    int64_t time;   ///< when it is handed to the interface, ps; rounds begin after a ms
};

/// Depth of lanes' buffers, flits: whole messages fit, and worms of the load.
constexpr uint32_t LANE_DEPTH = 2048;

/// Length of messages with lanes of their own, bytes.
constexpr uint32_t SHORT_BYTES = 64;

/// Rounds of a collective, in all their particulars.
struct RoundCase
{
    std::string kind;                            ///< kind of collective
    std::string name;                            ///< algorithm
    std::string topology{};                      ///< the fabric; empty: it is drawn
    int64_t stream{1};                           ///< stream that draws the fabric
    uint32_t switches{8};                        ///< number of switches
    uint32_t hosts{12};                          ///< number of hosts
    bool isIdeal{false};                         ///< whether the network is ideal
    std::vector<uint32_t> members;               ///< hosts, by rank
    std::map<std::string, std::string> software; ///< attributes of hosts' software
    std::map<std::string, std::string> group;    ///< attributes of the group, where it has them
    std::vector<Time> arrivals;                  ///< by rank
    std::vector<LoadWorm> load;                  ///< other worms
    uint32_t rounds{1};                          ///< rounds, back to back if more than one

    /// @return whether outputs are granted to whole worms, and channels have lanes or worms choices
    bool HasLanes() const
    {
        return !topology.empty() && topology.find("in-transit") == std::string::npos;
    }

    std::string Print() const
    {
        std::ostringstream os;
        os << kind << " " << name << ", " << members.size() << " members, "
           << (isIdeal            ? "ideal"
               : topology.empty() ? "fabric"
                                  : topology)
           << ", " << load.size() << " worms of load, " << rounds << " rounds";
        for (const auto& [attribute, value] : software)
        {
            os << " " << attribute << "=" << value;
        }
        return os.str();
    }
};

/// A round, as it was and as it is explained.
struct ExplainedRound
{
    int64_t begin{0};                   ///< when the first member came
    int64_t end{0};                     ///< when the last one left
    std::vector<int64_t> entries;       ///< by rank, when it came
    LatencyIntervals intervals;         ///< the explanation
    std::vector<std::size_t> loadNamed; ///< worms of the load that are named
};

struct RoundOutcome
{
    std::vector<ExplainedRound> rounds; ///< its rounds
    std::string refusal;                ///< why there is no such group; empty: there is
};

inline Ptr<CollectiveDomain>
MakeDomain(const RoundCase& what)
{
    auto helper = WithSoftware(what.software);
    WormholeHelper fabrics;
    if (what.HasLanes())
    {
        // Every other time, short messages have lanes of their own.
        const auto bytes = std::to_string(what.stream % 2 * SHORT_BYTES);
        fabrics = WithFabric({{"Grant", "worm"}, {"MaxPriorityMessageBytes", bytes}}, LANE_DEPTH);
    }
    const auto graph = what.topology.empty() ? DrawFabric(what.switches, what.hosts, what.stream)
                                             : MakeTopology(what.topology).graph;
    auto domain = what.isIdeal ? helper.InstallIdeal(what.hosts, NanoSeconds(1700))
                               : InstallDomain(graph, helper, fabrics);
    CollectiveHelper::AssignStreams(domain, 50);
    return domain;
}

inline std::vector<Ptr<Worm>>
SendLoad(const Ptr<WormholeFabric>& fabric, const std::vector<LoadWorm>& load)
{
    std::vector<Ptr<Worm>> worms;
    for (const auto& [from, to, flits, time] : load)
    {
        const auto start = PicoSeconds(time);
        const auto route = fabric->GetRouter()->GetRoute(from, to);
        worms.push_back(Create<TrafficWorm>(from, to, start, flits, route));
        fabric->GetHost(from)->SendWormLater(worms.back(), start);
    }
    return worms;
}

inline Ptr<Collective>
MakeCollective(const RoundCase& what)
{
    auto collective = CollectiveHelper::MakeCollective(what.kind, what.name);
    for (const auto& [attribute, value] : what.group)
    {
        collective->SetAttributeFailSafe(attribute, StringValue(value));
    }
    return collective;
}

inline RoundOutcome
RunRounds(const RoundCase& what, bool isExplained)
{
    StartAnew();
    RoundOutcome outcome;
    const auto domain = MakeDomain(what);
    std::vector<std::vector<int64_t>> entries(what.members.size()); // by rank and round
    std::vector<std::vector<int64_t>> leaves(what.members.size());  // by rank and round
    Ptr<Collective> collective;
    std::unique_ptr<CollectiveBench> bench;
    outcome.refusal = ErrorOf([&] {
        collective = MakeCollective(what);
        bench = std::make_unique<CollectiveBench>(collective, domain, what.members);
    });
    if (!bench)
    {
        return outcome;
    }
    Listen(collective, "Enter", [&](uint32_t rank, uint64_t) {
        entries[rank].push_back(Simulator::Now().GetTimeStep());
    });
    Listen(collective, "Leave", [&](uint32_t rank, uint64_t) {
        leaves[rank].push_back(Simulator::Now().GetTimeStep());
    });
    std::optional<RoundExplainer> explainer;
    if (isExplained)
    {
        explainer.emplace(domain);
    }
    const auto load = SendLoad(domain->GetFabric(), what.load);
    if (what.rounds == 1)
    {
        bench->Cross(what.arrivals, {});
    }
    else
    {
        bench->CrossInLoop(0, what.rounds);
    }
    for (uint32_t round = 0; round < what.rounds; ++round)
    {
        outcome.rounds.emplace_back();
        auto& its = outcome.rounds.back();
        for (std::size_t rank = 0; rank < entries.size(); ++rank)
        {
            its.entries.push_back(entries[rank][round]);
            its.end = std::max(its.end, leaves[rank][round]);
        }
        its.begin = *std::min_element(its.entries.begin(), its.entries.end());
        if (explainer)
        {
            its.intervals = explainer->Explain(*collective, round + 1);
            for (const auto& interval : its.intervals)
            {
                const auto found = std::find(load.begin(), load.end(), interval.other);
                if (interval.other && found != load.end())
                {
                    its.loadNamed.push_back(static_cast<std::size_t>(found - load.begin()));
                }
            }
        }
    }
    return outcome;
}

class CaseDraw
{
  public:
    explicit CaseDraw(int64_t stream)
        : m_random(MakeRandom(stream))
    {
    }

    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    std::string Pick(const std::vector<std::string>& values)
    {
        return values[Draw(0, static_cast<uint32_t>(values.size()) - 1)];
    }

    /// @return a value of each attribute, but for those that come out empty
    std::map<std::string, std::string> PickAttributes(
        const std::map<std::string, std::vector<std::string>>& choices)
    {
        std::map<std::string, std::string> picked;
        for (const auto& [attribute, values] : choices)
        {
            const auto value = Pick(values);
            if (!value.empty())
            {
                picked[attribute] = value;
            }
        }
        return picked;
    }

    /// @param more choices besides those that all cases have
    std::map<std::string, std::string> PickSoftware(
        std::map<std::string, std::vector<std::string>> more)
    {
        more.insert({{"TransferTime", {"0ns", "411ns"}},
                     {"MatchingTime", {"0ns", "97ns"}},
                     {"DescriptorTime", {"0ns", "211ns"}},
                     {"UnexpectedTime", {"0ns", "1301ns"}},
                     {"PostTime", {"0ns", "89ns"}},
                     {"PollTime", {"0ns", "61ns"}},
                     {"PollInterval", {"0ns", "700ns"}},
                     {"FlagTime", {"0ns", "123ns"}},
                     {"SendDataRate", {"0bps", "1Gbps"}},
                     {"CopyDataRate", {"0bps", "3Gbps"}},
                     {"SendJitter", {"", "ns3::UniformRandomVariable[Max=1e-7]"}}});
        return PickAttributes(more);
    }

    /// @return worms, but for those to their own host @param n how many @param flits longest
    /// @param latest time at most, ps, after `from`
    std::vector<LoadWorm> DrawLoad(uint32_t n,
                                   uint32_t hosts,
                                   uint32_t flits,
                                   uint32_t latest,
                                   int64_t from)
    {
        std::vector<LoadWorm> load;
        for (; n > 0; --n)
        {
            LoadWorm worm{Draw(0, hosts - 1), Draw(0, hosts - 1), Draw(1, flits), from};
            worm.time += Draw(0, latest);
            if (worm.from != worm.to)
            {
                load.push_back(worm);
            }
        }
        return load;
    }

    BackgroundTraffic::Parameters PickTraffic()
    {
        BackgroundTraffic::Parameters traffic;
        traffic.load = std::stod(Pick({"0.02", "0.08", "0.2"}));
        traffic.pattern = Pick({"uniform", "uniform", "permutation", "hotspot", "nearest-switch"});
        traffic.flits = Pick({"16", "64", "300"});
        return traffic;
    }

  protected:
    const Ptr<UniformRandomVariable>& GetRandom() const
    {
        return m_random;
    }

  private:
    Ptr<UniformRandomVariable> m_random; ///< random numbers
};

class RoundDraw : public CaseDraw
{
  public:
    using CaseDraw::CaseDraw;

    RoundCase Make(const std::string& kind, const std::string& name)
    {
        RoundCase made;
        made.kind = kind;
        made.name = name;
        made.stream = Draw(1, 1000);
        made.switches = Draw(8, 12);
        made.hosts = Draw(12, 24);
        made.isIdeal = Draw(0, 6) == 0;
        DrawMembers(made);
        made.software = PickSoftware({
            {"StartUp", {"0ns", "5us", "731ns"}},
            {"SendOverhead", {"0ns", "1us", "313ns"}},
            {"ReceiveOverhead", {"0ns", "2us", "517ns"}},
            {"InterfaceSendTime", {"0ns", "0ns", "901ns"}},
            {"InterfaceReceiveTime", {"0ns", "0ns", "607ns"}},
            {"MessageGap", {"0ns", "0ns", "1009ns"}},
            {"ReceiveDataRate", {"0bps", "2Gbps"}},
            {"CombineDataRate", {"0bps", "1Gbps"}},
            {"EagerLimit", {"4294967295", "4294967295", "64", "0"}},
            {"MaxPacketBytes", {"0", "0", "48"}},
            {"MaxConcurrentSends", {"1", "1", "2"}},
            {"ReceiveJitter", {"", "ns3::UniformRandomVariable[Max=1e-7]"}},
        });
        made.group["Bytes"] = std::to_string(8 * Draw(1, 40));
        made.group["SegmentBytes"] = Pick({"0", "64"});
        made.group["Transport"] = Pick({"sendrecv", "sendrecv", "rdma"});
        made.group["WithinHost"] = Pick({"flags", "flags", "memory", "interface"});
        made.rounds = Draw(0, 3) == 0 ? 3 : 1;
        const auto latest = Draw(0, 1) ? 40'000'000 : 3'000'000;
        made.arrivals = MadeOfNumbers(made.members.size(),
                                      [&](uint32_t) { return PicoSeconds(Draw(0, latest)); });
        const auto nWorms = made.isIdeal || Draw(0, 1) ? 0 : Draw(5, 60);
        made.load = DrawLoad(nWorms, made.hosts, 2000, 60'000'000, 1'000'000'000);
        return made;
    }

  private:
    void DrawMembers(RoundCase& made)
    {
        std::set<uint32_t> chosen;
        const auto n = std::min(Draw(2, 16), made.hosts);
        while (chosen.size() < n)
        {
            chosen.insert(Draw(0, made.hosts - 1));
        }
        const auto tasks = Draw(0, 2) == 0 ? Draw(2, 3) : 1;
        for (const auto host : chosen)
        {
            made.members.insert(made.members.end(), tasks, host);
        }
        Shuffle(made.members, *GetRandom());
    }
};

} // namespace ns3

#endif /* ROUND_CASE_H */
