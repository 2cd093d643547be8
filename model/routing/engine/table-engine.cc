// SPDX-License-Identifier: GPL-2.0-only

// The routes of a table, such as a cluster's own.

#include "ns3/channel-dependency.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-route-table.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Routes of a table. Time and memory of their check are linear in entries of the table.
class TableRoutes : public RouteSet
{
  public:
    /// @throws WormholeError if there is no table for this fabric, a route does not reach its host,
    /// or worms can wait for each other in a circle, naming it
    explicit TableRoutes(const FabricGraph& graph)
        : RouteSet(graph, 1),
          m_table(graph.GetRoutes().table)
    {
        WormholeError::ThrowIf(
            !m_table || m_table->GetNSwitches() != graph.GetNSwitches() ||
                m_table->GetNHosts() != graph.GetNHosts(),
            "routing table: " +
                (m_table ? "the table is of " + std::to_string(m_table->GetNSwitches()) +
                               " switches and " + std::to_string(m_table->GetNHosts()) + " hosts"
                         : std::string("the fabric has no table")) +
                "; expected one of its " + std::to_string(graph.GetNSwitches()) + " switches and " +
                std::to_string(graph.GetNHosts()) + " hosts");
        const auto nPlaces = std::size_t{graph.GetNSwitches()} * graph.GetNPorts(0);
        Use use{std::vector<bool>(nPlaces, false), std::vector<std::vector<uint32_t>>(nPlaces)};
        std::vector<uint32_t> done(graph.GetNSwitches(), UINT32_MAX);
        for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
        {
            FollowAllTo(to, done, use);
        }
        Rank(use);
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const auto last = GetHosts().SwitchOf(to);
        for (auto node = GetHosts().SwitchOf(from); node != last;)
        {
            way.push_back(Next(node, to));
            node = GetChannels().To(way.back());
        }
    }

    bool AreBySwitch() const override
    {
        return true;
    }

    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override
    {
        // Routes to a host form a tree: each switch passes on what all before it have sent.
        const auto last = GetHosts().SwitchOf(to);
        std::vector<uint32_t> before(senders.size(), 0); // switches that pass on to each
        std::vector<bool> isKnown(senders.size(), false);
        std::vector<Node> nodes;
        for (Node start = 0; start < senders.size(); ++start)
        {
            if (senders[start] > 0)
            {
                for (auto node = start; node != last && !isKnown[node];)
                {
                    isKnown[node] = true;
                    nodes.push_back(node);
                    node = GetChannels().To(Next(node, to));
                    ++before[node];
                }
            }
        }
        auto sent = senders;
        std::vector<uint32_t> longest(senders.size(), 0);
        auto ready = ThoseOf(nodes, [&](Node node) { return before[node] == 0; });
        for (std::size_t i = 0; i < ready.size(); ++i)
        {
            const auto node = ready[i];
            const auto out = Next(node, to);
            const auto far = GetChannels().To(out);
            longest[far] = std::max(longest[far], longest[node] + 1);
            AddLoad(out, sent[node], longest[far], loads);
            sent[far] += sent[node];
            if (far != last && --before[far] == 0)
            {
                ready.push_back(far);
            }
        }
        return true;
    }

  private:
    /// What the table's routes use, by place of a channel, those to hosts among them.
    struct Use
    {
        std::vector<bool> used;
        std::vector<std::vector<uint32_t>> turns; ///< channels that follow it on one of them
    };

    uint32_t PlaceOf(Node node, Port port) const
    {
        return node * GetGraph().GetNPorts(node) + port;
    }

    Channel Next(Node node, uint32_t to) const
    {
        return GetChannels().At(node, m_table->Get(node, to));
    }

