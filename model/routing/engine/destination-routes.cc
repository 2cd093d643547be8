// SPDX-License-Identifier: GPL-2.0-only

#include "destination-routes.h"

#include "up-down-order.h"

#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// Bytes that columns take at most; with more hosts, some of a switch share them.
constexpr std::size_t MAX_COLUMN_BYTES = std::size_t{1} << 30;

/// Channels times hosts up to which costs are found for each host, not for several of a switch.
constexpr uint64_t MAX_FINE = uint64_t{1} << 30;

/// Hosts of a switch for which they are found once, beyond that. With all of a switch at once the
/// same channels look cheap to all: a tree of 65,536 hosts has 0.81 of an equal split, with 2 at
/// once 0.93.
constexpr uint32_t HOSTS_PER_COST = 2;

constexpr uint64_t MAX_ROUNDS_WORK = uint64_t{1} << 22; ///< switches times hosts

constexpr uint32_t MAX_ROUNDS = 6;

/// Equally good channels that are looked at where there are more; and on large fabrics.
constexpr uint32_t MAX_LOOKED_AT = 64;
constexpr uint32_t MAX_LOOKED_AT_LARGE = 2;

constexpr uint64_t LARGE = uint64_t{1} << 24; ///< switches with hosts times hosts of a large fabric
constexpr double WEIGHT = 16;                 ///< of a bit's time on the fastest channel
constexpr double MAX_WEIGHT = 1 << 16;        ///< of channels that are slower still, too

/// The existing routes of a fabric, when new ones are computed for some pairs of hosts only.
struct RoutesBeside
{
    /// Hosts of a switch without a route to some host.
    struct Missing
    {
        uint32_t place; ///< that host's place among those of its switch
        SwitchChannels::Node from;
        uint32_t count;
    };

    std::vector<uint64_t> worms; ///< of existing routes, by channel: one per pair of hosts
    std::vector<std::vector<Missing>> missing; ///< by switch of the receiver
};

