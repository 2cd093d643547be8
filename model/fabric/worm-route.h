// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_ROUTE_H
#define WORM_ROUTE_H

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief The route of a worm through the fabric, carried in its header: a tree of output ports.
///
/// Its nodes are called stops; stop 0 is the sending host. Each stop lists the ports by which the
/// worm leaves, and the stop to which each port leads. A worm ends at a stop without ports: a host,
/// or a switch whose collective unit takes the worm. A unicast route has at most one port at each
/// stop, unless it has choices (rule S12): then a stop may have several, of which a worm takes one.
/// A route may set a lane for each port (S11). One object serves all copies of a worm: it does not
/// change while worms use it, even if they lose route flits on their way (rule S1b).
class WormRoute : public SimpleRefCount<WormRoute>
{
  public:
    using Stop = uint32_t;                            ///< index of a stop within its route
    static constexpr std::size_t USUAL_CHANNELS = 12; ///< channels stored without heap memory

    /// The output ports of branches, in order of the stops.
    using Ports = boost::container::small_vector<uint16_t, USUAL_CHANNELS>;
    /// Lanes of branches, in order of the stops to which the branches lead.
    using Lanes = boost::container::small_vector<uint8_t, USUAL_CHANNELS>;

    /// The branches by which a worm leaves a stop, that is, a node of its route.
    struct Exits
    {
        uint32_t begin;          ///< index of the first branch among all branches of the route
        uint32_t size : 29;      ///< number of branches
        uint32_t isEnd : 1;      ///< whether the only branch is the last channel, whose port
                                 ///< WormRoute::m_ports stores
        uint32_t areChoices : 1; ///< whether a worm takes one branch, rather than all (S12)
        uint32_t isOpen : 1;     ///< whether no branch is found yet: begin and size hold a State
    };

    /// One exit from a stop.
    struct Branch
    {
        uint16_t port; ///< output port of the node at the stop
        Stop next;     ///< stop at the far end of that port's cable
    };

    /// A branch of a route, with the exits of the stop to which the branch leads.
    struct Channel
    {
        Exits exits;   ///< exits of the stop to which the branch leads
        uint16_t port; ///< output port
        uint8_t lane;  ///< lane of the port
    };

    /// Finds the choices at each node that a worm reaches, for routes not made in advance.
    class Finder : public SimpleRefCount<Finder>
    {
      public:
        using State = uint64_t; ///< a worm's position; states increase along a route, to 2^61 - 1
        static constexpr State AT_END = (State{1} << 61) - 1; ///< state at the receiver's switch

        /// One choice at a node.
        struct Found
        {
            uint16_t port; ///< output port
            uint8_t lane;  ///< lane of the port
            State next;    ///< state to which the choice leads
        };

        virtual ~Finder() = default;

        /// Finds the choices in a state other than AT_END, and puts them into an empty list, the
        /// preferred one first.
        virtual void Find(State state, std::vector<Found>& found) const = 0;
    };

    /// What a route stores if it is a tree or has choices, or if its lanes do not fit in 64 bits.
    class Shape : public SimpleRefCount<Shape>
    {
      public:
        /// All branches, stop by stop: a stop's branches precede the branches of later stops on the
        /// route. When a worm finds branches at a stop, they are added at the end of the list.
        mutable std::vector<Channel> channels;
        uint32_t nEnds{1};        ///< number of stops where a worm ends; with choices: 1
        bool hasChoices{false};   ///< whether a worm takes one of a stop's branches
        Ptr<const Finder> finder; ///< finds branches of open exits; null: no exits were ever open

        /// @return branches of a stop, found now if its exits are open @param stop the stop
        Exits Open(Stop stop) const;

        /// Finds branches for all open exits; stops where worms have the same state share branches.
        void OpenAll() const;

      private:
        Exits Add(Finder::State state) const;

        /// Former memory of `channels`: it became too small, but readers may still use it.
        mutable std::vector<std::vector<Channel>> m_outgrown;
        mutable bool m_isWhole{false}; ///< whether no branch is still open
    };

    /// The branches of one stop, in the order in which they were added.
    class Branches
    {
      public:
        /// Iterates over branches.
        struct Iterator
        {
            const Branches& branches; ///< the branches
            std::size_t at;           ///< index of the current branch

            /// @return the branch
            Branch operator*() const
            {
                return branches[at];
            }

            /// Advances. @return the next position
            Iterator& operator++()
            {
                ++at;
                return *this;
            }

            /// @return whether the positions differ @param other a position in the same branches
            bool operator!=(const Iterator& other) const
            {
                return at != other.at;
            }
        };

        /// @return the first branch
        Iterator begin() const
        {
            return {*this, 0};
        }

        /// @return past the last branch
        Iterator end() const
        {
            return {*this, m_size};
        }

        /// @return number of branches
        std::size_t size() const
        {
            return m_size;
        }

        /// @return a branch @param i its index among them
        Branch operator[](std::size_t i) const
        {
            return {m_channels ? m_channels[i].port : m_ports[i], static_cast<Stop>(m_next + i)};
        }

