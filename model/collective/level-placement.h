/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEVEL_PLACEMENT_H
#define LEVEL_PLACEMENT_H

#include "communication-tree.h"
#include "level-growth.h"
#include "process-hierarchy.h"

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Carries out the plan of a LevelGrowth among the processes of a hierarchy, from process 0
 *        on, until a time. Pure.
 */
class LevelPlacement
{
  public:
    static constexpr uint32_t N_VARIANTS = 8; ///< ways to decide between equals

    /**
     * @param hierarchy the processes
     * @param growth what tells the plan; must outlive this
     * @param time when all should be active
     * @param state the root's places, see LevelGrowth::GetPlaces
     * @param variant how to decide between equals: bits 0 and 1, see LevelGrowth::Choose; bit 2,
     *        a receiver's share is no more than the places that nobody else plans to take
     */
    LevelPlacement(const ProcessHierarchy& hierarchy,
                   const LevelGrowth& growth,
                   int64_t time,
                   uint32_t state,
                   uint32_t variant);

    /// @return whether all processes are active in time
    bool IsComplete() const
    {
        return m_nActive == m_children.size();
    }

    /// @return the tree, if they are
    CommunicationTree TakeTree();

  private:
    static constexpr uint32_t NONE = UINT32_MAX; ///< no process or group

    struct Message
    {
        int64_t arrival; ///< when its receiver is active
        uint32_t number; ///< by order of planning
        uint32_t from;   ///< its sender
        uint32_t level;  ///< its level
        uint32_t child;  ///< the receiver's places
        uint32_t rest;   ///< the sender's places then
        int64_t start;   ///< when the sender begins with it

        bool operator>(const Message& other) const
        {
            return std::make_pair(arrival, number) > std::make_pair(other.arrival, other.number);
        }
    };

    struct Group
    {
        uint32_t size{0};              ///< number of processes
        uint32_t free{0};              ///< processes that are not in the tree
        int64_t unplanned{0};          ///< processes that no plan counts on; below 0: several do
        uint32_t next{0};              ///< members before this one are in the tree
        std::vector<uint32_t> members; ///< groups of the level below
    };

    void CountGroups(const ProcessHierarchy& hierarchy);

    /// @return the best first message
    const LevelGrowth::Choice& Choose(int64_t time, uint32_t state);

    /// @return by level, how many processes a plan reaches without leaving its group
    const std::vector<uint32_t>& CountPlanned(int64_t time, uint32_t state);

    /// @return what is known of a time and places by one number
    uint64_t KeyOf(int64_t time, uint32_t state) const;

    void Plan(uint32_t process, int64_t start, uint32_t state);
    void AddMessage(Message message);
    bool HasPlace(uint32_t from, uint32_t level) const;

    /// Finds a receiver. @param planned how many processes of each level but the last follow
    /// @return the receiver
    uint32_t FindPlace(uint32_t from, uint32_t level, const std::vector<uint32_t>& planned);

    void Enter(uint32_t process, int64_t time, uint32_t state, uint32_t fresh);
    void Arrive(const Message& message);

    const LevelGrowth& m_growth;                   ///< tells the plan
    int64_t m_time;                                ///< when all should be active
    uint32_t m_variant;                            ///< how to decide between equals
    uint32_t m_nLevels;                            ///< levels
    uint32_t m_nActive{0};                         ///< processes in the tree
    uint32_t m_nMessages{0};                       ///< planned so far
    std::vector<std::vector<Group>> m_groups;      ///< by level, 0 being processes, and number
    std::vector<std::vector<uint32_t>> m_groupOf;  ///< by level and process
    std::vector<std::vector<uint32_t>> m_children; ///< the tree
    std::priority_queue<Message, std::vector<Message>, std::greater<>> m_coming; ///< messages
    std::unordered_map<uint64_t, LevelGrowth::Choice> m_choices;   ///< known ones, by KeyOf
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_planned; ///< known ones, by KeyOf
};

} // namespace ns3

#endif /* LEVEL_PLACEMENT_H */