/// See MakeDestinationRoutes.
class DestinationRoutes : public RouteSet
{
  public:
    /// @param beside existing routes; routes of other pairs of hosts are not requested; null:
    /// routes are for all pairs
    DestinationRoutes(const FabricGraph& graph,
                      const std::vector<uint32_t>& ranks,
                      const RoutesBeside* beside = nullptr)
        : RouteSet(graph, 1),
          m_distances(GetChannels(), ranks),
          m_columns(ranks.size()),
          m_weights(GetChannels().GetNChannels(), WEIGHT),
          m_loads(beside ? beside->worms : std::vector<uint64_t>(m_weights.size(), 0)),
          m_beside(beside),
          m_worms(ranks.size(), 0)
    {
        const auto& channels = GetChannels();
        const auto nSwitches = channels.GetNSwitches();
        SetOrder(m_distances.OrderChannels());
        const auto nEnds = GetHosts().FindSwitches().size();
        const auto nMost = GreatestOf(0U, NumbersBelow(nSwitches), [&](Node node) {
            return channels.First(node + 1) - channels.First(node);
        });
        m_isWide = nMost > UINT8_MAX;
        if (const auto times = FindChannelTimes(graph); !times.empty())
        {
            const auto first = FindFirstPorts(graph);
            const auto timeOf = [&](Channel channel) {
                return times[first[channels.From(channel)] + channels.PortOf(channel)];
            };
            auto least = std::numeric_limits<double>::infinity();
            for (Channel channel = 0; channel < m_weights.size(); ++channel)
            {
                least = std::min(least, timeOf(channel));
            }
            for (Channel channel = 0; channel < m_weights.size(); ++channel)
            {
                m_weights[channel] = static_cast<uint32_t>(
                    std::min(std::round(WEIGHT * timeOf(channel) / least), MAX_WEIGHT));
            }
        }
        for (Channel channel = 0; channel < m_loads.size(); ++channel)
        {
            m_loads[channel] *= m_weights[channel];
        }
        const auto bytes = std::max<std::size_t>(1, nEnds) * nSwitches * (m_isWide ? 2 : 1);
        m_maxCopies =
            static_cast<uint32_t>(std::clamp<std::size_t>(MAX_COLUMN_BYTES / bytes,
                                                          1,
                                                          std::max(GetHosts().GetMaxAt(), 1U)));
        const uint64_t nHosts = GetHosts().GetNHosts();
        m_isFine = nHosts * channels.GetNChannels() <= MAX_FINE;
        m_maxLookedAt = nHosts * nEnds > LARGE ? MAX_LOOKED_AT_LARGE : MAX_LOOKED_AT;
        m_chosen[FREE] = m_chosen[DOWN] = std::vector<uint64_t>(nSwitches, 0);
        const auto nRounds = nHosts * nSwitches <= MAX_ROUNDS_WORK ? MAX_ROUNDS : 1;
        auto best = UINT64_MAX;
        std::vector<Columns> bestColumns;
        RoutingProgress progress("rounds of balancing", nRounds);
        for (uint32_t round = 0; round < nRounds; ++round)
        {
            if (const auto max = Round(); max < best)
            {
                best = max;
                bestColumns = round + 1 < nRounds ? m_columns : std::vector<Columns>();
            }
            progress.Step();
        }
        if (!bestColumns.empty())
        {
            m_columns = std::move(bestColumns);
        }
        m_loads = {};
        m_candidates = {};
        m_chosen[FREE] = m_chosen[DOWN] = {};
        m_worms = {};
        m_beside = nullptr;
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const auto& channels = GetChannels();
        const auto last = GetHosts().SwitchOf(to);
        const auto& columns = m_columns[last];
        const auto copy = GetHosts().GetIndexAtSwitch(to) % columns.nCopies[FREE];
        auto phase = FREE;
        for (auto node = GetHosts().SwitchOf(from); node != last;)
        {
            const auto channel = Next(columns, copy, node, phase);
            phase = After(channel);
            way.push_back(channel);
            node = channels.To(channel);
        }
    }

    bool AreBySwitch() const override
    {
        return true;
    }

    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override
    {
        const auto last = GetHosts().SwitchOf(to);
        const auto& columns = m_columns[last];
        const auto copy = GetHosts().GetIndexAtSwitch(to) % columns.nCopies[FREE];
        std::vector<double> sent[2]{senders, std::vector<double>(senders.size(), 0)};
        std::vector<uint32_t> passed[2]{std::vector<uint32_t>(senders.size(), 0),
                                        std::vector<uint32_t>(senders.size(), 0)};
        const auto move = [&](Node node, Phase phase) {
            if (node != last && sent[phase][node] > 0)
            {
                const auto out = Next(columns, copy, node, phase);
                const auto far = GetChannels().To(out);
                auto& longest = passed[After(out)][far];
                longest = std::max(longest, passed[phase][node] + 1);
                sent[After(out)][far] += sent[phase][node];
                AddLoad(out, sent[phase][node], longest, loads);
            }
        };
        const auto& byPlace = m_distances.GetByPlace();
        for (auto place = byPlace.rbegin(); place != byPlace.rend(); ++place)
        {
            move(*place, FREE);
        }
        for (const auto node : byPlace)
        {
            move(node, DOWN);
        }
        return true;
    }

  private:
    /// A worm's phase at a switch: it may still go up, or has gone down.
    enum Phase : uint8_t
    {
        FREE,
        DOWN
    };

    /// Positions of channels among those of their switches, in one byte each or in two.
    class Places
    {
      public:
        void Resize(std::size_t count, bool isWide)
        {
            m_narrow.assign(isWide ? 0 : count, 0);
            m_wide.assign(isWide ? count : 0, 0);
        }

        uint32_t Get(std::size_t index) const
        {
            return m_wide.empty() ? m_narrow[index] : m_wide[index];
        }

