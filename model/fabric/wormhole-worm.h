// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_WORM_H
#define WORMHOLE_WORM_H

#include "worm-route.h"

#include "ns3/header.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/wormhole-latency-cause.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class WormholeNodeState;

/// @ingroup wormhole @brief A worm: one packet in flight, a number of flits on one route.
///
/// The object does not change while the worm is in flight; all branches of a tree worm share it.
class Worm : public SimpleRefCount<Worm>
{
  public:
    /// The purpose of a worm: it decides who gets the worm at the receiving host or switch.
    enum Kind : uint8_t
    {
        FRAME,      ///< a frame of the network device, with a WormHeader
        MESSAGE,    ///< a message of a host's software to another host's
        COLLECTIVE, ///< a message to or from the collective units of switches
        RAW,        ///< a worm of which only the times matter
        N_KINDS     ///< number of kinds
    };

    /// @param kind the worm's purpose
    /// @param packet the worm's contents with the header; may be null if only times matter
    /// @param flits length in flits, including the header, at least 1
    /// @param route the worm's route
    Worm(Kind kind, Ptr<const Packet> packet, uint64_t flits, Ptr<const WormRoute> route)
        : m_kind(kind),
          m_packet(packet),
          m_flits(flits),
          m_route(route)
    {
    }

    virtual ~Worm() = default;

    /// @return the worm's purpose
    Kind GetKind() const
    {
        return m_kind;
    }

    /// Gives the worm's contents; a worm with a message makes its packet at the first call, since
    /// most simulations never look at packets.
    /// @return the packet, including the header; null if only times matter
    Ptr<const Packet> GetPacket() const
    {
        if (!m_packet)
        {
            m_packet = MakePacket();
        }
        return m_packet;
    }

    /// Loads this object into the processor's cache, without the route and packet.
    void Prefetch() const
    {
        __builtin_prefetch(this);
        __builtin_prefetch(reinterpret_cast<const char*>(this + 1) - 1);
    }

    /// @return length in flits: with the header, but without flits of WormholeFabric::RouteHeader
    uint64_t GetFlits() const
    {
        return m_flits;
    }

    /// @return the worm's route
    const Ptr<const WormRoute>& GetRoute() const
    {
        return m_route;
    }

    /// @return the worm's number within its fabric, in order of injection, from 0 on
    uint64_t GetId() const
    {
        return m_id;
    }

    /// @return node where its route starts; null before it is injected
    const WormholeNodeState* GetRoot() const
    {
        return m_root;
    }

    /// Called once, by the fabric that the worm enters. @param id,root see GetId, GetRoot
    void SetInjected(uint64_t id, const WormholeNodeState* root)
    {
        m_id = id;
        m_root = root;
    }

    /// Callback of the trace sources that report a worm. @param worm the worm
    typedef void (*TracedCallback)(Ptr<const Worm> worm);

  private:
    /// @return a packet with the message; null for worms without a message
    virtual Ptr<const Packet> MakePacket() const
    {
        return nullptr;
    }

    Kind m_kind;
    mutable Ptr<const Packet> m_packet;
    uint64_t m_flits;
    Ptr<const WormRoute> m_route;
    uint64_t m_id{0};                         ///< number within its fabric
    const WormholeNodeState* m_root{nullptr}; ///< node where its route starts
};

/// @ingroup wormhole @brief Takes the worms that end at a node.
class WormSink
{
  public:
    virtual ~WormSink() = default;

    /// Takes a worm. @param worm the worm @param port number of the port by which it came
    virtual void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) = 0;

    /// Called when a worm that this host relays is put into the host's sending queue (rule S13).
    virtual void NotifyInTransit(Ptr<const Worm>)
    {
    }

    /// Called when an outage loses a worm of this host before the worm's head starts (rule S14).
    virtual void NotifyNotSent(Ptr<const Worm>)
    {
    }

    /// Called when the node goes down and loses all that it holds (rule S14).
    virtual void NotifyDown()
    {
    }

    /// Called at the time requested by WormholeNodeState::ResumeAt.
    virtual void Resume()
    {
    }
};

