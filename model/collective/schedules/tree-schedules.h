// SPDX-License-Identifier: GPL-2.0-only

#ifndef TREE_SCHEDULES_H
#define TREE_SCHEDULES_H

#include "working-switches.h"

#include "ns3/communication-tree.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace ns3
{

/// Schedules of blocks along a tree of members.
///
/// Segments are pipelined: a member sends a segment to all its children, in their order, before it
/// waits for the next. On the way up it waits for the segments of all children before it sends the
/// combined segment. In a scatter, a child gets the parts of its subtree, in messages as long as
/// SegmentBytes permits, starting with parts of its children's subtrees; a gather is the reverse.
class TreeSchedules
{
  public:
    /// @param ranks ranks by process; the first is the root
    TreeSchedules(CommunicationTree tree, std::vector<uint32_t> ranks)
        : m_tree(std::move(tree)),
          m_ranks(std::move(ranks))
    {
    }

    /// A tree with ranks such that each subtree is an interval of ranks, and each process has a
    /// lower rank than its descendants: contributions can be combined in order.
    static TreeSchedules MakeInOrder(CommunicationTree tree);

    /// Makes the schedules of a barrier or all-reduction (up, then down), broadcast (down),
    /// reduction (up), gather or scatter. Without KeepsOrder the tree's root is the group's root.
    /// @param selfCongestion whether downward messages wait at their senders, see SelfCongestion
    GroupSchedules Make(const ScheduleRequest& request, bool selfCongestion = false) const;

    /// Adds a scatter by the tree's root. @param shares blocks for each process, by process
    /// @param longest maximum message length, see CutIntoMessages
    void AddScatter(GroupSchedules& schedules,
                    const std::vector<BlockRange>& shares,
                    uint64_t longest) const
    {
        for (const auto& message : ListScatter(schedules.layout, shares, longest))
        {
            schedules.Pass(message);
        }
    }

  private:
    /// @param keepsOrder whether children are combined one after the other, lowest rank first
    /// @param root rank that gets the result, from the tree's root
    void AddReduction(GroupSchedules& schedules, bool keepsOrder, uint32_t root) const;

    /// @return messages of a scatter, in a possible order of sending
    std::vector<BlockMessage> ListScatter(const BlockLayout& layout,
                                          const std::vector<BlockRange>& shares,
                                          uint64_t longest) const;

    CommunicationTree m_tree;
    std::vector<uint32_t> m_ranks; ///< by process
};

/// Makes schedules along a tree, whose processes are the ranks in cyclic order from the root.
///
/// With KeepsOrder, processes are numbered by a traversal from rank 0 that visits children in
/// reverse order of service; rank 0 then sends the result to the root.
GroupSchedules MakeTreeSchedules(const CommunicationTree& tree, const ScheduleRequest& request);

/// Send times of a broadcast in which a message that would exceed the channels of a link waits at
/// its sender, not in the network: the self-congestion technique of Sun et al., section III.
///
/// Every host knows the tree, the paths and the message time, and hence when all others send. Hosts
/// send to their children in order. A message occupies a channel of each link on its path for as
/// long as it keeps its sender busy; if no channel is free, it waits for one. Among messages
/// that could start at the same time, the one that has waited longest is first; ties go to the
/// lowest process. The paper names the technique without describing it; this is our interpretation.
///
/// The time is proportional to the number of members, and to the square of the number of messages
/// that wait for a link at a time.
class SelfCongestion
{
  public:
    /// @param ranks ranks by process @param request the group; without paths nothing waits
    SelfCongestion(const CommunicationTree& tree,
                   const std::vector<uint32_t>& ranks,
                   const ScheduleRequest& request);

    /// Send times by process and child, relative to when the process is active.
    using Times = std::vector<std::vector<Time>>;

    /// @return start times of messages that waited; 0 for other messages
    const Times& GetWaits() const
    {
        return m_waits;
    }

    /// @return when each process is active; the root at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    Times m_waits;
    std::vector<Time> m_arrivals;
};

/// Tracks which channels between switches are occupied by the messages of a plan, and until when. A
/// message occupies the channels of its path; if a path names none, any free channel of each link.
class LinkChannels
{
  public:
    /// @param paths the network, which must outlive this; null: one switch, without links
    explicit LinkChannels(const SwitchPaths* paths)
        : m_paths(paths)
    {
    }

    /// @return earliest time at which all channels of a path may be free; `now` if they are
    Time GetFree(const SwitchPath& path, Time now)
    {
        auto free = now;
        for (std::size_t link = 0; link < path.links.size(); ++link)
        {
            free = std::max(free, GetFreeAt(path, link, now));
        }
        return free;
    }

    void Occupy(const SwitchPath& path, Time end)
    {
        for (std::size_t link = 0; link < path.links.size(); ++link)
        {
            GetEnds(path, link).push_back(end);
        }
    }

  private:
    /// @return when one of the channels that a path may use on a link is free
    Time GetFreeAt(const SwitchPath& path, std::size_t link, Time now);

    /// @return ends of the messages on a link's channel, or on all its channels
    std::vector<Time>& GetEnds(const SwitchPath& path, std::size_t link)
    {
        // A switch has 4,096 ports at most; 0 stands for any port.
        const auto& [from, to] = path.links[link];
        const uint64_t port = path.ports.empty() ? 0 : path.ports[link] + 1;
        return m_busy[uint64_t{from} << 40 | uint64_t{to} << 16 | port];
    }

    const SwitchPaths* m_paths;
    std::unordered_map<uint64_t, std::vector<Time>> m_busy; // by both switches and port
};

} // namespace ns3

#endif /* TREE_SCHEDULES_H */
