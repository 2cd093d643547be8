// SPDX-License-Identifier: GPL-2.0-only

#include "channel-bound.h"

#include "ns3/graph-walk.h"
#include "ns3/object-factory.h"
#include "ns3/switch-channels.h"
#include "ns3/wormhole-route-spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_PAIRS = 1 << 22;    ///< of hosts, each looked at, whatever the pattern
constexpr uint64_t MAX_ROUTES = 1 << 24;   ///< made for an exact bound under uniform traffic
constexpr uint64_t DRAWN_ROUTES = 1 << 22; ///< for an estimate, in two halves
/// Routes drawn of one destination, so that what routers keep of it is used again.
constexpr uint64_t DRAWN_TOGETHER = 256;
/// Switches with hosts times channels that are looked at for GetEqualSplitBound.
constexpr uint64_t MAX_SPLITS = uint64_t{1} << 32;

class LoadCount
{
  public:
    LoadCount(const FabricGraph& graph, WormholeRouter& router)
        : m_graph(graph),
          m_router(router),
          m_first(FindFirstPorts(graph)),
          m_times(FindChannelTimes(graph))
    {
        loads.assign(m_first.back(), 0);
    }

    void AddPair(uint32_t from, uint32_t to, double share, std::vector<double>& into)
    {
        const auto route = m_router.GetRoute(from, to);
        auto node = m_graph.HostAt(from);
        uint32_t channels = 0;
        for (auto choices = route->At(0); choices.size() > 0;)
        {
            const auto branch = choices[0];
            for (const auto choice : choices)
            {
                m_figures.hasChoices |= choice.port != branch.port;
            }
            auto& load = into[m_first[node] + branch.port];
            load += share * TimeOf(node, branch.port) / TimeOf(m_graph.HostAt(from), 0);
            Note({node, branch.port}, load);
            ++channels;
            node = m_graph.Peer(node, branch.port).node;
            choices = route->At(branch.next);
        }
        m_shares += share;
        m_channels += share * channels;
        m_figures.longest = std::max(m_figures.longest, channels);
    }

