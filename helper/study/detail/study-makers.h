// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_MAKERS_H
#define STUDY_MAKERS_H

#include "study-plot.h"

#include "ns3/study-definition.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// Draws rows of a study.
/// @return its plots
using StudyDrawing = std::vector<StudyPlot>(const std::vector<CsvRow>& rows,
                                            const std::vector<CsvRow>& published);

/// @{ draws what is drawn in a file of its own
StudyDrawing MakeBarrierPlots;
StudyDrawing MakeLatencyLoadPlots;
StudyDrawing MakeSyncPlots;
/// @}

/// Makes a study.
using StudyMaker = std::unique_ptr<StudyDefinition>();

/// @{ a study, by its program's name
StudyMaker MakeBarrierStudy;       // btin-comparison
StudyMaker MakeLatencyLoadStudy;   // latency-load
StudyMaker MakeTreeStudy;          // fibo-tree
StudyMaker MakeRdmaStudy;          // rdma-barrier
StudyMaker MakeSmpStudy;           // smp-broadcast
StudyMaker MakeSyncStudy;          // sync-hardware
StudyMaker MakeBroadcastLoadStudy; // broadcast-load
StudyMaker MakeLoadedBarrierStudy; // barriers-under-load
StudyMaker MakeNetworkDoneStudy;   // network-done
StudyMaker MakeSplitStudy;         // split-barrier
/// @}

/// Has simulations of latency-load be shorter, or longer.
/// @param allWorms worms of all hosts in one, where that is more for each @return the study
std::unique_ptr<StudyDefinition> MakeLatencyLoadStudy(uint64_t allWorms);

} // namespace ns3

#endif /* STUDY_MAKERS_H */
