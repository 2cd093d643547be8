// SPDX-License-Identifier: GPL-2.0-only

#ifndef ROUTE_RECOVERY_H
#define ROUTE_RECOVERY_H

#include "recovery-way.h"

#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-route-manager.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RecoveryNode;
class RecoveryRouter;
class RecoveryTokens;
struct RecoveryLinks;
struct RecoveryMessage;
struct RecoveryRoutes;

/// @ingroup wormhole
/// @brief One change of routes, of one piece of a fabric. Times are 0 until they come.
struct RouteChange
{
    Time noticed;          ///< when the switch that first knew all noticed
    Time explored;         ///< when it knew all
    Time computed;         ///< when new routes were there
    Time begun;            ///< when these began to be distributed
    Time done;             ///< when the last host had got them
    uint32_t switches{0};  ///< switches of the piece
    uint32_t hosts{0};     ///< hosts of it
    uint32_t hostsLeft{0}; ///< hosts with cables up then that still await them
    uint64_t changed{0};   ///< pairs of hosts whose route is another one now
    uint64_t cutOff{0};    ///< pairs of hosts of the whole fabric with no route, from a host here
    bool isProved{false};  ///< whether old and new routes were checked together
    std::string cycle;     ///< cycle of their channels, or why else they were refused
    uint64_t tokens{0};    ///< tokens sent to keep both apart; 0: without tokens
};

/// @ingroup wormhole @brief What recovery has done so far.
struct RecoveryCounts
{
    uint64_t messages{0};                ///< messages of switches
    uint64_t messageFlits{0};            ///< their flits
    std::array<uint64_t, 4> wormsLost{}; ///< other worms, by their first WormholeLoss::why
    uint64_t wormsWithoutRoute{0};       ///< those of them without a route when starting
    Time held;                           ///< total time for which hosts could not start worms
};

/// @ingroup wormhole
/// @brief Finds new routes when parts of a fabric go down or come up during a run (S14), and goes
///        over to them.
///
/// A switch that notices has worms explore what is left (RecoveryNode). When it knows
/// what is left it computes new routes, which takes time by the number of switches; it sends them
/// to all switches, and these to their hosts, by worms. A host's worm takes the route valid when
/// it starts. How old routes give way to new ones is a RecoveryWay.
///
/// It is for worms between hosts, and from hosts to switches. Tree worms keep their ways. Groups in
/// switches take their trees from FindLeft when they are made or change.
class RouteRecovery : public WormholeRouteManager
{
  public:
    /// Makes routes of a piece. Arguments: the piece, the whole fabric, its routes.
    using RouteMaker = std::function<Ptr<WormholeRouter>(const FabricGraph& piece,
                                                         const FabricGraph& whole,
                                                         Ptr<WormholeRouter> before)>;

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    RouteRecovery();
    ~RouteRecovery() override;

    /// @return whether there is to be recovery at all
    bool IsWanted() const
    {
        return !m_wayName.empty();
    }

