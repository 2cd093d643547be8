/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_SWITCH_PLAN_H
#define PLAIN_SWITCH_PLAN_H

#include "ns3/switch-broadcast-plan.h"
#include "ns3/working-switches.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief SwitchBroadcastPlan by its plain definition: all ways are asked for beforehand, all
 *        arrivals found anew after each move.
 */
class PlainSwitchPlan
{
  public:
    /// @param switches the working switches @param heuristics what is done
    PlainSwitchPlan(const WorkingSwitches& switches,
                    const SwitchBroadcastPlan::Heuristics& heuristics);

    /// @return children of each switch, in the order served
    const std::vector<std::vector<uint32_t>>& GetChildren() const;

  private:
    /// Finds the tree of shortest paths.
    void FindShortestPaths();

    /// @return all switches, each after its parent, breadth first
    std::vector<uint32_t> GetOrder() const;

    /// Sorts all children by w.
    void SortChildren();

    /// Finds when each switch is active.
    void FindArrivals();

    /// Visits all switches and tries their children. @param depthFirst in which order
    void VisitAll(bool depthFirst);

    /// The paralleling procedure. @param parent a switch @param holding the switches visited
    /// @return children that got another parent which has been visited
    std::vector<uint32_t> Parallel(uint32_t parent, const std::vector<uint32_t>& holding);

    /// @return whether links have channels for one more way @param way the way
    /// @param present another one, which is given up
    bool HasChannels(const SwitchPath& way, const SwitchPath& present) const;

    /// Counts a way on its links. @param way the way @param number 1 or -1
    void Use(const SwitchPath& way, int number);

    const WorkingSwitches& m_switches;             ///< the working switches
    SwitchBroadcastPlan::Heuristics m_heuristics;  ///< what is done
    std::vector<std::vector<SwitchPath>> m_paths;  ///< from each, to each
    std::vector<std::vector<uint32_t>> m_children; ///< of each switch, in the order served
    std::vector<uint32_t> m_parents;               ///< of each switch
    std::vector<Time> m_arrivals;                  ///< when each is active
    std::map<SwitchLink, int64_t> m_used;          ///< ways across each link
};

} // namespace ns3

#endif /* PLAIN_SWITCH_PLAN_H */
