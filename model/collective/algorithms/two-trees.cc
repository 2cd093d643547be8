// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

constexpr uint32_t NO_COLOUR = 2;

/// Makes a binary tree in symmetric order whose leaves are the first, third, ... of its processes.
void
MakeSymmetric(uint32_t first, uint32_t n, uint32_t parent, std::vector<uint32_t>& parents)
{
    if (n == 0)
    {
        return;
    }
    uint32_t place = 1; // the greatest power of two, so that the left subtree is full
    while (place <= n / 2)
    {
        place *= 2;
    }
    const auto root = first + place - 1;
    parents[root] = parent;
    MakeSymmetric(first, place - 1, root, parents);
    MakeSymmetric(root + 1, n - place, root, parents);
}

/// Two binary trees of the same processes, in which a process that has children in one has
/// none in the other; process 0 is above both (Sanders, Speck and Träff, Two-tree algorithms
/// for full bandwidth broadcast, reduction and scan, 2009).
///
/// Processes 1 to n form a binary tree in symmetric order, whose leaves are the odd ones. With an
/// even n the second tree is its mirror image; with an odd one it is shifted by one, or, so that
/// subtrees stay intervals, process 1 is above such a tree of processes 2 to n.
///
/// Edges have two colours such that a process sends by one edge of each colour at most, and
/// receives by one of each: in each step it sends and receives one message.
class DoubleTree
{
  public:
    /// An edge, down which a broadcast goes.
    struct Edge
    {
        uint32_t parent; ///< the process above
        uint32_t child;  ///< the process below
        uint32_t tree;   ///< 0 or 1
        uint32_t colour; ///< 0 or 1
        uint32_t start;  ///< first step of a broadcast in which it has a message; then every second
    };

    DoubleTree(uint32_t processes, bool isInOrder)
    {
        const auto parents = MakeParents(processes, isInOrder);
        for (uint32_t tree = 0; tree < 2; ++tree)
        {
            std::vector<std::vector<uint32_t>> children(processes);
            for (uint32_t child = 1; child < processes; ++child)
            {
                children[parents[tree][child]].push_back(child);
            }
            std::vector<uint32_t> order{0};
            for (std::size_t i = 0; i < order.size(); ++i)
            {
                const auto parent = order[i];
                for (const auto child : children[parent])
                {
                    m_edges.push_back({parent, child, tree, NO_COLOUR, 0});
                    order.push_back(child);
                }
            }
        }
        Colour(processes);
        Start(processes);
    }

    const std::vector<Edge>& GetEdges() const
    {
        return m_edges;
    }

  private:
    using Parents = std::array<std::vector<uint32_t>, 2>;

    static Parents MakeParents(uint32_t processes, bool isInOrder)
    {
        Parents parents;
        parents.fill(std::vector<uint32_t>(processes, 0));
        const auto n = processes - 1;
        MakeSymmetric(1, n, 0, parents[0]);
        if (n % 2 == 1 && isInOrder)
        {
            MakeSymmetric(2, n - 1, 1, parents[1]);
            return parents;
        }
        for (uint32_t place = 1; place <= n; ++place)
        {
            const auto find = [&](uint32_t at) {
                return at == 0 ? 0 : n % 2 == 0 ? n + 1 - at : at % n + 1;
            };
            parents[1][find(place)] = find(parents[0][place]);
        }
        return parents;
    }

    void Colour(uint32_t processes)
    {
        // Edges that must differ: those by which a process sends, and those by which it receives.
        std::vector<std::vector<uint32_t>> sends(processes);
        std::vector<std::vector<uint32_t>> receives(processes);
        for (uint32_t i = 0; i < m_edges.size(); ++i)
        {
            sends[m_edges[i].parent].push_back(i);
            receives[m_edges[i].child].push_back(i);
        }
        for (uint32_t first = 0; first < m_edges.size(); ++first)
        {
            std::vector<uint32_t> open;
            if (m_edges[first].colour == NO_COLOUR)
            {
                m_edges[first].colour = m_edges[first].tree;
                open.push_back(first);
            }
            while (!open.empty())
            {
                const auto edge = open.back();
                open.pop_back();
                for (const auto* group :
                     {&sends[m_edges[edge].parent], &receives[m_edges[edge].child]})
                {
                    for (const auto other : *group)
                    {
                        if (m_edges[other].colour == NO_COLOUR)
                        {
                            m_edges[other].colour = 1 - m_edges[edge].colour;
                            open.push_back(other);
                        }
                    }
                }
            }
        }
    }

