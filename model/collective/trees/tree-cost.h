/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_COST_H
#define TREE_COST_H

#include "communication-tree.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a communication tree takes, by the cost model of Cordsen et al. (1997), section
 *        2.2.1.
 *
 * A sender is busy for s + c with each message, in the order of its children; the receiver is
 * active r after its message is sent, and sends on from then. With more than one port a sender is
 * busy with that many messages at once: the first so many children, then the next so many, and so
 * on. In a hierarchy, a message costs what its level does.
 */
class TreeCost
{
  public:
    /// @param s how long a message keeps its sender busy
    /// @param r from then until the receiver is active
    /// @param ports how many messages a sender sends at once
    /// @param c how long a message keeps both busy, after s and before r
    /// @throws WormholeError if a time is negative, or there is no port
    TreeCost(Time s, Time r, uint32_t ports = 1, Time c = Time(0));

    /// @param hierarchy the processes of the trees, and what messages between them cost
    explicit TreeCost(const ProcessHierarchy& hierarchy);

    /// @return when each process is active, the root at 0 @param tree the tree, in a hierarchy of
    /// as many processes
    std::vector<Time> GetArrivals(const CommunicationTree& tree) const;

    /// @return when the last process is active @param tree the tree
    Time GetFinish(const CommunicationTree& tree) const;

  private:
    MessageCost m_cost;                               ///< of any message, without a hierarchy
    uint32_t m_ports;                                 ///< how many messages a sender sends at once
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< the hierarchy; may be null
};

} // namespace ns3

#endif /* TREE_COST_H */