    /// Adds what all send to all others alike, by source switch and destination host.
    bool AddBySwitch()
    {
        const auto* known = dynamic_cast<const DestinationLoads*>(&m_router);
        if (!known || !known->AreBySwitch())
        {
            return false;
        }
        const auto nHosts = m_graph.GetNHosts();
        std::vector<double> counts(m_graph.GetNSwitches(), 0); // hosts, by switch
        std::vector<double> rates(m_graph.GetNSwitches(), 0);  // what they send
        std::map<FabricGraph::Node, uint32_t> senders;         // the first host of each switch
        double all = 0;
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            const auto node = m_graph.SwitchOf(m_graph.HostAt(host)).node;
            senders.emplace(node, host);
            counts[node] += 1;
            rates[node] += 1 / TimeOf(m_graph.HostAt(host), 0);
            all += 1 / TimeOf(m_graph.HostAt(host), 0);
        }
        const double share = 1.0 / (nHosts - 1);
        DestinationLoads::Loads sent{loads, 0};
        DestinationLoads::Loads passed{m_times.empty() ? std::vector<double>() : loads, 0};
        for (uint32_t to = 0; to < nHosts; ++to)
        {
            const auto end = m_graph.SwitchOf(m_graph.HostAt(to));
            const auto keep = std::pair(counts[end.node], rates[end.node]);
            counts[end.node] = rates[end.node] = 0; // passes no channel between switches
            if (!known->AddLoads(to, rates, sent))
            {
                if (senders.size() * nHosts > MAX_ROUTES)
                {
                    return false;
                }
                for (const auto& [from, sender] : senders)
                {
                    if (from == end.node)
                    {
                        continue;
                    }
                    const auto route = m_router.GetPath(sender, to);
                    auto node = from;
                    uint32_t channels = 0;
                    for (WormRoute::Stop stop = (*route->At(0).begin()).next;
                         m_graph.IsSwitch(node);)
                    {
                        const auto branch = *route->At(stop).begin();
                        const auto far = m_graph.Peer(node, branch.port).node;
                        if (m_graph.IsSwitch(far))
                        {
                            ++channels;
                            sent.channels[m_first[node] + branch.port] += rates[from];
                            if (!m_times.empty())
                            {
                                passed.channels[m_first[node] + branch.port] += counts[from];
                            }
                        }
                        node = far;
                        stop = branch.next;
                    }
                    sent.longest = std::max(sent.longest, channels);
                }
            }
            else if (!m_times.empty())
            {
                known->AddLoads(to, counts, passed);
            }
            counts[end.node] = keep.first;
            rates[end.node] = keep.second;
            sent.channels[m_first[end.node] + end.port] +=
                all - 1 / TimeOf(m_graph.HostAt(to), 0); // the last channel
        }
        ForEachEnd(m_graph, [&](FabricGraph::End end, FabricGraph::End far) {
            const auto place = m_first[end.node] + end.port;
            if (m_graph.IsSwitch(far.node))
            {
                m_channels += (m_times.empty() ? sent : passed).channels[place] * share;
            }
            Note(end, sent.channels[place] * share * TimeOf(end.node, end.port));
        });
        m_shares += nHosts;
        m_channels += 2.0 * nHosts; // of the hosts
        m_figures.longest = sent.longest + 2;
        return true;
    }

    /// Adds a sample of pairs under uniform traffic, and estimates the bound.
    void Estimate()
    {
        std::mt19937_64 random(1);
        const uint64_t nHosts = m_graph.GetNHosts();
        const auto nRoutes = std::min(DRAWN_ROUTES, nHosts << 14);
        const auto groups = nRoutes / DRAWN_TOGETHER;
        const auto share = static_cast<double>(nHosts) / (nRoutes / 2.0); // that a route stands for
        std::vector<double> halves[2]{loads, loads};
        for (uint64_t group = 0; group < groups; ++group)
        {
            // Destinations are spread evenly, senders are drawn.
            const auto to = static_cast<uint32_t>(group * nHosts / groups);
            for (uint64_t i = 0; i < DRAWN_TOGETHER; ++i)
            {
                const auto from = static_cast<uint32_t>(random() % (nHosts - 1));
                AddPair(from + (from >= to), to, share, halves[i % 2]);
            }
        }
        const auto between = [&](auto visit) {
            ForEachEnd(m_graph, [&](FabricGraph::End end, FabricGraph::End far) {
                if (m_graph.IsSwitch(end.node) && m_graph.IsSwitch(far.node))
                {
                    visit(end, m_first[end.node] + end.port);
                }
            });
        };
        m_most = 0;
        between([&](const FabricGraph::End& channel, std::size_t place) {
            Note(channel, halves[0][place]);
        });
        // Those that chance may have kept from being the busiest in this half.
        const auto limit = m_most - 3 * std::sqrt(m_most * share);
        double sum = 0;
        uint32_t count = 0;
        between([&](const FabricGraph::End&, std::size_t place) {
            if (halves[0][place] > 0 && halves[0][place] >= limit)
            {
                sum += halves[1][place];
                ++count;
            }
        });
        const auto load = count > 0 ? sum / count : 0;
        m_most = std::max(1.0, load);
        m_busiest = load > 1 ? m_busiest : FabricGraph::End();
        m_figures.isEstimate = true;
        m_figures.error = load > 0 ? 1.96 * std::sqrt(share / load) : 0;
    }

    ChannelBound::Figures Finish()
    {
        m_figures.bound = 1 / m_most;
        m_figures.meanChannels = m_channels / std::max(m_shares, 1e-300);
        if (m_busiest.node != FabricGraph::NONE)
        {
            m_figures.busiest = m_graph.GetName(m_busiest.node) + ":" +
                                std::to_string(m_busiest.port) + " to " +
                                m_graph.GetName(m_graph.Peer(m_busiest.node, m_busiest.port).node);
        }
        return m_figures;
    }

    std::vector<double> loads; ///< of all channels, by node and port

  private:
    double TimeOf(FabricGraph::Node node, FabricGraph::Port port) const
    {
        return m_times.empty() ? 1 : m_times[m_first[node] + port];
    }

    void Note(FabricGraph::End channel, double load)
    {
        if (load > m_most)
        {
            m_most = load;
            m_busiest = m_graph.IsSwitch(channel.node) ? channel : m_busiest;
        }
    }

    const FabricGraph& m_graph;       ///< the fabric
    WormholeRouter& m_router;         ///< its routes
    std::vector<std::size_t> m_first; ///< place of each node's first port
    std::vector<double> m_times;      ///< of a bit, by place; empty: all alike
    double m_shares{0};               ///< of all pairs that were added
    double m_channels{0};             ///< shares times channels
    ChannelBound::Figures m_figures;  ///< what was found so far
    double m_most{1};                 ///< greatest load; 1: that of a host that sends
    FabricGraph::End m_busiest;       ///< channel that has it, if that is another one
};

} // namespace