    /// @param graph the fabric @param router its routes @return the routes to begin with
    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router)
    {
        m_way = RecoveryWay::Make(m_wayName);
        m_plain = router;
        m_first = m_way->Prepare(graph, router);
        return m_first;
    }

    /// Takes over the routes of a fabric with all nodes and cables, and becomes part of it.
    void Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph, RouteMaker maker);

    /// @return the changes of routes so far, in order of Compute
    const std::vector<RouteChange>& GetChanges() const
    {
        return m_changes;
    }

    /// @return what is left of the fabric as known to the first of some hosts, numbered as in the
    ///         whole; null: that host has its first routes, or they do not lead to all hosts
    /// @param hosts the hosts, at least one
    std::unique_ptr<const FabricGraph> FindLeft(const std::vector<uint32_t>& hosts) const;

    RecoveryCounts GetCounts() const; ///< @return what was done so far

    /// @return for how long a host had no route to another whose cables were up @param from,to both
    Time GetTimeWithoutRoute(uint32_t from, uint32_t to) const;

    /// @return mean and maximum of GetTimeWithoutRoute over all pairs
    std::pair<Time, Time> GetTimesWithoutRoute() const;

    /// Writes the changes as CSV, a line each. @param out where to
    void WriteCsv(std::ostream& out) const;

    /// Callback of the trace source Change. @param change a change that is done
    typedef void (*ChangeTracedCallback)(const RouteChange& change);

    /// Callback of the trace source Host. @param host a host
    /// @param isHeld whether it starts no worms @param number number of the routes that it takes
    typedef void (*HostTracedCallback)(uint32_t host, bool isHeld, uint32_t number);

    // For ways.

    /// @return whether the piece's hosts are held and no worms are in it @param routes new ones
    bool IsDrained(const RecoveryRoutes& routes) const;

    /// Tells whether worms on old and new routes may meet, with tokens if they have to, and those
    /// on older ones are gone; where they may not, has hosts stop, and tells as IsDrained.
    bool MayOverlap(const RecoveryRoutes& routes);

    /// Tells whether a cable is down, or known to be so, by one of its ends.
    bool IsDown(FabricGraph::End end, bool isKnown) const;

    // From WormholeRouteManager
    void NotifyCable(Ptr<const WormholePort> port, bool isBrief) override;
    void NotifyLoss() override;
    void NotifyDown(const WormholeNodeState& node) override;
    void Receive(const WormholeNodeState& node,
                 uint32_t port,
                 Ptr<const ManagementWorm> worm) override;
    Way Renew(const WormholeNodeState& host, const Worm& worm) override;

    bool MayPass(const WormholePort& port, uint8_t lane, uint32_t number) const override;

    bool TakesFirstChoice() const override
    {
        return m_way->TakesFirstChoice();
    }

  protected:
    void DoDispose() override;

  private:
    friend class RecoveryRouter;

    struct Host
    {
        Ptr<const RecoveryRoutes> routes;        ///< null: those to begin with
        bool isHeld{false};                      ///< whether it starts no worms
        Time since;                              ///< if so, since when
        std::pair<uint32_t, uint32_t> tag{0, 0}; ///< exploration that it was told of last
        std::size_t awaited{SIZE_MAX};           ///< the last change that was sent to it

        uint32_t GetNumber() const; ///< @return number of its routes, 0: those to begin with
    };

    struct Pair
    {
        bool isCut{false}; ///< whether it has no route
        Time since;        ///< if so, since when
        Time total;        ///< for how long before
    };

    using RouteSets = std::map<uint32_t, const RecoveryRoutes*>; ///< routes by number

    bool IsSwitchDown(FabricGraph::Node node) const;

    /// Sends a message from a switch to its neighbour, in as many worms as buffers want.
    void Send(FabricGraph::Node node, FabricGraph::Port port, const RecoveryMessage& message);

    /// An exploration is over. @param node the switch that knows all
    void Compute(FabricGraph::Node node,
                 std::pair<uint32_t, FabricGraph::Node> tag,
                 Time noticed,
                 const std::map<FabricGraph::Node, std::vector<bool>>& report);
    void TryGo(Ptr<const RecoveryRoutes> routes);
    void ReceiveAtHost(uint32_t host, const RecoveryMessage& message);
    void Hold(uint32_t host, bool isHeld);
    void OnLoss(const WormholeLoss& loss);

    /// @return the way from a host to another by its routes; null: there is none
    Ptr<const WormRoute> FindRoute(uint32_t from, uint32_t to) const
    {
        return FindRoute(PeekPointer(m_hosts[from].routes), from, to);
    }

    /// @copydoc FindRoute @param routes the routes; null: those to begin with
    Ptr<const WormRoute> FindRoute(const RecoveryRoutes* routes, uint32_t from, uint32_t to) const;

    /// @return the way from a host to a switch by its routes; null: those to begin with hold
    Ptr<const WormRoute> FindRouteToSwitch(uint32_t from, uint32_t toSwitch) const;

    /// @return whether all cables of a way are up @param from where it begins
    bool IsWhole(uint32_t from, const WormRoute& route) const;
    void ReviewHost(uint32_t from); ///< Looks which pairs from a host have a route.

    /// Tells whether nodes of a piece have worms that count, by the number of their routes.
    bool HoldsWorms(const RecoveryRoutes& routes,
                    const std::function<bool(uint32_t)>& isMeant) const;
    /// Visits all routes of sets. @param call takes a host and a route
    void VisitRoutes(const RouteSets& sets,
                     const std::function<void(uint32_t, const WormRoute&)>& call) const;
    std::string FindCycle(const RouteSets& sets) const;
    RecoveryTokens* FindTokens(FabricGraph::Node node) const; ///< @return a node's; null: none
    /// @return whether tokens can keep old and new routes apart @param before the old ones
    bool CanSendTokens(const RecoveryRoutes& routes, const RouteSets& before) const;
    void StartTokens(const RecoveryRoutes& routes, const RouteSets& before);
    void PollTokens();                            ///< Ends those that have done their work.
    void EndTokens(const RecoveryRoutes& routes); ///< Ends those of nodes of a piece.
    void CountChanged(const RecoveryRoutes& routes, RouteChange& change) const;

    std::string m_wayName;       ///< attribute
    Time m_handlingTime;         ///< attribute
    Time m_computeTime;          ///< attribute
    Time m_computeTimePerSwitch; ///< attribute
    Time m_pollInterval;         ///< attribute
    uint32_t m_messageBytes{0};  ///< attribute
    uint32_t m_switchBytes{0};   ///< attribute
    uint32_t m_routeBytes{0};    ///< attribute

    WormholeFabric* m_fabric{nullptr};                     ///< the fabric
    FabricGraph m_graph{0, 0, 0};                          ///< its graph
    Ptr<RecoveryWay> m_way;                                ///< the way
    Ptr<WormholeRouter> m_plain;                           ///< the fabric's own routes
    Ptr<WormholeRouter> m_first;                           ///< routes to begin with
    RouteMaker m_maker;                                    ///< makes new ones
    std::unique_ptr<RecoveryLinks> m_links;                ///< what nodes of switches call
    std::vector<std::unique_ptr<RecoveryNode>> m_nodes;    ///< of switches
    std::vector<std::unique_ptr<RecoveryTokens>> m_tokens; ///< of changes under way
    std::vector<Host> m_hosts;                             ///< by number
    std::vector<std::vector<Pair>> m_pairs;                ///< by sender and receiver
    std::vector<RouteChange> m_changes;                    ///< changes so far
    RecoveryCounts m_counts;                               ///< but for hosts that are held now
    std::set<uint64_t> m_lost;                             ///< worms of which something was lost
    uint32_t m_number{0};                                  ///< the last number of routes
    bool m_reviews{false};                            ///< whether Review is to come at this instant
    TracedCallback<const RouteChange&> m_changeTrace; ///< trace source Change
    TracedCallback<uint32_t, bool, uint32_t> m_hostTrace; ///< trace source Host
};

} // namespace ns3

#endif /* ROUTE_RECOVERY_H */
