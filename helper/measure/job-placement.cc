// SPDX-License-Identifier: GPL-2.0-only

#include "job-placement.h"

#include "ns3/file-name.h"
#include "ns3/ordering.h"
#include "ns3/switch-search.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

using Wholes = std::vector<uint32_t>;

Wholes
ReadHosts(const FabricGraph& graph, const std::string& law)
{
    const bool isList = law.find(',') != std::string::npos || graph.Find(law) != FabricGraph::NONE;
    WormholeError::ThrowIf(!isList && !std::ifstream(law),
                           "'" + law + "' is no placement; expected " +
                               WordList::WithCommas(JobPlacement::GetRules()) +
                               ", names of hosts with commas between, or a file of hosts" +
                               NearestName::Hint(law, JobPlacement::GetRules()));
    std::istringstream lines(isList ? law : FileName::Read(law));
    std::vector<uint32_t> hosts;
    const auto first = graph.HostAt(0);
    const auto nHosts = graph.GetNFirstInterfaces();
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        const auto place = isList ? "" : law + ":" + std::to_string(++number) + ": ";
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line.substr(0, line.find('#')));
        for (std::string word; words >> word;)
        {
            const auto node = graph.Find(word);
            const bool isHost = node != FabricGraph::NONE && !graph.IsSwitch(node);
            const auto host = node - first;
            const bool isTwice = IsIn(hosts, host);
            if (!isHost || host >= nHosts || isTwice)
            {
                throw WormholeError(place + "'" + word +
                                    (!isHost   ? "' is no host of the fabric"
                                     : isTwice ? "' is there twice"
                                               : "' is a further interface of a host") +
                                    "; expected its " + std::to_string(nHosts) + " hosts, " +
                                    graph.GetName(first) + " to " +
                                    graph.GetName(graph.HostAt(nHosts - 1)) + ", each once");
            }
            hosts.push_back(host);
        }
    }
    WormholeError::ThrowIf(hosts.empty(), "'" + law + "' names no hosts; expected one or more");
    return hosts;
}

/// @return hosts of switches near each other, of one that has the most of them near it
std::vector<uint32_t>
FindNear(const FabricGraph& graph,
         const std::vector<std::vector<uint32_t>>& hostsAt,
         std::size_t number)
{
    std::vector<uint32_t> best;
    auto least = std::numeric_limits<uint64_t>::max();
    const SwitchAdjacency cables(graph);
    for (FabricGraph::Node start = 0; start < hostsAt.size(); ++start)
    {
        if (hostsAt[start].empty())
        {
            continue;
        }
        // Hosts without a cable are at none of the switches.
        auto near = start < graph.GetNSwitches()
                        ? cables.SearchFrom({start})
                        : SwitchAdjacency::Search{Wholes(hostsAt.size(), 0), {start}};
        const auto& distance = near.distances;
        auto& order = near.order;
        std::sort(order.begin(), order.end(), [&](auto a, auto b) {
            return std::make_tuple(distance[a], hostsAt[b].size(), a) <
                   std::make_tuple(distance[b], hostsAt[a].size(), b);
        });
        std::vector<uint32_t> hosts;
        uint64_t sum = 0;
        for (auto node = order.begin(); node != order.end() && hosts.size() < number; ++node)
        {
            const auto few = std::min(number - hosts.size(), hostsAt[*node].size());
            hosts.insert(hosts.end(), hostsAt[*node].begin(), hostsAt[*node].begin() + few);
            sum += few * distance[*node];
        }
        if (hosts.size() == number && sum < least)
        {
            least = sum;
            best = hosts;
        }
    }
    std::sort(best.begin(), best.end());
    return best;
}

} // namespace

