// SPDX-License-Identifier: GPL-2.0-only

#include "broadcast-plans.h"

#include "tree-schedules.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstdint>
#include <deque>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

namespace ns3
{

namespace
{

/// A plan that is being made, see SwitchBroadcastPlan.
class SwitchPlanner
{
  public:
    SwitchPlanner(const WorkingSwitches& switches,
                  const SwitchBroadcastPlan::Heuristics& heuristics)
        : m_switches(switches),
          m_heuristics(heuristics),
          m_children(switches.GetSize()),
          m_parents(switches.GetSize(), CommunicationTree::NO_PARENT),
          m_paths(switches.GetSize()),
          m_arrivals(switches.GetSize(), Time(-1)),
          m_minR(switches.GetMinR())
    {
        FindShortestPaths();
        if (heuristics.downToUp)
        {
            SortChildren(CommunicationTree(m_children).GetOrder());
        }
        m_arrivals[0] = Time(0);
        FindArrivals(0);
        if (heuristics.upToDown)
        {
            VisitAll(false);
            VisitAll(true);
        }
    }

    BroadcastPlan GetPlan() const
    {
        return {CommunicationTree(m_children), m_arrivals};
    }

  private:
    /// A link of the fabric that paths of the tree cross, or may.
    struct Link
    {
        int64_t channels; ///< how many paths it may be on
        int64_t used;
    };

    /// A switch visited, and how many were before it.
    struct Visit
    {
        uint32_t number;
        uint32_t place; ///< its place among all visits
    };

    void FindShortestPaths()
    {
        using Weight = boost::property<boost::edge_weight_t, int64_t>;
        using Graph = boost::
            adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weight>;
        const auto n = m_switches.GetSize();
        const auto nearby = m_switches.FindNearby();
        const auto s = m_switches.GetSendTime();
        // Any path of two edges or more takes this long: an edge from the root that does not take
        // longer can't be improved upon, and others to its end are left out.
        const auto leastOfTwo = (s + m_minR) * 2;
        std::vector<bool> isDirect(n, false); // and the root itself
        isDirect[0] = true;
        Graph graph(n);
        for (uint32_t from = 0; from < n; ++from)
        {
            for (const auto to : nearby[from])
            {
                if (isDirect[to])
                {
                    continue;
                }
                if (const auto path = m_switches.GetPath(from, to); m_switches.IsEdge(path))
                {
                    boost::add_edge(from, to, (s + path.r).GetTimeStep(), graph);
                    isDirect[to] = from == 0 && s + path.r <= leastOfTwo;
                }
            }
        }
        std::vector<std::size_t> parents(n);
        boost::dijkstra_shortest_paths(graph, 0, boost::predecessor_map(parents.data()));
        for (uint32_t child = 1; child < n; ++child)
        {
            const auto parent = static_cast<uint32_t>(parents[child]);
            WormholeError::ThrowIf(parent == child,
                                   "broadcast between switches: working switch " +
                                       std::to_string(child) +
                                       " can't be reached; expected paths to all of them");
            m_parents[child] = parent;
            m_children[parent].push_back(child);
            m_paths[child] = m_switches.GetPath(parent, child);
            Use(m_paths[child], 1);
        }
    }

    /// Sorts all children by w. @param order all switches, each after its parent
    void SortChildren(const std::vector<uint32_t>& order)
    {
        // The paths hold their senders' start-ups. The paper leaves out that of the switch they
        // begin at, which changes no order: leaves come last both paths.
        std::vector<int64_t> longest(m_children.size(), 0); // w
        const auto path = [this](uint32_t child) { return m_paths[child].r.GetTimeStep(); };
        const auto s = m_switches.GetSendTime().GetTimeStep();
        for (auto parent = order.rbegin(); parent != order.rend(); ++parent)
        {
            auto& children = m_children[*parent];
            std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
                return std::make_tuple(-longest[a], -path(a), a) <
                       std::make_tuple(-longest[b], -path(b), b);
            });
            for (const auto child : children)
            {
                longest[*parent] = std::max(longest[*parent], longest[child] + s + path(child));
            }
        }
    }