    /// Finds edges' first steps.
    void Start(uint32_t processes)
    {
        std::array<std::vector<uint32_t>, 2> ready; // the first step in which a process may send
        ready.fill(std::vector<uint32_t>(processes, 0));
        for (auto& edge : m_edges)
        {
            const auto from = ready[edge.tree][edge.parent];
            edge.start = from + (from + edge.colour) % 2;
            ready[edge.tree][edge.child] = edge.start + 1;
        }
    }

    std::vector<Edge> m_edges; ///< those of parents first
};

/// A collective along two binary trees at once, each for half of the vector: who passes on segments
/// of one half is a leaf for the other, so that everybody sends and receives all the time (see
/// DoubleTree; as an all-reduction also NCCL's "double binary trees").
///
/// Time, in 2 k segments of S = m / (2 k): a broadcast takes about (2 k + 2 log2 n) (alpha + beta
/// S), a reduction the same with gamma S more a step; an all-reduction both, of which the broadcast
/// begins when the first segment has come up. Each member sends m bytes at most in a broadcast or
/// reduction, and there are 2 k (n - 1) messages.
///
/// Order is kept where it must be: by trees whose subtrees are intervals of ranks, with rank 0
/// above, which sends the result to the root.
GroupSchedules
MakeTwoTrees(const ScheduleRequest& request)
{
    const bool isInOrder = request.keepsOrder && DataKindInvariant::Combines(request.kind);
    const auto ranks = MakeRanksFrom(request.members, isInOrder ? 0 : request.root);
    const DoubleTree trees(request.members, isInOrder);
    std::vector<uint32_t> firsts;
    GroupSchedules schedules(request, request.MakeSegments(2, firsts));
    // Messages by step.
    std::vector<std::vector<BlockMessage>> steps;
    const auto add = [&](uint32_t step, const BlockMessage& message) {
        steps.resize(std::max<std::size_t>(steps.size(), step + 1));
        steps[step].push_back(message);
    };
    const auto last = GreatestOf(0U, trees.GetEdges(), [](const auto& edge) { return edge.start; });
    for (const auto& edge : trees.GetEdges())
    {
        const auto up = ranks[edge.child];
        const auto down = ranks[edge.parent];
        for (auto block = firsts[edge.tree]; block < firsts[edge.tree + 1]; ++block)
        {
            const auto later = 2 * (block - firsts[edge.tree]);
            // Up, the steps go backwards, and a result is at the top before it comes down.
            const auto rising = last - edge.start + later;
            if (request.kind != DataKind::BROADCAST)
            {
                add(rising, {up, down, {{block, 1}}, ScheduleStep::COMBINE, up < down});
            }
            if (request.kind == DataKind::REDUCTION && edge.parent == 0 && ranks[0] != request.root)
            {
                add(rising + 1, {ranks[0], request.root, {{block, 1}}});
            }
            if (request.kind != DataKind::REDUCTION)
            {
                const auto begin = request.kind == DataKind::BROADCAST ? 0 : last + 1;
                add(begin + edge.start + later, {down, up, {{block, 1}}});
            }
        }
    }
    for (const auto& messages : steps)
    {
        schedules.Step(messages);
    }
    return schedules;
}

const SoftwareAlgorithm<MakeTwoTrees,
                        DataKind::BROADCAST,
                        DataKind::REDUCTION,
                        DataKind::ALL_REDUCTION>
    g_twoTrees{"TwoTrees"};

} // namespace

} // namespace ns3
