// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTING_ENGINE_H
#define WORMHOLE_ROUTING_ENGINE_H

#include "fabric-graph.h"
#include "wormhole-routing-progress.h"

#include "ns3/object.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class RegularTopology;

/// @ingroup wormhole @brief Computes the routes of a whole fabric. Engines are selected by name.
///
/// An engine's name is its class's name without RoutingEngine, in lower case with dashes:
/// ns3::DepthFirstRoutingEngine is depth-first. A name may set attributes, in ns-3's notation:
/// balanced[Root=center|Length=any]. An engine gives the same routes on every machine.
class RoutingEngine : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Makes an engine by its name, optionally with attributes in brackets, or throws a
    /// WormholeError if there is no engine of that name, or no such attribute or value.
    static Ptr<RoutingEngine> Make(const std::string& name);

    /// @return names of all engines, sorted
    static std::vector<std::string> GetNames();

    /// @return whether there is an engine of that name @param name name; attributes are ignored
    static bool Has(const std::string& name);

    /// @return whether the engine uses the rule (RegularTopology) by which a fabric is cabled
    virtual bool UsesTopologyRule() const
    {
        return false;
    }

    /// @return the name given to Make
    const std::string& GetText() const
    {
        return m_text;
    }

    /// Sets `routes` to this engine and its name's settings; other settings of `routes` stay.
    virtual void Name(FabricRoutes& routes) const
    {
        routes.routing = m_text;
    }

    /// Takes over the settings, such as a root, of a fabric's own routes. @param routes the routes
    virtual void Follow([[maybe_unused]] const FabricRoutes& routes)
    {
    }

    /// Tells whether this engine selects among equally short routes by FabricRoutes::spread.
    virtual bool UsesSpread([[maybe_unused]] const FabricRoutes& routes) const
    {
        return false;
    }

    /// Computes all routes for a fabric's interfaces.
    /// @param graph the fabric
    /// @param rule rule by which the fabric is cabled, for engines of one topology; nullptr: none
    /// @return the routes, including those of tree worms and those to switches; the routes stay
    ///         valid without the graph and the rule
    /// @throws WormholeError if traffic could not use the fabric, or the engine can't route it
    Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph,
                                   const RegularTopology* rule = nullptr) const;

  protected:
    /// Makes an engine's TypeId; `name` is the name of the engine's class, including ns3::.
    template <class ENGINE>
    static TypeId MakeTypeId(const char* name)
    {
        return TypeId(name)
            .SetParent<RoutingEngine>()
            .SetGroupName("Wormhole")
            .AddConstructor<ENGINE>();
    }

    /// @return the engine's short name
    std::string GetName() const;

    /// @return settings in brackets, such as Root=center
    const std::vector<std::string>& GetSettings() const
    {
        return m_settings;
    }

    /// Throws a WormholeError "the fabric was not made as ...", which `accepted` continues: such as
    /// "a dragonfly; expected one such as dragonfly:a=4,h=2".
    [[noreturn]] void RefuseRule(const std::string& accepted) const;

  private:
    /// Like MakeRouter, for a fabric already checked; most engines derive routers from RouteSet.
    virtual Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                             const RegularTopology* rule) const = 0;

    /// Gives routes several lanes (attribute FreeLanes) for each lane that they have.
    /// @throws WormholeError if hosts relay worms of the routes, or there are too many lanes
    Ptr<WormholeRouter> MakeFreeLanes(const Ptr<WormholeRouter>& router) const;

    std::string m_text; ///< the name given to Make
    std::vector<std::string> m_settings;
    uint32_t m_freeLanes{1}; ///< attribute FreeLanes: lanes for each lane of the routes
};

} // namespace ns3

#endif /* WORMHOLE_ROUTING_ENGINE_H */