    /// Finds anew when switches are active.
    void FindArrivals(uint32_t above)
    {
        std::vector<uint32_t> order{above};
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            auto turn = m_arrivals[order[i]];
            for (const auto child : m_children[order[i]])
            {
                turn += m_switches.GetSendTime();
                if (const auto arrival = turn + m_paths[child].r; arrival != m_arrivals[child])
                {
                    m_arrivals[child] = arrival;
                    order.push_back(child);
                }
            }
        }
    }

    /// Visits all switches and tries their children.
    void VisitAll(bool depthFirst)
    {
        std::deque<uint32_t> waiting{0};
        std::vector<Visit> visits;
        const auto isBefore = [this](const Visit& a, const Visit& b) {
            return std::make_pair(m_arrivals[a.number], a.place) <
                   std::make_pair(m_arrivals[b.number], b.place);
        };
        while (!waiting.empty())
        {
            const auto parent = waiting.front();
            waiting.pop_front();
            // By arrival, then by place; for the most part they are.
            const auto rest = std::is_sorted_until(visits.begin(), visits.end(), isBefore);
            std::sort(rest, visits.end(), isBefore);
            std::inplace_merge(visits.begin(), rest, visits.end(), isBefore);
            // A child that moved to a sibling waits until that one is visited.
            auto next = Parallel(parent, visits);
            next.insert(next.begin(), m_children[parent].begin(), m_children[parent].end());
            waiting.insert(depthFirst ? waiting.begin() : waiting.end(), next.begin(), next.end());
            visits.push_back({parent, static_cast<uint32_t>(visits.size())});
        }
    }

    /// @param visits those before, by arrival
    /// @return children that got another parent which has been visited
    std::vector<uint32_t> Parallel(uint32_t parent, const std::vector<Visit>& visits)
    {
        std::vector<uint32_t> moved;
        const auto children = m_children[parent];
        if (children.size() < 2)
        {
            return moved;
        }
        std::vector<uint32_t> candidates;
        std::vector<bool> isVisited(m_children.size(), false);
        for (const auto& visit : visits)
        {
            candidates.push_back(visit.number);
            isVisited[visit.number] = true;
        }
        for (const auto child : children)
        {
            if (child != children.front() && MoveToBest(child, candidates) &&
                isVisited[m_parents[child]])
            {
                moved.push_back(child);
            }
            if (m_heuristics.siblings)
            {
                candidates.push_back(child);
            }
        }
        return moved;
    }

    bool MoveToBest(uint32_t child, const std::vector<uint32_t>& candidates)
    {
        auto best = CommunicationTree::NO_PARENT;
        SwitchPath bestPath;
        auto soonest = m_arrivals[child];
        for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate)
        {
            const auto turn = static_cast<int64_t>(m_children[*candidate].size()) + 1;
            const auto sent = m_arrivals[*candidate] + m_switches.GetSendTime() * turn;
            if (sent + m_minR >= soonest)
            {
                continue;
            }
            auto path = m_switches.GetPath(*candidate, child);
            if (sent + path.r < soonest && HasChannels(path, child))
            {
                best = *candidate;
                soonest = sent + path.r;
                bestPath = std::move(path);
            }
        }
        if (best == CommunicationTree::NO_PARENT || best == m_parents[child])
        {
            return false;
        }
        Move(child, best, bestPath);
        return true;
    }

    bool HasChannels(const SwitchPath& path, uint32_t child)
    {
        const auto& present = m_paths[child].links;
        return !m_heuristics.channelCaps ||
               std::all_of(path.links.begin(), path.links.end(), [&](const SwitchLink& link) {
                   const auto& at = At(link);
                   return at.used < at.channels ||
                          at.used - std::count(present.begin(), present.end(), link) < at.channels;
               });
    }

    void Move(uint32_t child, uint32_t parent, const SwitchPath& path)
    {
        const auto before = m_parents[child];
        auto& siblings = m_children[before];
        siblings.erase(std::find(siblings.begin(), siblings.end(), child));
        Use(m_paths[child], -1);
        m_parents[child] = parent;
        m_children[parent].push_back(child);
        m_paths[child] = path;
        Use(path, 1);
        FindArrivals(before);
        FindArrivals(parent);
    }

    Link& At(const SwitchLink& link)
    {
        const auto [entry, isNew] =
            m_links.try_emplace(uint64_t{link.first} << 32 | link.second, Link{0, 0});
        if (isNew)
        {
            entry->second.channels = m_switches.CountChannels(link);
        }
        return entry->second;
    }

    void Use(const SwitchPath& path, int number)
    {
        for (const auto& link : path.links)
        {
            At(link).used += number;
        }
    }

    const WorkingSwitches& m_switches;
    SwitchBroadcastPlan::Heuristics m_heuristics;
    std::vector<std::vector<uint32_t>> m_children; ///< of each switch, in the order served
    std::vector<uint32_t> m_parents;
    std::vector<SwitchPath> m_paths;
    std::vector<Time> m_arrivals;
    Time m_minR;                                ///< no path's r is below
    std::unordered_map<uint64_t, Link> m_links; ///< by both switches
};

