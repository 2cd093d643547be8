/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Latency of barriers beside data traffic, over the load that hosts offer. Writes CSV and plots.
// See doc/user/traffic.rst and --help. Its parameters are those of the study in helper/study/,
// where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("barriers-under-load")).Main(argc, argv);
}
