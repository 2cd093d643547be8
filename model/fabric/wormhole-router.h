// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTER_H
#define WORMHOLE_ROUTER_H

#include "worm-route.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Whether and how hosts relay worms whose route continues beyond them (rule S13).
enum class InTransit : uint8_t
{
    NONE,       ///< "none": hosts do not relay
    WHOLE,      ///< "whole": a host sends a worm on once all of it has arrived
    AS_IT_COMES ///< "as-it-comes": a host sends a worm on once the worm's head has arrived
};

/// @ingroup wormhole
/// @return the name of a mode @param mode the mode: how hosts relay worms
inline std::string
NameInTransit(InTransit mode)
{
    return mode == InTransit::NONE ? "none" : mode == InTransit::WHOLE ? "whole" : "as-it-comes";
}

/// @ingroup wormhole
/// @return the mode that has a name @param word the name
inline InTransit
ReadInTransit(const std::string& word)
{
    return word == "none"    ? InTransit::NONE
           : word == "whole" ? InTransit::WHOLE
                             : InTransit::AS_IT_COMES;
}

/// @ingroup wormhole
/// @brief Gives interfaces the routes of worms; hosts and switches are numbered as in the fabric.
class WormholeRouter : public SimpleRefCount<WormholeRouter>
{
  public:
    virtual ~WormholeRouter() = default;

    /// @param from sending host @param to receiving host, a different one @return a unicast route
    virtual Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) = 0;

    /// Gives the route of GetRoute, with only the first of alternative outputs at each node.
    Ptr<const WormRoute> GetPath(uint32_t from, uint32_t to)
    {
        auto route = GetRoute(from, to);
        if (route->HasChoices())
        {
            route = Create<WormRoute>(route->GetPreferred());
        }
        return route;
    }

    /// Gives the path of GetPath or, if hosts relay worms (S13), a path through switches only.
    virtual Ptr<const WormRoute> GetSwitchPath(uint32_t from, uint32_t to)
    {
        return GetPath(from, to);
    }

    /// Gives the route of a tree worm from a host to other hosts, each listed once.
    virtual Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) = 0;

    /// Gives a unicast route from a host to a switch, where the worm ends.
    virtual Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) = 0;

    /// Restarts the count of worms (CountWorm) at 0; a fabric calls this when it gets the router.
    void StartAnew()
    {
        m_nRoutes = 0;
    }

    /// @return number of lanes that the router's routes need
    virtual uint32_t GetNLanes() const
    {
        return 1;
    }

    /// @return how hosts relay worms on the router's routes (S13)
    virtual InTransit GetInTransit() const
    {
        return InTransit::NONE;
    }

    /// @return whether a route given so far is for one worm only (RouteSpread::Rule::EACH)
    virtual bool AreByWorm() const
    {
        return m_nRoutes > 0;
    }

  protected:
    /// Counts a worm if `isByWorm`. @return the worm's number, from 0 on; 0 if it is not counted
    /// @param isByWorm whether each worm gets a route of its own
    uint64_t CountWorm(bool isByWorm)
    {
        return isByWorm ? m_nRoutes++ : 0;
    }

  private:
    uint64_t m_nRoutes{0}; ///< number of worms that got a route of their own
};

/// @ingroup wormhole @brief Gives what another router gives; only GetRoute is left to subclasses.
class DerivedRouter : public WormholeRouter
{
  public:
    /// @param router the other router
    explicit DerivedRouter(Ptr<WormholeRouter> router)
        : m_router(router)
    {
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override
    {
        return m_router->GetTreeRoute(from, to);
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        return m_router->GetRouteToSwitch(from, toSwitch);
    }

    uint32_t GetNLanes() const override
    {
        return m_router->GetNLanes();
    }

    InTransit GetInTransit() const override
    {
        return m_router->GetInTransit();
    }

    bool AreByWorm() const override
    {
        return m_router->AreByWorm();
    }

  protected:
    Ptr<WormholeRouter> m_router; ///< the other router
};

} // namespace ns3

#endif /* WORMHOLE_ROUTER_H */