ChannelBound::Figures
ChannelBound::Measure(const FabricGraph& graph,
                      WormholeRouter& router,
                      const TrafficPattern& pattern)
{
    LoadCount count(graph, router);
    const uint64_t nHosts = graph.GetNHosts();
    const bool isUniform = pattern.GetInstanceTypeId().GetName() == "ns3::UniformPattern";
    if (isUniform && nHosts * nHosts > MAX_PAIRS)
    {
        if (count.AddBySwitch())
        {
            return count.Finish();
        }
        if (nHosts * nHosts > MAX_ROUTES)
        {
            count.Estimate();
            return count.Finish();
        }
    }
    uint64_t nPairs = 0;
    for (uint32_t source = 0; source < nHosts && nPairs == 0; ++source)
    {
        nPairs = pattern.IsSilent(source) ? 0 : nHosts * pattern.GetShares(source).size();
    }
    const auto stride = static_cast<uint32_t>(nPairs / (isUniform ? MAX_ROUTES : MAX_PAIRS) + 1);
    for (uint32_t source = 0; source < nHosts; source += stride)
    {
        if (!pattern.IsSilent(source))
        {
            for (const auto& [destination, share] : pattern.GetShares(source))
            {
                count.AddPair(source, destination, share * stride, count.loads);
            }
        }
        if (isUniform && router.AreByWorm()) // one route of each pair says little
        {
            LoadCount drawn(graph, router);
            drawn.Estimate();
            return drawn.Finish();
        }
    }
    auto figures = count.Finish();
    figures.isEstimate = stride > 1 || router.AreByWorm();
    return figures;
}

ChannelBound::Figures
ChannelBound::MeasureUniform(const FabricGraph& graph, WormholeRouter& router)
{
    auto pattern = ObjectFactory("ns3::UniformPattern").Create<TrafficPattern>();
    pattern->Prepare(graph);
    return Measure(graph, router, *pattern);
}

double
GetEqualSplitBound(const FabricGraph& graph)
{
    using Node = FabricGraph::Node;
    const SwitchChannels channels(graph);
    const HostAttachment hosts(graph);
    const auto nSwitches = graph.GetNSwitches();
    const auto first = FindFirstPorts(graph);
    const auto times = FindChannelTimes(graph);
    const auto timeOf = [&](Node node, FabricGraph::Port port) {
        return times.empty() ? 1 : times[first[node] + port];
    };
    std::vector<double> senders(nSwitches, 0); // what hosts send in a unit of time, by switch
    double all = 0;
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto sent = 1 / timeOf(graph.HostAt(host), 0);
        senders[hosts.SwitchOf(host)] += sent;
        all += sent;
    }
    const auto ends = hosts.FindSwitches();
    if (ends.size() * channels.GetNChannels() > MAX_SPLITS)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double nOthers = graph.GetNHosts() - 1.0;
    std::vector<double> loads(channels.GetNChannels(), 0);
    std::vector<double> counts(nSwitches); // of shortest paths
    for (const auto to : ends)
    {
        const auto [distances, order] = channels.SearchFrom({to});
        auto passing = senders;
        counts.assign(nSwitches, 0);
        counts[to] = 1;
        for (const auto node : order)
        {
            for (const auto& link : channels.Of(node))
            {
                counts[link.to] += distances[link.to] == distances[node] + 1 ? counts[node] : 0;
            }
        }
        for (auto at = order.rbegin(); *at != to; ++at)
        {
            if (passing[*at] == 0)
            {
                continue;
            }
            for (auto out = channels.First(*at); out < channels.First(*at + 1); ++out)
            {
                const auto far = channels.To(out);
                if (distances[far] + 1 == distances[*at])
                {
                    const auto part = passing[*at] * counts[far] / counts[*at];
                    passing[far] += part;
                    loads[out] += part * hosts.CountAt(to);
                }
            }
        }
    }
    double most = 1; // of the channel of a host that sends
    for (uint32_t channel = 0; channel < loads.size(); ++channel)
    {
        const auto time = timeOf(channels.From(channel), channels.PortOf(channel));
        most = std::max(most, loads[channel] * time / nOthers);
    }
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto end = graph.SwitchOf(graph.HostAt(host));
        const auto sent = all - 1 / timeOf(graph.HostAt(host), 0);
        most = std::max(most, sent * timeOf(end.node, end.port) / nOthers);
    }
    return 1 / most;
}

} // namespace ns3
