// SPDX-License-Identifier: GPL-2.0-only

#ifndef IDEAL_DATA_RUN_H
#define IDEAL_DATA_RUN_H

#include "test-fabrics.h"

namespace ns3
{

/// What messages cost, in ns and ns a byte.
struct IdealCosts
{
    double s;       ///< a send keeps its process busy
    double g;       ///< more for each byte
    double r;       ///< taking a message keeps its process busy
    double h;       ///< more for each byte
    double c;       ///< combining, for each byte
    double latency; ///< of the network
    double flag{0}; ///< a flag at either end
    double copy{0}; ///< more for each byte, within a host

    double Send(double bytes) const
    {
        return s + g * bytes;
    }

    double Take(double bytes) const
    {
        return r + h * bytes;
    }

    double Combine(double bytes) const
    {
        return c * bytes;
    }

    double Hop(double bytes) const
    {
        return Send(bytes) + latency + Take(bytes);
    }

    double Alpha() const
    {
        return Hop(0);
    }

    double Beta() const
    {
        return g + h;
    }

    double Flag(double bytes) const
    {
        return flag + copy * bytes;
    }
};

struct IdealResult
{
    double time;           ///< until the last member left, ns
    uint64_t nMessages{0}; ///< messages that were sent
    uint64_t bytes{0};     ///< their length together
    uint64_t most{0};      ///< bytes that the member sends that sends most
    double plain{0}; ///< when the last member leaves, by a plain evaluation of its schedules, ns
};

/// @return when the last member leaves, ns
inline double
Evaluate(const LinkedSchedules& schedules, const IdealCosts& costs)
{
    const auto n = schedules.GetNMembers();
    auto next = MadeOf(MakeRange(n), [&](uint32_t rank) { return schedules.GetFirst(rank); });
    std::vector<double> time(n, 0);
    std::map<uint32_t, double> arrivals; // of receives, by step
    for (bool goesOn = true; goesOn;)
    {
        goesOn = false;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const auto end = schedules.GetFirst(rank + 1);
            while (next[rank] < end)
            {
                const auto& step = schedules.At(next[rank]);
                const auto bytes = static_cast<double>(step.bytes);
                auto behind = next[rank] + 1;
                if (step.IsSend())
                {
                    time[rank] += costs.Send(bytes);
                    arrivals[schedules.GetFirst(step.peer) + step.slot] =
                        time[rank] + costs.latency;
                }
                else if (step.kind == ScheduleStep::MERGE)
                {
                    time[rank] += costs.Combine(bytes);
                }
                else if (step.IsReceive())
                {
                    std::vector<std::pair<double, uint32_t>> group;
                    for (behind = next[rank]; behind < end && schedules.At(behind).IsReceive();
                         ++behind)
                    {
                        const auto found = arrivals.find(behind);
                        if (found != arrivals.end())
                        {
                            group.emplace_back(found->second, behind);
                        }
                    }
                    if (group.size() < behind - next[rank])
                    {
                        break;
                    }
                    std::sort(group.begin(), group.end());
                    for (const auto& [arrival, index] : group)
                    {
                        const auto& receive = schedules.At(index);
                        const auto length = static_cast<double>(receive.bytes);
                        const bool isCombined = receive.kind == ScheduleStep::COMBINE;
                        time[rank] = std::max(time[rank], arrival) + costs.Take(length) +
                                     (isCombined ? costs.Combine(length) : 0);
                    }
                }
                next[rank] = behind;
                goesOn = true;
            }
        }
    }
    return Greatest(time);
}

/// @return what a collective does on an ideal network @param name its name, without brackets or
/// with @param bytes of the vector or a part @param tasks members of a host
inline IdealResult
RunIdeal(const std::string& kind,
         const std::string& name,
         uint32_t members,
         uint64_t bytes,
         uint64_t segment,
         const IdealCosts& costs,
         uint32_t tasks = 1)
{
    StartAnew();
    const auto time = [](double ns) { return std::to_string(ns) + "ns"; };
    const auto rate = [](double nsPerByte) {
        return std::to_string(nsPerByte == 0 ? 0 : std::llround(8e9 / nsPerByte)) + "bps";
    };
    auto helper = WithSoftware({{"StartUp", time(costs.s / 2)},
                                {"SendOverhead", time(costs.s / 2)},
                                {"ReceiveOverhead", time(costs.r)},
                                {"SendDataRate", rate(costs.g)},
                                {"ReceiveDataRate", rate(costs.h)},
                                {"CombineDataRate", rate(costs.c)},
                                {"FlagTime", time(costs.flag)},
                                {"CopyDataRate", rate(tasks > 1 ? costs.copy : 0)}});
    auto domain =
        helper.InstallIdeal(members / tasks, PicoSeconds(std::llround(costs.latency * 1000)));
    auto collective = CollectiveHelper::MakeData(kind, name);
    collective->SetAttribute("Bytes", UintegerValue(bytes));
    collective->SetAttribute("SegmentBytes", UintegerValue(segment));
    IdealResult result{-1};
    Listen(collective, "Leave", [&](uint32_t, uint64_t) {
        result.time = static_cast<double>(Simulator::Now().GetPicoSeconds()) / 1000;
    });
    const auto hosts = TasksOf(members / tasks, tasks);
    collective->Create(domain, hosts);
    EnterAll(*collective);
    Simulator::Run();

    auto request = MakeDataRequest(collective->GetKind(), members, 0);
    request.hosts = hosts;
    request.parts = collective->GetParts();
    request.segmentBytes = segment;
    request.s = NanoSeconds(std::llround(costs.Send(static_cast<double>(bytes))));
    request.r = NanoSeconds(std::llround(costs.latency + costs.Take(static_cast<double>(bytes))));
    const auto made = dynamic_cast<const ScheduleMaker&>(*collective).MakeGroupSchedules(request);
    const LinkedSchedules schedules(made.members, made.layout);
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        uint64_t sent = 0;
        for (auto index = schedules.GetFirst(rank); index < schedules.GetFirst(rank + 1); ++index)
        {
            const auto& step = schedules.At(index);
            result.nMessages += step.IsSend();
            sent += step.IsSend() ? step.bytes : 0;
        }
        result.bytes += sent;
        result.most = std::max(result.most, sent);
    }
    result.plain = tasks > 1 ? 0 : Evaluate(schedules, costs);
    collective->Dispose();
    domain->Dispose();
    return result;
}

} // namespace ns3

#endif /* IDEAL_DATA_RUN_H */
