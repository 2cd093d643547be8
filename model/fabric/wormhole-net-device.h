// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_NET_DEVICE_H
#define WORMHOLE_NET_DEVICE_H

#include "wormhole-port.h"

#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/queue.h"
#include "ns3/wormhole-sparse-traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>

namespace ns3
{

class FabricEngine;
class WormholeFabric;
class WormholeInput;

/// @ingroup wormhole @brief A host's interface to the fabric.
///
/// To ns-3 it is a broadcast-capable device with 48-bit addresses that sends a frame as one worm: a
/// unicast worm to one host, a tree worm to a group or unknown address. It also sends this module's
/// other kinds of worms, whose receivers are set with SetReceiver. Sending and receiving each take
/// the interface's delay (rule S7); it sends one worm at a time, in order in each lane (S1, S11).
/// All hosts of a fabric have one ns3::Channel; the cable of a host is GetPort()->GetChannel().
///
/// If the device has a queue (SetQueue), a frame waits there until the frame before it starts on
/// the channel. So the interface holds at most two frames: one that it sends, and the next, whose
/// delay passes meanwhile. Thus frames follow each other at line rate. Frames of a device without a
/// queue, and worms of other kinds, go to the interface at once.
class WormholeNetDevice : public NetDevice, private WormSink
{
  public:
    typedef Callback<void, Ptr<const Worm>> Receiver; ///< takes worms of one kind that have arrived
    typedef Callback<void, uint32_t, Ptr<const Worm>> HostReceiver; ///< gets the host's number, too

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    WormholeNetDevice();
    ~WormholeNetDevice() override;

    /// Joins a fabric, which calls this. @param fabric the fabric @param host number of this host
    void Join(WormholeFabric* fabric, uint32_t host)
    {
        m_fabric = fabric;
        m_host = host;
    }

    /// Leaves the ending fabric, which calls this. @return the fabric engine's state of this host
    Ptr<WormholeNodeState> Leave();

    /// @return the host's number in its fabric
    uint32_t GetHost() const
    {
        return m_host;
    }

    /// @return the fabric, null before Join and once the fabric is gone
    WormholeFabric* GetFabric() const
    {
        return m_fabric;
    }

    /// @return the port to which the cable is connected
    Ptr<WormholePort> GetPort() const
    {
        return m_port;
    }

    /// @return the interface's delay t_r
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @return the most flits of relayed worms (rule S13) that were here at once; a worm, with its
    ///         remaining route flits, counts from when its head was ready until its tail had left
    uint64_t GetMaxTransitFlits() const;

    /// @param name name of the host, for messages and traces
    void SetName(const std::string& name);

    const std::string& GetName() const; ///< @return name of the host

    /// @return whether the fabric has started, so that the attribute Delay can no longer change
    bool HasStarted() const;

    /// Sends a worm. Its head requests the channel after the interface's delay. Where interfaces
    /// relay worms (S13), relayed worms that arrive before the interface gets this worm go first.
    /// @param worm the worm; stop 0 of its route is this host
    /// @param wait time from now until the interface gets the worm; calls must be in the order in
    ///        which the interface gets the worms (for other orders: SendWormLater)
    /// @throws WormholeError if the fabric cannot start; if the worm has no route, no flits or too
    ///         many flits, or is a frame without a packet; or if the route's lanes or first port
    ///         do not exist. Errors further along the route end the run when the worm gets there
    void SendWorm(Ptr<Worm> worm, Time wait = Time(0));

    /// Like SendWorm, but calls may be in any order: worms sent during `wait` go before this worm.
    void SendWormLater(Ptr<Worm> worm, Time wait);

    /// Like SendWorm, but the head requests the channel now: the caller has already waited for the
    /// interface's delay (S15).
    void SendReadyWorm(Ptr<Worm> worm)
    {
        SendWorm(std::move(worm), Time(0) - m_delay);
    }

    /// Sets the receiver of arriving worms of one kind, which may be any but Worm::FRAME.
    void SetReceiver(Worm::Kind kind, Receiver receiver);

    /// Like SetReceiver, but one receiver serves all hosts, without memory for each host.
    /// @param kind,receiver as for SetReceiver
    void SetHostReceiver(Worm::Kind kind, HostReceiver receiver)
    {
        m_receivers.at(kind) = receiver;
    }

    /// @param queue where frames wait; null: no queue
    void SetQueue(Ptr<Queue<Packet>> queue)
    {
        m_queue = queue;
    }

    /// @return the queue where frames wait; null if none
    Ptr<Queue<Packet>> GetQueue() const
    {
        return m_queue;
    }

    /// @param model selects arriving frames that are lost, as if damaged on the way (trace source
    ///        PhyRxDrop); null: no losses. Worms of other kinds are never lost
    void SetReceiveErrorModel(Ptr<ErrorModel> model)
    {
        m_receiveErrorModel = model;
    }

    /// @return length in bytes, including the header, of the longest frame that attributes permit
    uint32_t GetLongestFrame() const;