/// @ingroup wormhole @brief A message as a header of a packet.
///
/// @tparam CONTENT the message's type: it has HEADER_NAME (the header's type name), GetHeaderBytes
/// (the header's length), Write and Read (with a Buffer::Iterator each), and operator<<
template <class CONTENT>
class MessageHeader : public Header
{
  public:
    MessageHeader() = default;

    /// @param what the message
    explicit MessageHeader(const CONTENT& what)
        : message(what)
    {
    }

    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(CONTENT::HEADER_NAME)
                                .SetParent<Header>()
                                .SetGroupName("Wormhole")
                                .template AddConstructor<MessageHeader<CONTENT>>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    void Print(std::ostream& os) const override
    {
        os << message;
    }

    uint32_t GetSerializedSize() const override
    {
        return message.GetHeaderBytes();
    }

    void Serialize(Buffer::Iterator start) const override
    {
        message.Write(start);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        message.Read(start);
        return message.GetHeaderBytes();
    }

    CONTENT message; ///< the message
};

/// @ingroup wormhole @brief A worm that carries a message.
///
/// @tparam CONTENT the message's type, as MessageHeader needs it
/// @tparam KIND the worm's kind
template <class CONTENT, Worm::Kind KIND>
class MessageWorm : public Worm
{
  public:
    /// @param message the message @param flits the worm's length @param route the worm's route
    MessageWorm(const CONTENT& message, uint64_t flits, Ptr<const WormRoute> route)
        : Worm(KIND, nullptr, flits, route),
          m_message(message)
    {
    }

    /// @return the message
    const CONTENT& GetMessage() const
    {
        return m_message;
    }

  private:
    Ptr<const Packet> MakePacket() const override
    {
        auto packet = Create<Packet>();
        packet->AddHeader(MessageHeader<CONTENT>(m_message));
        return packet;
    }

    CONTENT m_message;
};

/// @ingroup wormhole @brief One interval of a latency, and its cause. Times are in ns-3 time units.
struct LatencyInterval
{
    static constexpr int32_t NO_LANE = -1; ///< Stands for no lane, or the only lane.

    int64_t from;          ///< start
    int64_t to;            ///< end
    LatencyCause cause;    ///< the interval's cause
    std::string place;     ///< name of an output, buffer, switch or process
    Ptr<const Worm> worm;  ///< worm whose latency is explained; null: interval outside the fabric
    Ptr<const Worm> other; ///< worm that delays `worm`; null if no worm does
    std::string note{};    ///< details, such as the member that came late
    int32_t lane{NO_LANE}; ///< lane of the output or buffer, if there are several (S11)
};

/// @ingroup wormhole @brief Intervals in order of time; each starts where the previous one ends.
using LatencyIntervals = std::vector<LatencyInterval>;

/// @ingroup wormhole @brief Worms of a fabric that wait for each other forever.
struct Deadlock
{
    /// What a waiting worm lacks.
    enum Cause
    {
        OUTPUT, ///< an output that another worm holds
        TURN,   ///< its turn for an output, since another worm goes first
        CREDIT, ///< a free slot of the next buffer
        FLIT,   ///< its own next flit, which is delayed further back
        FIFO,   ///< the front of its buffer, where another worm is
        LEAVE   ///< the departure of a branch of the same worm from the same node
    };

    /// One wait of the cycle.
    struct Wait
    {
        uint64_t worm;     ///< number of the worm that waits
        Cause cause;       ///< what it lacks
        std::string place; ///< port where it waits
        uint64_t forWorm;  ///< number of the worm that must move first; may equal `worm`
    };

    Time closed;                   ///< when the first cycle closed
    std::vector<Wait> cycle;       ///< first cycle: each entry's worm waits for the next one's
    std::vector<uint64_t> blocked; ///< numbers of all worms that cannot end, in ascending order
    uint64_t depth{0}; ///< BufferDepth that, set at all ports, would have prevented any deadlock so
                       ///< far; 0: no such depth is known

    /// @return whether there is a deadlock
    explicit operator bool() const
    {
        return !blocked.empty();
    }

    /// @return one line: time, which worm waits for which and where, blocked worms, depth if known
    std::string Print() const;
};

} // namespace ns3

#endif /* WORMHOLE_WORM_H */
