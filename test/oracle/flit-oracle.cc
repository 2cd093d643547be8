// SPDX-License-Identifier: GPL-2.0-only

#include "flit-oracle.h"

#include "oracle-fabric.h"

#include <stdexcept>

namespace ns3
{

namespace
{

/// The machine of rules S1 to S14 and S1b. Everything of an instant happens, and is asked for,
/// granted and moved until nothing is left, before the next one comes.
class FlitMachine : public OracleFabric
{
  public:
    /// @param log where to write what worms did; may be null
    FlitMachine(const WormCase& worms, const FabricDelays& delays, FlitLog* log)
        : OracleFabric(worms, delays),
          m_log(log)
    {
        m_outcome.worms.resize(worms.worms.size());
        for (std::size_t w = 0; w < worms.worms.size(); ++w)
        {
            m_agenda[worms.worms[w].timePs - worms.hostDelayPs].push_back({INJECT, w, 0, {}});
        }
        for (const auto& [output, channel] : m_channels)
        {
            for (const auto& [from, to] : channel.outages)
            {
                Plan(from, DOWN, output);
                Plan(from + worms.detectionDelayPs, NOTICE, output);
                if (to < NEVER)
                {
                    Wake(to);
                }
            }
        }
        for (const auto& outage : worms.outages)
        {
            if (!outage.port)
            {
                Plan(outage.fromPs, ERASE, {outage.node, 0});
            }
        }
    }

    ReplayOutcome Run()
    {
        while (!m_agenda.empty())
        {
            m_now = m_agenda.begin()->first;
            do
            {
                while (!m_agenda.empty() && m_agenda.begin()->first == m_now)
                {
                    const auto news = std::move(m_agenda.begin()->second);
                    m_agenda.erase(m_agenda.begin());
                    for (const auto& item : news)
                    {
                        Happen(item);
                    }
                }
                BreakParts();
                EndCutWorms();
                AskAll();
                GrantAll();
            } while (MoveAll());
            if (m_log)
            {
                m_case.whole ? LogLanes() : LogWaiting();
            }
        }
        for (const auto* stay : ListStays())
        {
            m_outcome.worms[stay->worm].blocked = true;
        }
        CheckCredits();
        return m_outcome;
    }

  private:
    enum What
    {
        INJECT, ///< a worm is handed to its host's queue
        ENTER,  ///< the first flit of a worm takes a slot of a buffer, or goes to a host
        ARRIVE, ///< a flit has come off the wire
        READY,  ///< a flit has come through the switch's pipeline
        CREDIT, ///< a slot of the buffer beyond a channel is free
        TAIL,   ///< a tail has left by a channel
        PASS,   ///< a worm that its host passes on is put into the host's queue
        MARK,   ///< what ends a worm that was cut has come off the wire
        IDLE    ///< a channel can take its next flit, or else is to be decided anew
    };

    struct News
    {
        What what;            ///< what
        std::size_t worm;     ///< worm that it happens to
        WormRoute::Stop stop; ///< at this stop of its route
        OraclePlace place;    ///< lane of a channel
    };

    /// What an outage brings, in the order in which it does at an instant.
    enum Break
    {
        DOWN,   ///< a channel goes down
        NOTICE, ///< its far end knows
        ERASE   ///< a node loses what it holds
    };

    /// Has an outage bring something. @param output a channel, or any of a node's
    void Plan(int64_t time, Break what, const Output& output)
    {
        m_breaks[{time, what}].push_back(output);
        Wake(time);
    }

    void Wake(int64_t time)
    {
        m_agenda[time].push_back({IDLE, 0, 0, {}});
    }

    /// Lets something happen. @param news what
    void Happen(const News& news)
    {
        switch (news.what)
        {
        case INJECT:
            m_handedOver.push_back(news.worm); // behind what is put there at the same instant
            break;
        case ENTER:
            Enter(news.place, news.worm, news.stop);
            break;
        case CREDIT:
            ++At(news.place).credits[news.place.lane];
            break;
        case TAIL:
            if (auto& channel = At(news.place); channel.owner && channel.owner->worm == news.worm)
            {
                channel.branch->gone = true;
                channel.owner = nullptr;
            }
            break;
        case IDLE:
            break;
        default:
            if (auto* stay = Find(news.worm, news.stop)) // it may have been lost
            {
                HappenTo(*stay, news.what);
            }
        }
    }

