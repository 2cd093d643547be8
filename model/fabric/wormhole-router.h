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
/// @brief Whether hosts pass worms on whose route goes on beyond them, and how (rule S13).
enum class InTransit : uint8_t
{
    NONE,       ///< "none": they don't
    WHOLE,      ///< "whole": a worm goes on when all of it is there
    AS_IT_COMES ///< "as-it-comes": a worm goes on when its head is there
};

/// @ingroup wormhole
/// @return the word for it @param mode how hosts pass worms on
inline std::string
NameInTransit(InTransit mode)
{
    return mode == InTransit::NONE ? "none" : mode == InTransit::WHOLE ? "whole" : "as-it-comes";
}

/// @ingroup wormhole
/// @return what a word means @param word one of these
inline InTransit
ReadInTransit(const std::string& word)
{
    return word == "none"    ? InTransit::NONE
           : word == "whole" ? InTransit::WHOLE
                             : InTransit::AS_IT_COMES;
}

/// @ingroup wormhole
/// @brief What interfaces ask for a worm's way. Hosts and switches are numbered in their fabric.
class WormholeRouter : public SimpleRefCount<WormholeRouter>
{
  public:
    virtual ~WormholeRouter() = default;

    /// @param from sending host @param to receiving host, another one @return a unicast route
    virtual Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) = 0;

    /// Gives the route, or, if it has choices, the path by the first ones.
    Ptr<const WormRoute> GetPath(uint32_t from, uint32_t to)
    {
        auto route = GetRoute(from, to);
        if (route->HasChoices())
        {
            route = Create<WormRoute>(route->GetPreferred());
        }
        return route;
    }

    /// As GetPath, but by switches alone where hosts pass worms on (S13).
    virtual Ptr<const WormRoute> GetSwitchPath(uint32_t from, uint32_t to)
    {
        return GetPath(from, to);
    }

    /// Gives a route of a tree worm that ends at each of some hosts, without the sender, once.
    virtual Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) = 0;

    /// Gives a unicast route that ends in the switch itself.
    virtual Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) = 0;

    /// Has the numbers of worms begin anew: a fabric that gets the router starts with it.
    void StartAnew()
    {
        m_nRoutes = 0;
    }

    /// @return lanes of a channel that its routes take
    virtual uint32_t GetNLanes() const
    {
        return 1;
    }

    /// @return how hosts pass on worms of its routes (S13)
    virtual InTransit GetInTransit() const
    {
        return InTransit::NONE;
    }

  protected:
    /// @return number of a worm that gets a route of its own: 0, 1, ...
    uint64_t CountWorm()
    {
        return m_nRoutes++;
    }

  private:
    uint64_t m_nRoutes{0}; ///< routes given to worms, where each has its own
};

/// @ingroup wormhole
/// @brief Routes of another router, but for what is overridden.
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

  protected:
    Ptr<WormholeRouter> m_router; ///< the other router
};

} // namespace ns3

#endif /* WORMHOLE_ROUTER_H */
