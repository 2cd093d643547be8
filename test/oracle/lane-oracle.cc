/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-oracle.h"

#include "oracle-agenda.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// A lane of a channel, by its sending end: node, port, lane. Port -1: a host's sending queue.
using LanePlace = std::tuple<FabricGraph::Node, int, int>;

/// The machine of rules S1 to S12, without S1b.
class LaneMachine : public OracleAgenda<LanePlace>
{
  public:
    /// @param log where to write what worms waited for; null: nowhere
    LaneMachine(const WormCase& worms, LaneWaitLog* log)
        : OracleAgenda(worms),
          m_log(log)
    {
    }

  private:
    /// One branch of a worm in a buffer.
    struct Branch
    {
        std::vector<WormRoute::Stop> options; ///< stops that it may lead to, in order of preference
        bool granted{false};                  ///< whether it has got one
        WormRoute::Stop next{0};              ///< the one
        LanePlace place;                      ///< its lane
        uint64_t sent{0};                     ///< flits sent
        bool gone{false};                     ///< whether its tail has left
    };

    /// A worm in a buffer.
    struct Stay
    {
        std::size_t worm;             ///< the worm
        WormRoute::Stop stop;         ///< stop of its route
        uint64_t ready{0};            ///< flits that are ready
        bool asked{false};            ///< whether its head has asked
        int64_t since{0};             ///< when
        std::vector<Branch> branches; ///< its branches, one if it has choices
    };

    /// @return times and depth of a channel
    WormCase::Timing Timing(FabricGraph::Node node, int port) const
    {
        return m_case.GetTiming({node, static_cast<FabricGraph::Port>(port)});
    }

    FabricGraph::End Far(const LanePlace& place) const
    {
        return m_case.graph.Peer(std::get<0>(place),
                                 static_cast<FabricGraph::Port>(std::get<1>(place)));
    }

    uint64_t& Credits(const LanePlace& place)
    {
        const auto far = Far(place);
        return m_credits.emplace(place, Timing(far.node, far.port).depth).first->second;
    }

    LanePlace LaneTo(std::size_t worm, WormRoute::Stop from, WormRoute::Stop next) const
    {
        const auto& route = m_case.worms[worm].route;
        const auto branches = route.At(from);
        return {m_case.worms[worm].stopNodes[from],
                branches[next - branches[0].next].port,
                route.GetLane(next)};
    }

    /// Puts a worm into a buffer.
    Stay& Enter(const LanePlace& place, std::size_t worm, WormRoute::Stop stop)
    {
        Stay stay{worm, stop, 0, false, 0, {}};
        const auto& route = m_case.worms[worm].route;
        for (const auto branch : route.At(stop))
        {
            if (stay.branches.empty() || !route.HasChoices())
            {
                stay.branches.emplace_back();
            }
            stay.branches.back().options.push_back(branch.next);
        }
        m_buffers[place].push_back(std::move(stay));
        return m_buffers[place].back();
    }

    /// Lets something happen.
    void Happen(const News& news) override
    {
        const auto& worm = m_case.worms[news.worm];
        switch (news.what)
        {
        case INJECT:
            Enter({worm.root, -1, worm.route.GetLane(1)}, news.worm, 0).ready = worm.flits;
            break;
        case ENTER:
            Enter(news.place, news.worm, news.stop);
            break;
        case READY:
            for (auto& stay : m_buffers[news.place])
            {
                stay.ready += stay.worm == news.worm;
            }
            break;
        case CREDIT:
            ++Credits(news.place);
            break;
        case TAIL:
            m_owned.erase({std::get<0>(news.place), std::get<1>(news.place)});
            for (auto& [place, queue] : m_buffers)
            {
                for (auto& stay : queue)
                {
                    for (auto& branch : stay.branches)
                    {
                        branch.gone = branch.gone || (stay.worm == news.worm && branch.granted &&
                                                      branch.place == news.place);
                    }
                }
            }
            break;
        case PASS:
        case IDLE:
            break;
        }
    }

    /// S4: heads that are ready and in front ask.
    void AskAll(int64_t now) override
    {
        m_now = now;
        for (auto& [place, queue] : m_buffers)
        {
            while (!queue.empty() && !queue.front().branches.empty() &&
                   std::all_of(queue.front().branches.begin(),
                               queue.front().branches.end(),
                               [](const Branch& branch) { return branch.gone; }))
            {
                queue.pop_front();
            }
            if (!queue.empty() && !queue.front().asked && queue.front().ready > 0)
            {
                queue.front().asked = true;
                queue.front().since = now;
            }
        }
    }