    /// Lets something happen to a worm in a buffer.
    void HappenTo(OracleStay& stay, What what)
    {
        const auto node = NodeOf(stay);
        if (what == ARRIVE)
        {
            ++stay.arrived;
            if (!stay.branches.empty())
            {
                m_agenda[m_now + DelayOf(stay)].push_back({READY, stay.worm, stay.stop, {}});
            }
            else if (stay.arrived == LengthOf(stay)) // S7
            {
                m_outcome.worms[stay.worm].delivered[m_case.graph.GetName(node)] = m_now;
                Remove(stay);
            }
        }
        else if (what == READY)
        {
            ++stay.ready;
            // S13: a host is to pass a worm on once its head, or its tail, is ready.
            if (IsPassed(stay) &&
                stay.ready == (m_case.inTransit == InTransit::WHOLE ? LengthOf(stay) : 1))
            {
                const auto put = m_now + m_case.inTransitDelayPs;
                m_agenda[put].push_back({PASS, stay.worm, stay.stop, {}});
                if (m_log)
                {
                    m_log->passings[{stay.worm, stay.stop}] = {m_now, put};
                }
            }
        }
        else if (what == PASS)
        {
            Move(stay, {node, -1, 0});
        }
        else
        {
            Cut(stay);
        }
    }

    /// S14: parts go down and are known to be, after all that arrives at that instant.
    void BreakParts()
    {
        while (!m_breaks.empty() && m_breaks.begin()->first.first == m_now)
        {
            const auto what = m_breaks.begin()->first.second;
            const auto outputs = std::move(m_breaks.begin()->second);
            m_breaks.erase(m_breaks.begin());
            for (const auto& output : outputs)
            {
                if (what == DOWN)
                {
                    auto& channel = m_channels.at(output);
                    if (channel.owner && channel.branch->sent > 0 && !channel.drainedFrom)
                    {
                        channel.drainedFrom = m_now + m_case.detectionDelayPs;
                    }
                    continue;
                }
                for (auto* stay : ListStays())
                {
                    const Output came(stay->came.node, stay->came.port);
                    if (what == ERASE && NodeOf(*stay) == output.first && !stay->branches.empty())
                    {
                        Erase(*stay);
                    }
                    else if (what == NOTICE && came == output && !stay->mark &&
                             stay->arrived < LengthOf(*stay))
                    {
                        Cut(*stay);
                    }
                }
            }
        }
    }

    /// S14: no more comes of a worm.
    void Cut(OracleStay& stay)
    {
        const auto node = NodeOf(stay);
        const bool isPassed = IsPassed(stay) && m_case.inTransit == InTransit::AS_IT_COMES;
        if (m_case.graph.IsSwitch(node) || isPassed)
        {
            stay.mark = m_now + DelayOf(stay);
            Wake(*stay.mark);
            return;
        }
        m_outcome.worms[stay.worm].cut[m_case.graph.GetName(node)] = {stay.arrived, m_now};
        Remove(stay);
    }

    /// S14: a worm is lost with the node that holds it.
    void Erase(const OracleStay& stay)
    {
        auto left = stay.flits;
        for (const auto& branch : stay.branches)
        {
            left = std::min(left, branch.sent);
            if (branch.granted && !branch.gone)
            {
                At(branch.place).owner = nullptr;
                if (branch.sent > 0 && branch.sent < stay.flits)
                {
                    LegOf(stay.worm, branch.place).tailEnd = m_now;
                }
            }
        }
        const auto held = stay.arrived - std::min(stay.dropped, stay.ready) - left;
        Lose(stay.worm, NodeOf(stay), held);
        if (m_case.graph.IsSwitch(NodeOf(stay)))
        {
            const auto back = At(stay.came).FindOutage(m_now, m_now + 1)->second;
            for (uint64_t i = 0; i < held && back < NEVER; ++i)
            {
                m_agenda[back].push_back({CREDIT, 0, 0, stay.came});
            }
        }
        Remove(stay);
    }

    void Lose(std::size_t worm, FabricGraph::Node node, uint64_t flits)
    {
        if (flits > 0)
        {
            m_outcome.worms[worm].lost[m_case.graph.GetName(node)] += flits;
        }
    }

