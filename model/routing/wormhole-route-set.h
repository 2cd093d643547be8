// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTE_SET_H
#define WORMHOLE_ROUTE_SET_H

#include "switch-channels.h"
#include "turn-rule.h"
#include "wormhole-route-spread.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Base class of most routing engines' routes: one route between any two hosts, with a lane
///        for each channel. A derived class overrides Append; its constructor calls SetOrder or
///        SetRanks, which give each lane of each channel a rank that increases along every route.
///
/// Routes go from the sender's switch to the receiver's. On a host's own cable, routes use lane 0.
/// Lane l of channel c is vertex c * (number of lanes) + l, as in a TurnSet. RouteSet itself adds
/// the following routes; along these, too, ranks increase, so that no cycle closes:
///
/// - to a switch with hosts: the route to the switch's host of lowest port, without the last
///   channel; to a switch without hosts: a shortest path of increasing ranks, if there is one;
/// - of a tree worm: the unicast routes to its hosts; where ranks would not increase, other paths.
class RouteSet : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Port = SwitchChannels::Port;       ///< number of a port
    using Channel = SwitchChannels::Channel; ///< number of a channel
    using Vertex = TurnSet::Vertex;          ///< number of a lane of a channel

    /// A path: the lanes of consecutive channels.
    using Way = boost::container::small_vector<Vertex, WormRoute::USUAL_CHANNELS>;

    /// A lane of a channel that a worm may take (rule S12).
    struct Choice
    {
        Vertex vertex; ///< the lane
        uint32_t next; ///< index in Choices of the next switch's list, which is a later list
    };

    /// A worm's lists of choices, each in order of preference: the first list is for the sender's
    /// switch, later ones are for other switches; that of the receiver's switch is empty.
    using Choices = std::vector<boost::container::small_vector<Choice, 5>>;

    /// A part of a route that is divided by relaying hosts (rule S13).
    struct RouteSegment
    {
        Way way;       ///< path from the switch of the host where the segment begins
        uint32_t host; ///< index of the host where the segment ends, at the path's last switch
    };

    /// Appends the path between the switches of two hosts, given by index; appends nothing if both
    /// hosts are at one switch.
    virtual void Append(uint32_t from, uint32_t to, Way& way) const = 0;

    /// Finds the choices of a worm, if there are any. Worms between the same two switches have the
    /// same choices, whatever their hosts, so that a fabric needs few lists of choices.
    /// @param from the sender's switch
    /// @param to the receiver's switch
    /// @return the choices. With one lane, ranks increase along all choices. With several lanes,
    ///         ranks need to increase only along each list's last choice (Duato's escape channel)
    virtual Choices MakeChoices(Node from, Node to) const;

    /// Returns a pair: the finder, which gives choices when a worm is at a switch, and the worm's
    /// state at its first switch; if the finder is null, MakeChoices lists the choices.
    virtual std::pair<Ptr<const WormRoute::Finder>, WormRoute::Finder::State> MakeFinder(
        [[maybe_unused]] Node from,
        [[maybe_unused]] Node to) const
    {
        return {};
    }

    /// @return whether worms have choices
    virtual bool HasChoices() const
    {
        return false;
    }

    /// Divides a worm's route into segments, if hosts relay worms. Ranks increase within each
    /// segment; the next one may begin lower. Worms that are not relayed take Append's path.
    /// @param from index of the sending host
    /// @param to index of the receiving host, a different host
    /// @return segments, the last of which ends at the receiver; none if hosts do not relay worms
    virtual std::vector<RouteSegment> MakeRouteSegments([[maybe_unused]] uint32_t from,
                                                        [[maybe_unused]] uint32_t to) const
    {
        return {};
    }

    bool AreBySwitch() const override
    {
        return false;
    }

    /// @return number of lanes of each channel
    uint32_t GetNLanes() const final
    {
        return m_nLanes;
    }

    /// @return the fabric
    const FabricGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return the channels between switches
    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    /// @return which hosts are attached to which switch
    const HostAttachment& GetHosts() const
    {
        return m_hosts;
    }

    /// @return rank of each vertex, all different: ranks increase along every route
    /// @throws WormholeError if the constructor called neither SetOrder nor SetRanks
    const std::vector<uint32_t>& GetRanks() const;

    /// Sets the name by which error messages refer to these routes, such as "routing nue".
    void SetName(const std::string& name)
    {
        m_name = name;
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;

    Ptr<const WormRoute> GetSwitchPath(uint32_t from, uint32_t to) override
    {
        return GetInTransit() == InTransit::NONE ? GetPath(from, to) : MakePath(from, to);
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    bool HasCycle(const FabricGraph& graph) const override;

  protected:
    /// @param graph the fabric @param nLanes number of lanes
    RouteSet(const FabricGraph& graph, uint32_t nLanes)
        : m_graph(graph),
          m_channels(graph),
          m_hosts(graph),
          m_nLanes(nLanes),
          m_name("these routes")
    {
    }

    /// Copies each vertex's rank from a set that has the turns of all routes.
    void SetRanks(const TurnSet& turns);

    /// Sets each vertex's rank to its place in an order that all routes follow.
    /// @param order every vertex once @throws WormholeError if one is missing or listed twice
    void SetOrder(const std::vector<Vertex>& order);

    /// Adds the traffic `sent` to a channel's load; `longest` is the greatest number of channels
    /// between switches that this traffic has used so far, including this channel.
    void AddLoad(Channel channel, double sent, uint32_t longest, Loads& loads) const;

  private:
    struct Made
    {
        uint64_t pair{0};
        std::optional<WormRoute> route; ///< the pair's route, once it is made
    };

    Ptr<const WormRoute> MakePath(uint32_t from, uint32_t to) const
    {
        Way way;
        Append(from, to, way);
        return MakePath(way, m_graph.SwitchOf(m_graph.HostAt(to)).port);
    }

    Ptr<const WormRoute> MakePath(const Way& way, std::optional<Port> last) const;

    Ptr<const WormRoute> MakeChoiceRoute(uint32_t from, uint32_t to);

    /// @return a route relayed by hosts
    Ptr<const WormRoute> MakeTransitRoute(uint32_t from, uint32_t to) const;

    FabricGraph m_graph;
    SwitchChannels m_channels;
    HostAttachment m_hosts;
    uint32_t m_nLanes;
    std::vector<uint32_t> m_ranks; ///< by vertex
    std::string m_name;            ///< name of the routes in error messages

    /// Routes with choices, by the switches of sender and receiver: one per pair, so that the
    /// routes of all worms stay in the cache. Only the last port depends on the host. If there are
    /// very many pairs, several pairs share an entry, which holds the latest.
    std::vector<Made> m_made;
};

/// @ingroup wormhole @brief Stored routes, one or more alternatives (copies) per pair of switches.
///
/// All hosts of a switch send by the same routes. A switch's hosts are numbered from 0: of c
/// copies, copy (k mod c) leads to host k. So traffic between switches can use several paths.
class StoredRoutes : public RouteSet
{
  public:
    /// Routes of all pairs of switches in one list.
    class Store
    {
      public:
        /// Returns how many routes are worth storing per pair of switches: one per host of a
        /// switch, or fewer on fabrics of many switches.
        static uint32_t CountCopies(uint64_t nSwitches, const HostAttachment& hosts);

        /// @param nSwitches number of switches @param nCopies number of routes per pair of switches
        Store(uint32_t nSwitches, uint32_t nCopies)
            : m_nSwitches(nSwitches),
              m_nCopies(nCopies),
              m_ways(std::size_t{nCopies} * nSwitches * nSwitches)
        {
        }

        /// Sets one of the routes between two switches: the one with the number `copy`.
        void Set(Node from, Node to, uint32_t copy, std::vector<Vertex> way)
        {
            m_ways[IndexOf(from, to, copy)] = std::move(way);
        }

        /// Returns one of the routes between two switches: the one with the number `copy`.
        const std::vector<Vertex>& Get(Node from, Node to, uint32_t copy) const
        {
            return m_ways[IndexOf(from, to, copy)];
        }

        /// @return number of routes per pair of switches
        uint32_t GetNCopies() const
        {
            return m_nCopies;
        }

      private:
        friend class StoredRoutes;

        std::size_t IndexOf(Node from, Node to, uint32_t copy) const
        {
            return (std::size_t{copy} * m_nSwitches + from) * m_nSwitches + to;
        }

        uint32_t m_nSwitches;
        uint32_t m_nCopies;                      ///< routes per pair
        std::vector<std::vector<Vertex>> m_ways; ///< by IndexOf; empty once they are packed
    };

    /// Takes stored routes, and the turns that the routes follow.
    StoredRoutes(const FabricGraph& graph, uint32_t nLanes, Store store, const TurnSet& turns);

    void Append(uint32_t from, uint32_t to, Way& way) const override;

    bool AreBySwitch() const override
    {
        return true;
    }

  private:
    Store m_store;
    // Every worm reads a different route: stored consecutively, routes take few cache lines.
    std::vector<std::size_t> m_begins; ///< by Store::IndexOf, where each route begins; then the end
    std::vector<Vertex> m_vertices;
};

} // namespace ns3

#endif /* WORMHOLE_ROUTE_SET_H */
