/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Network-Done, a barrier that nobody leaves while messages are under way, at the end of the quanta
// of a parallel simulator: the situation of Hyder and Wood (1996), section 3.2. Writes CSV. See
// doc/studies/network-done.rst and --help. Its parameters are those of the study in helper/study/,
// where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("network-done")).Main(argc, argv);
}