    /// Takes the link down for frames, or up again: while it is down, frames to be sent and
    /// arriving frames are dropped. Worms already handed to the fabric continue. Outages (S14) also
    /// take the link down, whatever is set here. @param up whether the link is to be up
    void SetLinkUp(bool up)
    {
        if (up != m_linkUp)
        {
            m_linkUp = up;
            m_linkChange();
        }
    }

    /// Called when the host notices the start or end of an outage of its cable (S14): in between,
    /// the link is down, and frames to be sent are dropped. @param begins whether the outage begins
    void NotifyOutage(bool begins);

    /// Readies the interface for its first worm. @param engine the fabric's engine
    void Start(FabricEngine& engine);

    void CancelStart();    ///< Undoes Start, so that attributes can be set again.
    void ReadAttributes(); ///< Reads the attributes that Start uses, to check them earlier.

    // From NetDevice
    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    Ptr<Channel> GetChannel() const override;

    void SetAddress(Address address) override
    {
        SetMacAddress(Mac48Address::ConvertFrom(address));
    }

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override
    {
        m_mtu = mtu > 0 ? mtu : m_mtu;
        return mtu > 0;
    }

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override
    {
        return m_linkUp && m_outages == 0 && m_port->IsConnected();
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChange.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override
    {
        return Mac48Address::GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address multicastGroup) const override
    {
        return Mac48Address::GetMulticast(multicastGroup);
    }

    Address GetMulticast(Ipv6Address addr) const override
    {
        return Mac48Address::GetMulticast(addr);
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override
    {
        return SendFrom(packet, m_address, dest, protocolNumber);
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;

    bool NeedsArp() const override
    {
        return true;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override
    {
        m_receive = cb;
    }

    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override
    {
        m_promiscReceive = cb;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;

  private:
    void StartFabric();
    void SetMacAddress(Mac48Address address);

    Mac48Address GetMacAddress() const
    {
        return m_address;
    }

    // From WormSink
    void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) override;
    void NotifyNotSent(Ptr<const Worm> worm) override; ///< The next frame may be sent.

    void NotifyInTransit(Ptr<const Worm> worm) override
    {
        m_inTransitTrace(worm);
    }

    /// A receiver of this host only; a separate class since bound callbacks must be comparable.
    struct OwnReceiver : public SimpleRefCount<OwnReceiver>
    {
        Receiver receiver;
    };

    static void CallReceiver(Ptr<OwnReceiver> own, uint32_t, Ptr<const Worm> worm)
    {
        own->receiver(worm);
    }

    void ReceiveFrame(Ptr<const Worm> worm); ///< Takes a frame that has arrived.
    void SendNext(); ///< Hands the next frame of the queue to the interface, if there is one.

    /// @return whether a worm is a frame that this host sends, rather than relays
    bool IsOwnFrame(const Worm& worm) const
    {
        return worm.GetKind() == Worm::FRAME && worm.GetRoot() == PeekPointer(m_nodeState);
    }

    void HeadStarted(Ptr<const Worm> worm); ///< A worm begins to leave by the port.
    void HandOver(Ptr<Packet> frame);
    typedef SparseTracedCallback<Ptr<const Packet>> PacketTrace;

    Time m_delay;
    Time m_inTransitDelay;
    uint16_t m_mtu{0};
    uint16_t m_minFrameSize{0}; ///< attribute, bytes with the header
    Mac48Address m_address;
    Ptr<WormholePort> m_port;                 ///< where the cable is plugged in
    Ptr<WormholeNodeState> m_nodeState;       ///< the engine's state of this host
    std::unique_ptr<WormholeInput> m_sending; ///< worms to send, in order
    WormholeFabric* m_fabric{nullptr};
    uint32_t m_host{0};
    Ptr<Node> m_node;
    uint32_t m_ifIndex{0};
    std::array<HostReceiver, Worm::N_KINDS> m_receivers; ///< by kind
    NetDevice::ReceiveCallback m_receive;
    NetDevice::PromiscReceiveCallback m_promiscReceive;
    SparseTracedCallback<> m_linkChange; ///< notified of changes of the link
    Ptr<Queue<Packet>> m_queue;          ///< where frames wait; null: no queue
    Ptr<ErrorModel> m_receiveErrorModel; ///< attribute; null: no frame is lost
    uint64_t m_waiting{0};               ///< number of handed-over frames not yet leaving
    bool m_watching{false};              ///< whether HeadStarted is connected
    bool m_linkUp{true};                 ///< false after SetLinkUp(false)
    uint32_t m_outages{0};               ///< number of noticed outages not yet over

    SparseTracedCallback<Ptr<const Worm>> m_notSentTrace;
    PacketTrace m_macTxTrace;
    PacketTrace m_macTxDropTrace; ///< trace source MacTxDrop
    PacketTrace m_macRxTrace;
    PacketTrace m_macPromiscRxTrace; ///< trace source MacPromiscRx
    PacketTrace m_macRxDropTrace;    ///< trace source MacRxDrop
    PacketTrace m_phyRxDropTrace;    ///< trace source PhyRxDrop
    PacketTrace m_snifferTrace;
    PacketTrace m_promiscSnifferTrace;
    SparseTracedCallback<Ptr<const Worm>> m_inTransitTrace;
};

} // namespace ns3

#endif /* WORMHOLE_NET_DEVICE_H */
