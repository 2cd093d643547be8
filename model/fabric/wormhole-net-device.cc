// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-net-device.h"

#include "ns3/fabric-engine.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/worm-header.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeNetDevice");

NS_OBJECT_ENSURE_REGISTERED(WormholeNetDevice);
NS_OBJECT_ENSURE_REGISTERED(WormHeader);
NS_OBJECT_ENSURE_REGISTERED(PaddingTag);

namespace
{

constexpr uint32_t HEADER_BYTES = 14;

} // namespace

TypeId
WormholeNetDevice::GetTypeId()
{
    static const TypeId tid = [] {
        auto type = NewType::Of<WormholeNetDevice, NetDevice>("ns3::WormholeNetDevice");
        const auto addPacketTrace =
            [&type](const char* name, const char* help, PacketTrace WormholeNetDevice::* trace) {
                type.Add(name, help, trace, "ns3::Packet::TracedCallback");
            };
        type.AddFixed<WormholeNetDevice>(
            "Delay",
            "Delay t_r of the interface, paid once when sending and once when receiving.",
            Sets::Duration(&WormholeNetDevice::m_delay, NanoSeconds(300)));
        type.AddFixed<WormholeNetDevice>(
            "InTransitDelay",
            "Time from when a worm that the interface relays (rule S13) is ready there until it "
            "is put into the sending queue: 275 ns to detect it and 200 ns to set up its sending.",
            Sets::Duration(&WormholeNetDevice::m_inTransitDelay, NanoSeconds(475)));
        type.AddAttribute(
            "Mtu",
            "Maximum payload of a frame in bytes, without the header's 14.",
            UintegerValue(1500),
            MakeUintegerAccessor(&WormholeNetDevice::SetMtu, &WormholeNetDevice::GetMtu),
            MakeUintegerChecker<uint16_t>(1));
        type.Add(
            "MinFrameSize",
            "Minimum length of a frame in bytes, including the header's 14. A shorter one is "
            "padded with zeros, which the receiving interface removes. Ethernet's minimum is 60 "
            "without the checksum, which frames here do not have.",
            Sets::Number(&WormholeNetDevice::m_minFrameSize, 0));
        type.Add("ReceiveErrorModel",
                 "Which arriving frames are lost, as if damaged on the way; null: none. Worms of "
                 "other kinds are not lost by this.",
                 Sets::Pointer(&WormholeNetDevice::m_receiveErrorModel));
        type.AddAttribute("Address",
                          "Address of the interface.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&WormholeNetDevice::SetMacAddress,
                                                   &WormholeNetDevice::GetMacAddress),
                          MakeMac48AddressChecker());
        type.AddAttribute("Port",
                          "The port to which the cable is connected.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&WormholeNetDevice::m_port),
                          MakePointerChecker<WormholePort>());
        type.Add("TxQueue",
                 "The queue where frames wait for the interface; null: none.",
                 Sets::Pointer(&WormholeNetDevice::m_queue));
        addPacketTrace("MacTx",
                       "A frame with its header comes from the stack and is to be sent or queued; "
                       "not fired if the frame is too long or for no host, or the link is down.",
                       &WormholeNetDevice::m_macTxTrace);
        addPacketTrace("MacTxDrop",
                       "A frame with its header is dropped: it is longer than Mtu or addressed to "
                       "its sender; or, possibly after MacTx, the queue is full, the link is "
                       "down, or it is lost before it has begun to leave (NotSent).",
                       &WormholeNetDevice::m_macTxDropTrace);
        addPacketTrace("MacRx",
                       "A frame with its header has arrived, for this node, all or a group.",
                       &WormholeNetDevice::m_macRxTrace);
        addPacketTrace("MacPromiscRx",
                       "A frame with its header has arrived, whatever its destination.",
                       &WormholeNetDevice::m_macPromiscRxTrace);
        addPacketTrace("MacRxDrop",
                       "An arrived frame with its header is dropped, after SetLinkUp(false).",
                       &WormholeNetDevice::m_macRxDropTrace);
        addPacketTrace("PhyRxDrop",
                       "An arrived frame with its header is lost by the ReceiveErrorModel.",
                       &WormholeNetDevice::m_phyRxDropTrace);
        addPacketTrace("Sniffer",
                       "The head of a frame leaves by the port, or a frame for this node, all or a "
                       "group has arrived; with its header.",
                       &WormholeNetDevice::m_snifferTrace);
        addPacketTrace("PromiscSniffer",
                       "Like Sniffer, for arrived frames with any destination.",
                       &WormholeNetDevice::m_promiscSnifferTrace);
        type.Add("InTransit",
                 "A worm that the interface relays is put into its sending queue.",
                 &WormholeNetDevice::m_inTransitTrace,
                 "ns3::Worm::TracedCallback");
        type.Add("NotSent",
                 "A worm is lost before it leaves: its host is down, or no route is left.",
                 &WormholeNetDevice::m_notSentTrace,
                 "ns3::Worm::TracedCallback");
        return type;
    }();
    return tid;
}