    /// S5, S11, S12: makes grants one after the other. Those of one switch do not matter to others.
    void GrantAll() override
    {
        while (GrantOne())
        {
        }
        if (m_log)
        {
            Log();
        }
    }

    /// Priority, lowest first; when it asked; input port and lane; rank; output port.
    using Order = std::tuple<int64_t, int64_t, int, int, std::size_t, int>;

    /// A request that waits.
    struct Request
    {
        Order order;          ///< its place among all
        Stay* stay;           ///< the worm in its buffer
        Branch* branch;       ///< the branch that asks
        WormRoute::Stop next; ///< where it leads to
    };

    /// Finds the requests that wait. @param visit called with each, and the lane that it is for
    template <typename VISIT>
    void VisitRequests(VISIT visit)
    {
        for (auto& [from, queue] : m_buffers)
        {
            if (queue.empty() || !queue.front().asked)
            {
                continue;
            }
            auto& stay = queue.front();
            const int number = std::get<1>(from) < 0 ? -1 : Far(from).port;
            for (auto& branch : stay.branches)
            {
                for (std::size_t rank = 0; !branch.granted && rank < branch.options.size(); ++rank)
                {
                    const auto next = branch.options[rank];
                    const auto place = LaneTo(stay.worm, stay.stop, next);
                    const Order order{-int64_t{m_case.priorities[std::get<2>(place)]},
                                      stay.since,
                                      number,
                                      std::get<2>(from),
                                      rank,
                                      std::get<1>(place)};
                    visit(place, Request{order, &stay, &branch, next});
                }
            }
        }
    }

    /// Writes down who waits for what, now that grants are made.
    void Log()
    {
        std::map<LanePlace, std::vector<Request>> all;
        VisitRequests([&](const LanePlace& place, const Request& request) {
            all[place].push_back(request);
            m_log->asked[{request.stay->worm, request.next}] = request.stay->since;
        });
        for (auto& [place, requests] : all)
        {
            std::sort(requests.begin(), requests.end(), [](const auto& a, const auto& b) {
                return a.order < b.order;
            });
            LaneWaiting waiting{{}, INT64_MAX, {}};
            if (m_case.graph.IsSwitch(Far(place).node))
            {
                waiting.credits = static_cast<int64_t>(Credits(place));
            }
            const auto owned = m_owned.find({std::get<0>(place), std::get<1>(place)});
            if (owned != m_owned.end())
            {
                waiting.owner = owned->second;
                waiting.credits -= GetToCome(*waiting.owner, place);
            }
            for (const auto& request : requests)
            {
                m_log->waiting[{request.stay->worm, request.next}][m_now] = waiting;
                waiting.before.push_back(request.stay->worm);
            }
        }
    }

    /// @return flits that a worm is to send yet by a lane
    int64_t GetToCome(std::size_t worm, const LanePlace& place) const
    {
        uint64_t toCome = 0;
        for (const auto& [from, queue] : m_buffers)
        {
            for (const auto& stay : queue)
            {
                for (const auto& branch : stay.branches)
                {
                    toCome += stay.worm == worm && branch.granted && branch.place == place
                                  ? m_case.worms[worm].flits - branch.sent
                                  : 0;
                }
            }
        }
        return static_cast<int64_t>(toCome);
    }

    /// Makes the first of all grants that can be made. @return whether there was one
    bool GrantOne()
    {
        std::map<LanePlace, Request> first;
        VisitRequests([&first](const LanePlace& place, const Request& request) {
            const auto found = first.find(place);
            if (found == first.end() || request.order < found->second.order)
            {
                first.insert_or_assign(place, request);
            }
        });
        const std::pair<const LanePlace, Request>* best = nullptr;
        for (const auto& entry : first)
        {
            const auto& place = entry.first;
            const bool isFree = !m_owned.count({std::get<0>(place), std::get<1>(place)});
            const bool fits = !m_case.whole || !m_case.graph.IsSwitch(Far(place).node) ||
                              Credits(place) >= m_case.worms[entry.second.stay->worm].flits;
            if (isFree && fits && (!best || entry.second.order < best->second.order))
            {
                best = &entry;
            }
        }
        if (best)
        {
            auto& branch = *best->second.branch;
            branch.granted = true;
            branch.next = best->second.next;
            branch.place = best->first;
            m_owned[{std::get<0>(best->first), std::get<1>(best->first)}] = best->second.stay->worm;
            if (m_log)
            {
                m_log->asked[{best->second.stay->worm, branch.next}] = best->second.stay->since;
            }
        }
        return best;
    }