    /// S14: marks leave behind the last flits that came.
    void EndCutWorms()
    {
        if (m_case.outages.empty())
        {
            return;
        }
        VisitQueues(false, [this](const OraclePlace& /* place */, std::list<OracleStay>& queue) {
            do
            {
                RemoveGone(queue);
            } while (!queue.empty() && EndCutWorm(queue.front()));
        });
    }

    /// @return whether a worm in front was cut before all bytes of its route (S1b), and ends here
    bool EndCutWorm(OracleStay& stay)
    {
        if (stay.mark.value_or(NEVER) > m_now || stay.nextStart > m_now)
        {
            return false;
        }
        const bool isShort = stay.arrived <= stay.dropped;
        for (auto& branch : stay.branches)
        {
            auto* channel = branch.granted && !branch.gone ? &At(branch.place) : nullptr;
            const bool isLast = channel && branch.sent + stay.dropped == stay.arrived &&
                                channel->busyUntil <= m_now;
            if (!isShort && !isLast)
            {
                continue;
            }
            branch.gone = true;
            if (channel)
            {
                channel->owner = nullptr;
            }
            if (!isShort)
            {
                LegOf(stay.worm, branch.place).tailEnd = m_now;
                const auto arrival = m_now + LinkDelay(branch.place);
                if (!channel->drainedFrom && !channel->FindOutage(m_now, arrival))
                {
                    m_agenda[arrival].push_back({MARK, stay.worm, branch.next, {}});
                }
            }
        }
        return isShort && !stay.branches.empty();
    }

    /// Takes worms out of a queue that have left by all outputs.
    void RemoveGone(std::list<OracleStay>& queue)
    {
        const auto isGone = [](const OracleBranch& branch) { return branch.gone; };
        while (!queue.empty() &&
               std::all_of(queue.front().branches.begin(), queue.front().branches.end(), isGone))
        {
            Remove(queue.front());
        }
    }

    /// S4: heads that are ready and in front ask for their outputs.
    void AskAll()
    {
        for (const auto worm : m_handedOver)
        {
            const auto& its = m_case.worms[worm];
            const auto isOff = [&](const auto& outage) {
                return outage.node == its.root && !outage.port && outage.fromPs <= m_now &&
                       m_now < outage.toPs.value_or(NEVER);
            };
            if (std::any_of(m_case.outages.begin(), m_case.outages.end(), isOff))
            {
                Lose(worm, its.root, Length(worm, 0)); // S14
                continue;
            }
            auto& stay = Enter({its.root, -1, its.route.GetLane(1)}, worm, 0);
            stay.ready = stay.arrived = stay.flits;
            stay.since = its.timePs;
            Wake(stay.since);
        }
        m_handedOver.clear();
        VisitQueues(false, [this](const OraclePlace& place, std::list<OracleStay>& queue) {
            RemoveGone(queue);
            if (!queue.empty() && !queue.front().asked &&
                queue.front().ready > queue.front().dropped && queue.front().since <= m_now)
            {
                queue.front().asked = true;
                queue.front().since = m_now;
                Drop(place, queue.front());
            }
        });
    }

    /// S1b: a flit whose bytes are all read leaves its buffer, and goes nowhere. @param place the
    /// buffer @param stay a worm there that asks for its output
    void Drop(const OraclePlace& place, OracleStay& stay)
    {
        if (place.port < 0 || stay.branches.size() != 1 || stay.flits == LengthOf(stay))
        {
            return;
        }
        stay.dropped = 1;
        if (m_log)
        {
            m_log->reads[{stay.worm, stay.stop}] = m_now;
        }
        stay.nextStart = m_now + m_delays.GetFlitTime(place.node, place.port);
        m_agenda[m_now + LinkDelay(place)].push_back({CREDIT, stay.worm, stay.stop, place});
        Wake(stay.nextStart);
    }

    /// S5, S11, S12: makes grants one after the other. Those of one switch do not matter to others.
    void GrantAll()
    {
        while (GrantOne())
        {
        }
    }

