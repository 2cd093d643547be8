// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTE_MANAGER_H
#define WORMHOLE_ROUTE_MANAGER_H

#include "ns3/object.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <utility>

namespace ns3
{

class FlitEngine;
class WormholePort;

/// @ingroup wormhole
/// @brief A worm with a message about routes, between switches or from a switch to a host: its kind
///        is RAW, but only a WormholeRouteManager receives it.
class ManagementWorm : public Worm
{
  public:
    /// @param flits length in flits @param route the worm's route
    ManagementWorm(uint64_t flits, Ptr<const WormRoute> route)
        : Worm(RAW, nullptr, flits, std::move(route))
    {
    }
};

/// @ingroup wormhole
/// @brief Changes the routes of a fabric during a run with outages. It is aggregated to the fabric
///        before the fabric starts.
class WormholeRouteManager : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// @param engine the engine that moves the fabric's worms once the fabric has started
    void SetEngine(FlitEngine& engine)
    {
        m_engine = &engine;
    }

    /// Called when a port notices the start or the end of one outage of its cable (outages can
    /// overlap); isBrief: whether the port notices both at the same instant.
    virtual void NotifyCable(Ptr<const WormholePort> port, bool isBrief) = 0;

    /// Called when an outage begins, before any node notices it.
    virtual void NotifyLoss() = 0;

    /// Called when a switch or host goes down. @param node the node
    virtual void NotifyDown(const WormholeNodeState& node) = 0;

    /// Called when a message about routes has arrived at a switch or host by a port.
    virtual void Receive(const WormholeNodeState& node,
                         uint32_t port,
                         Ptr<const ManagementWorm> worm) = 0;

    /// A worm's route (null: none), and the number of the set of routes that has this route: 0
    /// for the fabric's first set, and from 1 on for the sets that the manager makes.
    using Way = std::pair<Ptr<const WormRoute>, uint32_t>;

    /// @return present route of a worm about to start @param host,worm sending host, and the worm
    virtual Way Renew(const WormholeNodeState& host, const Worm& worm) = 0;

    /// @return whether a worm may request an output of its switch now @param port,lane the output
    /// @param number number of the set to which the worm's route belongs, see Way
    virtual bool MayPass(const WormholePort& port, uint8_t lane, uint32_t number) const = 0;

    /// @return how worms choose among alternative outputs (S12): true: the first one whose cable is
    /// not known to be down; false: the one that is granted first
    virtual bool TakesFirstChoice() const = 0;

  protected:
    FlitEngine* m_engine{nullptr}; ///< null: there are no outages
};

} // namespace ns3

#endif /* WORMHOLE_ROUTE_MANAGER_H */
