// SPDX-License-Identifier: GPL-2.0-only

#include "switch-levels.h"

#include "up-down-order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_SAMPLE = 256;     ///< of switches whose paths are examined
constexpr double MIN_LEGAL = 0.9;        ///< part of pairs of hosts with a shortest up/down path
constexpr double MAX_THROUGH = 0.5;      ///< of what passes a leaf, over what its hosts send
constexpr double MAX_LEVEL_CABLES = 0.1; ///< part of cables that join switches of one height
constexpr double MAX_TOP_HOSTS = 0.5;    ///< of a top switch, over those of a leaf, in the mean

class LevelSearch
{
  public:
    using Node = SwitchChannels::Node;

    explicit LevelSearch(const FabricGraph& graph)
        : m_channels(graph),
          m_hosts(graph),
          m_ends(m_hosts.FindSwitches())
    {
        ranks = SwitchTree::BreadthFirst(m_channels, 0).GetRanks();
        const auto paths = FindLeaves();
        if (!m_leaves.empty())
        {
            m_heights = m_channels.SearchFrom(m_leaves).distances;
            ranks = Order(true, paths.sums);
            auto legal = CountLegal(ranks);
            if (legal < 1)
            {
                auto other = Order(false, paths.sums);
                const auto otherLegal = CountLegal(other);
                if (otherLegal > legal)
                {
                    legal = otherLegal;
                    ranks = std::move(other);
                }
            }
            isFatTree = legal >= MIN_LEGAL && HasTops();
        }
        if (!IsJoined())
        {
            Join();
        }
    }

    std::vector<uint32_t> ranks; ///< by switch
    bool isFatTree{false};

  private:
    struct Paths
    {
        std::vector<double>
            through;              ///< pairs of hosts whose paths pass a switch, in parts of paths
        std::vector<double> sums; ///< sum of distances from all hosts, by switch
    };

    /// @return some of a list, MAX_SAMPLE at most, spread evenly
    static std::vector<Node> Sample(const std::vector<Node>& all)
    {
        const auto count = std::min<std::size_t>(all.size(), MAX_SAMPLE);
        return MadeOfNumbers(count, [&](std::size_t i) { return all[i * all.size() / count]; });
    }

    double CountAt(const std::vector<Node>& nodes) const
    {
        return SumOf(nodes, [this](Node node) { return double{1} * m_hosts.CountAt(node); });
    }

    Paths FindPaths(const std::vector<Node>& ends) const
    {
        const auto nSwitches = m_channels.GetNSwitches();
        std::vector<bool> isEnd(nSwitches, false);
        for (const auto node : ends)
        {
            isEnd[node] = true;
        }
        const auto sample = Sample(ends);
        const auto all = CountAt(ends);
        const auto looked = CountAt(sample);
        Paths found{std::vector<double>(nSwitches, 0), std::vector<double>(nSwitches, 0)};
        std::vector<double> counts(nSwitches); // of shortest paths
        std::vector<double> beyond(nSwitches); // hosts to which paths lead on
        for (const auto from : sample)
        {
            const double senders = m_hosts.CountAt(from) * (all / looked);
            const auto search = m_channels.SearchFrom({from});
            std::fill(counts.begin(), counts.end(), 0);
            std::fill(beyond.begin(), beyond.end(), 0);
            counts[from] = 1;
            const auto each = [&](Node node, auto visit) {
                for (const auto out : m_channels.Out(node))
                {
                    if (search.distances[m_channels.To(out)] == search.distances[node] + 1)
                    {
                        visit(m_channels.To(out));
                    }
                }
            };
            for (const auto node : search.order)
            {
                found.sums[node] += senders * search.distances[node];
                each(node, [&](Node next) { counts[next] += counts[node]; });
            }
            for (auto at = search.order.rbegin(); at != search.order.rend(); ++at)
            {
                each(*at, [&, node = *at](Node next) {
                    const auto hosts = isEnd[next] ? m_hosts.CountAt(next) : 0;
                    beyond[node] += counts[node] / counts[next] * (hosts + beyond[next]);
                });
                found.through[*at] += *at == from ? 0 : senders * beyond[*at];
            }
        }
        return found;
    }