      private:
        friend class WormRoute;

        /// @param ports ports of the branches, used if channels is null
        Branches(const Channel* channels, const uint16_t* ports, Stop next, std::size_t size)
            : m_channels(channels),
              m_ports(ports),
              m_next(next),
              m_size(size)
        {
        }

        const Channel* m_channels; ///< the branches, or null
        const uint16_t* m_ports;   ///< ports of the branches, if m_channels is null
        Stop m_next;               ///< stop to which the first branch leads
        std::size_t m_size;
    };

    /// Reads a route stop by stop. Reading is fastest if the caller keeps the Exits of a worm's
    /// present stop, and gets the next stop's Exits from the branch that the worm takes.
    class Reader
    {
      public:
        Reader() = default; ///< Reads nothing.

        /// @param route the route, which must outlive this
        explicit Reader(const WormRoute& route)
            : m_route(&route),
              m_channels(route.m_isFound ? route.m_shape->channels.data() : route.m_channels)
        {
        }

        /// @return where the branches of a stop are stored @param stop the stop
        Exits GetExits(Stop stop)
        {
            return !m_channels ? GetPathExits(stop)
                   : stop == 0 ? m_route->m_first
                               : Open(stop, m_channels[stop - 1].exits);
        }

        /// @param stop a stop
        /// @param exits the stop's branches, as stored in the branch that leads to the stop
        /// @return the stop's branches, found now if `exits` is open
        Exits Open(Stop stop, const Exits& exits)
        {
            if (!exits.isOpen)
            {
                return exits;
            }
            const auto found = m_route->m_shape->Open(stop);
            m_channels = m_route->m_shape->channels.data();
            return found;
        }

        /// @return the branches that GetExits has found @param exits where they are stored
        Branches At(const Exits& exits) const
        {
            if (m_channels && !exits.isEnd)
            {
                return {m_channels + exits.begin, nullptr, exits.begin + 1, exits.size};
            }
            const auto ports = m_route->m_ports.data() + (m_channels ? 0 : exits.begin);
            return {nullptr, ports, exits.begin + 1, exits.size};
        }

        /// @param exits the branches of a stop
        /// @param made gets the stop's only branch, if the route does not store it as a Channel
        /// @return pointer to the branches: `made`, or an array in the route
        const Channel* GetChannels(const Exits& exits, Channel& made) const
        {
            if (m_channels && !exits.isEnd)
            {
                return m_channels + exits.begin;
            }
            if (exits.size > 0)
            {
                const auto branch = At(exits)[0];
                made = {m_channels ? m_channels[branch.next - 1].exits : GetPathExits(branch.next),
                        branch.port,
                        GetLane(branch.next)};
            }
            return &made;
        }

        /// Prefetches the branches of a stop that will be read soon. @param exits the branches
        void Prefetch(const Exits& exits) const
        {
            if (m_channels && !exits.isOpen)
            {
                __builtin_prefetch(m_channels + exits.begin);
            }
        }

        /// Prefetches the route object, but not its shape.
        void PrefetchRoute() const
        {
            m_route->Prefetch();
        }

        /// @return lane of the branch that leads to a stop
        /// @param stop any stop but stop 0
        uint8_t GetLane(Stop stop) const
        {
            const auto branch = stop - 1;
            if (m_channels)
            {
                return m_channels[branch].lane;
            }
            return branch < PACKED_LANES
                       ? m_route->m_pathLanes >> (LANE_BITS * branch) & MAX_PACKED_LANE
                       : 0;
        }

      private:
        /// @return the only branch of a stop, if the route has no Shape @param stop the stop
        Exits GetPathExits(Stop stop) const
        {
            const auto n = static_cast<Stop>(m_route->m_ports.size());
            return {std::min(stop, n), stop < n, 0, 0, 0};
        }

        const WormRoute* m_route{nullptr};
        const Channel* m_channels{nullptr}; ///< the route's branches; null: it has no Shape
    };

    /// Prefetches the whole route object, but not its shape.
    void Prefetch() const
    {
        __builtin_prefetch(this);
        __builtin_prefetch(reinterpret_cast<const char*>(this + 1) - 1);
    }

    /// Makes a unicast route from a list of output ports: first 0, the port of the sending host,
    /// then one for each switch on the route; the last port leads to the route's last stop.
    static WormRoute Path(Ports ports)
    {
        WormRoute route;
        route.m_ports = std::move(ports);
        return route;
    }

    /// Makes a unicast route. @param ports output port of each node on the route @return the route
    static WormRoute Path(const std::vector<uint16_t>& ports)
    {
        return Path(Ports(ports.begin(), ports.end()));
    }

    /// Makes a unicast route. @param ports output port of each node on the route @return the route
    static WormRoute Path(std::initializer_list<uint16_t> ports)
    {
        return Path(Ports(ports));
    }

