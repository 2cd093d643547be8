// SPDX-License-Identifier: GPL-2.0-only

#ifndef ORACLE_FABRIC_H
#define ORACLE_FABRIC_H

#include "flit-oracle.h"

#include <list>

namespace ns3
{

/// A lane of a channel, or of the buffer at its end, by its sending end.
struct OraclePlace
{
    FabricGraph::Node node; ///< sending end
    int port;               ///< port there; -1: the sending queue of that host
    int lane;               ///< lane

    bool operator<(const OraclePlace& other) const
    {
        return std::tie(node, port, lane) < std::tie(other.node, other.port, other.lane);
    }
};

struct OracleBranch
{
    std::vector<WormRoute::Stop> options; ///< stops that it may lead to, in order of preference
    bool granted{false};                  ///< whether it has got one
    WormRoute::Stop next{0};              ///< the one
    OraclePlace place{};                  ///< its lane
    uint64_t sent{0};                     ///< flits sent
    bool gone{false};                     ///< whether its tail has left
};

/// A worm in a buffer, in a sending queue, or on its way into a host.
struct OracleStay
{
    std::size_t worm;                     ///< the worm
    WormRoute::Stop stop;                 ///< stop of its route
    OraclePlace came;                     ///< lane that it came by; port -1: its own host sends it
    uint64_t flits;                       ///< flits to send
    std::vector<OracleBranch> branches{}; ///< one if it has choices; none where it ends
    int64_t since{0};                     ///< asks no earlier; when it asked
    bool asked{false};                    ///< whether its head has asked
    uint64_t arrived{0};                  ///< flits that have come
    uint64_t ready{0};                    ///< flits that are ready
    uint64_t dropped{0};                  ///< first flits that are read, not sent on (S1b)
    int64_t nextStart{0};                 ///< the flit behind those starts no earlier
    std::optional<int64_t> mark{};        ///< when the mark that ends it is ready (S14)
};

/// A request that waits for a lane of an output.
struct OracleRequest
{
    /// Priority, lowest first; when it asked; input port and lane; rank; output port.
    using Order = std::tuple<int64_t, int64_t, int, int, std::size_t, int>;

    Order order;          ///< its place among all
    OracleStay* stay;     ///< the worm in its buffer
    OracleBranch* branch; ///< the branch that asks
    WormRoute::Stop next; ///< where it leads to

    bool operator<(const OracleRequest& other) const
    {
        return order < other.order;
    }
};

/// The channels and buffers of a case, and the worms in them.
class OracleFabric
{
  public:
    using Interval = std::pair<int64_t, int64_t>;     ///< from when, until when
    using Output = std::pair<FabricGraph::Node, int>; ///< a channel, by its sending end
    static constexpr auto NEVER = std::numeric_limits<int64_t>::max(); ///< no time

    struct Channel
    {
        FabricGraph::End far{};             ///< its receiving end
        int64_t linkDelay{0};               ///< its propagation delay
        std::vector<int64_t> credits;       ///< by lane, slots that are free beyond it
        int64_t busyUntil{0};               ///< when the flit on it has passed
        OracleStay* owner{nullptr};         ///< worm that has it
        OracleBranch* branch{nullptr};      ///< its branch there
        std::vector<Interval> outages;      ///< when it is down, in order, apart
        std::optional<int64_t> drainedFrom; ///< from when on its owner needs no credits (S14)

        /// @return the outage that what starts here, and arrives then, is lost in, or null
        const Interval* FindOutage(int64_t start, int64_t arrival) const
        {
            const auto found = FindIn(outages, [&](const auto& o) {
                return o.first < arrival && start < o.second;
            });
            return found == outages.end() ? nullptr : &*found;
        }
    };

