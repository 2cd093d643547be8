// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-port.h"

#include "ns3/fabric-engine.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholePort");

NS_OBJECT_ENSURE_REGISTERED(WormholePort);

TypeId
WormholePort::GetTypeId()
{
    static const TypeId tid = [] {
        auto type = NewType::Of<WormholePort, Object>("ns3::WormholePort");
        type.AddFixed<WormholePort>(
            "BufferDepth",
            "Depth D of the input buffer in flits. 0 covers the cable's round trip, "
            "ceil((tau + 2 p + t_r) / tau), so that a lone worm flows at full rate; see Buffers.",
            Sets::Number(&WormholePort::m_bufferDepth, 0, 0, MAX_DEPTH));
        const auto addTrace = [&type](const char* name, const char* help, Trace trace) {
            const auto listen = [trace](WormholePort& port) -> WormTrace& {
                return port.Listen(trace);
            };
            type.AddTraceSource(name,
                                help,
                                MakeLazyTraceAccessor<WormholePort>(listen),
                                "ns3::Worm::TracedCallback");
        };
        addTrace("Request",
                 "The head of a worm is ready and requests this port's output.",
                 REQUEST);
        addTrace("Grant",
                 "A worm is granted this port's output, and holds it until TailLeft.",
                 GRANT);
        addTrace("HeadStart", "The head flit of a worm starts on this port's channel.", HEAD_START);
        addTrace("TailLeft",
                 "The tail flit of a worm, or the last flit of a worm that an outage has cut, has "
                 "left by this port, which is free again.",
                 TAIL_LEFT);
        addTrace("Delivered",
                 "The tail flit of a worm has arrived at this port of a host; the interface's "
                 "delay is still to come.",
                 DELIVERED);
        return type;
    }();
    return tid;
}

WormholePort::WormholePort() = default;

WormholePort::~WormholePort()
{
    if (m_far)
    {
        m_far->CancelStart();
        m_far->m_far = nullptr;
    }
}

void
WormholePort::DoDispose()
{
    m_channel = nullptr;
    Object::DoDispose();
}

void
WormholePort::SetNode(Ptr<WormholeNodeState> node, uint32_t number)
{
    m_node = node;
    m_number = number;
}

std::string
WormholePort::GetName() const
{
    return m_node ? m_node->name + ":" + std::to_string(m_number) : "a port of no node";
}

bool
WormholePort::HasStarted() const
{
    return m_node && m_number < m_node->ports.size() && GetState().farPorts;
}

WormholeNodeState*
WormholePort::GetNode() const
{
    return PeekPointer(m_node);
}

WormholePortState&
WormholePort::GetState() const
{
    return m_node->ports[m_number];
}

uint8_t
WormholePort::GetLane() const
{
    if (!HasStarted() || !m_node->engine)
    {
        return 0;
    }
    const auto flits = m_node->engine->GetFlits();
    const auto lanes = m_node->engine->GetLanes();
    return flits ? flits->GetLane(GetState()) : lanes ? lanes->GetLane(GetState()) : 0;
}

void
WormholePort::CancelStart()
{
    if (HasStarted())
    {
        GetState().farPorts = nullptr;
    }
}

Ptr<WormholeChannel>
WormholePort::GetChannel() const
{
    return m_channel;
}

void
WormholePort::CheckFree() const
{
    if (m_far)
    {
        throw WormholeError("port " + GetName() + " has a cable to " + m_far->GetName() +
                            " already; one port takes one cable");
    }
    WormholeError::ThrowIf(!m_node,
                           "a cable to " + GetName() +
                               "; expected a port of a switch or interface, from its GetPort");
}

void
WormholePort::Plug(Ptr<WormholeChannel> channel, WormholePort& far)
{
    m_channel = channel;
    m_far = &far;
}

int64_t
WormholePort::GetCovering(int64_t tau) const
{
    const auto roundTrip = tau + 2 * m_channel->GetDelay().GetTimeStep() + m_far->m_node->delay;
    return (roundTrip + tau - 1) / tau;
}

uint32_t
WormholePort::GetFarDepth(int64_t tau, uint64_t least) const
{
    if (m_far->m_bufferDepth)
    {
        return m_far->m_bufferDepth;
    }
    const auto covering = static_cast<uint64_t>(GetCovering(tau));
    const auto depth = std::max(covering, least);
    if (depth > MAX_DEPTH)
    {
        std::ostringstream text;
        text << "port " << GetName() << ": a buffer that ";
        if (covering == depth)
        {
            text << "covers its cable's round trip of "
                 << (m_channel->GetDelay() * 2 + TimeStep(tau + m_far->m_node->delay)).As(Time::S);
        }
        else
        {
            text << "holds a frame";
        }
        text << " takes " << depth << " flits; expected at most " << MAX_DEPTH;
        throw WormholeError(text.str());
    }
    return static_cast<uint32_t>(depth);
}

void
WormholePort::Start(uint8_t pace, const FlitTimes& times, uint64_t least)
{
    const auto tau = times[pace];
    NS_LOG_FUNCTION(this << tau << least);
    const auto delay = m_channel->GetDelay().GetTimeStep();
    auto& farNode = *m_far->m_node;
    auto& output = GetState();
    output.farPorts = farNode.ports.data();
    output.nFarPorts = static_cast<uint16_t>(farNode.ports.size()); // as FabricGraph::Port
    output.farNumber = static_cast<uint16_t>(m_far->m_number);
    output.isEjection = farNode.device != nullptr;
    output.hopLatency = tau + delay + farNode.delay;
    output.arbitrated = !m_node->device;
    output.traced = bool(m_traces);
    const int64_t depth = GetFarDepth(tau, least);
    // Times of credits are counted from the first one on.
    TimeLimit::CheckLength("port " + GetName() + ": a buffer of " + std::to_string(depth) +
                               " flits",
                           depth < TimeLimit::LATEST / tau ? depth * tau : TimeLimit::LATEST);
    output.depth = static_cast<uint32_t>(depth);
    output.pace = pace;
    output.coversRoundTrip = output.depth >= GetCovering(tau);
    output.credits.Append(output.depth, WormholeOutput::ALWAYS, pace, times);
    auto& input = output.input;
    input.node = PeekPointer(m_node);
    input.port = this;
    input.number = static_cast<int32_t>(m_number);
    input.traced = bool(m_traces);
    auto& far = output.GetFar().input;
    far.upstream = &output;
    far.creditDelay = delay;
}

WormholePort::WormTrace&
WormholePort::Listen(Trace trace)
{
    if (!m_traces)
    {
        m_traces = std::make_unique<std::array<WormTrace, N_TRACES>>();
        if (HasStarted() && m_node->engine)
        {
            m_node->engine->OnTraced(GetState());
        }
    }
    return (*m_traces)[trace];
}

void
WormholePort::FireLater(const WormTrace& trace, const Ptr<const Worm>& worm, int64_t time)
{
    if (trace.IsEmpty())
    {
        return;
    }
    const auto wait = time - Simulator::Now().GetTimeStep();
    if (wait == 0)
    {
        trace(worm);
    }
    else
    {
        Simulator::ScheduleWithContext(
            m_node->context,
            TimeStep(wait),
            [self = Ptr<const WormholePort>(this), &trace, worm] { trace(worm); });
    }
}

} // namespace ns3
