/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ROUTING_ENGINE_H
#define WORMHOLE_ROUTING_ENGINE_H

#include "fabric-graph.h"

#include "ns3/object.h"
#include "ns3/wormhole-router.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class RegularTopology;

/**
 * @ingroup wormhole
 * @brief Computes the routes of a whole fabric: one of several ways to do so, found by its name.
 *
 * The short name is that of the class without RoutingEngine, in small letters with dashes:
 * ns3::DepthFirstRoutingEngine is depth-first. A name may set attributes, as ns-3 writes them:
 * balanced[Root=center|Length=any]. An engine gives the same routes on every machine.
 */
class RoutingEngine : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Makes an engine.
    /// @param name its name, perhaps with attributes in brackets
    /// @return the engine
    /// @throws WormholeError if there is none of that name, or it has no such attribute or value
    static Ptr<RoutingEngine> Make(const std::string& name);

    /// @return names of all engines, sorted
    static std::vector<std::string> GetNames();

    /// @return whether a name is an engine's, whatever is in its brackets @param name the name
    static bool Has(const std::string& name);

    /// @return whether it takes the rule by which a fabric's cables are laid
    virtual bool UsesTopologyRule() const
    {
        return false;
    }

    /// @return what Make was given
    const std::string& GetText() const
    {
        return m_text;
    }

    /// Has a fabric's own routes be those of this engine.
    /// @param routes they; what the engine's name does not say of them remains
    virtual void Name(FabricRoutes& routes) const
    {
        routes.routing = m_text;
    }

    /// Takes what a fabric's own routes say besides the engine's name. @param routes they
    virtual void Follow(const FabricRoutes& routes);

    /// @param routes what the fabric says of its routes
    /// @return whether its spread (FabricRoutes::spread) selects among equally short routes
    virtual bool UsesSpread([[maybe_unused]] const FabricRoutes& routes) const
    {
        return false;
    }

    /// Computes all routes for a fabric's interfaces.
    /// @param graph the fabric
    /// @param rule the rule by which its cables are laid, for engines of one family; nullptr: none
    /// @return the routes, which depend on neither any more; tree worms and worms for switches have
    /// routes that fit
    /// @throws WormholeError if traffic could not use the fabric, or it is none for this engine
    Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph,
                                   const RegularTopology* rule = nullptr) const;

  protected:
    /// @return the type of an engine, for its GetTypeId
    /// @tparam ENGINE the engine
    /// @param name name of its class, with ns3::
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

    /// @return what Make set in brackets, such as Root=center
    const std::vector<std::string>& GetSettings() const
    {
        return m_settings;
    }

    /// Refuses a fabric by whose rule there are no routes.
    /// @param accepted what it has to be made as, such as "a dragonfly; expected one such as
    /// dragonfly:a=4,h=2"
    [[noreturn]] void RefuseRule(const std::string& accepted) const;

  private:
    /// As MakeRouter, of a fabric that traffic can use.
    /// @param graph the fabric
    /// @param rule its rule
    /// @return the routes; most engines derive theirs from RouteSet
    virtual Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                             const RegularTopology* rule) const = 0;

    std::string m_text;                  ///< what Make was given
    std::vector<std::string> m_settings; ///< what of it was in brackets
};

/**
 * @ingroup wormhole
 * @brief How far a routing engine is with a part of its work, for whoever wants to know: engines
 *        may compute for minutes.
 *
 * There is one listener in a process. It hears of parts that take more than two seconds, a few
 * times a second, and of their end; routes are the same with it as without.
 */
class RoutingProgress
{
  public:
    /// Told how far a part is.
    /// @param what its steps, such as "roots tried"
    /// @param done how many are done
    /// @param all of how many; 0: nobody knows. At the end, however it came, as many as are done
    using Listener = std::function<void(const std::string& what, uint64_t done, uint64_t all)>;

    /// Names who is told from now on.
    /// @param listener it, in place of the one before; empty: nobody
    /// @param patience how long a part takes before it is told of, s
    /// @return the one before
    static Listener SetListener(Listener listener, double patience = 2);

    /// A part begins. @param what its steps @param all number of them; 0: nobody knows
    explicit RoutingProgress(const std::string& what, uint64_t all = 0);

    ~RoutingProgress();

    RoutingProgress(const RoutingProgress&) = delete;            ///< it ends once
    RoutingProgress& operator=(const RoutingProgress&) = delete; ///< it ends once

    /// A step is done.
    void Step();

  private:
    /// Time as people wait.
    using Clock = std::chrono::steady_clock;

    std::string m_what;       ///< the part's steps
    uint64_t m_all;           ///< number of them
    uint64_t m_done{0};       ///< how many are done
    Clock::time_point m_next; ///< when to tell next
    bool m_isTold{false};     ///< whether the listener has heard of it
};

} // namespace ns3

#endif /* WORMHOLE_ROUTING_ENGINE_H */
