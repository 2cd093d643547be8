// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-timeline.h"

#include "ns3/timeline-log.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <iostream>

namespace ns3
{

Timeline::Timeline(const Settings& settings)
{
    WormholeError::ThrowIf(settings.until <= settings.from,
                           "a timeline from " + ExactTime::Print(settings.from) + " until " +
                               ExactTime::Print(settings.until) +
                               ": expected an end after the beginning");
    const auto& all = GetAll();
    WormholeError::ThrowIf(
        std::any_of(all.begin(), all.end(), [](auto* its) { return dynamic_cast<Timeline*>(its); }),
        "simulations have a timeline already; expected one timeline at a "
        "time");
    m_log = Create<TimelineLog>(settings.path, settings.from, settings.until, settings.hosts);
    if (settings.explains)
    {
        m_explainer = Create<TimelineExplainer>();
    }
    Register();
}

Timeline::~Timeline()
{
    if (!m_log->HasBegun())
    {
        return; // whatever was refused, it has left a file that was there as it is
    }
    try
    {
        Finish();
    }
    catch (const WormholeError&)
    {
        // There is another error already, which is told.
    }
}

void
Timeline::ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph)
{
    m_log->CheckHosts(graph.GetNHosts(),
                      [&](uint32_t host) { return graph.GetName(graph.HostAt(host)); });
    m_log->BeginSimulation(std::to_string(graph.GetNSwitches()) + " switches, " +
                           std::to_string(graph.GetNHosts()) + " hosts");
    if (m_worms.empty())
    {
        m_log->AtEnd([this] { m_worms.clear(); });
    }
    if (m_explainer)
    {
        m_explainer->Watch(fabric);
        m_log->AtEnd([explainer = m_explainer] { explainer->End(); });
    }
    WatchOutages(m_log, fabric);
    m_worms[PeekPointer(fabric)] = WormTimeline::Watch(m_log, fabric, graph, m_explainer);
}

void
Timeline::ObserveDomain(Ptr<CollectiveDomain> domain)
{
    m_log->CheckHosts(domain->GetFabric() ? domain->GetFabric()->GetNHosts() : domain->GetNHosts(),
                      [&](uint32_t host) { return domain->GetHostName(host); });
    m_log->BeginSimulation(std::to_string(domain->GetNHosts()) + " hosts, ideal network");
    if (m_explainer)
    {
        m_explainer->Watch(domain);
        m_log->AtEnd([explainer = m_explainer] { explainer->End(); });
    }
    WatchHosts(m_log, domain, m_explainer);
    const auto found = m_worms.find(PeekPointer(domain->GetFabric()));
    if (found != m_worms.end())
    {
        WatchRegisters(m_log, domain, found->second);
    }
}

std::string
Timeline::Finish()
{
    Unregister();
    m_log->Close();
    return m_log->DescribeEmpty();
}

const std::vector<std::string>&
TimelineOptions::GetNames()
{
    static const std::vector<std::string> names{"timeline",
                                                "timelineFrom",
                                                "timelineUntil",
                                                "timelineHosts",
                                                "timelineExplain",
                                                "wormsCsv",
                                                "occupancyCsv",
                                                "occupancyInterval"};
    return names;
}

void
TimelineOptions::Add(ProgramOptions& options)
{
    options.Add("timeline",
                "FILE",
                "A timeline of the simulations as Chrome's trace event JSON, for Perfetto or "
                "'ns3-wormhole timeline'; compressed if the name ends in .gz");
    options.Add("timelineFrom", "TIME", "Start of the timeline; omits earlier events", "0us");
    options.Add("timelineUntil", "TIME", "End of the timeline; omits later events");
    options.Add("timelineHosts",
                "NAME,NAME",
                "Hosts in the timeline, with the worms from and to them; default: all");
    options.AddSwitch("timelineExplain",
                      "Explain in the timeline why each worm, and each member of a round, took as "
                      "long as it did; keeps all events in memory");
    options.Add("wormsCsv",
                "FILE",
                "A row for each worm of the simulations: when and where it went, how long it "
                "waited, and for which worm; compressed if the name ends in .gz");
    options.Add("occupancyCsv",
                "FILE",
                "Flits and waiting worms of each output over time; compressed if the name ends in "
                ".gz");
    options.Add("occupancyInterval",
                "TIME",
                "Time covered by one row of --occupancyCsv, such as 10us; default: from one change "
                "to the next");
}

TimelineOptions::Recorders
TimelineOptions::Begin(const OptionValues& options)
{
    for (const auto& name : GetNames())
    {
        const std::string of = name.rfind("timeline", 0) == 0 ? "timeline" : "occupancyCsv";
        if (options.Has(name) && name != "wormsCsv" && !options.Has(of))
        {
            options.RefuseAlone(name, of);
        }
    }
    Recorders made;
    if (options.Has("timeline"))
    {
        Timeline::Settings settings;
        settings.path = options.Get("timeline");
        settings.from = options.GetTime("timelineFrom");
        if (options.Has("timelineUntil"))
        {
            settings.until = options.GetTime("timelineUntil");
            if (settings.until <= settings.from)
            {
                options.Refuse("timelineUntil",
                               "expected a time after the beginning, " +
                                   ExactTime::Print(settings.from));
            }
        }
        settings.hosts = options.GetWords("timelineHosts");
        settings.explains = options.Has("timelineExplain");
        options.Check("timeline", [&] { made["timeline"] = std::make_unique<Timeline>(settings); });
    }
    Time interval;
    if (options.Has("occupancyInterval"))
    {
        interval = options.GetTime("occupancyInterval");
        if (!interval.IsStrictlyPositive())
        {
            options.Refuse("occupancyInterval", "expected a time above 0");
        }
    }
    const auto add = [&](const std::string& name, const WormTables::Settings& settings) {
        if (options.Has(name))
        {
            options.Check(name, [&] { made[name] = std::make_unique<WormTables>(settings); });
        }
    };
    add("wormsCsv", {options.Get("wormsCsv"), "", Time(0)});
    add("occupancyCsv", {"", options.Get("occupancyCsv"), interval});
    return made;
}

void
TimelineOptions::Finish(const Recorders& recorders, const std::string& program)
{
    for (const auto& [option, recorder] : recorders)
    {
        const auto empty = recorder->Finish();
        if (!empty.empty())
        {
            std::cerr << program << ": --" << option << ": " << empty << std::endl;
        }
    }
}

} // namespace ns3
