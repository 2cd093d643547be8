// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWEEP_STUDY_H
#define SWEEP_STUDY_H

#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/fabric-options.h"
#include "ns3/nstime.h"
#include "ns3/ordering.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-definition.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-topology-factory.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class SweepStudy;

/// The definition of a SweepStudy: what it runs, what it varies, and its columns.
struct SweepCase
{
    StudyDefinition::Description description;
    CsvTable table;
    StudyDefinition::Draw draw;
    /// Parameters, in the order of the help text, before those of the fabric.
    std::vector<std::vector<StudyParameter>> parameters;
    std::pair<std::string, std::string> fabric; ///< default fabric: description and text
    bool hasTraffic{false};         ///< whether TrafficOptions reads load, pattern and flits;
                                    ///< if not, delays are parameters
    std::string placement{"first"}; ///< default placement of members
    std::string placed{};           ///< addition to the help text of placement
    /// Columns, each with a parameter that is a list: there is a row for each combination of
    /// values, of which the last parameter's vary fastest.
    std::vector<std::pair<std::string, std::string>> varied;
    std::string value;                                 ///< column of the result for a placement
    std::function<void(SweepStudy&)> addRules{};       ///< adds rules of parameters; may be null
    std::string names;                                 ///< parameter with the names of what runs
    std::function<void(const std::string&)> checkName; ///< refuses an unknown name
    /// Reads the other parameters, given the fabric; it may set m_common, with which rows begin.
    /// @return number of members; 0: all hosts
    std::function<uint32_t(SweepStudy&, const OptionValues&)> read;
    /// Measures a row, in a separate simulation.
    std::function<void(SweepStudy&, CsvRow&)> measure;
    int64_t placementStream{1 << 20}; ///< stream of random placements
};

/// A study of programs on a fabric, for all combinations of varied parameters; each measurement
/// builds the fabric and the hosts' software anew.
class SweepStudy : public StudyDefinition
{
  public:
    explicit SweepStudy(const SweepCase& of)
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
        AddPlacement(of.placement, 1, KeysOf(of.varied), of.value, of.placed);
        if (of.addRules)
        {
            of.addRules(*this);
        }
    }

    void Measure(const ProgressListener& progress) override
    {
        std::optional<SeedKeeper> seed;
        const auto isSeed = [](const auto& parameter) { return parameter.name == "seed"; };
        if (AnyOf(GetParameters(), isSeed))
        {
            seed.emplace(Get<uint32_t>("seed"));
        }
        StudyDefinition::Measure(progress);
    }

    /// @{ made public for SweepCase
    using StudyDefinition::AddCondition;
    using StudyDefinition::AddNeed;
    using StudyDefinition::AddOwnAttributes;
    using StudyDefinition::Choose;
    using StudyDefinition::m_job;
    using StudyDefinition::Ratios;
    using StudyDefinition::Times;
    using StudyDefinition::Wholes;
    using StudyDefinition::Words;

    /// @}

    /// @return parameters startUp and receive @param startUp,receive their defaults
    static std::vector<StudyParameter> GetMessageCosts(const std::string& startUp,
                                                       const std::string& receive)
    {
        return {"startUp=2us (" + startUp +
                    ") [time] ns3::HostSoftware::StartUp: How long a message keeps its sender's "
                    "software busy",
                "receive=1us (" + receive +
                    ") [time] ns3::HostSoftware::ReceiveOverhead: How long a message keeps its "
                    "receiver's software busy"};
    }

    Ptr<CollectiveDomain> Install() const
    {
        return m_software.Install(m_fabrics.Install(GetGraph()), GetGraph());
    }

    const FabricGraph& GetGraph() const
    {
        return m_topology->graph;
    }

    uint32_t GetNHosts() const
    {
        return GetGraph().GetNFirstInterfaces();
    }

    Wholes Place(CsvRow& row) const
    {
        return PlaceMembers(GetGraph(), row, 0, m_case.placementStream);
    }

    /// Adds the ratio 0 before the other ratios of a parameter.
    void ChooseNone(const std::string& name)
    {
        auto ratios = Get<Ratios>(name);
        ratios.insert(ratios.begin(), 0);
        Choose(name, ratios);
    }

    /// @return maximum time for which a message occupies a channel and the software of both hosts
    static Time GetMessageTime(const CollectiveDomain& domain, uint32_t bytes)
    {
        const auto fabric = domain.GetFabric();
        auto time = fabric->GetFlitTime() * static_cast<int64_t>(fabric->GetFlits(bytes));
        for (const auto attribute :
             {"StartUp", "ReceiveOverhead", "UnexpectedTime", "InterruptTime"})
        {
            TimeValue part;
            domain.GetSoftware(0)->GetAttribute(attribute, part);
            time += part.Get();
        }
        return time;
    }

    /// Runs a simulation under background traffic. @param last returns the time of the last
    /// progress @param limit maximum time without progress
    static void Run(const CollectiveDomain& domain,
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

    std::shared_ptr<const WormholeTopology> m_topology; ///< the fabric's graph and routes
    WormholeHelper m_fabrics;                           ///< builds the fabric
    CollectiveHelper m_software;                        ///< gives its hosts their software
    BackgroundTraffic::Parameters m_traffic;            ///< background traffic
    CsvRow m_common;                                    ///< values common to all rows

  protected:
    void Validate(const OptionValues& values) override
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

    Rows ListRows() override
    {
        StudySweep sweep(m_common);
        for (const auto& [column, parameter] : m_case.varied)
        {
            Vary(sweep, column, parameter);
        }
        return sweep.Over("placement", GetPlacements()).GetRows();
    }

    CsvRow MeasureRow(CsvRow row, std::size_t) override
    {
        const SimulationScope ownSimulation;
        m_case.measure(*this, row);
        return row;
    }

  private:
    const SweepCase m_case;
};

} // namespace ns3

#endif /* SWEEP_STUDY_H */
