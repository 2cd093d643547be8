// SPDX-License-Identifier: GPL-2.0-only

#include "flit-wait-graph.h"

#include "wormhole-node-state.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Which channel comes after which on the routes of worms.
class ChannelOrder
{
  public:
    /// Adds the channels of a worm's route. @return whether a buffer on its way is less deep
    bool Add(const Worm& worm, uint64_t depth)
    {
        bool isShallow = false;
        const auto& route = *worm.GetRoute();
        std::vector<const WormholeNodeState*> nodes(route.GetNStops(), worm.GetRoot());
        std::vector<const WormholeOutput*> before(nodes.size(), nullptr);
        for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
        {
            for (const auto branch : route.At(stop))
            {
                const auto output = nodes[stop]->GetOutput(branch.port);
                if (before[stop])
                {
                    boost::add_edge(GetVertex(before[stop]), GetVertex(output), m_graph);
                }
                isShallow = isShallow || (!output->isEjection && output->depth < depth);
                nodes[branch.next] = output->GetFar().input.node;
                before[branch.next] = output->isEjection ? nullptr : output; // hosts take all
            }
        }
        return isShallow;
    }

    void AddPast(const WormholePortState& output)
    {
        const auto& ports = output.input.node->ports;
        for (uint32_t number = 0; number < ports.size(); ++number)
        {
            if (output.HasNoted(number) && ports[number].input.upstream)
            {
                boost::add_edge(GetVertex(ports[number].input.upstream),
                                GetVertex(&output),
                                m_graph);
            }
        }
    }

    bool IsAcyclic() const
    {
        std::vector<std::size_t> component(boost::num_vertices(m_graph));
        const auto nComponents = boost::strong_components(
            m_graph,
            boost::make_iterator_property_map(component.begin(),
                                              boost::get(boost::vertex_index, m_graph)));
        return nComponents == component.size();
    }

  private:
    std::size_t GetVertex(const WormholeOutput* output)
    {
        return m_vertexOf.emplace(output, m_vertexOf.size()).first->second;
    }

    Graph m_graph; ///< grows with its edges
    std::unordered_map<const WormholeOutput*, std::size_t> m_vertexOf;
};

/// @return number of conditions of its own that a worm has at a node
std::size_t
GetNConditions(const WormHop& hop)
{
    return std::max<std::size_t>(1, hop.GetNFlows()); // one that ends there has to be all there
}

/// @return number of choices that a worm has at a node; 0: it has none, or has taken one
std::size_t
GetNChoices(const WormHop& hop)
{
    return hop.branches.size() > 1 && hop.route->HasChoices() ? hop.branches.size() : 0;
}

/// What the worms of a fabric wait for whose outputs are granted flit by flit (S5).
///
/// A vertex is the next flit of one flow of a worm at one node: of one branch, or of all branches
/// of a sync tree worm. An edge is a condition that has to come true before the flit can start: the
/// tail of an output's owner (S5), the slot whose credit is missing (S6), the flit itself, or the
/// worm ahead in the FIFO (S4). A flow that has choices has a vertex more for each (S12).
class FlitWaitGraph : public HopVertices<WormHop>
{
  public:
    /// As FindFlitDeadlock. @param ports ports of the fabric, which outlive this
    FlitWaitGraph(const std::vector<Ptr<WormholePort>>& ports,
                  const FlitTimes& times,
                  bool hasQueues)
        : m_ports(ports),
          m_times(times),
          m_hasQueues(hasQueues)
    {
        for (const auto& port : ports)
        {
            const auto& output = port->GetState();
            // Sending queues and worms made by switches are in no port's input.
            for (auto branch = output.requests; branch; branch = branch->nextRequest)
            {
                AddHop(branch->hop);
            }
            for (const auto hop : {output.owner, output.input.front})
            {
                if (hop)
                {
                    AddHop(hop);
                }
            }
        }
        NumberVertices([](const WormHop& hop) {
            // The flows, one for that the worm has left the node, and the choices of its only flow.
            return std::make_pair(
                Member{hop.worm.get(), hop.node, hop.input ? hop.input->port : nullptr},
                GetNConditions(hop) + 1 + GetNChoices(hop));
        });
        for (const auto hop : m_hops)
        {
            AddEdges(*hop);
        }
    }

  private:
    void AddHop(const WormHop* hop)
    {
        // Of a sending queue without those behind, only the first one asks for outputs, or has
        // them.
        const bool isAlone = !m_hasQueues && hop->input && !hop->input->upstream;
        AddQueue(hop->input && !isAlone ? hop->input->front : hop, m_hasQueues);
    }

    void AddEdges(const WormHop& hop)
    {
        const auto first = m_first.at(&hop);
        const auto nConditions = GetNConditions(hop);
        auto& left = m_members[first + nConditions].edges;
        for (std::size_t i = 0; i < nConditions; ++i)
        {
            if (hop.branches.empty() || hop.branches[i].flow.sent < hop.flits)
            {
                left.push_back({first + i, WormholeOutput::ALWAYS, Deadlock::LEAVE, nullptr});
            }
        }
        const auto ahead = m_ahead.at(&hop);
        for (std::size_t i = 0; i < nConditions; ++i)
        {
            auto& edges = m_members[first + i].edges;
            if (ahead)
            {
                edges.push_back({m_first.at(ahead) + GetNConditions(*ahead),
                                 hop.DropsFlit()              ? hop.routeFlit
                                 : hop.arrivals.GetEnd() == 0 ? WormholeOutput::ALWAYS // in transit
                                                              : hop.arrivals.GetFirstTime(),
                                 Deadlock::FIFO,
                                 nullptr});
            }
            if (hop.branches.empty())
            {
                if (hop.arrivals.GetEnd() < hop.flits)
                {
                    edges.push_back({GetOwner(*hop.input->upstream),
                                     hop.arrivals.GetLastTime(m_times),
                                     Deadlock::FLIT,
                                     nullptr});
                }
            }
            else if (hop.asked)
            {
                AddFlowEdges(hop, i);
            }
        }
    }

