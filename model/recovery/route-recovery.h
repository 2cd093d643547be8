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
/// @brief A change of routes of one piece (connected part) of a fabric. Times still to come are 0.
struct RouteChange
{
    Time noticed;          ///< when the switch that began to explore noticed the outage or repair
    Time explored;         ///< when the exploration of the whole piece was over
    Time computed;         ///< when the new routes were computed
    Time begun;            ///< when distribution of the new routes began
    Time done;             ///< when the last host had received the new routes
    uint32_t switches{0};  ///< number of switches of the piece
    uint32_t hosts{0};     ///< number of hosts of the piece
    uint32_t hostsLeft{0}; ///< hosts whose cable worked at `begun` and that still await routes
    uint64_t changed{0};   ///< pairs in the piece without a route before, or with other ports now
    uint64_t cutOff{0};    ///< pairs without a route, from a host of the piece to one outside it
    bool isProved{false};  ///< whether overlap of old and new routes was examined: see `cycle`
    std::string cycle;     ///< why old and new routes can't overlap, such as a cycle; else empty
    uint64_t tokens{0};    ///< tokens sent to keep old and new routes apart; 0: no tokens are used
};

/// @ingroup wormhole @brief What recovery has done so far.
struct RecoveryCounts
{
    uint64_t messages{0};                ///< messages sent, with tokens and parts of long messages
    uint64_t messageFlits{0};            ///< flits of these messages
    std::array<uint64_t, 4> wormsLost{}; ///< lost worms (no ManagementWorm), by WormholeLoss::why
    uint64_t wormsWithoutRoute{0};       ///< worms that had no route to start on; also in wormsLost
    Time held;                           ///< total time for which hosts could not start worms
};

/// @ingroup wormhole
/// @brief Finds new routes when parts of a fabric go down or come up during a run (S14), and puts
///        them into use.
///
/// A switch that notices such a change, except of a host's cable, sends worms to explore what is
/// left. It then computes new routes, in a time that grows with the number of switches, and sends
/// them by worms to all switches, which pass them on to their hosts. A worm takes the route that is
/// valid when it starts. A RecoveryWay determines whether and how old routes give way to new ones.
///
/// Routes change for worms between hosts, and from hosts to switches. Tree worms keep their routes.
/// The tree of a new or changed group lies in the part of the fabric that FindLeft returns.
class RouteRecovery : public WormholeRouteManager
{
  public:
    /// Makes the routes of a piece. Arguments: the piece, the whole fabric, the fabric's routes.
    using RouteMaker = std::function<Ptr<WormholeRouter>(const FabricGraph& piece,
                                                         const FabricGraph& whole,
                                                         Ptr<WormholeRouter> before)>;

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    RouteRecovery();
    ~RouteRecovery() override;

    /// @return whether the attribute Way is set, even to "none"
    bool IsWanted() const
    {
        return !m_wayName.empty();
    }

