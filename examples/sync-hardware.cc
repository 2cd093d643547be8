/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What synchronisation hardware brings to a network of workstations, and what it may cost: the
// tables of Hyder and Wood (1996), or the same for one's own applications, costs and prices. Writes
// CSV and plots. See doc/studies/sync-hardware.rst and --help. Its parameters are those of the
// study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("sync-hardware")).Main(argc, argv);
}
