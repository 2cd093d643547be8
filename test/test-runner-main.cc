// SPDX-License-Identifier: GPL-2.0-only

// The test runner of a build outside an ns-3 tree; inside one, ns-3's own runs the suites.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
