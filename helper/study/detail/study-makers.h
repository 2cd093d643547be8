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

/// @return btin-comparison, barriers in Python
std::unique_ptr<StudyDefinition> MakeBarrierStudy();

/// @return latency-load
std::unique_ptr<StudyDefinition> MakeLatencyLoadStudy();

/// @return fibo-tree, trees in Python: how long trees take to spread a message, the comparison of
/// Cordsen et al. (1997), by the cost model and simulated
std::unique_ptr<StudyDefinition> MakeTreeStudy();

/// @return rdma-barrier, rdma in Python
std::unique_ptr<StudyDefinition> MakeRdmaStudy();

/// @return smp-broadcast
std::unique_ptr<StudyDefinition> MakeSmpStudy();

/// @return sync-hardware
std::unique_ptr<StudyDefinition> MakeSyncStudy();

/// @return broadcasts one after the other, throttled or not, beside data traffic: the situation of
/// the data-parallel codes of Hyder and Wood (1996), section 4.3. All hosts are members of one
/// group or several, whose roots are spread over the hosts, and enter the next broadcast of each
/// group as soon as they leave one. The first quarter of each group's broadcasts is not measured;
/// data worms count if they are made after that, and arrive before the last broadcast is over
std::unique_ptr<StudyDefinition> MakeBroadcastLoadStudy();

/// @return latency of barriers beside data traffic, over the load: a group of hosts, drawn once,
/// does barrier after barrier, see LoadedBench. Each barrier and load has a simulation of its own,
/// with the same traffic at the same load. Without traffic all barriers of a group take as long, so
/// one is measured
std::unique_ptr<StudyDefinition> MakeLoadedBarrierStudy();

/// @return what Network-Done takes at the end of the quanta of a parallel simulator: the situation
/// of the Wisconsin Wind Tunnel in Hyder and Wood (1996), section 3.2. One process on each host of
/// a fabric; all methods get the same random numbers, so that processes send the same messages
/// after the same computations
std::unique_ptr<StudyDefinition> MakeNetworkDoneStudy();

/// @return how much of a barrier computing hides that processes do between entering it and waiting
/// for it: split-phase, or fuzzy, barriers. Processes, one on each of the fabric's first hosts, do
/// steps without a pause: they enter, compute and wait, or, for comparison, compute and meet in a
/// barrier that blocks. The time of a step is that of the last process, over all steps after those
/// in which processes fall into step
std::unique_ptr<StudyDefinition> MakeSplitStudy();

} // namespace ns3

#endif /* STUDY_MAKERS_H */