    Paths FindLeaves()
    {
        m_leaves = m_ends;
        for (Paths found;;)
        {
            const auto paths = FindPaths(m_leaves);
            found = found.sums.empty() ? paths : found;
            const auto all = CountAt(m_leaves);
            const auto through = [&](Node node) {
                return paths.through[node] / (all * m_hosts.CountAt(node));
            };
            const auto most = GreatestOf(0.0, m_leaves, through);
            if (most <= MAX_THROUGH)
            {
                return found;
            }
            // Those that are passed most are no leaves; without them others may be.
            const auto limit = std::max(MAX_THROUGH, most / 2);
            m_leaves = ThoseOf(m_leaves, [&](Node node) { return !(through(node) >= limit); });
        }
    }

    std::vector<uint32_t> Order(bool byHeight, const std::vector<double>& sums) const
    {
        return PlacesIn(NumbersBy(sums.size(), [&](Node node) {
            return std::pair(byHeight ? UINT32_MAX - m_heights[node] : 0, sums[node]);
        }));
    }

    /// @return part of the pairs of hosts with a shortest path up and then down
    double CountLegal(const std::vector<uint32_t>& ranks) const
    {
        UpDownDistances distances(m_channels, ranks);
        double all = 0;
        double legal = 0;
        for (const auto to : Sample(m_ends))
        {
            distances.Measure(to);
            const auto distancesTo = m_channels.Distances(to);
            for (const auto from : m_ends)
            {
                const auto pairs = double{1} * m_hosts.CountAt(from) * m_hosts.CountAt(to);
                all += pairs;
                legal += distances.Get(from, false) == distancesTo[from] ? pairs : 0;
            }
        }
        return legal / all;
    }

    bool HasTops() const
    {
        const auto level = NumbersWith(m_channels.GetNChannels(), [this](uint32_t channel) {
            return m_heights[m_channels.From(channel)] == m_heights[m_channels.To(channel)];
        });
        const auto tops =
            NumbersWith(m_channels.GetNSwitches(), [this](Node node) { return IsTop(node); });
        return level.size() <= MAX_LEVEL_CABLES * m_channels.GetNChannels() && tops.size() > 1 &&
               CountAt(tops) / static_cast<double>(tops.size()) <=
                   MAX_TOP_HOSTS * CountAt(m_leaves) / static_cast<double>(m_leaves.size());
    }

    bool IsTop(Node node) const
    {
        const auto out = m_channels.Out(node);
        return std::none_of(out.begin(), out.end(), [&](uint32_t channel) {
            return ranks[m_channels.To(channel)] < ranks[node];
        });
    }

    /// @return the switches that are reached from one by going down
    std::vector<bool> FindBelow(Node from) const
    {
        std::vector<bool> isBelow(m_channels.GetNSwitches(), false);
        isBelow[from] = true;
        std::vector<Node> open{from};
        while (!open.empty())
        {
            const auto node = open.back();
            open.pop_back();
            for (const auto out : m_channels.Out(node))
            {
                const auto far = m_channels.To(out);
                if (ranks[far] > ranks[node] && !isBelow[far])
                {
                    isBelow[far] = true;
                    open.push_back(far);
                }
            }
        }
        return isBelow;
    }

    /// @return whether up/down routes lead from each switch with hosts to each
    bool IsJoined() const
    {
        const auto isAll = [this](const auto& isReached) {
            return std::all_of(m_ends.begin(), m_ends.end(), isReached);
        };
        for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
        {
            if (ranks[node] < MAX_SAMPLE && IsTop(node))
            {
                const auto isBelow = FindBelow(node);
                if (isAll([&](Node end) { return isBelow[end]; }))
                {
                    return true;
                }
            }
        }
        UpDownDistances distances(m_channels, ranks);
        return isAll([&](Node to) {
            distances.Measure(to);
            return isAll(
                [&](Node from) { return distances.Get(from, false) < UpDownDistances::FAR; });
        });
    }

