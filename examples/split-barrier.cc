/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How much of a barrier computing hides that processes do between entering it and waiting for it:
// split-phase, or fuzzy, barriers by software, remote writes, registers in switches and add-on
// networks. Writes CSV and plots. See doc/user/split-phase.rst and --help. Its parameters are those
// of the study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("split-barrier")).Main(argc, argv);
}
