// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-switch.h"

#include "ns3/fabric-engine.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeSwitch");

NS_OBJECT_ENSURE_REGISTERED(WormholeSwitch);

TypeId
WormholeSwitch::GetTypeId()
{
    static TypeId tid = NewType::Of<WormholeSwitch, Object>("ns3::WormholeSwitch")
                            .AddFixed<WormholeSwitch>(
                                "Delay",
                                "Delay t_r of the switch: a flit is ready for its output this "
                                "long after its arrival.",
                                Sets::Duration(&WormholeSwitch::m_delay, NanoSeconds(300)))
                            .AddAttribute("PortList",
                                          "The ports by number; null where there is no cable.",
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&WormholeSwitch::m_ports),
                                          MakeObjectVectorChecker<WormholePort>());
    return tid;
}

WormholeSwitch::WormholeSwitch()
    : m_nodeState(ns3::Create<WormholeNodeState>())
{
}

WormholeSwitch::~WormholeSwitch() = default;

Ptr<WormholeNodeState>
WormholeSwitch::GetNodeState() const
{
    return m_nodeState;
}

void
WormholeSwitch::DoDispose()
{
    for (auto& port : m_ports)
    {
        if (port)
        {
            port->Dispose();
        }
    }
    m_ports.clear();
    m_nodeState->sink = nullptr;
    Object::DoDispose();
}

Ptr<WormholePort>
WormholeSwitch::GetPort(uint32_t number)
{
    if (number >= m_ports.size())
    {
        m_ports.resize(number + 1);
    }
    auto& port = m_ports[number];
    if (!port)
    {
        port = CreateObject<WormholePort>();
        port->SetNode(m_nodeState, number);
    }
    return port;
}

void
WormholeSwitch::SetName(const std::string& name)
{
    m_nodeState->name = name;
}

const std::string&
WormholeSwitch::GetName() const
{
    return m_nodeState->name;
}

bool
WormholeSwitch::HasStarted() const
{
    return m_nodeState->engine;
}

void
WormholeSwitch::SetSink(WormSink* sink)
{
    m_nodeState->sink = sink;
    if (m_nodeState->engine)
    {
        m_nodeState->engine->GetRounds().LetSwitchesSend();
    }
}

bool
WormholeSwitch::HasSink() const
{
    return m_nodeState->sink;
}

void
WormholeSwitch::Originate(Ptr<Worm> worm)
{
    NS_LOG_FUNCTION(this << worm);
    if (!m_nodeState->engine)
    {
        throw WormholeError(GetName() + " is to send a worm, but it is in no fabric that has "
                                        "started; see WormholeFabric::AddSwitch and Start");
    }
    m_nodeState->engine->Originate(worm, *m_nodeState);
}

void
WormholeSwitch::Start(FabricEngine& engine)
{
    NS_LOG_FUNCTION(this);
    m_nodeState->engine = &engine;
    ReadAttributes();
    if (auto node = GetObject<Node>())
    {
        m_nodeState->context = node->GetId();
    }
    m_nodeState->ports = std::vector<WormholePortState>(m_ports.size());
}

void
WormholeSwitch::CancelStart()
{
    m_nodeState->engine = nullptr;
}

void
WormholeSwitch::ReadAttributes()
{
    m_nodeState->delay = m_delay.GetTimeStep();
}

} // namespace ns3