WormholeNetDevice::WormholeNetDevice()
    : m_port(CreateObject<WormholePort>()),
      m_nodeState(ns3::Create<WormholeNodeState>()),
      m_sending(std::make_unique<WormholeInput>())
{
    m_nodeState->device = this;
    m_nodeState->name = "host";
    m_nodeState->sink = this;
    m_port->SetNode(m_nodeState, 0);
    m_sending->node = PeekPointer(m_nodeState);
}

WormholeNetDevice::~WormholeNetDevice()
{
    m_nodeState->device = nullptr; // whoever keeps the port keeps the node state
    m_nodeState->sink = nullptr;
}

void
WormholeNetDevice::DoDispose()
{
    if (m_watching)
    {
        m_port->TraceDisconnectWithoutContext("HeadStart",
                                              MakeCallback(&WormholeNetDevice::HeadStarted, this));
        m_watching = false;
    }
    m_port->Dispose();
    m_nodeState->sink = nullptr;
    m_receivers.fill(HostReceiver());
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    m_node = nullptr;
    m_fabric = nullptr;
    m_queue = nullptr;
    m_receiveErrorModel = nullptr;
    NetDevice::DoDispose();
}

Ptr<WormholeNodeState>
WormholeNetDevice::Leave()
{
    m_fabric = nullptr;
    return m_nodeState;
}

uint64_t
WormholeNetDevice::GetMaxTransitFlits() const
{
    const auto transit = HasStarted() ? m_nodeState->engine->GetTransit() : nullptr;
    return transit ? transit->GetHost(*m_nodeState).GetMaxFlits(Simulator::Now().GetTimeStep()) : 0;
}

void
WormholeNetDevice::SetName(const std::string& name)
{
    m_nodeState->name = name;
}

const std::string&
WormholeNetDevice::GetName() const
{
    return m_nodeState->name;
}

bool
WormholeNetDevice::HasStarted() const
{
    return m_nodeState->engine;
}

void
WormholeNetDevice::Start(FabricEngine& engine)
{
    m_nodeState->engine = &engine;
    ReadAttributes();
    m_nodeState->context = m_node ? m_node->GetId() : 0;
    m_nodeState->ports = std::vector<WormholePortState>(1);
    if (const auto transit = engine.GetTransit())
    {
        transit->AddHost(*m_sending, m_inTransitDelay.GetTimeStep());
    }
}

void
WormholeNetDevice::CancelStart()
{
    m_nodeState->engine = nullptr;
}

void
WormholeNetDevice::ReadAttributes()
{
    m_nodeState->delay = m_delay.GetTimeStep();
}

uint32_t
WormholeNetDevice::GetLongestFrame() const
{
    return std::max(m_mtu + HEADER_BYTES, uint32_t{m_minFrameSize});
}

void
WormholeNetDevice::StartFabric()
{
    if (!m_fabric)
    {
        throw WormholeError(GetName() +
                            " sends, but its interface is in no fabric, or that is gone; add it "
                            "with WormholeFabric::AddHost or WormholeHelper::Install");
    }
    m_fabric->Start();
}

void
WormholeNetDevice::SendWorm(Ptr<Worm> worm, Time wait)
{
    StartFabric();
    m_nodeState->engine->Inject(std::move(worm), *m_sending, wait);
}

void
WormholeNetDevice::SendWormLater(Ptr<Worm> worm, Time wait)
{
    StartFabric();
    m_nodeState->engine->InjectLater(std::move(worm), *m_sending, wait);
}

void
WormholeNetDevice::SetReceiver(Worm::Kind kind, Receiver receiver)
{
    if (receiver.IsNull())
    {
        m_receivers.at(kind) = HostReceiver();
        return;
    }
    auto own = Create<OwnReceiver>();
    own->receiver = receiver;
    m_receivers.at(kind) = MakeBoundCallback(&WormholeNetDevice::CallReceiver, own);
}

void
WormholeNetDevice::ConsumeWorm(Ptr<const Worm> worm, uint32_t)
{
    if (worm->GetKind() == Worm::FRAME)
    {
        ReceiveFrame(worm);
    }
    else if (!m_receivers[worm->GetKind()].IsNull())
    {
        m_receivers[worm->GetKind()](m_host, worm);
    }
}