    OracleFabric(const WormCase& worms, const FabricDelays& delays)
        : m_case(worms),
          m_delays(delays),
          m_stays(worms.worms.size())
    {
        for (FabricGraph::Node node = 0; node < worms.graph.GetNNodes(); ++node)
        {
            AddBuffers(node, -1, true);
            m_exits.emplace_back(worms.graph.GetNPorts(node), nullptr);
            for (FabricGraph::Port port = 0; port < worms.graph.GetNPorts(node); ++port)
            {
                const auto far = worms.graph.Peer(node, port);
                if (far.node != FabricGraph::NONE)
                {
                    auto& channel = *(m_exits[node][port] = &m_channels[{node, port}]);
                    channel.far = far;
                    channel.linkDelay = delays.GetLinkDelay(node, port);
                    channel.credits.resize(worms.lanes, delays.GetDepth(far.node, far.port));
                    AddBuffers(node, port, worms.graph.IsSwitch(far.node));
                }
            }
        }
        for (const auto& outage : worms.outages)
        {
            for (auto& [output, channel] : m_channels)
            {
                const auto far = Far({output.first, output.second, 0});
                if ((outage.node == output.first &&
                     outage.port.value_or(output.second) == output.second) ||
                    (outage.node == far.node && outage.port.value_or(far.port) == far.port))
                {
                    channel.outages.emplace_back(outage.fromPs, outage.toPs.value_or(NEVER));
                }
            }
        }
        for (auto& entry : m_channels)
        {
            Merge(entry.second.outages);
        }
    }

    Channel& At(const OraclePlace& place) const
    {
        return *m_exits[place.node][place.port];
    }

    FabricGraph::End Far(const OraclePlace& place) const
    {
        return At(place).far;
    }

    bool IsToSwitch(const OraclePlace& place) const
    {
        return m_case.graph.IsSwitch(Far(place).node);
    }

    int64_t LinkDelay(const OraclePlace& place) const
    {
        return At(place).linkDelay;
    }

    std::string NameOf(const OraclePlace& place) const
    {
        return m_case.graph.GetName(place.node) + ":" + std::to_string(place.port);
    }

    FabricGraph::Node NodeOf(const OracleStay& stay) const
    {
        return m_case.worms[stay.worm].stopNodes[stay.stop];
    }

    OraclePlace LaneTo(const OracleStay& stay, WormRoute::Stop next) const
    {
        const auto& route = m_case.worms[stay.worm].route;
        const auto branches = route.At(stay.stop);
        return {NodeOf(stay), branches[next - branches[0].next].port, route.GetLane(next)};
    }

    /// @return t_r where a worm is, of a switch or an interface
    int64_t DelayOf(const OracleStay& stay) const
    {
        const auto node = NodeOf(stay);
        return m_case.graph.IsSwitch(node) ? m_delays.GetSwitchDelay(node) : m_case.hostDelayPs;
    }

    /// S1b: a worm to one host has a byte for each switch that is to send it on, in flits of their
    /// own, in front of its own. @param stop where it is sent from @return its length there, flits
    uint64_t Length(std::size_t worm, WormRoute::Stop stop) const
    {
        const auto& route = m_case.worms[worm].route;
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
        return m_case.worms[worm].flits + (bytes + m_case.flitBytes - 1) / m_case.flitBytes;
    }

    /// @return flits of a worm that comes over a channel
    uint64_t LengthOf(const OracleStay& stay) const
    {
        return Length(stay.worm, stay.stop - 1); // worms whose length changes go a path
    }

    /// @return whether a worm is at a host that is to pass it on (S13)
    bool IsPassed(const OracleStay& stay) const
    {
        return stay.stop > 0 && !stay.branches.empty() && !m_case.graph.IsSwitch(NodeOf(stay));
    }

    OracleStay* Find(std::size_t worm, WormRoute::Stop stop)
    {
        const auto found = m_stays[worm].find(stop);
        return found == m_stays[worm].end() ? nullptr : &*found->second.second;
    }

    std::vector<OracleStay*> ListStays()
    {
        std::vector<OracleStay*> stays;
        for (auto& ofWorm : m_stays)
        {
            for (auto& entry : ofWorm)
            {
                stays.push_back(&*entry.second.second);
            }
        }
        return stays;
    }

    /// Puts a worm into a buffer. @param place the lane that it comes by, or its host's queue
    OracleStay& Enter(const OraclePlace& place, std::size_t worm, WormRoute::Stop stop)
    {
        const auto& route = m_case.worms[worm].route;
        const bool isEnd = route.At(stop).size() == 0;
        auto& queue = m_buffers[place];
        queue.push_back({worm, stop, place, isEnd ? 0 : Length(worm, stop)});
        m_stays[worm][stop] = {place, std::prev(queue.end())};
        auto& stay = queue.back();
        for (const auto branch : route.At(stop))
        {
            if (stay.branches.empty() || !route.HasChoices())
            {
                stay.branches.emplace_back();
            }
            stay.branches.back().options.push_back(branch.next);
        }
        stay.dropped = IsPassed(stay) ? LengthOf(stay) - stay.flits : 0;
        return stay;
    }

