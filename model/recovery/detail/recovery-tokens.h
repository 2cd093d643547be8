// SPDX-License-Identifier: GPL-2.0-only

#ifndef RECOVERY_TOKENS_H
#define RECOVERY_TOKENS_H

#include "recovery-node.h"

#include <map>
#include <set>
#include <tuple>

namespace ns3
{

/// Keeps worms on new routes behind those on old ones in each channel, by tokens (Lysne,
/// Montanana, Flich, Duato, Pinkston and Skeie, IEEE ToC 57(6), 2008).
///
/// A host sends a token between its last worm on old routes and its first one on new routes. A
/// switch sends one by an output when it has got those of all inputs by which old routes lead
/// there; worms on new routes wait for that. So old worms never wait for new ones, and the two sets
/// of routes may close cycles together.
class RecoveryTokens
{
  public:
    using Node = FabricGraph::Node;                               ///< number of a node
    using Channel = std::tuple<Node, FabricGraph::Port, uint8_t>; ///< sender, its port, lane

    struct Links
    {
        std::function<void(const Channel&)> send; ///< a node sends a token
        std::function<void(Node)> wake;           ///< worms in a switch may go on
        /// Tells whether no worm on old routes is in the buffer at a channel's far end, nor comes.
        std::function<bool(const Channel&, bool isOpen)> isOver;
    };

    /// @param graph the fabric @param routes the new routes @param nLanes lanes of its cables
    RecoveryTokens(const FabricGraph& graph,
                   Ptr<const RecoveryRoutes> routes,
                   uint32_t nLanes,
                   Links links);

    const RecoveryRoutes& GetRoutes() const
    {
        return *m_routes;
    }

    /// @return whether a node is of the piece whose routes change, and not dropped, nor at a switch
    ///         that is
    bool Has(Node node) const;

    /// An old route leads from one channel to the next.
    void AddOld(const Channel& first, const Channel& next);

    /// A host sends no more worms on old routes; a switch has passed the new ones on, or will not.
    void Begin(Node node);

    /// No worm on old routes will come by a channel.
    void Arrive(const Channel& channel);

    /// The token of a cable may be lost. @param end where worms come by it
    void Lose(FabricGraph::End end);

    void Drop(Node node); ///< Forgets a switch: it has gone down, or no worms are in it any more.

    void Poll(); ///< Looks whether buffers behind lost tokens have no worms on old routes left.

    /// @return whether worms on new routes may take a channel
    bool IsOpen(const Channel& channel) const
    {
        return m_closed.count(channel) == 0;
    }

    bool IsOver() const ///< @return whether they may take all channels
    {
        return m_closed.empty();
    }

  private:
    template <class CALL>
    void VisitClosed(Node node, CALL call); ///< Visits a node's channels that are not open.
    void TryOpen(const Channel& channel);

    const FabricGraph& m_graph;
    Ptr<const RecoveryRoutes> m_routes;
    uint32_t m_nLanes;
    Links m_links;
    std::map<Channel, std::set<Channel>> m_closed; ///< of switches, and what they wait for
    std::set<Channel> m_lost;                      ///< what may wait in vain
    std::set<Node> m_begun;                        ///< nodes that have
    std::set<Node> m_dropped;                      ///< switches that are forgotten
};

} // namespace ns3

#endif /* RECOVERY_TOKENS_H */
