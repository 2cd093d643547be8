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
 * @brief The time of a communication tree, by the cost model of Cordsen et al. (1997), section
 *        2.2.1.
 *
 * A sender is busy for s + c with each message, in the order of its children; the receiver is
 * active r after its message is sent, and sends from then on. With several ports a sender sends
 * that many messages at once: to the first children, then to the next ones, and so on. In a
 * hierarchy, a message costs what its level does.
 */
class TreeCost
{
  public:
    /// @param s time for which a message keeps its sender busy
    /// @param r time from then until the receiver is active
    /// @param ports number of messages that a sender sends at once
    /// @param c time for which a message keeps both busy, after s and before r
    /// @throws WormholeError if a time is negative, or there is no port
    TreeCost(Time s, Time r, uint32_t ports = 1, Time c = Time(0));

    /// @param hierarchy the processes of the trees, and the costs of messages between them
    explicit TreeCost(const ProcessHierarchy& hierarchy);

    /// @return when each process is active, the root at 0 @param tree the tree, with as many
    ///         processes as the hierarchy
    std::vector<Time> GetArrivals(const CommunicationTree& tree) const;

    /// @return when the last process is active @param tree the tree
    Time GetFinish(const CommunicationTree& tree) const;

  private:
    MessageCost m_cost; ///< of any message, without a hierarchy
    uint32_t m_ports;   ///< number of messages that a sender sends at once
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< the hierarchy; may be null
};

} // namespace ns3

#endif /* TREE_COST_H */
