// SPDX-License-Identifier: GPL-2.0-only

// How a fabric is told of outages (rule S14).

#include "wormhole-fabric.h"

#include "ns3/fabric-engine.h"
#include "ns3/ordering.h"
#include "ns3/outage-text.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-route-manager.h"

#include <iterator>
#include <utility>

namespace ns3
{

namespace
{

Time
GetShortestOutage(const std::vector<Ptr<WormholePort>>& ports, Time detection)
{
    return GreatestOf(std::max(detection, TimeStep(1)), ports, [](const auto& port) {
        return port->GetChannel()->GetDelay();
    });
}

/// @return a port as schedules name it: its node in quotes where OutageText asks for them
std::string
GetQuoted(const std::string& port)
{
    const auto end = port.rfind(':');
    const auto node = port.substr(0, end);
    if (node.find_first_of(" \t\n\"':;-") == std::string::npos)
    {
        return port;
    }
    const std::string quote = node.find('\'') == std::string::npos ? "'" : "\"";
    return quote + node + quote + port.substr(end);
}

std::string
GetQuoted(const WormholeChannel& cable)
{
    return GetQuoted(cable.GetPort(0)->GetName()) + "-" + GetQuoted(cable.GetPort(1)->GetName());
}

} // namespace

std::vector<Ptr<WormholePort>>
WormholeFabric::GetPorts(Ptr<Object> part) const
{
    const auto isIn = [&](const auto& list) { return IsIn(list, part); };
    std::vector<Ptr<WormholePort>> ports;
    if (isIn(m_channels))
    {
        ports.push_back(DynamicCast<WormholeChannel>(part)->GetPort(0));
    }
    else if (isIn(m_hosts))
    {
        ports.push_back(DynamicCast<WormholeNetDevice>(part)->GetPort());
    }
    else if (isIn(m_switches))
    {
        const auto own = DynamicCast<WormholeSwitch>(part);
        for (uint32_t number = 0; number < own->GetNPorts(); ++number)
        {
            ports.push_back(own->GetPort(number));
        }
    }
    ports = ThoseOf(ports, [](const auto& port) { return port->IsConnected(); });
    WormholeError::ThrowIf(ports.empty(),
                           "an outage of no part of this fabric; expected a cable, switch or "
                           "host of it, with a cable");
    return ports;
}

std::set<Ptr<WormholeChannel>>
WormholeFabric::GetCables(Ptr<Object> part) const
{
    std::set<Ptr<WormholeChannel>> cables;
    for (const auto& port : GetPorts(part))
    {
        cables.insert(port->GetChannel());
    }
    return cables;
}

std::string
WormholeFabric::GetPartName(Ptr<Object> part) const
{
    const auto port = GetPorts(part).front();
    return DynamicCast<WormholeChannel>(part)
               ? port->GetName() + " to " + port->GetChannel()->GetPort(1)->GetName()
               : port->GetNode()->name;
}

Time
WormholeFabric::GetOutageLead(Ptr<Object> part) const
{
    return GreatestOf(Time(), GetPorts(part), [this](const auto& port) {
        return GetFlitTime(*port->GetChannel()) + port->GetChannel()->GetDelay();
    });
}

void
WormholeFabric::CheckOutage(const WormholeOutage& outage) const
{
    const auto ports = GetPorts(outage.part);
    const auto refuse = [&](const std::string& what) {
        throw WormholeError("an outage of " + GetPartName(outage.part) + " from " +
                            ExactTime::Print(outage.from) + " on " + what);
    };
    if (outage.from.IsStrictlyNegative() || outage.from.GetTimeStep() > TimeLimit::LATEST)
    {
        refuse("is out of range; expected a time from 0 to " +
               ExactTime::Print(TimeStep(TimeLimit::LATEST)));
    }
    const auto shortest = GetShortestOutage(ports, m_detection);
    if (outage.until < outage.from || outage.until - outage.from < shortest)
    {
        refuse("until " + ExactTime::Print(outage.until) + " is too short; expected " +
               ExactTime::Print(shortest) +
               " or longer, the longest of DetectionDelay and its cables' delays");
    }
    const auto latest = outage.from - GetOutageLead(outage.part);
    if (m_started && Simulator::Now() > latest)
    {
        refuse("is announced at " + ExactTime::Print(Simulator::Now()) + "; expected by " +
               ExactTime::Print(std::max(latest, Time(0))) + ", a flit's time on the cable before");
    }
}

void
WormholeFabric::ScheduleOutage(const WormholeOutage& outage)
{
    WormholeError::ThrowIf(m_started && !HasOutages(),
                           "an outage is announced to a fabric that has started without outages; "
                           "expected it before the first worm, or WormholeFabric::Outages = true");
    CheckOutage(outage);
    if (m_started)
    {
        AddOutage(outage);
    }
    else
    {
        m_outages.push_back(outage);
    }
}

std::vector<Ptr<Object>>
WormholeFabric::FindParts(const OutageText& entry) const
{
    std::vector<Ptr<Object>> parts;
    std::string known; // cables at the ends given
    const auto isBetweenSwitches = [&](const Ptr<WormholeChannel>& cable) {
        return NoneOf(m_hosts,
                      [&](const auto& host) { return host->GetPort()->GetChannel() == cable; });
    };
    if (entry.port)
    {
        const auto near = entry.node + ":" + std::to_string(*entry.port);
        const auto far = entry.far.first + ":" + std::to_string(entry.far.second);
        for (const auto& cable : m_channels)
        {
            const auto a = cable->GetPort(0)->GetName();
            const auto b = cable->GetPort(1)->GetName();
            if ((a == near && b == far) || (a == far && b == near))
            {
                parts.emplace_back(cable);
            }
            else if (a == near || b == near || a == far || b == far)
            {
                known.append(known.empty() ? "; there is " : " and ").append(GetQuoted(*cable));
            }
        }
    }
    else if (entry.node == "each-cable")
    {
        std::copy_if(m_channels.begin(),
                     m_channels.end(),
                     std::back_inserter(parts),
                     isBetweenSwitches);
    }
    else
    {
        const auto add = [&](const auto& list, const std::string& all) {
            for (const auto& part : list)
            {
                if (entry.node == all || part->GetName() == entry.node)
                {
                    parts.emplace_back(part);
                }
            }
        };
        add(m_switches, "each-switch");
        add(m_hosts, "each-host");
    }
    if (parts.empty())
    {
        throw WormholeError("outage '" + entry.text +
                            "': there is no such part; expected a "
                            "switch or host of the fabric by its name, or a cable by both ends, "
                            "such as " +
                            GetQuoted(*m_channels.front()) + known);
    }
    return parts;
}

std::vector<std::pair<Ptr<Object>, OutageSequence>>
WormholeFabric::ReadOutageSchedule() const
{
    std::vector<std::pair<Ptr<Object>, OutageSequence>> read;
    auto stream = m_outageStream;
    for (const auto& entry : OutageText::Read(m_outageSchedule))
    {
        for (const auto& part : FindParts(entry))
        {
            OutageSequence outages(entry, GetShortestOutage(GetPorts(part), m_detection), stream++);
            if (const auto first = outages.Get()) // the others are as long, or random
            {
                CheckOutage({part, first->first, first->second});
                read.emplace_back(part, std::move(outages));
            }
        }
    }
    return read;
}

void
WormholeFabric::AddOutages(Ptr<Object> part, std::shared_ptr<OutageSequence> outages)
{
    const auto now = Simulator::Now();
    const auto lead = GetOutageLead(part);
    auto last = now;
    for (; outages->Get() && last <= now + lead + lead; outages->GoOn())
    {
        last = outages->Get()->first;
        AddOutage({part, last, outages->Get()->second});
    }
    if (outages->Get())
    {
        Simulator::Schedule(last - lead - now,
                            &WormholeFabric::AddOutages,
                            Ptr<WormholeFabric>(this),
                            part,
                            outages);
    }
}

void
WormholeFabric::AddOutage(const WormholeOutage& outage)
{
    auto& flits = *m_engine->GetFlits();
    const OutageList::Interval interval{outage.from.GetTimeStep(), outage.until.GetTimeStep()};
    const auto ports = GetPorts(outage.part);
    for (const auto& port : ports)
    {
        flits.AddCableOutage(port->GetState(), interval);
        for (const std::size_t end : {0, 1})
        {
            TellHost(*port->GetChannel()->GetPort(end), outage);
        }
    }
    if (!DynamicCast<WormholeChannel>(outage.part))
    {
        flits.AddNodeOutage(*ports.front()->GetNode(), interval);
    }
    m_outageTrace(outage);
}

void
WormholeFabric::TellHost(const WormholePort& port, const WormholeOutage& outage) const
{
    const auto now = Simulator::Now();
    if (outage.until <= now)
    {
        return;
    }
    const auto host =
        FindIn(m_hosts, [&](const auto& each) { return PeekPointer(each->GetPort()) == &port; });
    const auto manager = GetObject<WormholeRouteManager>();
    const auto schedule = [&](Time time, bool begins) {
        if (host != m_hosts.end())
        {
            Simulator::Schedule(time - now, &WormholeNetDevice::NotifyOutage, *host, begins);
        }
        if (manager)
        {
            Simulator::Schedule(time - now,
                                &WormholeRouteManager::NotifyCable,
                                manager,
                                Ptr<const WormholePort>(&port),
                                outage.until - outage.from == m_detection);
        }
    };
    if (manager && outage.from >= now)
    {
        Simulator::Schedule(outage.from - now, &WormholeRouteManager::NotifyLoss, manager);
    }
    schedule(std::max(outage.from + m_detection, now), true);
    if (outage.until < Time::Max())
    {
        schedule(outage.until, false);
    }
}

void
WormholeFabric::CheckOutages() const
{
    WormholeError::ThrowIf(HasOutages() && !m_starvationTrace.IsEmpty(),
                           "a fabric with outages can't report starvation yet; expected no "
                           "listener of WormholeFabric::Starvation");
    for (std::size_t i = 0; i < m_outages.size() && !m_started; ++i)
    {
        CheckOutage(m_outages[i]); // attributes may have changed
    }
}

void
WormholeFabric::StartOutages(const LaneSettings& lanes)
{
    FlitSettings settings{lanes,
                          m_grant == "worm",
                          m_isSync,
                          m_detection.GetTimeStep(),
                          [this](const WormholeLoss& loss) { m_lossTrace(loss); },
                          [this](const WormholeCut& cut) { m_cutTrace(cut); },
                          PeekPointer(GetObject<WormholeRouteManager>())};
    const auto scheduled = ReadOutageSchedule();
    m_engine->SetOutages(std::move(settings), m_ports);
    if (const auto manager = GetObject<WormholeRouteManager>())
    {
        manager->SetEngine(*m_engine->GetFlits());
    }
    for (const auto& outage : m_outages)
    {
        AddOutage(outage);
    }
    for (const auto& [part, outages] : scheduled)
    {
        AddOutages(part, std::make_shared<OutageSequence>(outages));
    }
}

} // namespace ns3
