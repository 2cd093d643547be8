/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-oracle.h"

#include "oracle-agenda.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// A directed channel, or the buffer at its end, by its sending end; port -1 is a host's queue.
using Place = std::pair<FabricGraph::Node, int>;

/// The machine of rules S1 to S10, S13 and S1b.
class FlitMachine : public OracleAgenda<Place>
{
  public:
    /// @param worms the case @param delays delays and depths of its fabric
    /// @param log where to write what worms did; may be null
    FlitMachine(const WormCase& worms, const FabricDelays& delays, FlitLog* log)
        : OracleAgenda(worms),
          m_delays(delays),
          m_log(log)
    {
    }

  private:
    /// A channel.
    struct Channel
    {
        bool known{false};    ///< whether the fields below are set
        uint32_t credits{0};  ///< slots free beyond it
        int64_t busyUntil{0}; ///< when the flit on it has passed
        bool owned{false};    ///< whether a worm has it
        std::size_t owner{0}; ///< that worm
        std::set<std::tuple<int64_t, int, std::size_t>> requests; ///< time, input port, worm
    };

    /// A worm in a buffer.
    struct Stay
    {
        std::size_t worm;           ///< the worm
        WormRoute::Stop stop;       ///< stop of its route
        uint64_t ready{0};          ///< flits that are ready
        bool asked{false};          ///< whether its head has asked
        std::vector<uint64_t> sent; ///< flits sent, by branch
        uint64_t dropped{0};        ///< flits that are not sent on, S1b: 0 or 1
        int64_t nextStart{0};       ///< the flit behind those starts no earlier
        uint64_t flits{0};          ///< flits to send
        int64_t since{0};           ///< its head asks no earlier
    };

    /// @return the worm's description @param worm its index
    const WormCase::Worm& WormAt(std::size_t worm) const
    {
        return m_case.worms[worm];
    }

    /// @return a channel @param place its sending end
    Channel& ChannelAt(const Place& place)
    {
        auto& channel = m_channels[place];
        if (!channel.known)
        {
            channel.known = true;
            const auto far = Far(place);
            channel.credits = m_delays.GetDepth(far.node, far.port);
        }
        return channel;
    }

    /**
     * S1b: a worm to one host has a byte for each switch that is to send it on, in flits of their
     * own, in front of its own.
     * @param worm the worm's number
     * @param stop where it is sent from
     * @return its length there, flits
     */
    uint64_t Length(std::size_t worm, WormRoute::Stop stop) const
    {
        const auto& route = WormAt(worm).route;
        uint64_t bytes = 0;
        for (auto at = stop; m_case.sourceRouted && route.GetNDestinations() == 1;)
        {
            at = route.At(at)[0].next;
            if (route.At(at).size() == 0)
            {
                break;
            }
            ++bytes;
        }
        uint64_t flits = 0;
        for (; bytes > flits * m_case.flitBytes; ++flits)
        {
        }
        return WormAt(worm).flits + flits;
    }

    /// @return sending end of a branch @param stay a worm in a buffer @param branch its branch
    Place Branch(const Stay& stay, std::size_t branch) const
    {
        const auto& worm = WormAt(stay.worm);
        return {worm.stopNodes[stay.stop], worm.route.At(stay.stop)[branch].port};
    }

    /// @return far end of a channel @param place its sending end
    FabricGraph::End Far(const Place& place) const
    {
        return m_case.graph.Peer(place.first, static_cast<FabricGraph::Port>(place.second));
    }

    /// @return the stay of a worm in the buffer at a place @param place the buffer
    /// @param worm the worm's number
    Stay& Find(const Place& place, std::size_t worm)
    {
        auto& queue = m_buffers[place];
        return *std::find_if(queue.begin(), queue.end(), [worm](const Stay& s) {
            return s.worm == worm;
        });
    }

    /**
     * Puts a worm into a buffer.
     * @param place the buffer
     * @param worm the worm's number
     * @param stop where its way leads from there
     * @return its stay there
     */
    Stay& Enter(const Place& place, std::size_t worm, WormRoute::Stop stop)
    {
        const auto n = WormAt(worm).route.At(stop).size();
        m_buffers[place].push_back({worm, stop, 0, false, std::vector<uint64_t>(n, 0)});
        m_buffers[place].back().flits = Length(worm, stop);
        return m_buffers[place].back();
    }

