// SPDX-License-Identifier: GPL-2.0-only

#ifndef RECOVERY_NODE_H
#define RECOVERY_NODE_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-route-manager.h"
#include "ns3/wormhole-router.h"

#include <functional>

namespace ns3
{

/// Connected switches and the hosts at them: all that is left of a fabric, or a part of it. Nodes
/// keep their order, names and ports.
struct FabricPiece
{
    /// @return whether a cable is up @param node,port one of its ends in the whole fabric
    using IsUp = std::function<bool(FabricGraph::Node node, FabricGraph::Port port)>;

    /// @param first a switch of the piece
    /// @param isUp tells which cables are up; may be called for either end
    FabricPiece(const FabricGraph& whole, FabricGraph::Node first, const IsUp& isUp);

    /// @return the whole fabric's nodes, with their numbers there, but only the piece's cables
    FabricGraph GetInWhole() const;

    FabricGraph graph{0, 0, 0};              ///< the piece, with the whole fabric's kind of routes
    std::vector<FabricGraph::Node> switches; ///< number in the whole fabric, by number here
    std::vector<uint32_t> hosts;             ///< the same for hosts
    std::vector<uint32_t> switchOf;          ///< by number in the whole, number here; or NONE
    std::vector<uint32_t> hostOf;            ///< the same for hosts
};

/// New routes of a piece of a fabric, as its hosts get them.
struct RecoveryRoutes : public SimpleRefCount<RecoveryRoutes>
{
    FabricGraph::Node first{0};                 ///< switch that had them computed
    std::pair<uint32_t, FabricGraph::Node> tag; ///< identifies the exploration
    uint32_t number{0};                         ///< number of this set; its worms have it
    std::size_t change{0};                      ///< index among the manager's changes
    FabricPiece piece;                          ///< what is left
    Ptr<WormholeRouter> router;                 ///< routes there; null with fewer than two hosts

    explicit RecoveryRoutes(FabricPiece piece)
        : piece(std::move(piece))
    {
    }
};

/// A message between two switches, or from a switch to a host.
struct RecoveryMessage
{
    enum Kind : uint8_t
    {
        INVITE, ///< the sender explores
        REPORT, ///< what the sender and those that it has invited have found
        STOP,   ///< hosts are to stop
        TOKEN,  ///< no more worms on old routes come in the token's lane
        ROUTES, ///< new routes
        PART    ///< the first parts of a long message: nothing but its length
    };

    using Tag = std::pair<uint32_t, FabricGraph::Node>; ///< which exploration: the greater prevails

    using Report = std::map<FabricGraph::Node, std::vector<bool>>;

    Kind kind;                              ///< what it is
    Tag tag;                                ///< identifies the exploration
    std::shared_ptr<const Report> report{}; ///< for REPORT
    Ptr<const RecoveryRoutes> routes{};     ///< for ROUTES; null: the initial routes
    uint8_t lane{0};                        ///< lane of a TOKEN
};

class RecoveryWorm : public ManagementWorm
{
  public:
    RecoveryWorm(RecoveryMessage its, uint64_t flits, Ptr<const WormRoute> route)
        : ManagementWorm(flits, std::move(route)),
          message(std::move(its))
    {
    }

    const RecoveryMessage message;
};

struct RecoveryLinks
{
    const FabricGraph* graph{nullptr};            ///< the fabric
    Time handlingTime;                            ///< time that a node takes for a message
    std::function<bool(FabricGraph::Node)> holds; ///< whether hosts stop if their switch explores
    std::function<void(FabricGraph::Node)> begin; ///< a switch has passed new routes on
    std::function<bool(FabricGraph::End)> isDown; ///< whether a cable's end knows that it is down
    std::function<bool(FabricGraph::Node)> isSwitchDown; ///< whether a switch is down
    /// Sends a message from a switch to its neighbour at a port.
    std::function<void(FabricGraph::Node, FabricGraph::Port, RecoveryMessage)> send;
    /// Called when a switch, which noticed a change at the given time, knows what is left.
    std::function<
        void(FabricGraph::Node, const RecoveryMessage::Tag&, Time, const RecoveryMessage::Report&)>
        compute;
};

/// The part of a switch that finds out what is left of the fabric, as switches of Autonet do.
///
/// A switch that notices a cable go down or come up explores: it invites all its neighbours, these
/// invite theirs, and so on. A switch that is invited for the first time answers once all that it
/// has invited have answered, by a report or by an invitation of their own (Chang, Echo Algorithms,
/// IEEE TSE 8(4), 1982). Of several explorations, the one with the greatest tag prevails. The first
/// switch then knows all that is left, has routes computed, and sends these back along the tree.
class RecoveryNode
{
  public:
    RecoveryNode(const RecoveryLinks& links, FabricGraph::Node number);

    /// @param isBrief whether an outage ends at the instant at which it is noticed
    void NotifyCable(FabricGraph::Port port, bool isBrief);

    /// Passes a message on along the tree and to the switch's hosts. @param kind STOP or ROUTES
    void Distribute(RecoveryMessage::Kind kind,
                    const RecoveryMessage::Tag& tag,
                    Ptr<const RecoveryRoutes> routes);

    /// @return whether an exploration is still the last one that the switch knows
    bool IsLast(const RecoveryMessage::Tag& tag) const
    {
        return m_tag == tag;
    }

    void Receive(const RecoveryMessage& message, FabricGraph::Port port);

    /// The switch goes down.
    void NotifyDown()
    {
        ++m_life;
        m_busyUntil = Time(0);
        m_nMissing = 0;
        m_report.clear();
        m_children.clear();
        m_isSettled = false;
        m_hasForgotten = true;
    }

  private:
    void Handle(RecoveryMessage message, FabricGraph::Port port, uint32_t life);
    void Join(const RecoveryMessage::Tag& tag, std::optional<FabricGraph::Port> parent);
    void CountAnswer(); ///< One of the invited switches has answered.

    template <class CALL>
    void VisitPorts(bool toSwitches, CALL call) const;

    const RecoveryLinks& m_links;              ///< what it calls
    FabricGraph::Node m_number;                ///< the switch
    std::vector<bool> m_isUp;                  ///< by port, as far as the switch knows
    uint32_t m_life{0};                        ///< how often the switch has gone down
    bool m_explores{false};                    ///< whether it is to explore at this instant
    Time m_busyUntil;                          ///< when it has handled all messages that have come
    Time m_noticed;                            ///< when it last noticed a change
    RecoveryMessage::Tag m_tag{0, 0};          ///< the last exploration
    std::optional<FabricGraph::Port> m_parent; ///< port to who invited it; none: it is the first
    std::vector<FabricGraph::Port> m_children; ///< ports to those that have reported to it
    std::size_t m_nMissing{0};                 ///< answers still to come
    RecoveryMessage::Report m_report;          ///< what it has found
    bool m_isSettled{true};                    ///< whether its hosts have the last routes
    bool m_hasForgotten{false};                ///< whether it was down, and has not explored since
    Ptr<const RecoveryRoutes> m_routes;        ///< these routes; null: the initial ones
};

} // namespace ns3

#endif /* RECOVERY_NODE_H */
