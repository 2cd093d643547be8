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
/// @brief How a fabric changes from old routes to new ones (a recovery way, selected by name).
///
/// A way's short name is its class's name without RecoveryWay, in lower case with dashes: that of
/// ns3::StaticRecoveryWay is "static".
class RecoveryWay : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Makes a recovery way by its short name, or throws a WormholeError.
    static Ptr<RecoveryWay> Make(const std::string& name);

    /// @return short names of all recovery ways, sorted
    static std::vector<std::string> GetNames();

    /// @return TypeId of the way of class WAY @param name full name of the class
    template <class WAY>
    static TypeId MakeTypeId(const char* name)
    {
        return TypeId(name).SetParent<RecoveryWay>().SetGroupName("Wormhole").AddConstructor<WAY>();
    }

    /// @return whether switches explore which parts of the fabric work, and compute new routes
    virtual bool Explores() const
    {
        return false;
    }

    /// @return whether the way uses tokens if old and new routes together close a cycle: a token is
    ///         a message that follows the old routes, and worms on new routes wait for it
    virtual bool HasTokens() const
    {
        return false;
    }

    /// @return whether a host stops when its switch begins to explore, and resumes with new routes
    virtual bool HoldsHosts() const
    {
        return false;
    }

    /// @return whether worms take the first of their choices whose cable is not known to be down
    virtual bool TakesFirstChoice() const
    {
        return false;
    }

    /// Returns the initial routes; throws a WormholeError if the way does not support `router`.
    virtual Ptr<WormholeRouter> Prepare(const FabricGraph&, Ptr<WormholeRouter> router) const
    {
        return router;
    }

    /// Converts a set of new routes to the form that hosts use; arguments: the set, its number.
    virtual Ptr<WormholeRouter> Adapt(Ptr<WormholeRouter> router, uint32_t) const
    {
        return router;
    }

    /// Tells whether hosts may be given the computed routes now.
    virtual bool MayGo(RouteRecovery&, const RecoveryRoutes&) const
    {
        return false;
    }
};

} // namespace ns3

#endif /* RECOVERY_WAY_H */
