// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-background-traffic.h"

#include "ns3/collective-bench.h"
#include "ns3/double.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-host-message.h"
#include "ns3/wormhole-host-software.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

void
BackgroundTraffic::Parameters::Check(const FabricGraph* graph) const
{
    WormLength::Parse(flits);
    WormholeTrafficHelper helper;
    helper.SetPattern(pattern);
    if (graph)
    {
        helper.MakePattern(*graph, stream);
    }
}

BackgroundTraffic::BackgroundTraffic(const CollectiveDomain& domain, const Parameters& parameters)
{
    if (!parameters.IsThere())
    {
        return;
    }
    WormholeError::ThrowIf(domain.IsIdeal(),
                           "an ideal network has no traffic beside a collective; expected a "
                           "fabric");
    m_fabric = domain.GetFabric();
    const auto length = WormLength::Parse(parameters.flits);
    WormholeTrafficHelper helper;
    helper.SetPattern(parameters.pattern);
    helper.SetAttribute("Load", DoubleValue(parameters.load));
    m_traffic = helper.Install(m_fabric, domain.GetGraph(), length, parameters.stream);
    m_limit = std::make_unique<BacklogLimit>(m_fabric, m_traffic, parameters.mostWaiting);
    const auto worm = m_fabric->GetFlitTime().GetSeconds() * length.GetMean() / parameters.load;
    m_pause = Time::FromDouble(worm, Time::S) * PAUSE_WORMS;
}

Time
BackgroundTraffic::Start()
{
    m_lastLook = Simulator::Now();
    if (m_traffic)
    {
        m_traffic->Start();
    }
    return m_pause * WARM_UP;
}

void
BackgroundTraffic::Stop()
{
    m_event.Cancel();
    if (m_traffic)
    {
        m_traffic->Stop();
    }
}

void
BackgroundTraffic::Look()
{
    m_lastLook = Simulator::Now();
    if (m_traffic && BacklogLimit::CountWaiting(*m_traffic) > WAITING * m_traffic->GetNSenders())
    {
        if (m_waited > m_patience)
        {
            BacklogLimit::Refuse(*m_fabric, *m_traffic);
        }
        // Longer and longer, so that a long round's backlog takes few events.
        const auto pause = std::max(m_pause, m_waited / 8);
        m_waited += pause;
        m_event = Simulator::Schedule(pause, &BackgroundTraffic::Look, this);
        return;
    }
    m_round();
}

void
LoadedRounds::Run(const std::string& what,
                  uint32_t rounds,
                  Time unloaded,
                  const std::function<void()>& enter)
{
    WormholeError::ThrowIf(rounds == 0, "0 rounds: expected 1 or more");
    m_left = rounds;
    m_round = [this, enter] {
        m_begin = Simulator::Now();
        enter();
    };
    m_traffic.Begin(m_round);
    m_watch = std::make_unique<StallDetector>(
        m_domain,
        [this] { return m_traffic.GetLastLook(); },
        m_traffic.GetLimit(unloaded),
        m_traffic.GetLimit(unloaded) / int64_t{64});
    Simulator::Run();
    if (m_left > 0)
    {
        const auto losses = CollectiveBench::DescribeLosses(m_domain);
        throw WormholeError(what + " beside traffic came to a stop: " + m_domain.ExplainMissing() +
                            (losses.empty() ? "" : "; ") + losses);
    }
}

bool
LoadedRounds::End()
{
    if (--m_left > 0)
    {
        m_traffic.Next(Simulator::Now() - m_begin, m_round);
        return false;
    }
    m_traffic.Stop();
    m_watch.reset();
    return true;
}

void
BacklogLimit::Refuse(WormholeFabric& fabric, const WormholeTraffic& traffic)
{
    const auto deadlock = fabric.ExplainDeadlock();
    WormholeError::ThrowIf(!deadlock.empty(), deadlock);
    DoubleValue load;
    traffic.GetAttribute("Load", load);
    std::ostringstream text;
    text << "data traffic at a load of " << load.Get()
         << " is more than the fabric takes: " << CountWaiting(traffic)
         << " worms wait; expected loads below saturation, which latency-load finds, less "
            "the load of what is measured, such as long messages";
    throw Overload(text.str());
}

