/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers by remote writes (RDMA) against barriers by messages, on nodes of one task and of
// several: the comparison of Gupta et al. (2002), Figures 4 to 6, or the same for one's own costs
// and fabric. Writes CSV and plots. See doc/studies/rdma-barriers.rst and --help. Its parameters
// are those of the study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("rdma-barrier")).Main(argc, argv);
}