    /// @param graph the fabric @param router its routes @return the initial routes
    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router)
    {
        m_way = RecoveryWay::Make(m_wayName);
        m_plain = router;
        m_first = m_way->Prepare(graph, router);
        return m_first;
    }

    /// Takes over the routes of a complete fabric, and aggregates this object to the fabric.
    void Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph, RouteMaker maker);

    /// @return the changes of routes so far, in the order in which explorations ended
    const std::vector<RouteChange>& GetChanges() const
    {
        return m_changes;
    }

    /// @return the part of the fabric that the routes of the first of `hosts` are for, its nodes
    ///         numbered as in the whole fabric; null if that host has its initial routes, or if the
    ///         part lacks one of `hosts` @param hosts the hosts, at least one
    std::unique_ptr<const FabricGraph> FindLeft(const std::vector<uint32_t>& hosts) const;

    RecoveryCounts GetCounts() const; ///< @return what has been done so far

    /// @return for how long a host had no intact route to another host @param from,to the hosts
    Time GetTimeWithoutRoute(uint32_t from, uint32_t to) const;

    /// @return mean and maximum of GetTimeWithoutRoute over all pairs of hosts
    std::pair<Time, Time> GetTimesWithoutRoute() const;

    /// Writes the changes as CSV, one per line. @param out destination
    void WriteCsv(std::ostream& out) const;

    /// Callback of the trace source Change. @param change the change, now complete
    typedef void (*ChangeTracedCallback)(const RouteChange& change);

    /// Callback of the trace source Host. @param host a host
    /// @param isHeld whether it must not start worms @param number number of its set of routes
    typedef void (*HostTracedCallback)(uint32_t host, bool isHeld, uint32_t number);

    // For ways.

    /// @return whether no worm is in the part of the fabric that new routes are for, and no host of
    ///         this part may start one @param routes the new routes
    bool IsDrained(const RecoveryRoutes& routes) const;

    /// Tells whether new routes may be used now: no, while there are worms on routes older than the
    /// hosts' present ones; yes, if new and present routes can be in use together, with tokens if
    /// necessary; otherwise, hosts are stopped, and the answer is no until IsDrained is true.
    bool MayOverlap(const RecoveryRoutes& routes);

    /// Tells whether a cable, given by one of its ends, is down or, if isKnown, known to be down.
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
        Ptr<const RecoveryRoutes> routes;        ///< the host's routes; null: initial ones
        bool isHeld{false};                      ///< whether the host may start no worms
        Time since;                              ///< since when the host is held, if it is
        std::pair<uint32_t, uint32_t> tag{0, 0}; ///< latest exploration known to the host
        std::size_t awaited{SIZE_MAX};           ///< index of the last change sent to the host

        uint32_t GetNumber() const; ///< @return number of the host's routes; 0: the initial ones
    };

    struct Pair
    {
        bool isCut{false}; ///< whether the pair has no route
        Time since;        ///< since when the pair has had no route, if it has none
        Time total;        ///< total of earlier intervals without a route
    };

    using RouteSets = std::map<uint32_t, const RecoveryRoutes*>; ///< routes by number

    bool IsSwitchDown(FabricGraph::Node node) const;

    /// Sends a message from a switch to a neighbour: to a switch, in worms that fit into a buffer.
    void Send(FabricGraph::Node node, FabricGraph::Port port, const RecoveryMessage& message);

    /// Called when an exploration is over. @param node the switch that knows the result
    void Compute(FabricGraph::Node node,
                 std::pair<uint32_t, FabricGraph::Node> tag,
                 Time noticed,
                 const std::map<FabricGraph::Node, std::vector<bool>>& report);
    void TryGo(Ptr<const RecoveryRoutes> routes);
    void ReceiveAtHost(uint32_t host, const RecoveryMessage& message);
    void Hold(uint32_t host, bool isHeld);
    void OnLoss(const WormholeLoss& loss);

    /// @return the route from a host to another by the host's routes; null: there is none
    Ptr<const WormRoute> FindRoute(uint32_t from, uint32_t to) const
    {
        return FindRoute(PeekPointer(m_hosts[from].routes), from, to);
    }

    /// @copydoc FindRoute @param routes the routes; null: the initial ones
    Ptr<const WormRoute> FindRoute(const RecoveryRoutes* routes, uint32_t from, uint32_t to) const;

    /// @return the route from a host to a switch by the host's new routes; null if there is none
    Ptr<const WormRoute> FindRouteToSwitch(uint32_t from, uint32_t toSwitch) const;

    /// @return whether all cables of a route are up @param from the sending host
    bool IsWhole(uint32_t from, const WormRoute& route) const;
    void ReviewHost(uint32_t from); ///< Finds to which hosts a host has a route.

    /// Tells whether a piece holds worms on a set of routes whose number isMeant accepts.
    bool HoldsWorms(const RecoveryRoutes& routes,
                    const std::function<bool(uint32_t)>& isMeant) const;
    /// Visits all routes of sets. @param call takes a host and a route
    void VisitRoutes(const RouteSets& sets,
                     const std::function<void(uint32_t, const WormRoute&)>& call) const;
    std::string FindCycle(const RouteSets& sets) const;
    RecoveryTokens* FindTokens(FabricGraph::Node node) const; ///< @return a node's tokens; or null
    /// @return whether tokens can keep old and new routes apart @param before the old routes
    bool CanSendTokens(const RecoveryRoutes& routes, const RouteSets& before) const;
    void StartTokens(const RecoveryRoutes& routes, const RouteSets& before);
    void PollTokens();                            ///< Ends tokens that have done their work.
    void EndTokens(const RecoveryRoutes& routes); ///< Ends the tokens of a piece.
    void CountChanged(const RecoveryRoutes& routes, RouteChange& change) const;

    std::string m_wayName;       ///< attribute Way
    Time m_handlingTime;         ///< attribute HandlingTime
    Time m_computeTime;          ///< attribute ComputeTime
    Time m_computeTimePerSwitch; ///< attribute ComputeTimePerSwitch
    Time m_pollInterval;         ///< attribute PollInterval
    uint32_t m_messageBytes{0};  ///< attribute MessageBytes
    uint32_t m_switchBytes{0};   ///< attribute SwitchBytes
    uint32_t m_routeBytes{0};    ///< attribute RouteBytes

    WormholeFabric* m_fabric{nullptr};                     ///< the fabric
    FabricGraph m_graph{0, 0, 0};                          ///< the fabric's graph
    Ptr<RecoveryWay> m_way;                                ///< how new routes replace old ones
    Ptr<WormholeRouter> m_plain;                           ///< the fabric's own routes
    Ptr<WormholeRouter> m_first;                           ///< the initial routes
    RouteMaker m_maker;                                    ///< makes new routes
    std::unique_ptr<RecoveryLinks> m_links;                ///< what the switches' nodes call
    std::vector<std::unique_ptr<RecoveryNode>> m_nodes;    ///< recovery nodes of switches
    std::vector<std::unique_ptr<RecoveryTokens>> m_tokens; ///< tokens of changes under way
    std::vector<Host> m_hosts;                             ///< hosts by number
    std::vector<std::vector<Pair>> m_pairs;                ///< pairs, by sender and receiver
    std::vector<RouteChange> m_changes;                    ///< changes so far
    RecoveryCounts m_counts;                               ///< counts; `held` lacks present holds
    std::set<uint64_t> m_lost;                             ///< worms that have lost flits
    uint32_t m_number{0};                                  ///< number of the last set of routes
    bool m_reviews{false};                            ///< whether ReviewHost is due at this instant
    TracedCallback<const RouteChange&> m_changeTrace; ///< trace source Change
    TracedCallback<uint32_t, bool, uint32_t> m_hostTrace; ///< trace source Host
};

} // namespace ns3

#endif /* ROUTE_RECOVERY_H */
