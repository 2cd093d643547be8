// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_REPAIR_H
#define UP_DOWN_REPAIR_H

#include "ns3/up-down-routing.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief How few switches an up/down order has to change in when cables fail, after Lysne and
///        Duato (Fast dynamic reconfiguration in irregular networks, ICPP 2000).
///
/// An order without cycles connects a piece of the fabric if only one of its switches, the root,
/// has no cable up. If the old order of what is left is like that, nothing changes. Otherwise one
/// such switch stays root, and each other one, x, is hung up at a switch w below it that reaches
/// the root: all cables between switches on ways up from w to x are turned round, so that no cycle
/// can close, and switches off these ways keep their directions. Of all x that may stay root the
/// one with the fewest changes does, of all w the one with the fewest switches on these ways; then
/// the first in the old order.
///
/// The switches whose cables are turned round are what is called the skyline here: the paper's is
/// the part of the network that has to be reconfigured, found by its own algorithm.
class UpDownRepair
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @param before the routes of the whole fabric
    /// @param isLeft whether a cable is left; argument: the end at one of its two switches. A
    ///        switch that fails has none left, and is a piece of its own
    UpDownRepair(const UpDownRouting& before, const std::function<bool(FabricGraph::End)>& isLeft);

    /// @return the switches whose directions change, increasing; empty: the old order holds
    std::vector<Node> GetSkyline() const;

    /// @return number of pieces that are left, each with a root; a switch that fails is one
    uint32_t GetNPieces() const
    {
        return m_nPieces;
    }

    /// @return neighbours that a switch's cables lead up to now, each once @param node the switch
    const std::vector<Node>& GetAbove(Node node) const
    {
        return m_order.above[node];
    }

  private:
    using Links = std::vector<std::vector<Node>>; ///< neighbours, by switch

    /// Directions, and who has other ones than before.
    struct Order
    {
        Links above;               ///< neighbours up
        Links below;               ///< neighbours down
        std::vector<bool> changes; ///< whether directions change, by switch
    };

    /// @return by switch, whether links lead there from a switch, or it is that one
    static std::vector<bool> Reach(const Links& links, Node from);

    /// Hangs a switch up, if any below reaches the root. @return whether that is so
    bool HangUp(Order& order, Node top, const std::vector<bool>& reachesRoot) const;

    Order m_order;                ///< as it is to be
    std::vector<uint32_t> m_rank; ///< place in the old order, by switch
    uint32_t m_nPieces{0};        ///< number of pieces
};

} // namespace ns3

#endif /* UP_DOWN_REPAIR_H */