        void Set(std::size_t index, uint32_t place)
        {
            if (m_wide.empty())
            {
                m_narrow[index] = static_cast<uint8_t>(place);
            }
            else
            {
                m_wide[index] = static_cast<uint16_t>(place);
            }
        }

      private:
        std::vector<uint8_t> m_narrow;
        std::vector<uint16_t> m_wide;
    };

    struct Columns
    {
        Places places[2];      ///< by phase
        uint32_t nCopies[2]{}; ///< by phase: number of hosts with columns of their own
    };

    struct Candidates
    {
        std::vector<uint32_t> first[2];   ///< by phase and switch, where its channels begin
        std::vector<Channel> channels[2]; ///< by phase
        std::vector<uint64_t> beyond[2];  ///< by phase and switch: cost of the best path
        std::vector<Node> order[2];       ///< by phase: switches, the nearest first
        bool isDownUnique{true};          ///< whether worms that have gone down have no alternative
    };

    void FindCandidates(Node to)
    {
        const auto& channels = GetChannels();
        auto& found = m_candidates;
        m_distances.Measure(to);
        found.isDownUnique = true;
        for (const auto phase : {FREE, DOWN})
        {
            const bool goneDown = phase == DOWN;
            found.first[phase].assign(1, 0);
            found.channels[phase].clear();
            found.beyond[phase].resize(m_columns.size());
            found.order[phase].clear();
            for (Node node = 0; node < m_columns.size(); ++node)
            {
                const auto left = m_distances.Get(node, goneDown);
                if (node != to && left < UpDownDistances::FAR)
                {
                    found.order[phase].push_back(node);
                    for (const auto out : channels.Out(node))
                    {
                        const auto isUp = m_distances.IsUp(out);
                        if (!(isUp && goneDown) &&
                            m_distances.Get(channels.To(out), !isUp) + 1 == left)
                        {
                            found.channels[phase].push_back(out);
                        }
                    }
                }
                found.first[phase].push_back(static_cast<uint32_t>(found.channels[phase].size()));
                found.isDownUnique =
                    found.isDownUnique &&
                    !(goneDown && found.first[phase][node + 1] > found.first[phase][node] + 1);
            }
            SortBy(found.order[phase], [&](Node node) { return m_distances.Get(node, goneDown); });
            found.beyond[phase][to] = 0;
        }
    }

    void FindCosts()
    {
        auto& [first, list, beyond, order, isDownUnique] = m_candidates;
        for (const auto phase : {DOWN, FREE}) // a way that has gone down stays down
        {
            for (const auto node : order[phase])
            {
                auto least = UINT64_MAX;
                for (auto i = first[phase][node]; i < first[phase][node + 1]; ++i)
                {
                    const auto out = list[phase][i];
                    least = std::min(least,
                                     2 * m_loads[out] * m_weights[out] +
                                         beyond[After(out)][GetChannels().To(out)]);
                }
                beyond[phase][node] = least;
            }
        }
    }

    void CountWorms(Node to, uint32_t copy, uint32_t nCopies)
    {
        if (!m_beside)
        {
            const uint64_t here = GetHosts().CountAt(to, copy, nCopies);
            for (Node from = 0; from < m_worms.size(); ++from)
            {
                m_worms[from] = here * GetHosts().CountAt(from);
            }
            return;
        }
        std::fill(m_worms.begin(), m_worms.end(), 0);
        for (const auto& [place, from, count] : m_beside->missing[to])
        {
            m_worms[from] += place % nCopies == copy ? count : 0;
        }
    }

    void Choose(Node to, uint32_t copy)
    {
        ++m_choice;
        Follow(
            to,
            copy,
            [&](Node node, Phase phase) {
                if (m_chosen[phase][node] != m_choice)
                {
                    ChooseAt(to, copy, node, phase);
                }
            },
            [&](Channel out, uint64_t worms) { m_loads[out] += worms * m_weights[out]; });
    }

