// SPDX-License-Identifier: GPL-2.0-only

#ifndef BARRIER_RUN_H
#define BARRIER_RUN_H

#include "ns3/collective-helper.h"
#include "ns3/csv-table.h"
#include "ns3/fabric-graph.h"
#include "ns3/study-definition.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

struct BarrierSetup
{
    WormholeHelper fabrics;                ///< builds fabrics
    CollectiveHelper software;             ///< installs software and collective engines on fabrics
    BackgroundTraffic::Parameters traffic; ///< background traffic
};

/// Measures barriers of groups on one fabric. @param place returns hosts for a group of given size
/// @param rows the fabric's rows; their columns of means get this one fabric's results
/// @throws WormholeError if an inferred reduction is requested, but no cables join switches
void MeasureBarriers(const FabricGraph& graph,
                     const StudyDefinition& study,
                     const BarrierSetup& setup,
                     const std::function<std::vector<uint32_t>(uint32_t size)>& place,
                     std::vector<CsvRow>& rows);

/// @return whether flits take no time on a row's fabric
inline bool
IsFlitless(const CsvRow& row)
{
    return row["btin_timing"].Text() == "paper";
}

/// @return whether a reduction is inferred, by guesses at the model of Moh et al.
inline bool
IsInferredReduction(const std::string& reduction)
{
    return reduction == "paper-inferred" || reduction == "paper-inferred-serial";
}

} // namespace ns3

#endif /* BARRIER_RUN_H */