    void Move(const OracleStay& stay, const OraclePlace& to)
    {
        auto& [place, at] = m_stays[stay.worm][stay.stop];
        m_buffers[to].splice(m_buffers[to].end(), m_buffers[place], at);
        place = to;
    }

    void Remove(const OracleStay& stay)
    {
        const auto found = m_stays[stay.worm].extract(stay.stop);
        m_buffers[found.mapped().first].erase(found.mapped().second);
    }

    /// S14: @return whether a channel is known to be down
    bool IsKnownDown(const Channel& channel) const
    {
        return AnyOf(channel.outages, [this](const auto& o) {
            return o.first + m_case.detectionDelayPs <= m_now && m_now < o.second;
        });
    }

    /// Visits what worms leave by switches and sending queues. @param isAsking whether only those
    /// whose first worm has asked @param visit called with place and worms of each
    template <typename VISIT>
    void VisitQueues(bool isAsking, VISIT visit)
    {
        for (const auto& [place, queue] : m_left)
        {
            if (!queue->empty() && (!isAsking || queue->front().asked))
            {
                visit(place, *queue);
            }
        }
    }

    /// Visits the requests that wait. @param visit called with each, and the lane that it is for
    template <typename VISIT>
    void VisitRequests(VISIT visit)
    {
        VisitQueues(true, [&](const OraclePlace& from, std::list<OracleStay>& queue) {
            auto& stay = queue.front();
            const int number = from.port < 0 ? -1 : Far(from).port;
            for (auto& branch : stay.branches)
            {
                if (branch.granted || branch.gone)
                {
                    continue;
                }
                const auto& options = branch.options;
                const auto isUp = [&](WormRoute::Stop next) {
                    return m_case.outages.empty() || !IsKnownDown(At(LaneTo(stay, next)));
                };
                const bool isAnyUp = AnyOf(options, isUp);
                for (std::size_t rank = 0; rank < options.size(); ++rank)
                {
                    const auto place = LaneTo(stay, options[rank]);
                    if (!isAnyUp || isUp(options[rank])) // S14
                    {
                        visit(place,
                              OracleRequest{{-int64_t{m_case.priorities[place.lane]},
                                             stay.since,
                                             number,
                                             from.lane,
                                             rank,
                                             place.port},
                                            &stay,
                                            &branch,
                                            options[rank]});
                    }
                }
            }
        });
    }

  protected:
    const WormCase& m_case;                                 ///< what to run
    const FabricDelays& m_delays;                           ///< delays and depths of its fabric
    int64_t m_now{0};                                       ///< present time
    std::map<Output, Channel> m_channels;                   ///< all that there are
    std::vector<std::vector<Channel*>> m_exits;             ///< the same, by node and port
    std::map<OraclePlace, std::list<OracleStay>> m_buffers; ///< of each lane
    std::vector<std::pair<OraclePlace, std::list<OracleStay>*>> m_left; ///< which worms leave
    /// Worms that are anywhere, by worm and stop: buffer, and place there.
    std::vector<std::map<WormRoute::Stop, std::pair<OraclePlace, std::list<OracleStay>::iterator>>>
        m_stays;

  private:
    void AddBuffers(FabricGraph::Node node, int port, bool areLeft)
    {
        for (int lane = 0; lane < static_cast<int>(m_case.lanes); ++lane)
        {
            auto& [place, queue] = *m_buffers.try_emplace({node, port, lane}).first;
            if (areLeft)
            {
                m_left.emplace_back(place, &queue);
            }
        }
    }

    /// S14: outages of one part that meet are one.
    static void Merge(std::vector<Interval>& outages)
    {
        std::sort(outages.begin(), outages.end());
        std::vector<Interval> apart;
        for (const auto& outage : outages)
        {
            if (!apart.empty() && outage.first <= apart.back().second)
            {
                apart.back().second = std::max(apart.back().second, outage.second);
            }
            else
            {
                apart.push_back(outage);
            }
        }
        outages = std::move(apart);
    }
};

} // namespace ns3

#endif /* ORACLE_FABRIC_H */