    void ChooseAt(Node to, uint32_t copy, Node node, Phase phase)
    {
        const auto& channels = GetChannels();
        const auto begin = m_candidates.first[phase][node];
        const auto count = m_candidates.first[phase][node + 1] - begin;
        auto best = m_candidates.channels[phase][begin];
        auto least = UINT64_MAX;
        // A step of the golden ratio sets switches apart that follow each other.
        auto place = (node * 0x9e3779b9U + to + copy) % count;
        for (uint32_t i = 0; count > 1 && i < std::min(count, m_maxLookedAt); ++i)
        {
            const auto out = m_candidates.channels[phase][begin + place];
            const auto cost = 2 * m_loads[out] * m_weights[out] +
                              CostFrom(to, copy, channels.To(out), After(out));
            if (cost < least)
            {
                least = cost;
                best = out;
            }
            place = place + 1 < count ? place + 1 : 0;
        }
        auto& columns = m_columns[to];
        columns.places[phase].Set(std::size_t{copy % columns.nCopies[phase]} * m_columns.size() +
                                      node,
                                  best - channels.First(node));
        m_chosen[phase][node] = m_choice;
    }

    /// @return cost of the path to a host, or of the best one where none is selected yet
    uint64_t CostFrom(Node to, uint32_t copy, Node node, Phase phase) const
    {
        if (m_chosen[phase][node] != m_choice)
        {
            return m_candidates.beyond[phase][node];
        }
        uint64_t cost = 0;
        while (node != to)
        {
            const auto out = Next(m_columns[to], copy, node, phase);
            cost += 2 * m_loads[out] * m_weights[out];
            phase = After(out);
            node = GetChannels().To(out);
        }
        return cost;
    }

    /// Follows the paths from all switches that send to the hosts of a column.
    template <typename AT, typename PUT>
    void Follow(Node to, uint32_t copy, AT at, PUT put)
    {
        for (Node from = 0; from < m_columns.size(); ++from)
        {
            const auto worms = m_worms[from];
            auto phase = FREE;
            for (auto node = from; node != to && worms > 0;)
            {
                at(node, phase);
                const auto out = Next(m_columns[to], copy, node, phase);
                put(out, worms);
                phase = After(out);
                node = GetChannels().To(out);
            }
        }
    }

    /// Selects all channels once. @return load of the busiest channel, over its rate
    uint64_t Round()
    {
        for (Node to = 0; to < m_columns.size(); ++to)
        {
            const auto nHosts = GetHosts().CountAt(to);
            if (nHosts == 0)
            {
                continue;
            }
            FindCandidates(to);
            auto& columns = m_columns[to];
            const auto nCopies = std::min(nHosts, m_maxCopies);
            const bool isFirst = columns.nCopies[FREE] == 0;
            if (isFirst)
            {
                columns.nCopies[FREE] = nCopies;
                columns.nCopies[DOWN] = m_candidates.isDownUnique ? 1 : nCopies;
                for (const auto phase : {FREE, DOWN})
                {
                    columns.places[phase].Resize(std::size_t{columns.nCopies[phase]} *
                                                     m_columns.size(),
                                                 m_isWide);
                }
            }
            for (uint32_t copy = 0; copy < nCopies; ++copy)
            {
                CountWorms(to, copy, nCopies);
                if (!isFirst)
                {
                    Follow(
                        to,
                        copy,
                        [](Node, Phase) {},
                        [&](Channel out, uint64_t worms) {
                            m_loads[out] -= worms * m_weights[out];
                        });
                }
                if (m_isFine || copy % HOSTS_PER_COST == 0)
                {
                    FindCosts();
                }
                Choose(to, copy);
            }
        }
        return m_loads.empty() ? 0 : *std::max_element(m_loads.begin(), m_loads.end());
    }

    Channel Next(const Columns& columns, uint32_t copy, Node node, Phase phase) const
    {
        return GetChannels().First(node) +
               columns.places[phase].Get(
                   std::size_t{copy % columns.nCopies[phase]} * m_columns.size() + node);
    }

