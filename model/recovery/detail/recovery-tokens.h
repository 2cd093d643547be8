// SPDX-License-Identifier: GPL-2.0-only

#ifndef RECOVERY_TOKENS_H
#define RECOVERY_TOKENS_H

#include "recovery-node.h"

#include <map>
#include <set>
#include <tuple>

namespace ns3
{

/// Keeps worms on new routes behind worms on old ones in each channel, by tokens (Lysne, Montanana,
/// Flich, Duato, Pinkston and Skeie, IEEE ToC 57(6), 2008).
///
/// A host sends a token between its last worm on old routes and its first worm on new routes. A
/// switch sends a token by an output when it has the tokens of all inputs from which old routes
/// lead to this output; worms on new routes wait for that. So old worms never wait for new ones,
/// and both sets of routes together may contain cycles.
class RecoveryTokens
{
  public:
    using Node = FabricGraph::Node;                               ///< number of a node
    using Channel = std::tuple<Node, FabricGraph::Port, uint8_t>; ///< sender, its port, lane

    struct Links
    {
        std::function<void(const Channel&)> send; ///< a node sends a token
        std::function<void(Node)> wake;           ///< worms in a switch may go on
        /// Tells whether a channel's far buffer holds no worm on old routes, nor ever will.
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

    /// @return whether a node is in the piece whose routes change, and neither the node nor, for a
    ///         host, its switch has been dropped
    bool Has(Node node) const;

    /// An old route leads from one channel to the next.
    void AddOld(const Channel& first, const Channel& next);

    /// A host sends no more worms on old routes; a switch has passed new routes on, or never will.
    void Begin(Node node);

    /// No worm on old routes will come by a channel.
    void Arrive(const Channel& channel);

    /// A token on a cable may be lost. @param end the end at which worms arrive
    void Lose(FabricGraph::End end);

    void Drop(Node node); ///< Forgets a switch: it has gone down, or no worms are in it any more.

    void Poll(); ///< Checks whether buffers behind lost tokens still hold worms on old routes.

    /// @return whether worms on new routes may take a channel
    bool IsOpen(const Channel& channel) const
    {
        return m_closed.count(channel) == 0;
    }

    bool IsOver() const ///< @return whether worms on new routes may take all channels
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
    std::map<Channel, std::set<Channel>> m_closed; ///< and the channels they wait for
    std::set<Channel> m_lost;                      ///< channels whose tokens may be lost
    std::set<Node> m_begun;                        ///< nodes for which Begin was called
    std::set<Node> m_dropped;                      ///< switches that are forgotten
};

} // namespace ns3

#endif /* RECOVERY_TOKENS_H */