    /// Makes the first of all grants that can be made. @return whether there was one
    bool GrantOne()
    {
        std::map<OraclePlace, OracleRequest> first;
        VisitRequests([&](const OraclePlace& place, const OracleRequest& request) {
            const auto& channel = At(place);
            if (!channel.owner && channel.busyUntil <= m_now)
            {
                const auto found = first.emplace(place, request).first;
                found->second = std::min(found->second, request);
            }
        });
        const std::pair<const OraclePlace, OracleRequest>* best = nullptr;
        for (const auto& entry : first)
        {
            const auto& channel = At(entry.first);
            const auto flits = static_cast<int64_t>(m_case.worms[entry.second.stay->worm].flits);
            const bool fits = !m_case.whole || !IsToSwitch(entry.first) ||
                              channel.credits[entry.first.lane] >= flits || IsKnownDown(channel);
            if (fits && (!best || entry.second < best->second))
            {
                best = &entry;
            }
        }
        if (!best)
        {
            return false;
        }
        const auto& [place, request] = *best;
        request.branch->granted = true;
        request.branch->next = request.next;
        request.branch->place = place;
        auto& channel = At(place);
        channel.owner = request.stay;
        channel.branch = request.branch;
        channel.drainedFrom.reset();
        if (m_log)
        {
            m_log->asked[{request.stay->worm, request.next}] = request.stay->since;
        }
        return true;
    }

    /// @return whether a channel loses flits, and takes no credits for them (S14)
    bool IsDrained(const Channel& channel) const
    {
        return IsKnownDown(channel) || channel.drainedFrom.value_or(NEVER) <= m_now;
    }

    /// @return whether the next flit can start on a branch
    bool CanStart(const OracleStay& stay, const OracleBranch& branch)
    {
        if (!branch.granted || branch.gone || branch.sent == stay.flits ||
            branch.sent + stay.dropped >= stay.ready || stay.nextStart > m_now)
        {
            return false;
        }
        const auto& channel = At(branch.place);
        return channel.busyUntil <= m_now &&
               (!IsToSwitch(branch.place) || channel.credits[branch.place.lane] > 0 ||
                IsDrained(channel));
    }

    /// Starts every flit that can start. @return whether any did
    bool MoveAll()
    {
        bool moved = false;
        VisitQueues(true, [&](const OraclePlace& from, std::list<OracleStay>& queue) {
            auto& stay = queue.front();
            std::vector<OracleBranch*> able;
            for (auto& branch : stay.branches)
            {
                if (CanStart(stay, branch))
                {
                    able.push_back(&branch);
                }
            }
            if (m_case.sync && able.size() < stay.branches.size())
            {
                return; // S9
            }
            for (auto* branch : able)
            {
                Start(from, stay, *branch);
                moved = true;
            }
        });
        return moved;
    }

    ReplayOutcome::Leg& LegOf(std::size_t worm, const OraclePlace& place)
    {
        const auto lane = m_case.lanes > 1 ? ":" + std::to_string(place.lane) : "";
        return m_outcome.worms[worm].legs[NameOf(place) + lane];
    }

    void Start(const OraclePlace& from, OracleStay& stay, OracleBranch& branch)
    {
        const auto& place = branch.place;
        auto& channel = At(place);
        const auto flit = branch.sent++;
        const bool isLast = branch.sent == stay.flits;
        const auto end = m_now + m_delays.GetFlitTime(place.node, place.port);
        const auto arrival = end + LinkDelay(place);
        channel.busyUntil = end;
        if (m_log)
        {
            m_log->starts[{stay.worm, branch.next}].push_back(m_now);
        }
        if (flit == 0)
        {
            LegOf(stay.worm, place).headStart = m_now;
        }
        if (isLast)
        {
            LegOf(stay.worm, place).tailEnd = end;
        }
        m_agenda[end].push_back({isLast ? TAIL : IDLE, stay.worm, branch.next, place});
        const auto* outage = channel.FindOutage(m_now, arrival);
        const bool isDrained = IsDrained(channel);
        if (IsToSwitch(place) && !isDrained)
        {
            --channel.credits[place.lane];
            if (outage && outage->second < NEVER)
            {
                m_agenda[outage->second].push_back({CREDIT, stay.worm, branch.next, place});
            }
        }
        if (outage || isDrained)
        {
            m_outcome.worms[stay.worm].lost[NameOf(place)] += 1;
            if (!channel.drainedFrom)
            {
                channel.drainedFrom = outage->first + m_case.detectionDelayPs;
            }
        }
        else
        {
            if (flit == 0)
            {
                m_agenda[m_now].push_back({ENTER, stay.worm, branch.next, place});
            }
            m_agenda[arrival].push_back({ARRIVE, stay.worm, branch.next, place});
        }
        // S6: the slot is free when its flit has started on every branch.
        const bool isFree = std::all_of(stay.branches.begin(),
                                        stay.branches.end(),
                                        [flit](const OracleBranch& b) { return b.sent > flit; });
        if (from.port >= 0 && isFree)
        {
            m_agenda[m_now + LinkDelay(from)].push_back({CREDIT, stay.worm, stay.stop, from});
        }
    }

