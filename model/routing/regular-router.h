/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGULAR_ROUTER_H
#define REGULAR_ROUTER_H

#include "destination-loads.h"
#include "regular-topology.h"
#include "route-spread.h"
#include "turn-rule.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with routes that a rule gives, without any table.
 *
 * A derived class knows the rule: which ports lead from one switch to another. Where several ways
 * are equally good, it may choose by a number, so that they are all used; but for one number, the
 * ways from one switch to all that have hosts must form a tree. Then a tree worm takes the same
 * ways as unicast worms would, passes every switch once, and parts where they do.
 *
 * The number is RouteSpread's: that of both hosts for a unicast route, of the sending host alone
 * for a tree route.
 */
class RegularRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /// @param spread how several ways that are equally good are shared
    explicit RegularRouter(RouteSpread::Rule spread = RouteSpread::Rule::HASH);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    /// @return whether routes do not depend on the sending host's number, by the rule of spreading
    bool AreBySwitch() const override;

    /// @return the fabric
    virtual const RegularTopology& GetTopology() const = 0;

    // The rule of turns; unless a derived class knows better, all may follow all.
    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

  protected:
    using Node = RegularTopology::Node; ///< number of a switch
    using Port = RegularTopology::Port; ///< number of a port

    /// @return how ways are shared
    RouteSpread::Rule GetSpread() const;

  private:
    /**
     * Appends the ports of the way between two switches.
     * @param from a switch with hosts
     * @param to a switch; none is appended if it is the same
     * @param choice a number to choose by among several ways
     * @param ports list to append to
     */
    virtual void AppendPorts(Node from,
                             Node to,
                             uint32_t choice,
                             WormRoute::Ports& ports) const = 0;

    /**
     * Refuses a node that does not exist.
     * @param role what it is to the route
     * @param number its number
     * @param count how many there are
     */
    static void CheckExists(const char* role, uint32_t number, uint32_t count);

    RouteSpread::Rule m_spread; ///< how ways are shared
};

} // namespace ns3

#endif /* REGULAR_ROUTER_H */