    /// Lets something happen. @param news what
    void Happen(const News& news) override
    {
        switch (news.what)
        {
        case INJECT:
            m_handedOver.push_back(news.worm); // behind what is put there at the same instant
            break;
        case PASS: {
            auto& stay = Enter({news.place.first, -1}, news.worm, news.stop);
            stay.ready = CountReadyAtHost(news.worm, news.stop);
            if (m_log)
            {
                m_log->passings[{news.worm, news.stop}] = {m_now - m_case.inTransitDelayPs, m_now};
            }
            break;
        }
        case ENTER:
            Enter(news.place, news.worm, news.stop);
            break;
        case READY:
            if (m_case.graph.IsSwitch(Far(news.place).node))
            {
                ++Find(news.place, news.worm).ready;
            }
            else
            {
                BeReadyAtHost(news);
            }
            break;
        case CREDIT:
            ++ChannelAt(news.place).credits;
            break;
        case TAIL:
            ChannelAt(news.place).owned = false;
            break;
        case IDLE:
            break;
        }
    }

    /// S13: a flit is ready at a host that passes the worm on. @param news what, which and where
    void BeReadyAtHost(const News& news)
    {
        const auto host = Far(news.place).node;
        const auto flits = ++m_here[{news.worm, news.stop}];
        const bool isHead = flits == 1;
        const bool isTail = flits == Length(news.worm, news.stop - 1);
        if (m_case.inTransit == InTransit::WHOLE ? isTail : isHead)
        {
            m_agenda[m_now + m_case.inTransitDelayPs].push_back(
                {PASS, news.worm, news.stop, {host, -1}});
        }
        for (auto& stay : m_buffers[{host, -1}])
        {
            if (stay.worm == news.worm && stay.stop == news.stop)
            {
                stay.ready = CountReadyAtHost(news.worm, news.stop);
            }
        }
    }

    /// @return flits that a host can pass on: all that are ready, but for one whose route bytes are
    /// all read (S1b) @param worm the worm @param stop the host's place on its route
    uint64_t CountReadyAtHost(std::size_t worm, WormRoute::Stop stop)
    {
        const auto read = Length(worm, stop - 1) - Length(worm, stop);
        const auto here = m_here[{worm, stop}];
        return here > read ? here - read : 0;
    }

    /// S4: heads that are ready and in front ask for their outputs. @param now present time
    void AskAll(int64_t now) override
    {
        for (const auto worm : m_handedOver)
        {
            auto& stay = Enter({WormAt(worm).root, -1}, worm, 0);
            stay.ready = Length(worm, 0);
            stay.since = WormAt(worm).timePs;
            m_agenda[stay.since].push_back({IDLE, worm, 0, {}});
        }
        m_handedOver.clear();
        for (auto& [place, queue] : m_buffers)
        {
            while (!queue.empty() && Gone(queue.front()))
            {
                queue.pop_front();
            }
            if (!queue.empty() && !queue.front().asked && queue.front().ready > 0 &&
                queue.front().since <= now)
            {
                auto& stay = queue.front();
                stay.asked = true;
                Drop(now, place, stay);
                const int port = place.second < 0 ? -1 : Far(place).port;
                for (std::size_t b = 0; b < stay.sent.size(); ++b)
                {
                    ChannelAt(Branch(stay, b)).requests.insert({now, port, stay.worm});
                }
            }
        }
    }

    /// S1b: a flit whose bytes are all read leaves its buffer, and goes nowhere. @param now the
    /// time, ps @param place the buffer @param stay a worm there that asks for its output
    void Drop(int64_t now, const Place& place, Stay& stay)
    {
        if (place.second < 0 || stay.sent.size() != 1 ||
            stay.flits == Length(stay.worm, stay.stop - 1))
        {
            return;
        }
        stay.dropped = 1;
        if (m_log)
        {
            m_log->reads[{stay.worm, stay.stop}] = now;
        }
        stay.nextStart = now + m_delays.GetFlitTime(place.first, place.second);
        const auto back =
            m_delays.GetLinkDelay(place.first, static_cast<FabricGraph::Port>(place.second));
        m_agenda[now + back].push_back({CREDIT, stay.worm, stay.stop, place});
        m_agenda[stay.nextStart].push_back({IDLE, stay.worm, stay.stop, place});
    }