    /// Starts every flit that can start. @return whether any did
    bool MoveAll(int64_t now) override
    {
        bool moved = false;
        for (auto& [from, queue] : m_buffers)
        {
            if (queue.empty() || !queue.front().asked)
            {
                continue;
            }
            auto& stay = queue.front();
            const auto flits = m_case.worms[stay.worm].flits;
            std::vector<Branch*> able;
            for (auto& branch : stay.branches)
            {
                if (branch.granted && branch.sent < flits && branch.sent < stay.ready &&
                    m_busy[{std::get<0>(branch.place), std::get<1>(branch.place)}] <= now &&
                    (!m_case.graph.IsSwitch(Far(branch.place).node) || Credits(branch.place) > 0))
                {
                    able.push_back(&branch);
                }
            }
            if (m_case.sync && able.size() < stay.branches.size())
            {
                continue; // S9
            }
            for (const auto branch : able)
            {
                Start(now, from, stay, *branch);
                moved = true;
            }
        }
        return moved;
    }

    /// Starts a flit. @param now the time, ps
    void Start(int64_t now, const LanePlace& from, Stay& stay, Branch& branch)
    {
        const auto [node, port, lane] = branch.place;
        const auto cable = Timing(node, port);
        const auto flit = branch.sent++;
        const bool last = branch.sent == m_case.worms[stay.worm].flits;
        const auto end = now + cable.flitTimePs;
        const auto far = Far(branch.place);
        auto& outcome = m_outcome.worms[stay.worm];
        auto name = m_case.graph.GetName(node) + ":" + std::to_string(port);
        if (m_case.lanes > 1)
        {
            name += ":" + std::to_string(lane);
        }
        m_busy[{node, port}] = end;
        if (flit == 0)
        {
            outcome.legs[name].headStart = now;
        }
        if (last)
        {
            outcome.legs[name].tailEnd = end;
        }
        m_agenda[end].push_back({last ? TAIL : IDLE, stay.worm, branch.next, branch.place});
        if (!m_case.graph.IsSwitch(far.node))
        {
            if (last)
            {
                outcome.delivered[m_case.graph.GetName(far.node)] = end + cable.linkDelayPs;
            }
        }
        else
        {
            --Credits(branch.place);
            if (flit == 0)
            {
                m_agenda[now].push_back({ENTER, stay.worm, branch.next, branch.place});
            }
            m_agenda[end + cable.linkDelayPs + Timing(far.node, far.port).switchDelayPs].push_back(
                {READY, stay.worm, branch.next, branch.place});
        }
        // S6: the slot is free when its flit has started on every branch.
        const bool isFree = std::all_of(stay.branches.begin(),
                                        stay.branches.end(),
                                        [flit](const Branch& b) { return b.sent > flit; });
        if (std::get<1>(from) >= 0 && isFree)
        {
            const auto back = Timing(std::get<0>(from), std::get<1>(from)).linkDelayPs;
            m_agenda[now + back].push_back({CREDIT, stay.worm, stay.stop, from});
        }
    }

    std::map<LanePlace, uint64_t> m_credits;         ///< slots free beyond each lane
    std::map<LanePlace, std::deque<Stay>> m_buffers; ///< all buffers used so far
    /// Worms that have an output, by it.
    std::map<std::pair<FabricGraph::Node, int>, std::size_t> m_owned;
    std::map<std::pair<FabricGraph::Node, int>, int64_t> m_busy; ///< when flits have passed
    LaneWaitLog* m_log;                                          ///< see the constructor
    int64_t m_now{0};                                            ///< present time
};

} // namespace

ReplayOutcome
MoveInLanes(const WormCase& worms, LaneWaitLog* log)
{
    return LaneMachine(worms, log).Run();
}

