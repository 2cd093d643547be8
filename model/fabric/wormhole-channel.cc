// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-channel.h"

#include "wormhole-fabric.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simple-net-device.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-node-state.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeChannel");

NS_OBJECT_ENSURE_REGISTERED(WormholeChannel);

namespace
{

/// The trace source of a cable, which gets it when somebody connects: there are millions of cables.
class HeadCrossings : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::WormholeHeadCrossings").SetParent<Object>().HideFromDocumentation();
        return tid;
    }

    /// @return the cable's
    static HeadCrossings& Listen(WormholeChannel& channel)
    {
        auto crossings = channel.GetObject<HeadCrossings>();
        if (!crossings)
        {
            crossings = CreateObject<HeadCrossings>();
            channel.AggregateObject(crossings);
            crossings->Observe(channel);
        }
        return *crossings;
    }

    void Observe(const WormholeChannel& channel)
    {
        for (std::size_t end = 0; end < m_devices.size() && channel.GetPort(end); ++end)
        {
            channel.GetPort(end)->TraceConnectWithoutContext(
                "HeadStart",
                MakeBoundCallback(&HeadCrossings::Cross, Ptr<HeadCrossings>(this), end));
        }
    }

    TracedCallback<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time> trace;

  protected:
    void DoDispose() override
    {
        m_devices = {};
        Object::DoDispose();
    }

  private:
    static Ptr<NetDevice> MakeDevice(const WormholePort& port)
    {
        const auto& state = *port.GetNode();
        if (state.device)
        {
            return state.device->GetNode() ? state.device : nullptr;
        }
        const auto node =
            state.context < NodeList::GetNNodes() ? NodeList::GetNode(state.context) : nullptr;
        const auto itsSwitch = node ? node->GetObject<WormholeSwitch>() : nullptr;
        if (!itsSwitch || itsSwitch->GetNodeState() != &state)
        {
            return nullptr;
        }
        auto device = CreateObject<SimpleNetDevice>();
        device->SetNode(node);
        device->SetIfIndex(port.GetNumber());
        return device;
    }

    static void Cross(Ptr<HeadCrossings> crossings, std::size_t from, Ptr<const Worm> worm)
    {
        const auto channel = crossings->GetObject<WormholeChannel>();
        if (crossings->trace.IsEmpty() || !channel || !channel->GetPort(from))
        {
            return; // nobody listens any more, or the cable is disposed of
        }
        auto& devices = crossings->m_devices;
        for (std::size_t end = 0; end < devices.size(); ++end)
        {
            devices[end] = devices[end] ? devices[end] : MakeDevice(*channel->GetPort(end));
            if (!devices[end])
            {
                return;
            }
        }
        const auto farDelay = channel->GetPort(1 - from)->GetNode()->delay;
        const auto rxTime = TimeStep(channel->GetPort(from)->GetState().hopLatency - farDelay);
        const auto packet = worm->GetPacket();
        crossings->trace(packet ? packet : Ptr<const Packet>(Create<Packet>()),
                         devices[from],
                         devices[1 - from],
                         rxTime - channel->GetDelay(),
                         rxTime);
    }

    std::array<Ptr<NetDevice>, 2> m_devices; ///< what stands for both ends; null until a head comes
};

} // namespace

TypeId
WormholeChannel::GetTypeId()
{
    static TypeId tid =
        NewType::Of<WormholeChannel, Channel>("ns3::WormholeChannel")
            .AddFixed<WormholeChannel>(
                "Delay",
                "Propagation delay p of the cable, at least one ns-3 time unit.",
                Sets::Duration(&WormholeChannel::m_delay, NanoSeconds(20), 1))
            .AddFixed<WormholeChannel>(
                "DataRate",
                "Data rate of the cable, each way. 0bps: that of the fabric.",
                Sets::Rate(&WormholeChannel::m_dataRate))
            .AddFixed<WormholeChannel>(
                "FlitTime",
                "Flit time tau of the cable. 0: by DataRate, if set; else that of the fabric.",
                Sets::Duration(&WormholeChannel::m_flitTime))
            .AddTraceSource(
                "TxRxPointToPoint",
                "The head flit of a worm starts on the cable (for ns-3's AnimationInterface); "
                "with what the worm carries, the devices at both ends, the flit time, and when "
                "the whole head will have arrived. A SimpleNetDevice stands for a switch's port: "
                "it knows the switch's node and, as interface index, the port's number.",
                MakeLazyTraceAccessor<WormholeChannel>([](WormholeChannel& channel) -> auto& {
                    return HeadCrossings::Listen(channel).trace;
                }),
                "ns3::PointToPointChannel::TxRxAnimationCallback");
    return tid;
}

void
WormholeChannel::DoDispose()
{
    m_ports = {};
    Channel::DoDispose();
}

void
WormholeChannel::Connect(Ptr<WormholePort> a, Ptr<WormholePort> b)
{
    NS_LOG_FUNCTION(this << a << b);
    WormholeError::ThrowIf(a == b,
                           "a cable joins two ports, not port " + a->GetName() + " to itself");
    a->CheckFree();
    b->CheckFree();
    a->Plug(this, *b);
    b->Plug(this, *a);
    m_ports = {a, b};
    if (const auto crossings = GetObject<HeadCrossings>())
    {
        crossings->Observe(*this);
    }
}

bool
WormholeChannel::HasStarted() const
{
    return m_ports[0] && m_ports[0]->HasStarted();
}

Ptr<WormholePort>
WormholeChannel::GetPort(std::size_t end) const
{
    return m_ports.at(end);
}

std::size_t
WormholeChannel::GetNDevices() const
{
    return std::count_if(m_ports.begin(), m_ports.end(), [](const auto& port) {
        return port && port->GetNode()->device;
    });
}

Ptr<NetDevice>
WormholeChannel::GetDevice(std::size_t i) const
{
    for (const auto& port : m_ports)
    {
        auto device = port ? port->GetNode()->device : nullptr;
        if (device && i-- == 0)
        {
            return device;
        }
    }
    return nullptr;
}

NS_OBJECT_ENSURE_REGISTERED(WormholeSegment);

TypeId
WormholeSegment::GetTypeId()
{
    static TypeId tid = NewType::Of<WormholeSegment, Channel>("ns3::WormholeSegment")
                            .AddAttribute("Fabric",
                                          "The fabric whose hosts it joins.",
                                          TypeId::ATTR_GET,
                                          PointerValue(),
                                          MakePointerAccessor(&WormholeSegment::GetFabric),
                                          MakePointerChecker<WormholeFabric>());
    return tid;
}

void
WormholeSegment::DoDispose()
{
    m_fabric = nullptr;
    Channel::DoDispose();
}

void
WormholeSegment::SetFabric(Ptr<WormholeFabric> fabric)
{
    m_fabric = fabric;
}

Ptr<WormholeFabric>
WormholeSegment::GetFabric() const
{
    return m_fabric;
}

std::size_t
WormholeSegment::GetNDevices() const
{
    return m_fabric ? m_fabric->GetNHosts() : 0;
}

Ptr<NetDevice>
WormholeSegment::GetDevice(std::size_t i) const
{
    return m_fabric ? m_fabric->GetHost(static_cast<uint32_t>(i)) : nullptr;
}

} // namespace ns3
