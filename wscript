# SPDX-License-Identifier: GPL-2.0-only
#
# For ns-3 3.35, the last before CMake: contrib/wormhole in its tree.


# What tests with IP need of ns-3 besides; without one of these they are left out.
NETWORK_MODULES = [
    "internet",
    "applications",
    "bridge",
    "csma",
    "olsr",
    "point-to-point",
    "flow-monitor",
    "traffic-control",
]

# Folders of tests that need more than the library, or are a program of their own.
OTHER_TESTS = ["network", "config-store", "mpi", "fuzz"]


def configure(conf):
    missing = not conf.env["INCLUDES_BOOST"]
    if missing:
        conf.env["MODULES_NOT_BUILT"].append("wormhole")
    conf.report_optional_feature(
        "wormhole", "Wormhole fabrics", not missing, "Boost's headers (boost/graph) are missing"
    )


def find(bld, *patterns):
    return sorted(node.path_from(bld.path) for node in bld.path.ant_glob(list(patterns)))


def write_former_headers(bld):
    """Writes the headers of cmake/former-headers.txt, as cmake/headers.cmake does."""
    folder = bld.bldnode.make_node("ns3")
    folder.mkdir()
    for row in bld.path.find_node("cmake/former-headers.txt").read().splitlines():
        if row.startswith("#"):
            continue
        former, present, *classes = row.split()
        note = 'ns3/%s is deprecated: include ns3/%s' % (former, present)
        text = '#pragma message("%s")\n#include "ns3/%s"\n' % (note, present)
        for pair in classes:
            text += "namespace ns3 { using %s = %s; }\n" % tuple(pair.split("="))
        folder.make_node(former).write(text)


def build(bld):
    if "wormhole" in bld.env["MODULES_NOT_BUILT"]:
        return

    module = bld.create_ns3_module("wormhole", ["core", "network", "stats"])
    module.source = find(bld, "model/**/*.cc", "helper/**/*.cc")
    module.use.append("BOOST")

    tests = bld.create_ns3_module_test_library("wormhole")
    rooms = find(bld, "test/*/*.cc")
    # The last one's folder is the tests' to ns-3.
    tests.source = [name for name in rooms if name.split("/")[1] not in OTHER_TESTS]
    tests.source += find(bld, "test/*.cc")
    tests.source.remove("test/test-runner-main.cc")
    network = ["ns3-" + name for name in NETWORK_MODULES]
    if set(network) <= set(bld.env["NS3_ENABLED_MODULES"]):
        tests.source = find(bld, "test/network/*.cc") + tests.source
        tests.use += network
    if "ns3-config-store" in bld.env["NS3_ENABLED_MODULES"]:
        tests.source = find(bld, "test/config-store/*.cc") + tests.source
        tests.use.append("ns3-config-store")
    # These run an example that needs it.
    if "ns3-mpi" in bld.env["NS3_ENABLED_MODULES"] and bld.env["ENABLE_EXAMPLES"]:
        tests.source = find(bld, "test/mpi/*.cc") + tests.source

    headers = bld(features="ns3header")
    headers.module = "wormhole"
    # As in CMakeLists.txt: what lies in a folder below a room is private, but for the proofs.
    headers.source = find(bld, "model/*/*.h", "model/routing/proof/*.h", "helper/*/*.h")
    private_headers = bld(features="ns3privateheader")
    private_headers.module = "wormhole"
    private_headers.source = [
        name
        for name in find(bld, "model/*/*/*.h", "helper/*/*/*.h")
        if not name.startswith("model/routing/proof/")
    ]

    write_former_headers(bld)

    if bld.env["ENABLE_EXAMPLES"]:
        bld.recurse("examples")
