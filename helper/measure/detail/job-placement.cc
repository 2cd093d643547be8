/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-placement.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3
{

JobPlacement::JobPlacement(const FabricGraph& graph, const Parameters& parameters)
    : m_parameters(parameters),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_hostsAt.resize(graph.GetNSwitches());
    for (uint32_t host = 0; host < graph.GetNFirstInterfaces(); ++host)
    {
        m_hostsAt[graph.SwitchOf(graph.HostAt(host)).node].push_back(host);
    }
    m_hostsAt.erase(std::remove_if(m_hostsAt.begin(),
                                   m_hostsAt.end(),
                                   [](const auto& hosts) { return hosts.empty(); }),
                    m_hostsAt.end());

    const auto& [law, hosts, switches] = m_parameters;
    const auto laws = GetRules();
    if (std::find(laws.begin(), laws.end(), law) == laws.end())
    {
        throw WormholeError("placement '" + law + "'; expected block, random, shuffled");
    }
    std::vector<std::size_t> sizes;
    for (const auto& some : m_hostsAt)
    {
        sizes.push_back(some.size());
    }
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    const auto n = switches == 0 ? sizes.size() : std::min<std::size_t>(switches, sizes.size());
    const auto most = std::accumulate(sizes.begin(), sizes.begin() + n, std::size_t{0});
    if (switches > sizes.size() || hosts < std::max(switches, 1U) || hosts > most)
    {
        throw WormholeError("a job of " + std::to_string(hosts) + " hosts" +
                            (switches > 0 ? " on " + std::to_string(switches) + " switches" : "") +
                            "; of this fabric, expected at most " + std::to_string(most) +
                            " hosts on at most " + std::to_string(sizes.size()) +
                            " switches, each with a host at least");
    }
    if (law == "block" && switches > 0 && TryDraw().empty())
    {
        throw WormholeError("the first " + std::to_string(hosts) + " hosts are not on " +
                            std::to_string(switches) +
                            " switches; expected other numbers, or a random placement");
    }
}

std::vector<std::string>
JobPlacement::GetRules()
{
    return {"block", "random", "shuffled"};
}

int64_t
JobPlacement::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

std::vector<uint32_t>
JobPlacement::Draw()
{
    constexpr int DRAWS = 1000;
    for (int draw = 0; draw < DRAWS; ++draw)
    {
        const auto hosts = TryDraw();
        if (!hosts.empty())
        {
            return hosts;
        }
    }
    throw WormholeError("a job of " + std::to_string(m_parameters.hosts) + " hosts on " +
                        std::to_string(m_parameters.switches) + " switches was drawn " +
                        std::to_string(DRAWS) +
                        " times and never had them; expected fewer switches or more hosts");
}

std::vector<uint32_t>
JobPlacement::TryDraw()
{
    const auto& [law, number, switches] = m_parameters;
    const bool isBlock = law == "block";
    std::vector<uint32_t> chosen(m_hostsAt.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    if (switches > 0 && !isBlock)
    {
        Shuffle(chosen, switches);
        chosen.resize(switches);
    }
    std::vector<uint32_t> hosts;
    for (const auto fabricSwitch : chosen)
    {
        const auto& some = m_hostsAt[fabricSwitch];
        hosts.insert(hosts.end(), some.begin(), some.end());
    }
    std::sort(hosts.begin(), hosts.end());
    if (hosts.size() < number)
    {
        return {};
    }
    if (!isBlock)
    {
        Shuffle(hosts, number);
    }
    hosts.resize(number);
    if (law == "random")
    {
        std::sort(hosts.begin(), hosts.end());
    }
    const auto nUsed = std::count_if(m_hostsAt.begin(), m_hostsAt.end(), [&](const auto& some) {
        return std::find_first_of(hosts.begin(), hosts.end(), some.begin(), some.end()) !=
               hosts.end();
    });
    return switches == 0 || nUsed == switches ? hosts : std::vector<uint32_t>();
}

void
JobPlacement::Shuffle(std::vector<uint32_t>& list, std::size_t few)
{
    for (std::size_t i = 0; i < few; ++i)
    {
        const auto last = static_cast<uint32_t>(list.size() - 1);
        std::swap(list[i], list[m_random->GetInteger(static_cast<uint32_t>(i), last)]);
    }
}

} // namespace ns3