JobPlacement::JobPlacement(const FabricGraph& graph, const Parameters& parameters)
    : m_parameters(parameters),
      m_random(CreateObject<UniformRandomVariable>())
{
    m_hostsAt.resize(graph.GetNSwitches() + 1); // the last of hosts that have no cable yet
    const auto nHosts = graph.GetNFirstInterfaces();
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        const auto node = graph.SwitchOf(graph.HostAt(host)).node;
        m_hostsAt[std::min<std::size_t>(node, graph.GetNSwitches())].push_back(host);
    }
    const auto hostsAt = m_hostsAt; // by switch
    m_hostsAt = ThoseOf(hostsAt, [](const auto& hosts) { return !hosts.empty(); });

    auto& [law, hosts, switches] = m_parameters;
    law = GetRule(law);
    const bool isNamed = !IsRule(law);
    if (isNamed)
    {
        m_fixed = ReadHosts(graph, law);
        WormholeError::ThrowIf(hosts > m_fixed.size(),
                               "placement names " + std::to_string(m_fixed.size()) +
                                   " hosts; expected " + std::to_string(hosts) + " or more");
    }
    hosts = hosts > 0 ? hosts : static_cast<uint32_t>(isNamed ? m_fixed.size() : nHosts);
    auto sizes = MadeOf(m_hostsAt, [](const auto& some) { return some.size(); });
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    const auto n = switches == 0 ? sizes.size() : std::min<std::size_t>(switches, sizes.size());
    const auto most = std::accumulate(sizes.begin(), sizes.begin() + n, std::size_t{0});
    WormholeError::ThrowIf(
        switches > sizes.size() || hosts < std::max(switches, 1U) || hosts > most,
        "a job of " + std::to_string(hosts) + " hosts" +
            (switches > 0 ? " on " + std::to_string(switches) + " switches" : "") +
            "; of this fabric, expected at most " + std::to_string(most) + " hosts on at most " +
            std::to_string(sizes.size()) + " switches, each with a host at least");
    if (law == "best")
    {
        m_fixed = FindNear(graph, hostsAt, hosts);
    }
    else if (law == "first")
    {
        m_fixed = NumbersBelow(nHosts);
    }
    m_fixed.resize(m_fixed.empty() ? 0 : hosts);
    WormholeError::ThrowIf(!m_fixed.empty() && switches > 0 && TryDraw().empty(),
                           "the " + std::string(law == "first" ? "first " : "") +
                               std::to_string(hosts) + " hosts are not on " +
                               std::to_string(switches) +
                               " switches; expected other numbers, or a random placement");
}

std::string
JobPlacement::GetRule(const std::string& law)
{
    static const std::map<std::string, std::string> earlier{{"block", "first"},
                                                            {"sorted", "random"},
                                                            {"drawn", "shuffled"}};
    const auto found = earlier.find(law);
    return found == earlier.end() ? law : found->second;
}

uint32_t
JobPlacement::CountSwitches(const FabricGraph& graph, const std::vector<uint32_t>& hosts)
{
    const auto all =
        MadeOf(hosts, [&](auto host) { return graph.SwitchOf(graph.HostAt(host)).node; });
    return static_cast<uint32_t>(std::set(all.begin(), all.end()).size());
}

std::vector<uint32_t>
JobPlacement::Draw()
{
    constexpr int DRAWS = 1000;
    for (int draw = 0; draw < DRAWS; ++draw)
    {
        if (const auto hosts = TryDraw(); !hosts.empty())
        {
            return hosts;
        }
    }
    throw WormholeError("a job of " + std::to_string(m_parameters.hosts) + " hosts on " +
                        std::to_string(m_parameters.switches) + " switches was drawn " +
                        std::to_string(DRAWS) +
                        " times, never on so many; expected fewer switches or more hosts");
}

std::vector<uint32_t>
JobPlacement::Draw(int64_t stream, uint32_t number)
{
    AssignStreams(stream);
    for (uint32_t i = 1; i < number; ++i)
    {
        Draw();
    }
    return Draw();
}

std::vector<uint32_t>
JobPlacement::TryDraw()
{
    const auto& [law, number, switches] = m_parameters;
    auto hosts = m_fixed;
    if (m_fixed.empty())
    {
        auto chosen = NumbersBelow(m_hostsAt.size());
        if (switches > 0)
        {
            Shuffle(chosen, switches);
            chosen.resize(switches);
        }
        hosts = JoinedOf(chosen, [this](uint32_t place) { return m_hostsAt[place]; });
        std::sort(hosts.begin(), hosts.end());
        if (hosts.size() < number)
        {
            return {};
        }
        Shuffle(hosts, number);
        hosts.resize(number);
    }
    if (law == "random")
    {
        std::sort(hosts.begin(), hosts.end());
    }
    if (switches == 0)
    {
        return hosts;
    }
    const auto nUsed = std::count_if(m_hostsAt.begin(), m_hostsAt.end(), [&](const auto& some) {
        return std::find_first_of(hosts.begin(), hosts.end(), some.begin(), some.end()) !=
               hosts.end();
    });
    return nUsed == switches ? hosts : std::vector<uint32_t>();
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