    /// Makes a tree route from a list of each stop's ports, in breadth-first order: the branches of
    /// stop 0 lead to stops 1, 2, ..., the branches of stop 1 to the next stops, and so on.
    /// @param ports ports of each stop; none for a stop where the worm ends @return the route
    /// @throws WormholeError if the list does not have exactly one stop more than ports
    static WormRoute Tree(const std::vector<std::vector<uint16_t>>& ports);

    /// One choice at a node of a route that has choices.
    struct Choice
    {
        uint16_t port;     ///< output port
        uint8_t lane;      ///< lane of the port
        uint32_t nextNode; ///< index of the node to which the port leads: a later node
    };

    /// Makes a unicast route with choices (S12) from a list of nodes.
    /// @param nodes for each node that the worm may reach, its choices, the preferred one first;
    ///        node 0 is the sending host, and a node where the worm ends has no choices
    /// @return the route; stop 0 is node 0, and each choice leads to a stop of its own: choice i,
    ///         counted over all nodes in order, leads to stop i + 1
    /// @throws WormholeError if a choice does not lead to a later node of the list
    static WormRoute Adaptive(const std::vector<std::vector<Choice>>& nodes);

    /// Makes a unicast route with choices; a worm that reaches a node finds the choices there.
    /// @param finder finds choices @param first state of a worm that reaches the first switch
    /// @param port the port of the receiver's switch that leads to the receiver
    /// @param maxLane number of the highest lane that the route may take
    /// @return the route, whose stop 0 is the sending host
    static WormRoute Found(Ptr<const Finder> finder,
                           Finder::State first,
                           uint16_t port,
                           uint8_t maxLane);

    /// @param port the port of the receiver's switch that leads to another host
    /// @return a copy of this route that leads to the other host; only the last channel differs
    /// @throws WormholeError unless this route has choices, and all lead to the same last channel
    Ptr<WormRoute> EndingBy(uint16_t port) const;

    /// @return the path that takes this route's first choice at each node, with the choices' lanes
    WormRoute GetPreferred() const;

    /// Gives this route with new lanes (S11): lane i is for the branch to stop i + 1; throws a
    /// WormholeError if there are more or fewer lanes than branches.
    WormRoute InLanes(const Lanes& lanes) const;

    /// @return the branches of a stop; empty where the worm ends @param stop the stop
    Branches At(Stop stop) const
    {
        Reader reader(*this);
        return reader.At(reader.GetExits(stop));
    }

    /// @return lane of the branch that leads to a stop @param stop any stop but stop 0
    uint8_t GetLane(Stop stop) const
    {
        return Reader(*this).GetLane(stop);
    }

    /// @return number of the highest lane that the route may take
    uint8_t GetMaxLane() const
    {
        return m_maxLane;
    }

    /// @return whether a worm takes one of a stop's branches, rather than all of them (S12)
    bool HasChoices() const
    {
        const auto shape = PeekPointer(m_shape);
        return shape && shape->hasChoices;
    }

    /// @return number of stops, including the sending host
    uint32_t GetNStops() const
    {
        return GetNChannels() + 1;
    }

    /// @return number of destinations; of a route with choices always 1
    uint32_t GetNDestinations() const
    {
        const auto shape = PeekPointer(m_shape);
        return shape ? shape->nEnds : 1;
    }

    /// @return number of channels of the route, including all choices
    uint32_t GetNChannels() const
    {
        const auto shape = PeekPointer(m_shape);
        if (m_isFound)
        {
            shape->OpenAll();
        }
        return static_cast<uint32_t>(shape ? shape->channels.size() : m_ports.size());
    }

  private:
    static constexpr uint32_t LANE_BITS = 4; ///< Bits for the lane of a path's channel.
    /// Number of channels of a path whose lanes fit in m_pathLanes; most paths have no more.
    static constexpr uint32_t PACKED_LANES = 64 / LANE_BITS;
    static constexpr uint8_t MAX_PACKED_LANE = (1 << LANE_BITS) - 1;

    void SetShape(Shape shape)
    {
        m_shape = Create<const Shape>(std::move(shape));
        m_channels = m_shape->channels.data();
    }

    uint8_t m_maxLane{0};
    bool m_isFound{false};    ///< whether branches are found as worms reach them
    Ptr<const Shape> m_shape; ///< null: a path whose lanes fit in m_pathLanes
    /// The shape's branches, or null without a shape. With this pointer, a Reader need not load the
    /// Shape itself (unless m_isFound): with many routes, Shapes are rarely in a cache.
    const Channel* m_channels{nullptr};
    Exits m_first{0, 0, 0, 0, 0}; ///< with a shape, the branches of stop 0
    /// Without a shape, the lane of each channel; the lowest bits hold the first channel's lane.
    /// Every worm has its own route, so a list of lanes in each route would take memory and time.
    uint64_t m_pathLanes{0};
    /// Without a shape: the port of each channel; branch i leads to stop i + 1. With a shape: none;
    /// or the last channel's port only, if routes that differ only in this port share the shape.
    Ports m_ports;
};

} // namespace ns3

#endif /* WORM_ROUTE_H */
