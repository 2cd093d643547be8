/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts one after the other, throttled or not, beside data traffic: the situation of the
// data-parallel codes of Hyder and Wood (1996), section 4.3. Writes CSV. See
// doc/studies/throttled-broadcasts.rst and --help. Its parameters are those of the study in
// helper/study/, where they can be read.

#include "ns3/study-registry.h"
#include "ns3/wormhole-study-program.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    return StudyProgram(__FILE__, *StudyRegistry::Make("broadcast-load")).Main(argc, argv);
}
