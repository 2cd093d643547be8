// SPDX-License-Identifier: GPL-2.0-only

#include "lane-engine.h"

#include "ns3/flit-wait-graph.h"

namespace ns3
{

namespace
{

/// What the worms of a fabric wait for whose outputs are granted to whole worms (S11).
///
/// What was granted moves. So a vertex is a request of a worm: it waits for those whose turn comes
/// first for the same lane of the output, for worms that hold slots of the lane's next buffer, and
/// for the worm ahead of it. A worm with choices (S12) has a vertex that one of these is enough
/// for.
class LaneWaitGraph : public HopVertices<LaneHop>
{
  public:
    LaneWaitGraph(const LaneEngine& lanes,
                  const std::vector<Ptr<WormholePort>>& ports,
                  bool hasQueues)
        : m_nLanes(lanes.GetNLanes())
    {
        for (const auto& port : ports)
        {
            for (uint32_t lane = 0; lane < m_nLanes; ++lane)
            {
                AddQueue(lanes.GetInput(port->GetState(), lane).front, hasQueues);
                for (auto request = lanes.GetOutput(port->GetState(), lane).requests; request;
                     request = request->behind)
                {
                    if (!request->hop->input) // made by a switch, in no FIFO
                    {
                        AddQueue(request->hop, hasQueues);
                    }
                }
            }
        }
        NumberVertices([](const LaneHop& hop) {
            // Its requests, one for that it has left, and with choices one for that it takes one.
            return std::make_pair(
                Member{hop.worm.get(),
                       hop.GetNode(),
                       hop.input && hop.input->upstream ? hop.input->port->input.port : nullptr},
                std::size_t{hop.exits.size} + 1 + hop.hasChoices);
        });
        for (const auto hop : m_hops)
        {
            AddEdges(*hop);
        }
    }

  private:
    void AddEdges(const LaneHop& hop)
    {
        const auto first = m_first.at(&hop);
        const auto left = GetLeft(hop);
        auto takes = left;
        if (hop.hasChoices)
        {
            takes = left + 1;
            m_members[takes].isAny = true;
            m_members[left].edges.push_back(
                {takes, WormholeOutput::ALWAYS, Deadlock::LEAVE, nullptr});
        }
        for (std::size_t i = 0; i < hop.exits.size; ++i)
        {
            if (!hop.asked || hop.requests->list[i].isWaiting)
            {
                m_members[takes].edges.push_back(
                    {first + i, WormholeOutput::ALWAYS, Deadlock::LEAVE, nullptr});
            }
            if (hop.asked && hop.requests->list[i].isWaiting)
            {
                AddRequestEdges(first + i, hop.requests->list[i]);
            }
        }
        if (const auto ahead = m_ahead.at(&hop))
        {
            // All that it is to do comes after that.
            for (auto v = first; v <= left; ++v)
            {
                m_members[v].edges.push_back(
                    {GetLeft(*ahead), hop.arrivals.At(0), Deadlock::FIFO, nullptr});
            }
        }
    }

    void AddRequestEdges(Vertex from, const LaneRequest& request)
    {
        const auto& output = *request.output;
        for (auto other = output.requests; other != &request; other = other->behind)
        {
            // Its turn is over when it is granted this, or another one of its choices.
            const auto& hop = *other->hop;
            m_members[from].edges.push_back(
                {hop.hasChoices ? GetLeft(hop) + 1 : m_first.at(&hop) + other->index,
                 request.since,
                 Deadlock::TURN,
                 output.port,
                 GetLane(output)});
        }
        if (output.GetCreditTime(request.hop->flits) != WormholeOutput::NEVER)
        {
            return;
        }
        const auto lacking =
            output.sent + request.hop->flits - output.port->depth - output.GetNFreed();
        // Slots are freed in the order of the worms there, all of a worm's at once as far as that
        // goes.
        uint64_t flits = 0;
        for (auto holder = output.far->front; holder && flits < lacking; holder = holder->behind)
        {
            flits += holder->flits;
            m_members[from].edges.push_back({GetLeft(*holder),
                                             std::max(request.since, output.granted),
                                             Deadlock::CREDIT,
                                             output.port,
                                             GetLane(output)});
        }
    }

    Vertex GetLeft(const LaneHop& hop) const
    {
        return m_first.at(&hop) + hop.exits.size;
    }

    /// @return lane for reports, where there are several
    int GetLane(const LaneOutput& output) const
    {
        return m_nLanes > 1 ? int{output.lane} : -1;
    }

    uint32_t m_nLanes;
};

} // namespace

Deadlock
FindLaneDeadlock(const LaneEngine& lanes,
                 const std::vector<Ptr<WormholePort>>& ports,
                 bool hasQueues,
                 uint64_t longestTreeWorm)
{
    return LaneWaitGraph(lanes, ports, hasQueues).FindDeadlock(longestTreeWorm);
}

} // namespace ns3
