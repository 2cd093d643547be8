/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Compares barriers in the switches of an irregular fabric (BTIN) with barriers by messages: the
// evaluation of Moh et al. (2001), Figures 6 to 8, or the same for one's own fabric. Writes CSV and
// plots. See doc/studies/barriers.rst, and --help. Its parameters are those of the
// study in helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("btin-comparison")).Main(argc, argv);
}