    /// No credit is lost for good, and none comes twice: all are back unless worms are stuck.
    void CheckCredits() const
    {
        const bool isStuck =
            std::any_of(m_stays.begin(), m_stays.end(), [](const auto& of) { return !of.empty(); });
        for (const auto& [output, channel] : m_channels)
        {
            const OraclePlace place{output.first, output.second, 0};
            const auto depth = int64_t{m_delays.GetDepth(Far(place).node, Far(place).port)};
            const bool isBack = channel.outages.empty() || channel.outages.back().second < NEVER;
            for (const auto credits : channel.credits)
            {
                if (credits > depth || (credits < depth && !isStuck && isBack))
                {
                    throw std::logic_error("the oracle's credits of " + NameOf(place));
                }
            }
        }
    }

    /// Writes down what every worm waits for at this instant, if that has changed.
    void LogWaiting()
    {
        VisitQueues(false, [this](const OraclePlace& /* place */, std::list<OracleStay>& queue) {
            for (const auto& stay : queue)
            {
                const bool isReady =
                    stay.asked || (stay.ready > stay.dropped && stay.since <= m_now);
                FlitWaiting waiting{queue.front().worm, isReady, {}};
                for (std::size_t b = 0; stay.asked && b < stay.branches.size(); ++b)
                {
                    const auto out = LaneTo(stay, stay.branches[b].options.front());
                    const auto& channel = At(out);
                    const auto credits = static_cast<uint32_t>(channel.credits[out.lane]);
                    waiting.outputs.push_back({{}, credits, {}});
                    if (channel.owner)
                    {
                        waiting.outputs.back().owner = channel.owner->worm;
                    }
                    for (const auto& other : m_buffers[out])
                    {
                        if (IsToSwitch(out))
                        {
                            waiting.outputs.back().beyond.insert(other.worm);
                        }
                    }
                }
                auto& log = m_log->waiting[{stay.worm, stay.stop}];
                if (log.empty() || !(log.rbegin()->second == waiting))
                {
                    log[m_now] = std::move(waiting);
                }
            }
        });
    }

    /// Writes down who waits for which lane at this instant.
    void LogLanes()
    {
        std::map<OraclePlace, std::vector<OracleRequest>> all;
        VisitRequests([&](const OraclePlace& place, const OracleRequest& request) {
            all[place].push_back(request);
            m_log->asked[{request.stay->worm, request.next}] = request.stay->since;
        });
        for (auto& [place, requests] : all)
        {
            std::sort(requests.begin(), requests.end());
            const auto& channel = At(place);
            LaneWaiting waiting{{}, IsToSwitch(place) ? channel.credits[place.lane] : NEVER, {}};
            if (channel.owner)
            {
                waiting.owner = channel.owner->worm;
                const bool isSame = channel.branch->place.lane == place.lane;
                const auto toCome = channel.owner->flits - channel.branch->sent;
                waiting.credits -= isSame ? static_cast<int64_t>(toCome) : 0;
            }
            for (const auto& request : requests)
            {
                m_log->lanes[{request.stay->worm, request.next}][m_now] = waiting;
                waiting.before.push_back(request.stay->worm);
            }
        }
    }

    FlitLog* m_log;                                ///< see the constructor
    ReplayOutcome m_outcome{};                     ///< what happened
    std::map<int64_t, std::vector<News>> m_agenda; ///< what will happen, by time
    std::vector<std::size_t> m_handedOver;         ///< worms that hosts send from this instant on
    /// What outages bring, by time and order.
    std::map<std::pair<int64_t, Break>, std::vector<Output>> m_breaks;
};

} // namespace

ReplayOutcome
MoveFlitByFlit(const WormCase& worms, const FabricDelays& delays, FlitLog* log)
{
    return FlitMachine(worms, delays, log).Run();
}

} // namespace ns3
