/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long trees take to spread a message among processes, by the cost model of Cordsen et al.
// (1997) and simulated: their Figures 4 and 10, or the same for one's own costs and fabric. Writes
// CSV and plots. See doc/studies/communication-trees.rst and --help. Its parameters are those of
// the study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("fibo-tree")).Main(argc, argv);
}