/// How many switches a host considers before it waits, and hosts of each: all paths of a large
/// fabric would take long.
constexpr uint32_t MAX_TRIES = 16;
constexpr uint32_t MAX_HOST_TRIES = 4;
/// How many hosts wait for channels at a time.
constexpr uint32_t MAX_WAITING = 512;

/// A plan that is being made, see HostBroadcastPlan.
class HostPlanner
{
  public:
    HostPlanner(const WorkingSwitches& switches, bool channelCaps)
        : m_switches(switches),
          m_channelCaps(channelCaps),
          m_ranks(switches.GetAllRanks()),
          m_left(switches.GetSize()),
          m_served(switches.GetSize(), 0),
          m_children(m_ranks.size()),
          m_arrivals(m_ranks.size()),
          m_channels(switches.GetNetwork())
    {
        for (uint32_t number = 0; number < switches.GetSize(); ++number)
        {
            const auto size = switches.GetRanks(number).size();
            m_left[number].resize(size);
            std::iota(m_left[number].begin(),
                      m_left[number].end(),
                      static_cast<uint32_t>(m_switchOf.size()));
            m_switchOf.insert(m_switchOf.end(), size, number);
            m_open.emplace(-static_cast<int64_t>(size), number);
        }
        Serve(0, Time(0), 0, Time(0)); // the root has it
        while (!m_free.empty() && !m_open.empty())
        {
            const auto [now, process] = *m_free.begin();
            m_free.erase(m_free.begin());
            Send(process, now);
        }
    }

    BroadcastPlan GetPlan() const
    {
        return {CommunicationTree(m_children), m_arrivals};
    }

  private:
    /// Serves at most one host.
    void Send(uint32_t process, Time now)
    {
        m_waiting.erase(process);
        const auto own = m_switchOf[process];
        uint32_t rounds = 0; // until all are served, if the served ones double in each
        for (auto served = m_allServed; served < m_switchOf.size(); served *= 2)
        {
            ++rounds;
        }
        const auto lag = std::max<int64_t>(GetLag(own, rounds), 0);
        // Alike are switches that nobody serves, and those that others must help.
        const auto mayHelp = [&](uint32_t number) {
            return m_served[number] == 0 || GetLag(number, rounds) > lag;
        };
        if (SendElsewhere(process, now, mayHelp))
        {
            return;
        }
        if (GetLeft(own) > 0)
        {
            Serve(process, now, m_left[own].front(), m_switches.GetMinR());
            return;
        }
        if (SendElsewhere(process, now, [](uint32_t) { return true; }))
        {
            return;
        }
        // What is left is behind busy channels: it tries again when one is free, unless others do.
        m_releases.erase(m_releases.begin(), m_releases.upper_bound(now));
        if (!m_releases.empty() && m_waiting.size() < MAX_WAITING)
        {
            m_waiting.insert(process);
            m_free.emplace(*m_releases.begin(), process);
        }
    }

