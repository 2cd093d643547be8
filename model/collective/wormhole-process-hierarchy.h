// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_PROCESS_HIERARCHY_H
#define WORMHOLE_PROCESS_HIERARCHY_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief A message's cost by the model of Cordsen et al. (1997), section 2.2.1:
/// a message sent at 0 keeps its sender busy until s + c, its receiver from s until s + c + r.
struct MessageCost
{
    Time s;          ///< time for which only the sender is busy
    Time r;          ///< time, after s + c, for which only the receiver is busy
    Time c{Time(0)}; ///< time, after s, for which both sender and receiver are busy

    /// @return time for which the sender is busy
    Time Busy() const
    {
        return s + c;
    }

    std::string Print() const; ///< @return the times in us, such as s = +2us, r = +1us, c = +0us
};

/// @ingroup wormhole
/// @brief Processes in nested groups, such as tasks on hosts on switches, and the costs of messages
///        between them: Cordsen et al. (1997), section 6.
///
/// Each level but the last divides the processes into groups, the smallest at level 1; at the last
/// level all processes form one group. The level of a message is the first one at which sender and
/// receiver share a group. Processes and hosts are numbered from 0.
class ProcessHierarchy
{
  public:
    /// @param size number of processes
    /// @param costs cost of a message of each level, from level 1; there is at least one level
    /// @param groups for each level but the last, the number of each process's group
    /// @throws WormholeError if there is no process, a time is negative, a list has the wrong
    ///         length, or a group is not contained in a group of the next level
    ProcessHierarchy(uint32_t size,
                     const std::vector<MessageCost>& costs,
                     const std::vector<std::vector<uint32_t>>& groups = {});

    /// @return hierarchy of groups of consecutive processes; a level's last group may be smaller
    /// @param size number of processes
    /// @param groupSizes processes per group, for each level but the last; each is a multiple of
    ///        the previous one
    /// @param costs costs of each level
    /// @throws WormholeError if a size is 0 or not such a multiple, or as the constructor does
    static ProcessHierarchy Regular(uint32_t size,
                                    const std::vector<uint32_t>& groupSizes,
                                    const std::vector<MessageCost>& costs);

    /// @return number of processes
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return number of levels, at least 1
    uint32_t GetNLevels() const
    {
        return static_cast<uint32_t>(m_costs.size());
    }

    /// @return number of a process's group at a level, from 0; the last level has only group 0
    /// @param level,process the level, from 1 to GetNLevels(), and the process
    uint32_t GetGroup(uint32_t level, uint32_t process) const
    {
        return level > m_groups.size() ? 0 : m_groups[level - 1][process];
    }

    /// @return the first level at which two processes share a group @param a,b the processes
    uint32_t GetLevel(uint32_t a, uint32_t b) const
    {
        uint32_t level = 1;
        while (GetGroup(level, a) != GetGroup(level, b))
        {
            ++level;
        }
        return level;
    }

    /// @return cost of a message of a level @param level the level, from 1 to GetNLevels()
    const MessageCost& GetCost(uint32_t level) const
    {
        return m_costs.at(level - 1);
    }

    /// @return cost of a message between two processes @param a,b the processes
    const MessageCost& GetCost(uint32_t a, uint32_t b) const
    {
        return GetCost(GetLevel(a, b));
    }

    /// @return this hierarchy without superfluous levels: those at which no message passes, and
    ///         those with the same s + c and the same r as the next level; at least one level stays
    ProcessHierarchy Simplify() const;

  private:
    uint32_t m_size;
    std::vector<MessageCost> m_costs;            ///< by level
    std::vector<std::vector<uint32_t>> m_groups; ///< by level but the last, then by process
};

} // namespace ns3

#endif /* WORMHOLE_PROCESS_HIERARCHY_H */