void
WormholeNetDevice::ReceiveFrame(Ptr<const Worm> worm)
{
    const auto frame = worm->GetPacket();
    if (!m_linkUp)
    {
        m_macRxDropTrace(frame);
        return;
    }
    auto packet = frame->Copy();
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(packet))
    {
        m_phyRxDropTrace(frame);
        return;
    }
    WormHeader header;
    packet->RemoveHeader(header);
    PaddingTag padding;
    if (packet->RemovePacketTag(padding))
    {
        packet->RemoveAtEnd(padding.bytes);
    }
    const auto& [destination, source, protocol] = header.message;
    const auto type = destination == m_address    ? NetDevice::PACKET_HOST
                      : destination.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                      : destination.IsGroup()     ? NetDevice::PACKET_MULTICAST
                                                  : NetDevice::PACKET_OTHERHOST;
    m_promiscSnifferTrace(frame);
    m_macPromiscRxTrace(frame);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet->Copy(), protocol, source, destination, type);
    }
    if (type != NetDevice::PACKET_OTHERHOST)
    {
        m_snifferTrace(frame);
        m_macRxTrace(frame);
        if (!m_receive.IsNull())
        {
            m_receive(this, packet, protocol, source);
        }
    }
}

bool
WormholeNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    auto frame = packet->Copy();
    frame->AddHeader(WormHeader(
        {Mac48Address::ConvertFrom(dest), Mac48Address::ConvertFrom(source), protocolNumber}));
    if (frame->GetSize() < m_minFrameSize)
    {
        PaddingTag padding;
        padding.bytes = static_cast<uint16_t>(m_minFrameSize - frame->GetSize());
        // Not AddPaddingAtEnd: ns-3 keeps no record of that for printing, and then can't take it
        // off.
        frame->AddAtEnd(Create<Packet>(padding.bytes));
        frame->ReplacePacketTag(padding);
    }
    if (!IsLinkUp() || packet->GetSize() > m_mtu || !m_fabric ||
        !m_fabric->HasFrameRoute(m_host, Mac48Address::ConvertFrom(dest)))
    {
        m_macTxDropTrace(frame);
        return false;
    }
    m_macTxTrace(frame);
    if (!m_queue)
    {
        HandOver(frame);
        return true;
    }
    if (!m_queue->Enqueue(frame))
    {
        m_macTxDropTrace(frame);
        return false;
    }
    SendNext();
    return true;
}

void
WormholeNetDevice::SendNext()
{
    while (m_waiting == 0 && m_fabric)
    {
        auto frame = m_queue ? m_queue->Dequeue() : nullptr;
        if (!frame)
        {
            return;
        }
        HandOver(frame);
    }
}

void
WormholeNetDevice::HandOver(Ptr<Packet> frame)
{
    WormHeader header;
    frame->PeekHeader(header);
    const auto route =
        IsLinkUp() ? m_fabric->GetFrameRoute(m_host, header.message.destination) : nullptr;
    if (!route)
    {
        m_macTxDropTrace(frame); // the link or the address has changed since it was queued
        return;
    }
    if (!m_watching)
    {
        m_port->TraceConnectWithoutContext("HeadStart",
                                           MakeCallback(&WormholeNetDevice::HeadStarted, this));
        m_watching = true;
    }
    const auto flits = m_fabric->GetFlits(frame->GetSize());
    m_fabric->NotifyFrame(m_host, flits, *route);
    ++m_waiting;
    SendWorm(ns3::Create<Worm>(Worm::FRAME, frame, flits, route));
}

void
WormholeNetDevice::NotifyNotSent(Ptr<const Worm> worm)
{
    if (IsOwnFrame(*worm))
    {
        --m_waiting;
        m_macTxDropTrace(worm->GetPacket());
        SendNext();
    }
    m_notSentTrace(worm);
}

void
WormholeNetDevice::HeadStarted(Ptr<const Worm> worm)
{
    if (IsOwnFrame(*worm))
    {
        --m_waiting;
        m_snifferTrace(worm->GetPacket());
        m_promiscSnifferTrace(worm->GetPacket());
        SendNext();
    }
}

void
WormholeNetDevice::NotifyOutage(bool begins)
{
    const auto before = IsLinkUp();
    m_outages += begins ? 1 : -1;
    if (IsLinkUp() != before)
    {
        m_linkChange();
    }
}

Ptr<Channel>
WormholeNetDevice::GetChannel() const
{
    return m_fabric ? m_fabric->GetSegment() : nullptr;
}

void
WormholeNetDevice::SetMacAddress(Mac48Address address)
{
    m_address = address;
    if (m_fabric)
    {
        m_fabric->ForgetAddresses();
    }
}

Ptr<Node>
WormholeNetDevice::GetNode() const
{
    return m_node;
}

void
WormholeNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

} // namespace ns3
