// SPDX-License-Identifier: GPL-2.0-only

// What the worms of an engine of single flits wait for.

#include "flit-engine.h"

#include "ns3/flit-wait-graph.h"
#include "ns3/wormhole-route-manager.h"

namespace ns3
{

namespace
{

/// What worms wait for at the present instant, of which all has happened.
///
/// A worm at a node has a vertex for the next flit of each branch, or for its last flit where it
/// ends; one for that it has left; and one for each of its choices (S12).
class HopWaitGraph : public HopVertices<FlitHop>
{
  public:
    HopWaitGraph(const std::vector<std::unique_ptr<FlitNode>>& nodes,
                 const FlitSettings& settings,
                 int64_t now,
                 bool hasQueues)
        : m_settings(settings),
          m_now(now)
    {
        for (const auto& node : nodes)
        {
            for (const auto& input : node->inputs)
            {
                if (!node->IsHost())
                {
                    AddQueue(input.queue, true);
                }
            }
            for (const auto& queue : node->queues)
            {
                AddQueue(queue.queue, hasQueues);
            }
            for (const auto& hop : node->made)
            {
                AddQueue(std::vector<Ptr<FlitHop>>{hop}, true);
            }
        }
        NumberVertices([](const FlitHop& hop) {
            const auto port = hop.came ? hop.came->upstream->port->GetFar().input.port : nullptr;
            return std::make_pair(Member{PeekPointer(hop.worm), hop.node->state, port},
                                  GetNConditions(hop) + 1 + hop.options.size());
        });
        for (const auto hop : m_hops)
        {
            AddEdges(*hop);
        }
    }

  private:
    template <class LIST>
    void AddQueue(const LIST& queue, bool isWhole)
    {
        const FlitHop* ahead = nullptr;
        for (const auto& hop : queue)
        {
            hop->Advance(m_now, hop->node->state->delay);
            m_hops.push_back(PeekPointer(hop));
            m_ahead[m_hops.back()] = ahead;
            ahead = m_hops.back();
            if (!isWhole)
            {
                break;
            }
        }
    }

    void AddEdges(const FlitHop& hop)
    {
        const auto first = m_first.at(&hop);
        const auto left = GetLeft(hop);
        for (auto from = first; from < left; ++from)
        {
            const auto i = from - first;
            if (hop.branches.empty() || !hop.branches[i].isOver)
            {
                m_members[left].edges.push_back(
                    {from, WormholeOutput::ALWAYS, Deadlock::LEAVE, nullptr});
            }
            if (const auto ahead = m_ahead.at(&hop))
            {
                const auto since =
                    hop.since == WormholeOutput::NEVER ? WormholeOutput::ALWAYS : hop.since;
                m_members[from].edges.push_back({GetLeft(*ahead), since, Deadlock::FIFO, nullptr});
            }
            else if (hop.branches.empty() ||
                     hop.asked == WormholeOutput::NEVER) // lacks tail or head
            {
                AddFlitEdge(from, hop, WormholeOutput::ALWAYS);
            }
            else if (m_settings.sync)
            {
                for (const auto& branch : hop.branches)
                {
                    AddBranchEdges(from, hop, branch);
                }
            }
            else
            {
                AddBranchEdges(from, hop, hop.branches[i]);
            }
        }
    }

    void AddBranchEdges(Vertex from, const FlitHop& hop, const FlitBranch& branch)
    {
        if (!branch.taken)
        {
            const bool hasChoices = branch.end - branch.first > 1;
            const auto isDown = [this](const FlitOption& option) {
                return option.output->IsDown(m_now);
            };
            const bool leavesOut = !std::all_of(hop.options.begin(), hop.options.end(), isDown);
            const bool inOrder = m_settings.manager && m_settings.manager->TakesFirstChoice();
            bool isFirst = true;
            for (auto i = branch.first; i < branch.end; ++i)
            {
                const auto& option = hop.options[i];
                if (hasChoices &&
                    ((leavesOut && isDown(option)) || (!std::exchange(isFirst, false) && inOrder)))
                {
                    continue;
                }
                auto vertex = from;
                if (hasChoices)
                {
                    vertex = GetLeft(hop) + 1 + i;
                    m_members[from].isAny = true;
                    m_members[from].edges.push_back(
                        {vertex, WormholeOutput::ALWAYS, Deadlock::OUTPUT, option.output->port});
                }
                AddOptionEdges(vertex, hop, option);
            }
            return;
        }
        const auto& output = *branch.taken->output;
        if (branch.sent == hop.flits || branch.isOver || hop.nextStart > m_now)
        {
            return;
        }
        const auto since = branch.sent > 0 ? output.busyUntil : output.granted;
        if (branch.sent + hop.dropped == hop.ready)
        {
            AddFlitEdge(from, hop, since);
        }
        else if (!output.CanTake(m_now) && output.busyUntil <= m_now)
        {
            AddCreditEdges(from, *branch.taken, false, since);
        }
    }