    Phase After(Channel channel) const
    {
        return m_distances.IsUp(channel) ? FREE : DOWN;
    }

    UpDownDistances m_distances;       ///< distances, and the order
    std::vector<Columns> m_columns;    ///< by destination switch; empty if it has no hosts
    std::vector<uint32_t> m_weights;   ///< time per bit, by channel
    std::vector<uint64_t> m_loads;     ///< worms times weights, by channel
    const RoutesBeside* m_beside;      ///< existing routes, during the computation; or null
    std::vector<uint64_t> m_worms;     ///< by switch: worms to the hosts of the current column
    Candidates m_candidates;           ///< reused for one switch after the other
    std::vector<uint64_t> m_chosen[2]; ///< by phase and switch: the last selection there
    uint64_t m_choice{0};              ///< number of the selection, one per host and round
    uint32_t m_maxLookedAt{0};         ///< maximum number of equally good channels considered
    uint32_t m_maxCopies{0};           ///< maximum number of columns per switch
    bool m_isWide{false};              ///< whether places take two bytes
    bool m_isFine{false};              ///< whether costs are computed for each host
};

/// The routes of a fabric that are left when it has lost parts: those of which all cables are.
///
/// Nodes and ports are those of the same names and numbers before. A route is kept only if channels
/// come in the order of up/down along it, as they do in the new routes beside it, so that both
/// together are free of deadlock.
class SurvivingRoutes
{
  public:
    SurvivingRoutes(const FabricGraph& graph,
                    const std::vector<uint32_t>& ranks,
                    const FabricGraph& whole,
                    Ptr<WormholeRouter> before)
        : m_graph(graph),
          m_channels(graph),
          m_places(graph),
          m_order(PlacesIn(UpDownOrder(m_channels, ranks).OrderChannels())),
          m_before(std::move(before))
    {
        const auto wasThere = [&](FabricGraph::Node node, FabricGraph::Port port) {
            const auto old = whole.Find(graph.GetName(node));
            if (old == FabricGraph::NONE || port >= whole.GetNPorts(old))
            {
                return false;
            }
            const auto far = graph.Peer(node, port);
            const auto oldFar = whole.Peer(old, port);
            return oldFar.node != FabricGraph::NONE && far.port == oldFar.port &&
                   graph.GetName(far.node) == whole.GetName(oldFar.node);
        };
        m_isKept = MadeOfNumbers(m_channels.GetNChannels(), [&](uint32_t channel) {
            return wasThere(m_channels.From(channel), m_channels.PortOf(channel));
        });
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            const auto end = graph.Peer(graph.HostAt(host), 0);
            m_hosts.push_back(whole.FindHost(graph.GetName(graph.HostAt(host))));
            m_isHostKept.push_back(wasThere(end.node, end.port));
        }
    }

    /// Finds the channels of the route from one host to another. @param way gets them, in place of
    /// what it has
    /// @return whether it is kept
    bool Find(uint32_t from, uint32_t to, RouteSet::Way& way) const
    {
        way.clear();
        if (!m_isHostKept[from] || !m_isHostKept[to])
        {
            return false;
        }
        const auto route = m_before->GetRoute(m_hosts[from], m_hosts[to]);
        auto node = m_places.SwitchOf(from);
        for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
        {
            const auto channel = m_channels.At(node, route->At(stop)[0].port);
            if (channel == SwitchChannels::NONE || !m_isKept[channel] ||
                (!way.empty() && m_order[channel] <= m_order[way.back()]))
            {
                return false;
            }
            way.push_back(channel);
            node = m_channels.To(channel);
        }
        return node == m_places.SwitchOf(to);
    }

    bool AreBySwitch() const
    {
        const auto* before = dynamic_cast<const DestinationLoads*>(PeekPointer(m_before));
        return before && before->AreBySwitch();
    }

    bool KeepsHosts() const
    {
        return std::find(m_isHostKept.begin(), m_isHostKept.end(), false) == m_isHostKept.end();
    }

    /// @return what they load channels with, and who needs other routes. Looks at all pairs of
    /// hosts, or of switches and hosts where routes before did not depend on the sender.
    RoutesBeside Count() const
    {
        const auto nSwitches = m_channels.GetNSwitches();
        const bool isBySwitch = AreBySwitch();
        std::vector<std::vector<uint32_t>> senders(nSwitches); // those whose routes differ
        for (uint32_t host = 0; host < m_hosts.size(); ++host)
        {
            auto& here = senders[m_places.SwitchOf(host)];
            if (!isBySwitch || here.empty())
            {
                here.push_back(host);
            }
        }
        RoutesBeside found;
        found.worms.resize(m_channels.GetNChannels());
        found.missing.resize(nSwitches);
        RouteSet::Way way;
        RoutingProgress progress("hosts whose routes are looked at", m_hosts.size());
        for (uint32_t to = 0; to < m_hosts.size(); ++to)
        {
            const auto last = m_places.SwitchOf(to);
            for (FabricGraph::Node node = 0; node < nSwitches; ++node)
            {
                if (node == last || senders[node].empty())
                {
                    continue;
                }
                const auto worms =
                    m_places.CountAt(node) / static_cast<uint32_t>(senders[node].size());
                uint32_t nMissing = 0;
                for (const auto from : senders[node])
                {
                    if (!Find(from, to, way))
                    {
                        nMissing += worms;
                        continue;
                    }
                    for (const auto channel : way)
                    {
                        found.worms[channel] += worms;
                    }
                }
                if (nMissing > 0)
                {
                    found.missing[last].push_back({m_places.GetIndexAtSwitch(to), node, nMissing});
                }
            }
            progress.Step();
        }
        return found;
    }

  private:
    FabricGraph m_graph;
    SwitchChannels m_channels;
    HostAttachment m_places;
    std::vector<uint32_t> m_order;  ///< by channel: place in the order
    Ptr<WormholeRouter> m_before;   ///< routes before
    std::vector<uint32_t> m_hosts;  ///< indexes of hosts before, by index
    std::vector<bool> m_isKept;     ///< by channel: whether its cable was there before
    std::vector<bool> m_isHostKept; ///< by host: likewise
};

