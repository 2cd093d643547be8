// SPDX-License-Identifier: GPL-2.0-only

#include "sweep-study.h"

#include "ns3/fabric-options.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <optional>

namespace ns3
{

SweepStudy::SweepStudy(const SweepCase& of)
    : StudyDefinition(of.description, of.table, of.draw),
      m_common(m_table),
      m_case(of)
{
    for (const auto& some : of.parameters)
    {
        Add(some);
    }
    Add(FabricOptions::GetParameters(of.fabric.first, of.fabric.second));
    Add(of.hasTraffic ? TrafficOptions::GetParameters() : FabricOptions::GetDelays());
    Words keys;
    for (const auto& [column, parameter] : of.varied)
    {
        keys.push_back(column);
    }
    AddPlacement(of.placement, 1, keys, of.value, of.placed);
    if (of.addRules)
    {
        of.addRules(*this);
    }
}

std::vector<StudyParameter>
SweepStudy::GetMessageCosts(const std::string& startUp, const std::string& receive)
{
    return {"startUp=2us (" + startUp +
                ") [time] ns3::HostSoftware::StartUp: How long a message keeps its sender's "
                "software busy",
            "receive=1us (" + receive +
                ") [time] ns3::HostSoftware::ReceiveOverhead: How long a message keeps its "
                "receiver's software busy"};
}

void
SweepStudy::ChooseNone(const std::string& name)
{
    auto ratios = Get<Ratios>(name);
    ratios.insert(ratios.begin(), 0);
    Choose(name, ratios);
}

void
SweepStudy::Validate(const OptionValues& values)
{
    const std::string software = "ns3::HostSoftware::";
    for (const auto& parameter : GetParameters())
    {
        const auto& name = parameter.name;
        if (parameter.attribute.compare(0, software.size(), software) != 0)
        {
            continue;
        }
        const auto own = parameter.attribute.substr(software.size());
        if (parameter.kind == StudyParameter::TIME)
        {
            m_software.SetSoftwareAttribute(own, TimeValue(Get<Time>(name)));
        }
        else
        {
            m_software.SetSoftwareAttribute(own, StringValue(Get<std::string>(name)));
        }
    }
    if (!m_case.hasTraffic)
    {
        FabricOptions::SetDelays(values, m_fabrics);
    }
    m_topology = FabricOptions::Read(values);
    m_fabrics.SetRouter(m_topology->router);
    if (m_case.hasTraffic)
    {
        m_traffic = TrafficOptions::Read(values, &GetGraph());
        TrafficColumns::Set(m_common, m_traffic);
    }
    else
    {
        m_traffic.flits = Get<std::string>("flits");
        m_traffic.stream = 1;
        values.Check("flits", [&] { WormLength::Parse(m_traffic.flits); });
    }
    const auto members = m_case.read(*this, values);
    values.Check(m_case.names, [&] {
        const auto& names = Get<Words>(m_case.names);
        std::for_each(names.begin(), names.end(), m_case.checkName);
    });
    ReadPlacement(values, GetGraph(), {values.Get("placement"), members});
}

void
SweepStudy::Measure(const ProgressListener& progress)
{
    std::optional<SeedKeeper> seed;
    const auto isSeed = [](const auto& parameter) { return parameter.name == "seed"; };
    if (std::any_of(GetParameters().begin(), GetParameters().end(), isSeed))
    {
        seed.emplace(Get<uint32_t>("seed"));
    }
    StudyDefinition::Measure(progress);
}

StudyDefinition::Rows
SweepStudy::ListRows()
{
    StudySweep sweep(m_common);
    for (const auto& [column, parameter] : m_case.varied)
    {
        Vary(sweep, column, parameter);
    }
    return sweep.Over("placement", GetPlacements()).GetRows();
}

CsvRow
SweepStudy::MeasureRow(CsvRow row, std::size_t)
{
    const SimulationScope ownSimulation;
    m_case.measure(*this, row);
    return row;
}

Ptr<CollectiveDomain>
SweepStudy::Install() const
{
    return m_software.Install(m_fabrics.Install(GetGraph()), GetGraph());
}

Time
SweepStudy::GetMessageTime(const CollectiveDomain& domain, uint32_t bytes)
{
    const auto fabric = domain.GetFabric();
    auto time = fabric->GetFlitTime() * static_cast<int64_t>(fabric->GetFlits(bytes));
    for (const auto attribute : {"StartUp", "ReceiveOverhead", "UnexpectedTime", "InterruptTime"})
    {
        TimeValue part;
        domain.GetSoftware(0)->GetAttribute(attribute, part);
        time += part.Get();
    }
    return time;
}

void
SweepStudy::Run(const CollectiveDomain& domain,
                const BackgroundTraffic& traffic,
                const std::function<Time()>& last,
                Time limit)
{
    std::optional<StallDetector> watch;
    if (traffic.Get())
    {
        watch.emplace(domain, last, limit, limit / int64_t{4});
    }
    Simulator::Run();
}

} // namespace ns3