    void AddGrantEdges(const WormHop& hop, std::size_t flow)
    {
        const auto first = m_first.at(&hop);
        const auto end = flow + hop.GetFlowSize();
        for (auto i = flow; i < end; ++i)
        {
            auto from = first + flow;
            if (GetNChoices(hop) > 0)
            {
                // A worm that asks is in front of its buffer, so these are the vertex's only edges.
                from = first + GetNConditions(hop) + 1 + i;
                m_members[first + flow].isAny = true;
                m_members[first + flow].edges.push_back(
                    {from, WormholeOutput::ALWAYS, Deadlock::OUTPUT, hop.branches[i].output});
            }
            const auto& branch = hop.branches[i];
            const auto& output = *branch.output;
            if (output.owner && output.owner != &hop)
            {
                const auto owner = GetOwner(output);
                const auto& held = output.owner->branches;
                const auto grant = std::find_if(held.begin(), held.end(), [&](const auto& b) {
                    return b.output == &output;
                });
                m_members[from].edges.push_back(
                    {owner, std::max(branch.since, grant->since), Deadlock::OUTPUT, &output});
            }
        }
    }

    void AddFlowEdges(const WormHop& hop, std::size_t flow)
    {
        const auto from = m_first.at(&hop) + flow;
        const auto& line = hop.branches[flow].flow;
        const auto end = flow + hop.GetFlowSize();
        if (line.sent == hop.flits)
        {
            return;
        }
        if (line.missing > 0)
        {
            AddGrantEdges(hop, flow);
            return;
        }
        // A flit time after the start of the last flit that started; if none has, when the first
        // one could have behind a flit that went no further (S1b).
        const auto next = hop.isStream    ? line.nextStart // its other times are not kept
                          : line.sent > 0 ? hop.branches[flow].nextDeparture
                          : hop.DropsFlit()
                              ? std::max(hop.routeFlit + m_times[hop.input->upstream->pace],
                                         hop.branches[flow].since)
                              : WormholeOutput::ALWAYS;
        // What a host passes on as it comes has nothing to wait for on its way there.
        if (line.sent == hop.arrivals.GetEnd() && hop.input->upstream)
        {
            m_members[from].edges.push_back(
                {GetOwner(*hop.input->upstream), next, Deadlock::FLIT, nullptr});
        }
        if (line.sent == line.earliestStarts.GetEnd())
        {
            for (auto i = flow; i < end; ++i)
            {
                AddCreditEdges(from, hop.branches[i], line.sent, std::max(line.nextStart, next));
            }
        }
    }

    /// Adds what a flow waits for at one output that it was granted.
    /// @param since from when on the next one could start, ns-3 time units
    void AddCreditEdges(Vertex from, const WormBranch& branch, uint64_t flits, int64_t since)
    {
        const auto& output = *branch.output;
        if (output.isEjection || branch.base + flits < output.credits.GetEnd())
        {
            return;
        }
        // Slots are freed in the order of the flits, so the next credit is that of the first worm
        // with a slot that is not free.
        auto holder = output.GetFar().input.front;
        while (holder && holder->credited == holder->flits)
        {
            holder = holder->behind;
        }
        if (!holder)
        {
            return;
        }
        const auto first = m_first.at(holder);
        for (std::size_t i = 0; i < GetNConditions(*holder); ++i)
        {
            if (holder->branches.empty() || holder->branches[i].flow.sent <= holder->credited)
            {
                m_members[from].edges.push_back({first + i, since, Deadlock::CREDIT, &output});
            }
        }
    }

    Vertex GetOwner(const WormholeOutput& output) const
    {
        const auto& owner = *output.owner;
        std::size_t flow = 0;
        while (!owner.inStep && owner.branches[flow].output != &output)
        {
            ++flow;
        }
        return m_first.at(&owner) + flow;
    }

    /// Buffers that hold a whole async tree worm let each of its branches go its own way: a worm
    /// then waits for channels further on its route only. So these buffers help where no channel
    /// comes after itself on the routes of the worms that wait and on the ways of all worms so far,
    /// since at another depth those may be late.
    uint64_t FindHelpfulDepth(const std::vector<bool>& left,
                              uint64_t longestTreeWorm) const override
    {
        ChannelOrder order;
        bool isShallow = false;
        std::set<const Worm*> seen;
        for (Vertex v = 0; v < m_members.size(); ++v)
        {
            const auto worm = m_members[v].worm;
            if (left[v] && seen.insert(worm).second)
            {
                isShallow = order.Add(*worm, longestTreeWorm) || isShallow;
            }
        }
        for (const auto& port : m_ports)
        {
            order.AddPast(port->GetState());
        }
        return isShallow && order.IsAcyclic() ? longestTreeWorm : 0;
    }

    const std::vector<Ptr<WormholePort>>& m_ports;
    const FlitTimes& m_times;
    bool m_hasQueues;
};

} // namespace

Deadlock
FindFlitDeadlock(const std::vector<Ptr<WormholePort>>& ports,
                 const FlitTimes& times,
                 bool hasQueues,
                 uint64_t longestTreeWorm)
{
    return FlitWaitGraph(ports, times, hasQueues).FindDeadlock(longestTreeWorm);
}

} // namespace ns3
