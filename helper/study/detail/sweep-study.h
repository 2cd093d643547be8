// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWEEP_STUDY_H
#define SWEEP_STUDY_H

#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/nstime.h"
#include "ns3/study-definition.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-topology-factory.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class SweepStudy;

/// What runs, what is varied and which columns there are: a case of SweepStudy.
struct SweepCase
{
    StudyDefinition::Description description;
    CsvTable table;
    StudyDefinition::Draw draw;
    /// Parameters, in the order of the help text, before those of the fabric.
    std::vector<std::vector<StudyParameter>> parameters;
    std::pair<std::string, std::string> fabric; ///< the one without options, in words and as text
    bool hasTraffic{false}; ///< whether load, pattern and flits are as TrafficOptions reads them;
                            ///< else delays are parameters
    std::string placement{"first"}; ///< of members, without the option
    std::string placed{};           ///< what its help text says besides
    /// Columns and parameters, lists, of whose values rows are all combinations; the last ones vary
    /// fastest.
    std::vector<std::pair<std::string, std::string>> varied;
    std::string value;                                 ///< column of what is found in a placement
    std::function<void(SweepStudy&)> addRules{};       ///< adds what parameters need; may be null
    std::string names;                                 ///< parameter of the names of what is run
    std::function<void(const std::string&)> checkName; ///< refuses a name of nothing to run
    /// Takes what else is asked for, on the fabric; rows begin with what it puts into m_common.
    /// @return number of members; 0: all hosts
    std::function<uint32_t(SweepStudy&, const OptionValues&)> read;
    /// Measures a row, in a simulation of its own.
    std::function<void(SweepStudy&, CsvRow&)> measure;
    int64_t placementStream{1 << 20}; ///< stream of random placements
};

/// A study of programs on a fabric, which each measurement has anew with its hosts' software, for
/// all combinations of what is varied.
class SweepStudy : public StudyDefinition
{
  public:
    explicit SweepStudy(const SweepCase& of);

    void Measure(const ProgressListener& progress) override;

    /// @{ for cases
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

    /// @return startUp and receive @param startUp,receive times without the options
    static std::vector<StudyParameter> GetMessageCosts(const std::string& startUp,
                                                       const std::string& receive);

    Ptr<CollectiveDomain> Install() const;

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

    /// Has none be measured, too, before the ratios of a parameter.
    void ChooseNone(const std::string& name);

    /// @return how long a message occupies a channel and both its hosts' software, at most
    static Time GetMessageTime(const CollectiveDomain& domain, uint32_t bytes);

    /// Runs a simulation beside data traffic. @param last returns when something was done last
    /// @param limit how long that may be ago
    static void Run(const CollectiveDomain& domain,
                    const BackgroundTraffic& traffic,
                    const std::function<Time()>& last,
                    Time limit);

    std::shared_ptr<const WormholeTopology> m_topology; ///< the fabric's graph and routes
    WormholeHelper m_fabrics;                           ///< builds it
    CollectiveHelper m_software;                        ///< gives its hosts their software
    BackgroundTraffic::Parameters m_traffic;            ///< what there is beside members
    CsvRow m_common;                                    ///< what all rows have in common

  protected:
    void Validate(const OptionValues& values) override;
    Rows ListRows() override;
    CsvRow MeasureRow(CsvRow row, std::size_t number) override;

  private:
    const SweepCase m_case;
};

} // namespace ns3

#endif /* SWEEP_STUDY_H */
