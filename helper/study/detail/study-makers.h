/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_MAKERS_H
#define STUDY_MAKERS_H

#include "ns3/study-definition.h"

#include <memory>

namespace ns3
{

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

} // namespace ns3

#endif /* STUDY_MAKERS_H */