    template <typename MAY_SERVE>
    bool SendElsewhere(uint32_t process, Time now, MAY_SERVE mayServe)
    {
        uint32_t tries = 0;
        for (const auto& [left, number] : m_open)
        {
            if (number == m_switchOf[process] || !mayServe(number))
            {
                continue;
            }
            if (++tries > MAX_TRIES)
            {
                break;
            }
            if (SendTo(number, process, now))
            {
                return true;
            }
        }
        return false;
    }

    /// @return whether a host of the given switch is served, over free channels
    bool SendTo(uint32_t number, uint32_t process, Time now)
    {
        const auto& left = m_left[number];
        for (std::size_t i = 0; i < left.size() && i < MAX_HOST_TRIES; ++i)
        {
            const auto& path = GetPath(process, left[i]);
            if (!m_channelCaps || m_channels.GetFree(path, now) <= now)
            {
                const auto sent = now + m_switches.GetSendTime();
                m_channels.Occupy(path, sent);
                m_releases.insert(sent);
                Serve(process, now, left[i], path.r);
                return true;
            }
            if (path.ports.empty()) // the same channels lead to all
            {
                break;
            }
        }
        return false;
    }

    int64_t GetLeft(uint32_t number) const
    {
        return static_cast<int64_t>(m_left[number].size());
    }

    /// @return number of hosts of a switch that its served hosts can't serve in time
    int64_t GetLag(uint32_t number, uint32_t rounds) const
    {
        return GetLeft(number) - int64_t{m_served[number]} * ((int64_t{1} << rounds) - 1);
    }

    /// @return the path from a process to a potential receiver, cached, as it may wait long
    const SwitchPath& GetPath(uint32_t process, uint32_t receiver)
    {
        const auto [entry, isNew] = m_paths.try_emplace(uint64_t{process} << 32 | receiver);
        if (isNew)
        {
            entry->second = m_switches.GetPathOfRanks(m_ranks[process], m_ranks[receiver]);
        }
        return entry->second;
    }

    void Serve(uint32_t process, Time now, uint32_t receiver, Time r)
    {
        const auto number = m_switchOf[receiver];
        auto& unserved = m_left[number];
        m_open.erase({-GetLeft(number), number});
        unserved.erase(std::find(unserved.begin(), unserved.end(), receiver));
        ++m_served[number];
        ++m_allServed;
        if (const auto left = GetLeft(number); left > 0)
        {
            m_open.emplace(-left, number);
        }
        if (receiver == process) // the root
        {
            m_free.emplace(now, process);
            return;
        }
        m_children[process].push_back(receiver);
        const auto sent = now + m_switches.GetSendTime();
        m_free.emplace(sent, process);
        m_arrivals[receiver] = sent + r;
        m_free.emplace(sent + r, receiver);
    }

    const WorkingSwitches& m_switches;
    bool m_channelCaps;
    std::vector<uint32_t> m_switchOf;              ///< by process
    std::vector<uint32_t> m_ranks;                 ///< by process
    std::vector<std::vector<uint32_t>> m_left;     ///< per switch: unserved processes
    std::vector<uint32_t> m_served;                ///< per switch: hosts served, or about to be
    std::vector<std::vector<uint32_t>> m_children; ///< by process
    std::vector<Time> m_arrivals;                  ///< by process
    std::size_t m_allServed{0};                    ///< hosts served, or about to be
    std::set<std::pair<int64_t, uint32_t>> m_open; ///< minus unserved hosts, and their switch
    std::set<std::pair<Time, uint32_t>> m_free;    ///< senders, by the time at which they are free
    LinkChannels m_channels;                       ///< channels occupied by messages
    std::unordered_map<uint64_t, SwitchPath> m_paths; ///< by process and receiver
    std::set<uint32_t> m_waiting;                     ///< hosts that wait for channels
    std::set<Time> m_releases;                        ///< when channels become free
};

} // namespace

SwitchBroadcastPlan::SwitchBroadcastPlan(const WorkingSwitches& switches,
                                         const Heuristics& heuristics)
    : BroadcastPlan(SwitchPlanner(switches, heuristics).GetPlan())
{
}

HostBroadcastPlan::HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps)
    : BroadcastPlan(HostPlanner(switches, channelCaps).GetPlan())
{
}

} // namespace ns3