    /// Puts tops below others until there are routes between all.
    void Join()
    {
        std::pair<double, Node> root{-1, 0}; // the top with most hosts below it
        for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
        {
            if (ranks[node] < MAX_SAMPLE && IsTop(node))
            {
                const auto isBelow = FindBelow(node);
                const auto hosts = CountAt(ThoseOf(m_ends, [&](Node end) { return isBelow[end]; }));
                root = hosts > root.first ? std::pair{hosts, node} : root;
            }
        }
        auto isAbove = MadeOfNumbers(m_channels.GetNChannels(), [this](uint32_t channel) {
            return ranks[m_channels.From(channel)] < ranks[m_channels.To(channel)];
        });
        for (;;)
        {
            const auto isBelow = FindBelow(root.second);
            const auto starts =
                NumbersWith(isBelow.size(), [&](Node node) { return isBelow[node]; });
            if (starts.size() == isBelow.size())
            {
                return;
            }
            // The nearest other top goes below what is there, and so does the path that leads to
            // it.
            const auto search = m_channels.SearchFrom(starts);
            auto node =
                *std::find_if(search.order.begin() + static_cast<std::ptrdiff_t>(starts.size()),
                              search.order.end(),
                              [this](Node each) { return IsTop(each); });
            while (search.distances[node] > 0)
            {
                auto before = FabricGraph::NONE;
                for (const auto out : m_channels.Out(node))
                {
                    const auto far = m_channels.To(out);
                    before = before == FabricGraph::NONE &&
                                     search.distances[far] + 1 == search.distances[node]
                                 ? far
                                 : before;
                    if (far == before)
                    {
                        isAbove[out] = false;
                        isAbove[m_channels.Reverse(out)] = true;
                    }
                }
                node = before;
            }
            if (!Sort(isAbove))
            {
                ranks = SwitchTree::BreadthFirst(m_channels, root.second).GetRanks();
                return;
            }
        }
    }

    bool Sort(const std::vector<bool>& isAbove)
    {
        std::vector<uint32_t> above(m_channels.GetNSwitches(), 0); // channels from above
        for (uint32_t channel = 0; channel < isAbove.size(); ++channel)
        {
            above[m_channels.To(channel)] += isAbove[channel];
        }
        using Place = std::pair<uint32_t, Node>; // before, and the switch
        std::priority_queue<Place, std::vector<Place>, std::greater<>> ready;
        for (Node node = 0; node < above.size(); ++node)
        {
            if (above[node] == 0)
            {
                ready.emplace(ranks[node], node);
            }
        }
        auto sorted = ranks;
        uint32_t place = 0;
        for (; !ready.empty(); ++place)
        {
            const auto node = ready.top().second;
            ready.pop();
            sorted[node] = place;
            for (const auto out : m_channels.Out(node))
            {
                const auto far = m_channels.To(out);
                if (isAbove[out] && --above[far] == 0)
                {
                    ready.emplace(ranks[far], far);
                }
            }
        }
        if (place < ranks.size())
        {
            return false;
        }
        ranks = std::move(sorted);
        return true;
    }

    SwitchChannels m_channels;
    HostAttachment m_hosts;
    std::vector<Node> m_ends; ///< switches with hosts
    std::vector<Node> m_leaves;
    std::vector<uint32_t> m_heights; ///< by switch
};

} // namespace

SwitchLevels::SwitchLevels(const FabricGraph& graph)
{
    LevelSearch search(graph);
    ranks = std::move(search.ranks);
    isFatTree = search.isFatTree;
}

} // namespace ns3
