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

/// Draws the rows of a study.
/// @return the plots
using StudyDrawing = std::vector<StudyPlot>(const std::vector<CsvRow>& rows,
                                            const std::vector<CsvRow>& published);

/// @{ makes the plots of a study whose plots have a source file of their own
StudyDrawing MakeBarrierPlots;
StudyDrawing MakeLatencyLoadPlots;
StudyDrawing MakeSyncPlots;
/// @}

/// Makes a study.
using StudyMaker = std::unique_ptr<StudyDefinition>();

/// @{ makes the study of the program named behind it
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

/// Makes the study latency-load with shorter or longer simulations.
/// @param allWorms total worms of a simulation, if that gives more per host @return the study
std::unique_ptr<StudyDefinition> MakeLatencyLoadStudy(uint64_t allWorms);

} // namespace ns3

#endif /* STUDY_MAKERS_H */