WormCase
MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options)
{
    const auto draw = [&rng](uint32_t low, uint32_t high) { return rng->GetInteger(low, high); };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    const auto nSwitches = draw(3, 6);
    const auto nHosts = nSwitches * 2;
    FabricGraph graph(nSwitches, nHosts, 10);
    std::vector<FabricGraph::Port> used(nSwitches, 0);
    // A line of switches, or a ring, of one to three cables between neighbours.
    std::vector<std::vector<FabricGraph::Port>> right(nSwitches);
    for (uint32_t s = 0; s + (options.ring ? 0 : 1) < nSwitches; ++s)
    {
        const auto next = (s + 1) % nSwitches;
        for (auto n = options.choices ? draw(1, 3) : 1; n > 0; --n)
        {
            right[s].push_back(used[s]);
            graph.Connect(s, used[s]++, next, used[next]++);
            if (options.rates && draw(0, 1))
            {
                CableProperties cable;
                cable.flitTime = TimeStep(pick({7, 1000, 2500}));
                cable.delay = TimeStep(pick({1, 90, 20'000}));
                graph.SetCable(s, right[s].back(), cable);
            }
        }
    }
    for (uint32_t h = 0; h < nHosts; ++h)
    {
        graph.Connect(graph.HostAt(h), 0, h / 2, used[h / 2]++);
    }
    WormCase made{graph};
    made.lanes = options.lanes;
    made.whole = options.whole;
    for (uint32_t lane = 0; lane < options.lanes; ++lane)
    {
        made.priorities.resize(options.lanes);
        made.priorities[lane] = draw(0, 2);
    }
    made.timing.flitTimePs = pick({7, 6250});
    made.timing.linkDelayPs = pick({1, 3, 20'000});
    made.timing.switchDelayPs = pick({0, 11, 300'000});
    made.timing.depth =
        static_cast<uint32_t>(options.whole ? pick({64, 70, 150}) : pick({1, 2, 8, 100}));
    made.sync = !options.whole && draw(0, 1);
    const auto drawLane = [&] { return static_cast<uint8_t>(draw(0, options.lanes - 1)); };
    const auto nWorms = draw(2, options.ring ? 60 : 25);
    for (uint32_t w = 0; w < nWorms; ++w)
    {
        WormCase::Worm worm;
        worm.timePs = draw(0, options.ring ? 100'000 : 2'000'000);
        worm.flits = pick({1, 2, 5, 17, 64});
        const auto from = draw(0, nHosts - 1);
        auto to = draw(0, nHosts - 2);
        to += to >= from;
        worm.root = graph.HostAt(from);
        // From switch to switch to the right, round the ring; on a line, either way.
        std::vector<std::vector<WormRoute::Choice>> nodes{{{0, drawLane(), 1}}};
        std::vector<FabricGraph::Node> at{worm.root};
        bool many = false;
        for (auto s = from / 2; s != to / 2;)
        {
            const bool isRight = options.ring || to / 2 > s;
            const auto next = isRight ? (s + 1) % nSwitches : s - 1;
            const auto& cables = isRight ? right[s] : right[next];
            at.push_back(s);
            nodes.emplace_back();
            const auto nPorts = options.choices ? draw(1, static_cast<uint32_t>(cables.size())) : 1;
            for (uint32_t i = 0; i < nPorts; ++i)
            {
                const auto port = isRight ? cables[i] : graph.Peer(next, cables[i]).port;
                nodes.back().push_back({port, drawLane(), static_cast<uint32_t>(nodes.size())});
            }
            many = many || nPorts > 1;
            s = next;
        }
        at.push_back(to / 2);
        nodes.push_back({{graph.SwitchOf(graph.HostAt(to)).port,
                          drawLane(),
                          static_cast<uint32_t>(nodes.size() + 1)}});
        nodes.emplace_back();
        at.push_back(graph.HostAt(to));
        if (many)
        {
            worm.route = WormRoute::Adaptive(nodes);
            worm.stopNodes = {worm.root};
            for (const auto& choices : nodes)
            {
                for (const auto& choice : choices)
                {
                    worm.stopNodes.push_back(at[choice.nextNode]);
                }
            }
        }
        else
        {
            // The last switch's other host gets a copy of some.
            const bool isTree = options.trees && draw(0, 2) == 0 && to / 2 != from / 2;
            std::vector<std::vector<uint16_t>> ports;
            WormRoute::Lanes lanes;
            for (const auto& choices : nodes)
            {
                ports.emplace_back();
                for (const auto& choice : choices)
                {
                    ports.back().push_back(choice.port);
                    lanes.push_back(choice.lane);
                }
            }
            worm.stopNodes = at;
            if (isTree)
            {
                ports[ports.size() - 2].push_back(graph.SwitchOf(graph.HostAt(to ^ 1)).port);
                lanes.push_back(drawLane());
                ports.emplace_back();
                worm.stopNodes.push_back(graph.HostAt(to ^ 1));
            }
            worm.route = WormRoute::Tree(ports).InLanes(lanes);
        }
        made.worms.push_back(worm);
    }
    return made;
}

} // namespace ns3