    /// @param done scratch: last host that a route through each switch was for
    void FollowAllTo(uint32_t to, std::vector<uint32_t>& done, Use& use) const
    {
        const auto own = GetGraph().HostAt(to);
        std::vector<Node> way;
        for (uint32_t from = 0; from < GetGraph().GetNHosts(); ++from)
        {
            auto node = GetHosts().SwitchOf(from);
            if (from == to || done[node] == to)
            {
                continue;
            }
            way.clear();
            for (auto before = UINT32_MAX;;)
            {
                const auto port = m_table->Get(node, to);
                if (port >= GetGraph().GetNPorts(node)) // or RouteTable::NONE
                {
                    Refuse(node,
                           to,
                           port == RouteTable::NONE ? "has no port for it"
                                                    : "has no port " + std::to_string(port));
                }
                const auto far = GetGraph().Peer(node, port).node;
                if (far == FabricGraph::NONE || (!GetGraph().IsSwitch(far) && far != own))
                {
                    Refuse(node,
                           to,
                           "leaves by port " + std::to_string(port) + ", which leads to " +
                               (far == FabricGraph::NONE ? "nothing" : GetGraph().GetName(far)));
                }
                const auto out = PlaceOf(node, port);
                use.used[out] = true;
                if (before != UINT32_MAX && far != own)
                {
                    auto& next = use.turns[before];
                    if (!IsIn(next, out))
                    {
                        next.push_back(out);
                    }
                }
                if (done[node] == to) // known from here on, unless this route came here before
                {
                    if (const auto again = std::find(way.begin(), way.end(), node);
                        again != way.end())
                    {
                        std::string circle;
                        for (auto each = again; each != way.end(); ++each)
                        {
                            circle += GetGraph().GetName(*each) + " -> ";
                        }
                        Refuse(node, to, "leads in a cycle, " + circle + GetGraph().GetName(node));
                    }
                    break;
                }
                done[node] = to;
                way.push_back(node);
                if (far == own)
                {
                    break;
                }
                before = out;
                node = far;
            }
        }
    }

    [[noreturn]] void Refuse(Node node, uint32_t to, const std::string& trouble) const
    {
        throw WormholeError("routes to " + GetGraph().GetName(GetGraph().HostAt(to)) + ": " +
                            GetGraph().GetName(node) + " " + trouble +
                            "; expected ports that lead there from every host");
    }

    /// Ranks the channels: first those of the table's routes, then the others, those that are
    /// nearer to a switch with hosts before those that are farther.
    void Rank(const Use& use)
    {
        const auto nPlaces = static_cast<uint32_t>(use.used.size());
        std::vector<uint32_t> before(nPlaces, 0); // channels that are to be ranked first
        for (const auto& next : use.turns)
        {
            for (const auto place : next)
            {
                ++before[place];
            }
        }
        auto order = NumbersWith(nPlaces, [&](uint32_t place) {
            return use.used[place] && before[place] == 0;
        });
        auto others = NumbersWith(nPlaces, [&](uint32_t place) { return !use.used[place]; });
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            for (const auto place : use.turns[order[i]])
            {
                if (--before[place] == 0)
                {
                    order.push_back(place);
                }
            }
        }
        if (order.size() + others.size() < nPlaces)
        {
            CheckDeadlockFree(use);
        }
        const auto depths = GetChannels().SearchFrom(GetHosts().FindSwitches()).distances;
        const auto nPorts = GetGraph().GetNPorts(0);
        SortBy(others, [&](uint32_t place) { return depths[place / nPorts]; });
        order.insert(order.end(), others.begin(), others.end());
        const auto channels = MadeOf(order, [&](uint32_t place) {
            return GetChannels().At(place / nPorts, static_cast<Port>(place % nPorts));
        });
        // Others lead to a host, or are open.
        SetOrder(ThoseOf(channels, [](Channel each) { return each != SwitchChannels::NONE; }));
    }

    void CheckDeadlockFree(const Use& use) const
    {
        ChannelDependency dependency(GetGraph());
        const auto nPorts = GetGraph().GetNPorts(0);
        const auto channelAt = [nPorts](uint32_t place) {
            return ChannelDependency::Channel{place / nPorts, static_cast<Port>(place % nPorts)};
        };
        for (uint32_t place = 0; place < use.turns.size(); ++place)
        {
            for (const auto next : use.turns[place])
            {
                dependency.Add(channelAt(place), channelAt(next));
            }
        }
        dependency.CheckDeadlockFree();
    }

    std::shared_ptr<const RouteTable> m_table;
};

} // namespace

/// The routes of the fabric's own table, such as forwarding tables that a subnet manager wrote.
///
/// The table is checked: a route of every pair of hosts reaches its host, and channels do not wait
/// for each other in a circle. Then all channels between switches can be ranked, so that ranks
/// increase along every route.
class TableRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<TableRoutingEngine>("ns3::TableRoutingEngine");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        return Create<TableRoutes>(graph);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TableRoutingEngine);

} // namespace ns3