    void AddFlitEdge(Vertex from, const FlitHop& hop, int64_t since)
    {
        const auto upstream = hop.came ? hop.came->upstream : nullptr;
        const auto owner = upstream ? upstream->owner : nullptr;
        if (hop.ready == hop.GetNKnown() && owner &&
            PeekPointer(owner->GetBranch(*upstream).far) == &hop)
        {
            m_members[from].edges.push_back({GetOwner(*upstream), since, Deadlock::FLIT, nullptr});
        }
    }

    void AddOptionEdges(Vertex from, const FlitHop& hop, const FlitOption& option)
    {
        const auto& output = *option.output;
        if (output.owner)
        {
            m_members[from].edges.push_back({GetOwner(output),
                                             std::max(hop.asked, output.granted),
                                             Deadlock::OUTPUT,
                                             output.port,
                                             GetLane(option)});
            return;
        }
        if (!m_settings.whole || output.port->isEjection || output.IsDown(m_now))
        {
            return;
        }
        // Somebody's turn comes first, or credits are missing.
        option.output->node->VisitFronts([&](FlitHop& other) {
            const auto getOrder = [](const FlitHop& one) {
                return std::make_tuple(one.asked, one.input ? one.input->number : -1, one.order);
            };
            for (std::size_t i = 0; i < other.branches.size(); ++i)
            {
                const auto& branch = other.branches[i];
                const auto begin = other.options.begin();
                const bool asks =
                    !branch.taken && other.asked != WormholeOutput::NEVER && &other != &hop &&
                    getOrder(other) < getOrder(hop) &&
                    std::any_of(
                        begin + branch.first,
                        begin + branch.end,
                        [&](const auto& asked) {
                            return asked.output == option.output && asked.lane == option.lane;
                        });
                if (asks)
                {
                    m_members[from].edges.push_back({m_first.at(&other) + i,
                                                     hop.asked,
                                                     Deadlock::TURN,
                                                     output.port,
                                                     GetLane(option)});
                }
            }
        });
        if (output.credits[option.lane] < static_cast<int64_t>(hop.flits))
        {
            AddCreditEdges(from, option, true, hop.asked);
        }
    }

    void AddCreditEdges(Vertex from, const FlitOption& option, bool needsAll, int64_t since)
    {
        const auto& output = *option.output;
        if (output.returning[option.lane] > 0)
        {
            return; // more is known when these are back
        }
        for (const auto& holder : output.far[option.lane].queue)
        {
            if (holder->freed == holder->GetNKnown())
            {
                continue;
            }
            const auto first = m_first.at(PeekPointer(holder));
            for (std::size_t i = 0; i < GetNConditions(*holder); ++i)
            {
                if (holder->branches.empty() ||
                    holder->branches[i].sent + holder->dropped <= holder->freed)
                {
                    m_members[from].edges.push_back(
                        {first + i, since, Deadlock::CREDIT, output.port, GetLane(option)});
                }
            }
            if (!needsAll)
            {
                return; // slots are freed in the order of the flits
            }
        }
    }

    static std::size_t GetNConditions(const FlitHop& hop)
    {
        return std::max<std::size_t>(1, hop.branches.size());
    }

    Vertex GetLeft(const FlitHop& hop) const
    {
        return m_first.at(&hop) + GetNConditions(hop);
    }

    Vertex GetOwner(const FlitOutput& output) const
    {
        const auto& owner = *output.owner;
        return m_first.at(&owner) +
               static_cast<std::size_t>(&output.owner->GetBranch(output) - owner.branches.data());
    }

    int GetLane(const FlitOption& option) const
    {
        return m_settings.lanes.priorities.size() > 1 ? int{option.lane} : -1;
    }

    const FlitSettings& m_settings;
    int64_t m_now; ///< present time
};

} // namespace

Deadlock
FlitEngine::FindDeadlock(bool hasQueues, uint64_t longestTreeWorm)
{
    return m_nOutages > 0
               ? Deadlock()
               : HopWaitGraph(m_nodes, m_settings, m_now, hasQueues).FindDeadlock(longestTreeWorm);
}

} // namespace ns3