    /// @return whether a worm has left a buffer on all branches @param stay the worm there
    bool Gone(const Stay& stay)
    {
        for (std::size_t b = 0; b < stay.sent.size(); ++b)
        {
            if (stay.sent[b] < stay.flits || Owns(stay, b))
            {
                return false;
            }
        }
        return true;
    }

    /// @return whether a worm has the output of a branch @param stay the worm @param branch which
    bool Owns(const Stay& stay, std::size_t branch)
    {
        const auto& channel = ChannelAt(Branch(stay, branch));
        return channel.owned && channel.owner == stay.worm;
    }

    /// S5: free outputs go to who asked first, then to the lowest input port.
    void GrantAll() override
    {
        for (auto& [place, channel] : m_channels)
        {
            if (!channel.owned && !channel.requests.empty())
            {
                channel.owned = true;
                channel.owner = std::get<2>(*channel.requests.begin());
                channel.requests.erase(channel.requests.begin());
            }
        }
    }

    /// @return whether the next flit can start on a branch @param now the time, ps
    /// @param stay the worm @param branch number of the branch
    bool CanStart(int64_t now, const Stay& stay, std::size_t branch)
    {
        const auto place = Branch(stay, branch);
        const auto& channel = ChannelAt(place);
        const auto flit = stay.sent[branch];
        return Owns(stay, branch) && flit < stay.flits && flit + stay.dropped < stay.ready &&
               channel.busyUntil <= now && stay.nextStart <= now &&
               (channel.credits > 0 || !m_case.graph.IsSwitch(Far(place).node));
    }

    /// Starts every flit that can start. @param now present time @return whether any did
    bool MoveAll(int64_t now) override
    {
        bool moved = false;
        for (auto& entry : m_buffers)
        {
            if (entry.second.empty() || !entry.second.front().asked)
            {
                continue;
            }
            auto& stay = entry.second.front();
            std::vector<std::size_t> able;
            for (std::size_t b = 0; b < stay.sent.size(); ++b)
            {
                if (CanStart(now, stay, b))
                {
                    able.push_back(b);
                }
            }
            if (m_case.sync && able.size() < stay.sent.size())
            {
                continue; // S9
            }
            for (const auto b : able)
            {
                Start(now, entry.first, stay, b);
                moved = true;
            }
        }
        if (m_log && !moved)
        {
            LogAll();
        }
        return moved;
    }

    /// Writes down what every worm waits for at this instant, if that has changed.
    void LogAll()
    {
        for (const auto& [place, queue] : m_buffers)
        {
            for (const auto& stay : queue)
            {
                FlitWaiting waiting{queue.front().worm, stay.ready > 0 && stay.since <= m_now, {}};
                for (std::size_t b = 0; stay.asked && b < stay.sent.size(); ++b)
                {
                    const auto out = Branch(stay, b);
                    const auto& channel = ChannelAt(out);
                    waiting.outputs.push_back({{}, channel.credits, {}});
                    if (channel.owned)
                    {
                        waiting.outputs.back().owner = channel.owner;
                    }
                    for (const auto& beyond : m_buffers[out])
                    {
                        waiting.outputs.back().beyond.insert(beyond.worm);
                    }
                }
                auto& log = m_log->waiting[{stay.worm, stay.stop}];
                if (log.empty() || !(log.rbegin()->second == waiting))
                {
                    log[m_now] = std::move(waiting);
                }
            }
        }
    }

