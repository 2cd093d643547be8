/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long broadcasts take on a cluster of SMPs: the comparison of Sun et al., "Broadcast on
// Clusters of SMPs with Optimal Concurrency", Figures 5.1 to 5.4, or the same for one's own jobs
// and fabric. Writes CSV and plots. See doc/studies/smp-broadcast.rst and --help. Its parameters
// are those of the study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("smp-broadcast")).Main(argc, argv);
}
