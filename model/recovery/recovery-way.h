// SPDX-License-Identifier: GPL-2.0-only

#ifndef RECOVERY_WAY_H
#define RECOVERY_WAY_H

#include "ns3/fabric-graph.h"
#include "ns3/object.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class RouteRecovery;
struct RecoveryRoutes;

/// @ingroup wormhole
/// @brief How a fabric changes from old routes to new ones. Ways are selected by name.
///
/// A way's short name is that of its class without RecoveryWay, in lower case:
/// ns3::StaticRecoveryWay is static.
class RecoveryWay : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Makes a recovery way by its short name, or throws a WormholeError.
    static Ptr<RecoveryWay> Make(const std::string& name);

    /// @return short names of all recovery ways, sorted
    static std::vector<std::string> GetNames();

    /// @return type of a way @param name its full name
    template <class WAY>
    static TypeId MakeTypeId(const char* name)
    {
        return TypeId(name).SetParent<RecoveryWay>().SetGroupName("Wormhole").AddConstructor<WAY>();
    }

    /// @return whether switches explore what is left of the fabric, and new routes are computed
    virtual bool Explores() const
    {
        return false;
    }

    /// @return whether worms on new routes wait for tokens if these routes close a cycle with old
    /// ones
    virtual bool HasTokens() const
    {
        return false;
    }

    /// @return whether a host stops when its switch explores, and waits for new routes
    virtual bool HoldsHosts() const
    {
        return false;
    }

    /// @return whether worms take the first of their choices whose cable is not known to be down
    virtual bool TakesFirstChoice() const
    {
        return false;
    }

    /// Gives the initial routes, or throws a WormholeError if the way does not support the router.
    virtual Ptr<WormholeRouter> Prepare(const FabricGraph&, Ptr<WormholeRouter> router) const
    {
        return router;
    }

    /// Puts computed routes, whose set has the given number, into the form that hosts use.
    virtual Ptr<WormholeRouter> Adapt(Ptr<WormholeRouter> router, uint32_t) const
    {
        return router;
    }

    /// Tells whether hosts may get new routes now.
    virtual bool MayGo(RouteRecovery&, const RecoveryRoutes&) const
    {
        return false;
    }
};

} // namespace ns3

#endif /* RECOVERY_WAY_H */