/// Those, and new ones for the other hosts.
class RepairedRoutes : public DestinationRoutes
{
  public:
    RepairedRoutes(const FabricGraph& graph,
                   const std::vector<uint32_t>& ranks,
                   SurvivingRoutes kept,
                   const RoutesBeside& beside)
        : DestinationRoutes(graph, ranks, &beside),
          m_kept(std::move(kept))
    {
        SetName("routing fat-tree");
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        if (Way kept; m_kept.Find(from, to, kept))
        {
            way.insert(way.end(), kept.begin(), kept.end());
        }
        else
        {
            DestinationRoutes::Append(from, to, way);
        }
    }

    bool AreBySwitch() const override
    {
        return m_kept.AreBySwitch() && m_kept.KeepsHosts(); // else those of a new cable differ
    }

    bool AddLoads(uint32_t, const std::vector<double>&, Loads&) const override
    {
        return false;
    }

  private:
    SurvivingRoutes m_kept;
};

} // namespace

Ptr<WormholeRouter>
MakeDestinationRoutes(const FabricGraph& graph, const std::vector<uint32_t>& ranks)
{
    return Create<DestinationRoutes>(graph, ranks);
}

Ptr<WormholeRouter>
MakeRepairedRoutes(const FabricGraph& graph,
                   const std::vector<uint32_t>& ranks,
                   const FabricGraph& whole,
                   Ptr<WormholeRouter> before)
{
    SurvivingRoutes kept(graph, ranks, whole, std::move(before));
    const auto beside = kept.Count();
    return Create<RepairedRoutes>(graph, ranks, std::move(kept), beside);
}

} // namespace ns3