StallDetector::StallDetector(const CollectiveDomain& domain,
                             std::function<Time()> last,
                             Time limit,
                             Time afterLoss)
    : m_last(std::move(last)),
      m_limit(limit),
      m_afterLoss(afterLoss)
{
    m_event = Simulator::Schedule(m_limit, &StallDetector::Look, this);
    const auto isSentAgain = [&](uint32_t host) { return domain.GetSoftware(host)->Retransmits(); };
    if (!domain.IsIdeal() && NoneOf(NumbersBelow(domain.GetNHosts()), isSentAgain))
    {
        m_fabric = domain.GetFabric();
        m_fabric->TraceConnectWithoutContext("FlitsLost",
                                             MakeCallback(&StallDetector::NoteLoss, this));
    }
}

StallDetector::~StallDetector()
{
    m_event.Cancel();
    m_lossEvent.Cancel();
    if (m_fabric)
    {
        m_fabric->TraceDisconnectWithoutContext("FlitsLost",
                                                MakeCallback(&StallDetector::NoteLoss, this));
    }
}

void
StallDetector::NoteLoss(const WormholeLoss& loss)
{
    const auto& worm = *loss.worm;
    const bool isNeeded =
        worm.GetKind() == Worm::COLLECTIVE ||
        (worm.GetKind() == Worm::MESSAGE &&
         static_cast<const HostMessageWorm&>(worm).GetMessage().phase != HostMessage::NOTICE);
    if (isNeeded && m_lossEvent.IsExpired())
    {
        m_lossEvent = Simulator::Schedule(m_afterLoss, [this, lost = Simulator::Now()] {
            if (m_last() <= lost)
            {
                Simulator::Stop();
            }
        });
    }
}

void
StallDetector::Look()
{
    if (m_last() + m_limit > Simulator::Now())
    {
        m_event = Simulator::Schedule(m_limit, &StallDetector::Look, this);
        return;
    }
    Simulator::Stop();
}

namespace
{

const char* const SOME_LOAD = "0.1";

double
GetLoad(const OptionValues& options)
{
    if (!options.Has("load"))
    {
        return 0;
    }
    const auto load = ParseStrictNumber(options.Get("load"));
    if (!(load >= 0 && load <= 1))
    {
        options.Refuse("load", "expected one number, 0 to 1");
    }
    return load;
}

} // namespace

std::vector<StudyParameter>
TrafficOptions::GetParameters()
{
    const BackgroundTraffic::Parameters standard;
    return {std::string("load=") + SOME_LOAD +
                " [ratio 0..1 raw]: Load of other traffic per host, as a fraction of a channel's "
                "rate; default: no other traffic",
            {"pattern=hotspot (" + standard.pattern + ") [raw]: Pattern of that traffic",
             WormholeTrafficHelper::GetPatternNames()},
            "flits=1024 (" + standard.flits +
                ") [raw]: Flits per worm, in any form that latency-load takes"};
}

bool
TrafficOptions::IsThere(const OptionValues& options)
{
    return GetLoad(options) > 0;
}

BackgroundTraffic::Parameters
TrafficOptions::Read(const OptionValues& options, const FabricGraph* graph)
{
    BackgroundTraffic::Parameters traffic;
    traffic.load = GetLoad(options);
    traffic.pattern = options.GetWord("pattern", WormholeTrafficHelper::GetPatternNames());
    traffic.flits = options.Get("flits");
    RefuseWithout(options, "pattern");
    RefuseWithout(options, "flits");
    options.Check("flits", [&] { WormLength::Parse(traffic.flits); });
    if (traffic.IsThere())
    {
        options.Check("pattern", [&] { traffic.Check(graph); });
    }
    return traffic;
}

void
TrafficOptions::RefuseIdeal(const OptionValues& options, const std::string& accepted)
{
    for (const auto& parameter : GetParameters())
    {
        if (options.Has(parameter.name) && (parameter.name != "load" || IsThere(options)))
        {
            options.Refuse(parameter.name,
                           "has no effect on an ideal network, where no message waits for "
                           "another; expected " +
                               accepted);
        }
    }
}

void
TrafficOptions::RefuseWithout(const OptionValues& options, const std::string& name)
{
    if (options.Has(name) && !IsThere(options))
    {
        options.RefuseAlone(name, "load", SOME_LOAD);
    }
}

} // namespace ns3