    /// Starts a flit. @param now the time, ps @param from buffer it leaves
    /// @param stay worm @param b branch
    void Start(int64_t now, const Place& from, Stay& stay, std::size_t b)
    {
        const auto place = Branch(stay, b);
        auto& channel = ChannelAt(place);
        const auto& worm = WormAt(stay.worm);
        const auto flit = stay.sent[b]++;
        const bool last = flit + 1 == stay.flits;
        const auto next = worm.route.At(stay.stop)[b].next;
        const auto end = now + m_delays.GetFlitTime(place.first, place.second);
        channel.busyUntil = end;
        if (m_log)
        {
            m_log->starts[{stay.worm, next}].push_back(now);
        }
        const auto name = m_case.graph.GetName(place.first) + ":" + std::to_string(place.second);
        const auto far = Far(place);
        const auto linkDelay =
            m_delays.GetLinkDelay(place.first, static_cast<FabricGraph::Port>(place.second));
        auto& leg = m_outcome.worms[stay.worm].legs[name];
        if (flit == 0)
        {
            leg.headStart = now;
        }
        if (last)
        {
            leg.tailEnd = end;
        }
        m_agenda[end].push_back({last ? TAIL : IDLE, stay.worm, next, place});
        if (!m_case.graph.IsSwitch(far.node))
        {
            const bool isPassed = worm.route.At(next).size() > 0;
            if (isPassed)
            {
                m_agenda[end + linkDelay + m_case.hostDelayPs].push_back(
                    {READY, stay.worm, next, place});
            }
            if (last && !isPassed)
            {
                const auto host = m_case.graph.GetName(far.node);
                m_outcome.worms[stay.worm].delivered[host] = end + linkDelay;
            }
        }
        else
        {
            --channel.credits;
            if (flit == 0)
            {
                m_agenda[now].push_back({ENTER, stay.worm, next, place});
            }
            m_agenda[end + linkDelay + m_delays.GetSwitchDelay(far.node)].push_back(
                {READY, stay.worm, next, place});
        }
        // S6: the slot is free when its flit has started on every branch.
        if (from.second >= 0 && *std::min_element(stay.sent.begin(), stay.sent.end()) > flit)
        {
            const auto back =
                m_delays.GetLinkDelay(from.first, static_cast<FabricGraph::Port>(from.second));
            m_agenda[now + back].push_back({CREDIT, stay.worm, stay.stop, from});
        }
    }

    const FabricDelays& m_delays;                ///< delays and depths of its fabric
    FlitLog* m_log;                              ///< see the constructor
    std::map<Place, Channel> m_channels;         ///< all channels used so far
    std::map<Place, std::deque<Stay>> m_buffers; ///< all buffers used so far
    std::vector<std::size_t> m_handedOver;       ///< worms that hosts send from this instant on
    /// Flits that were ready at hosts that pass them on, by worm and stop.
    std::map<std::pair<std::size_t, WormRoute::Stop>, uint64_t> m_here;
};

} // namespace

FabricDelays::FabricDelays(const WormCase& worms, bool uneven)
    : m_case(worms),
      m_uneven(uneven)
{
}

int64_t
FabricDelays::GetFlitTime(FabricGraph::Node node, int port) const
{
    return m_case.GetTiming({node, static_cast<FabricGraph::Port>(port)}).flitTimePs;
}

int64_t
FabricDelays::GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const
{
    // The same seen from either end of the cable.
    const auto far = m_case.graph.Peer(node, port);
    return m_case.GetTiming({node, port}).linkDelayPs *
           (m_uneven ? 1 + (node + far.node + port + far.port) % 4 : 1);
}

int64_t
FabricDelays::GetSwitchDelay(FabricGraph::Node node) const
{
    return m_case.GetTiming({node, 0}).switchDelayPs + (m_uneven ? 13 * (node % 3) : 0);
}

uint32_t
FabricDelays::GetDepth(FabricGraph::Node node, FabricGraph::Port port) const
{
    const auto depth = m_case.GetTiming({node, port}).depth;
    return m_uneven ? 1 + (depth + 5 * node + 3 * port) % (depth + 3) : depth;
}

void
FabricDelays::Apply(WormholeFabric& fabric) const
{
    for (FabricGraph::Node node = 0; node < m_case.graph.GetNSwitches(); ++node)
    {
        auto fabricSwitch = fabric.GetSwitch(node);
        fabricSwitch->SetAttribute("Delay", TimeValue(PicoSeconds(GetSwitchDelay(node))));
        for (FabricGraph::Port number = 0; number < fabricSwitch->GetNPorts(); ++number)
        {
            auto port = fabricSwitch->GetPort(number);
            if (port->IsConnected())
            {
                port->SetAttribute("BufferDepth", UintegerValue(GetDepth(node, number)));
                port->GetChannel()->SetAttribute(
                    "Delay",
                    TimeValue(PicoSeconds(GetLinkDelay(node, number))));
            }
        }
    }
}

ReplayOutcome
MoveFlitByFlit(const WormCase& worms, const FabricDelays& delays, FlitLog* log)
{
    return FlitMachine(worms, delays, log).Run();
}

} // namespace ns3
