// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/json-file.h"

using namespace ns3;

SUITE("wormhole-file", UNIT);

namespace
{

/// A good case: three switches in a triangle, a host at each, a unicast worm and a tree worm.
const std::string GOOD = R"({
 "flit_time": 6250, "link_delay": 20000, "switch_delay": 0, "depth": 2,
 "replication": "sync", "ports": 4,
 "hosts": ["b", "a.1", "c"],
 "links": [
  ["b", 0, "s10", 0],
  ["a.1", 0, "s2", 0],
  ["s1", 0, "c", 0],
  ["s10", 1, "s2", 2],
  ["s2", 1, "s1", 2],
  ["s1", 1, "s10", 2]
 ],
 "worms": [
  {"time": 7, "flits": 5, "root": "a.1",
   "tree": {"s1": [0], "a.1": [0], "s2": [1]}},
  {"time": 0, "flits": 18446744073, "root": "b",
   "tree": {"b": [0],
            "s10": [2, 1],
            "s2": [0], "s1": [0]}}
 ]
}
)";

TEST_CASE(WormholeFileGoodTestCase, "A good case file, and the fabric in it")
{
    const std::string fabric = "0=s1 5:0 2:2 1:1 -\n"
                               "1=s2 4:0 0:2 2:1 -\n"
                               "2=s10 3:0 1:2 0:1 -\n"
                               "3=b 2:0\n4=a.1 1:0\n5=c 0:0\n";
    const auto path = WriteTemporary("good.json", GOOD);
    const auto got = ReadWormCase(path);
    NS_TEST_EXPECT_MSG_EQ(Describe(got.graph), fabric, "the case's fabric");
    NS_TEST_EXPECT_MSG_EQ(Describe(ReadFabricFile(path)), fabric, "as a fabric file");
    NS_TEST_EXPECT_MSG_EQ(got.timing.flitTimePs, 6250, "flit time");
    NS_TEST_EXPECT_MSG_EQ(got.timing.linkDelayPs, 20000, "link delay");
    NS_TEST_EXPECT_MSG_EQ(got.timing.switchDelayPs, 0, "switch delay");
    NS_TEST_EXPECT_MSG_EQ(got.timing.depth, 2, "depth");
    NS_TEST_EXPECT_MSG_EQ(got.sync, true, "replication");
    NS_TEST_ASSERT_MSG_EQ(got.worms.size(), 2, "worms");
    NS_TEST_EXPECT_MSG_EQ(got.worms[0].timePs, 7, "time");
    NS_TEST_EXPECT_MSG_EQ(got.worms[0].root, 4, "root");
    NS_TEST_EXPECT_MSG_EQ(got.worms[0].route.GetNStops(), 4, "a.1, s2, s1, c");
    NS_TEST_EXPECT_MSG_EQ(got.worms[1].flits, 18446744073, "more than 32 bits");

    const auto& worm = got.worms[1];
    const std::vector<std::string> names{"b", "s10", "s1", "s2", "c", "a.1"};
    const std::vector<GraphNode> nodes{3, 2, 0, 1, 5, 4};
    NS_TEST_EXPECT_MSG_EQ((worm.stopNames == names), true, "names in breadth-first order");
    NS_TEST_EXPECT_MSG_EQ((worm.stopNodes == nodes), true, "nodes in breadth-first order");
    NS_TEST_ASSERT_MSG_EQ(worm.route.GetNStops(), 6, "one stop for each node");
    NS_TEST_ASSERT_MSG_EQ(worm.route.At(1).size(), 2, "branches at s10");
    NS_TEST_EXPECT_MSG_EQ(worm.route.At(1)[0].port, 2, "ports in the order listed");
    NS_TEST_EXPECT_MSG_EQ(worm.route.At(1)[0].next, 2, "port 2 leads to s1");
    NS_TEST_EXPECT_MSG_EQ(worm.route.At(1)[1].port, 1, "ports in the order listed");
    NS_TEST_EXPECT_MSG_EQ(worm.route.At(5).size(), 0, "the worm ends in a host");
}

TEST_CASE(WormholeFileRoundTripTestCase, "Fabrics written and read again")
{
    const auto check = [&](const FabricGraph& graph) {
        const auto path = CreateTempDirFilename("round.json");
        WriteFabricFile(graph, path);
        const auto read = Describe(ReadFabricFile(path));
        NS_TEST_EXPECT_MSG_EQ(read, Describe(graph), "changed on its way");
    };
    FabricGraph ring(12, 12, 5); // s10 and s11 are behind s9, and two ports stay open
    for (GraphNode i = 0; i < 12; ++i)
    {
        ring.Connect(i, 3, (i + 1) % 12, 1);
        ring.Connect(i, 0, ring.HostAt(11 - i), 0);
    }
    check(ring);

    FabricGraph odd(2, 1, 3); // two cables in parallel, and names that JSON must quote
    ConnectAll(odd, {{0, 0, 1, 2}, {0, 2, 1, 0}, {2, 0, 1, 1}});
    odd.SetName(0, "3");
    odd.SetName(1, "10");
    odd.SetName(2, "a \"b\"\\ \xc3\xa9");
    check(odd);

    const auto swapped = WriteTemporary("swapped.json", R"({"hosts": ["s0", "s1"],
"links": [["h1", 0, "h2", 0], ["h1", 1, "s0", 0], ["h2", 1, "s1", 0]]})");
    const auto got = ReadFabricFile(swapped);
    NS_TEST_EXPECT_MSG_EQ(Describe(got),
                          "0=h1 1:0 2:0\n1=h2 0:0 3:0\n2=s0 0:1\n3=s1 1:1\n",
                          "names that other nodes would have by default");
    check(got);

    const auto nowhere = CreateTempDirFilename("no/such/folder.json");
    RefusesWith([&]() { WriteFabricFile(odd, nowhere); },
                nowhere + " can't be written: No such file or directory; expected a name in a "
                          "folder that is there and can be written to");
    NS_TEST_EXPECT_MSG_EQ(JsonFile::Quote("a\"\\\n"), R"("a\"\\\u000a")", "escapes");
}

/// A mistake made in the good case, and the message that it must get; ` stands for a quotation
/// mark.
struct Mistake
{
    std::string good;  ///< text to replace
    std::string bad;   ///< text put there instead
    std::string begin; ///< how the message goes on after file and colon: line, place, value
};

std::vector<Mistake>
FabricMistakes()
{
    return {
        {"`hosts`: [", "`hosts`: ", "4: '`hosts`: `b`, `a.1`, `c`],' here"},
        {"[`b`, 0, `s10`, 0],", "[`b`, 0, `s10`, 0]", "7: '[`a.1`, 0, `s2`, 0],' here"},
        {"[`b`, 0, `s10`", "[`b`, 0, `s10", "6: '`s10, 0],' has no end in its line"},
        {"`b`, `a.1`", "b, `a.1`", "4: '`hosts`: [b, `a.1`, `c`],' here"},
        {"[`b`, 0,", "[`b`, 01,", "6: '[`b`, 01, `s10`, 0],' here"},
        {" ]\n}\n", " ]\n\n\n", "20: ']' here"},
        {" ]\n}\n", " ]\n}\n\n}\n", "23: '}' here"},
        {"[`b`, 0,", "[" + std::string(100, '[') + "`b`, 0,", "6: '[[[[[["},
        {"`hosts`", "`host`", "4: host: 'host' is unknown"},
        {"`hosts`", "``", "4: [``]: '' is unknown"},
        {"`links`", "`hosts`", "5: hosts: 'hosts' is here twice"},
        {"`hosts`: [`b`, `a.1`, `c`],",
         "",
         "1: top level: '{ `flit_time`: 6250, `link_delay`: 20000, `switch_delay`: 0,...' has no "
         "'hosts'"},
        {GOOD, "[1, 2]\n", "1: top level: '[1, 2]' is an array"},
        {GOOD, "null", "1: top level: 'null' is a bare word"},
        {"[`b`, `a.1`, `c`]", "`b`", "4: hosts: 'b' is a string"},
        {"[`b`, `a.1`, `c`]", "[ ]", "4: hosts: '[ ]' has no hosts"},
        {"`a.1`, `c`]", "8, `c`]", "4: hosts[1]: '8' is a number"},
        {"`a.1`, `c`]", "true, `c`]", "4: hosts[1]: 'true' is a bare word"},
        {"`a.1`, `c`]", "``, `c`]", "4: hosts[1]: '' is no name"},
        {"`a.1`, `c`]", "`a\\nb`, `c`]", "4: hosts[1]: 'a\\u000ab' is no name"},
        {"`a.1`, `c`]", "`a.1`,\n`b`]", "5: hosts[2]: 'b' is the name of hosts[0] in line 4"},
        {"`c`]", "`c`, `d`]", "4: hosts[3]: 'd' has no cable"},
        {"`ports`: 4", "`ports`: `4`", "3: ports: '4' is a string"},
        {"`ports`: 4", "`ports`: 0", "3: ports: '0' is out of range"},
        {"`ports`: 4", "`ports`: 4097", "3: ports: '4097' is out of range"},
        {"`ports`: 4", "`ports`: 2", "9: links[3][3]: '2' is no port of 's2': expected 0 to 1"},
        {"`ports`: 4", "`ports`: 4.0", "3: ports: '4.0' is no whole number"},
        {"[`b`, 0, `s10`, 0]", "{`b`: 0, `s10`: 0}", "6: links[0]: '{`b`: 0, `s10`: 0}' is an"},
        {"[`s1`, 0, `c`, 0]", "[`s1`, 0,\n `c`]", "8: links[2]: '[`s1`, 0, `c`]' has 3 entries"},
        {"[`s1`, 0, `c`, 0]", "[`s1`, 0, `c`, 0, 0]", "8: links[2][4]: '0' is a number"},
        {"[`s1`, 0, `c`, 0]",
         "[`s1`, 0, `c`, 0, {}, 0]",
         "8: links[2]: '[`s1`, 0, `c`, 0, {}, 0]' has 6"},
        {"`c`, 0]", "`c`, 0, {`speed`: 1}]", "8: links[2][4].speed: 'speed' is unknown"},
        {"`c`, 0]", "`c`, 0, {`rate`: `fast`}]", "8: links[2][4].rate: 'fast' is not accepted"},
        {"`c`, 0]", "`c`, 0, {`rate`: 10}]", "8: links[2][4].rate: '10' is a number"},
        {"`c`, 0]", "`c`, 0, {`delay`: `3m`}]", "8: links[2][4].delay: '3m' is"},
        {"`c`, 0]", "`c`, 0, {`delay`: `0ns`}]", "8: links[2][4].delay: '0ns' is not accepted"},
        {"`c`, 0]", "`c`, 0, {`length`: `3ns`}]", "8: links[2][4].length: '3ns' is not accepted"},
        {"`c`, 0]",
         "`c`, 0, {`length`: `0.0001m`}]",
         "8: links[2][4].length: '0.0001m' is not accepted"},
        {"`c`, 0]",
         "`c`, 0, {`length`: `3m`, `delay`: `3ns`}]",
         "8: links[2][4].delay: '3ns' is not accepted: expected one of delay and length"},
        {"`c`, 0]", "`c`, 0, {`depth`: 0}]", "8: links[2][4].depth: '0' is out of range"},
        {"`c`, 0]", "`c`, 0, {`depth`: `0KiB`}]", "8: links[2][4].depth: '0KiB' is not accepted"},
        {"`c`, 0]", "`c`, 0, {`flit_time`: 0}]", "8: links[2][4].flit_time: '0' is out of range"},
        {"`hosts`: [",
         "`switch_delays`: {`a.1`: 1}, `hosts`: [",
         "4: switch_delays[`a.1`]: 'a.1' is no switch"},
        {"`hosts`: [",
         "`switch_delays`: {`s2`: -1}, `hosts`: [",
         "4: switch_delays.s2: '-1' is out of range"},
        {"`s10`, 0],", "`s10`, `0`],", "6: links[0][3]: '0' is a string"},
        {"`s10`, 0],", "`s10`, -1],", "6: links[0][3]: '-1' is out of range"},
        {"`s10`, 0],", "`s10`, 4096],", "6: links[0][3]: '4096' is out of range"},
        {"`s10`, 0],", "`s10`, 1e0],", "6: links[0][3]: '1e0' is no whole number"},
        {"`s10`, 0],", "null, 0],", "6: links[0][2]: 'null' is a bare word"},
        {"[`a.1`, 0,", "[`a.1`, 1,", "7: links[1][1]: '1' is no port of 'a.1': expected 0"},
        {"[`a.1`, 0,", "[`b`, 0,", "7: links[1][0]: 'b' is taken by links[0] in line 6"},
        {"`s2`, 2]", "`s2`, 0]", "9: links[3][3]: '0' is taken by links[1] in line 7"},
        {"`s1`, 0, `c`", "`a.1`, 0, `c`", "8: links[2][2]: 'c' is a host, like 'a.1'"},
        {"[`s10`, 1, `s2`", "[`s2`, 3, `s2`", "9: links[3][2]: 's2' is linked to itself"},
        {"[`s10`, 1, `s2`, 2],\n  [`s2`, 1, `s1`, 2],",
         "",
         "7: links[1][2]: 's2' can't be reached from 's1'"},
        // A mistyped switch is named, and not who else cannot be reached.
        {"`s10`, 0],", "`s1O`, 0],", "6: links[0][2]: 's1O' can't be reached from 's1'"},
        {"`s10`, 0],", "`S10`, 0],", "6: links[0][2]: 'S10' can't be reached from 's1'"},
    };
}

/// @return mistakes in timing and worms, which the fabric reader passes over
std::vector<Mistake>
CaseMistakes()
{
    const std::string way = "`tree`: {`s1`: [0], `a.1`: [0], `s2`: [1]}";
    return {
        {"`flit_time`: 6250, ",
         "",
         "1: top level: '{ `link_delay`: 20000, `switch_delay`: 0, `depth`: 2, `repli...' has no "
         "'flit_time'"},
        {"`flit_time`: 6250", "`flit_time`: 0", "2: flit_time: '0' is out of range"},
        {"`flit_time`: 6250", "`flit_time`: 6.25", "2: flit_time: '6.25' is no whole number"},
        {"`link_delay`: 20000", "`link_delay`: 0", "2: link_delay: '0' is out of range"},
        {"`link_delay`: 20000",
         "`link_delay`: 9223372036854775808",
         "2: link_delay: '9223372036854775808' is out of range"},
        {"`link_delay`: 20000",
         "`link_delay`: 3600000000000001",
         "2: link_delay: '3600000000000001' is out of range: expected a whole number from 1 to "
         "3600000000000000"},
        {"`switch_delay`: 0",
         "`switch_delay`: 9223372036854775807",
         "2: switch_delay: '9223372036854775807' is out of range"},
        {"`depth`: 2",
         "`depth`: 268435456",
         "2: depth: '268435456' is out of range: expected a whole number from 1 to 268435455"},
        {"`switch_delay`: 0", "`switch_delay`: -1", "2: switch_delay: '-1' is out of range"},
        {"`depth`: 2", "`depth`: 0", "2: depth: '0' is out of range"},
        {"`sync`", "`lazy`", "3: replication: 'lazy' is unknown: expected async or sync"},
        {"`sync`", "true", "3: replication: 'true' is a bare word"},
        {"`ports`",
         "`route_header`: `path`, `ports`",
         "3: route_header: 'path' is unknown: expected none or source"},
        {"`ports`", "`route_header`: 1, `ports`", "3: route_header: '1' is a number"},
        {"`ports`", "`flit_size`: 0, `ports`", "3: flit_size: '0' is out of range"},
        {"`ports`",
         "`transit`: `all`, `ports`",
         "3: transit: 'all' is unknown: expected none, whole or as-it-comes"},
        {"`replication`: `sync`",
         "`grant`: `worm`, `transit`: `whole`",
         "3: transit: 'whole' is whole, but grant is worm: expected none"},
        {"`ports`", "`transit_delay`: -1, `ports`", "3: transit_delay: '-1' is out of range"},
        {"`ports`",
         "`host_delay`: 8, `ports`",
         "14: worms[0].time: '7' is out of range: expected a whole number from 8 to"},
        {"`time`: 7", "`time`: -7", "14: worms[0].time: '-7' is out of range"},
        {"`time`: 7", "`at`: 7", "14: worms[0].at: 'at' is unknown here"},
        {"`time`: 7, ",
         "",
         "14: worms[0]: '{`flits`: 5, `root`: `a.1`, `tree`: {`s1`: [0], `a.1`: [0], ...' has no "
         "'time'"},
        {"`flits`: 5", "`flits`: 0", "14: worms[0].flits: '0' is out of range"},
        {"`flits`: 18446744073",
         "`flits`: 1441151880759",
         "16: worms[1].flits: '1441151880759' is out of range: expected a whole number from 1 to "
         "1441151880758"},
        {"`time`: 7",
         "`time`: 2305843009213693900",
         "14: worms[0].flits: '5' is too long a worm at 2305843009213693900 ps"},
        {"`root`: `a.1`", "`root`: `s2`", "14: worms[0].root: 's2' is a switch"},
        {"`root`: `a.1`", "`root`: `z`", "14: worms[0].root: 'z' is no node"},
        {"`root`: `a.1`",
         "`root`: `c`",
         "15: worms[0].tree[`a.1`]: 'a.1' is a host, where a worm ends"},
        {"`a.1`: [0], ", "", "15: worms[0].tree: '{`s1`: [0], `s2`: [1]}' has no entry for"},
        {"`a.1`: [0]", "`a.1`: [1]", "15: worms[0].tree[`a.1`][0]: '1' is out of range"},
        {"`a.1`: [0]", "`a.1`: 0", "15: worms[0].tree[`a.1`]: '0' is a number"},
        {"`s2`: [1]", "`s2`: []", "15: worms[0].tree.s2: '[]' has no port"},
        {"`s2`: [1]", "`s2`: [3]", "15: worms[0].tree.s2[0]: '3' is an open port of 's2'"},
        {"`s2`: [1]", "`s2`: [4]", "15: worms[0].tree.s2[0]: '4' is out of range"},
        {"`s2`: [1]", "`s2`: [`1`]", "15: worms[0].tree.s2[0]: '1' is a string"},
        {"`s2`: [1]", "`s2`: [1, 1]", "15: worms[0].tree.s2[1]: '1' leads to 's1', where"},
        {"`s2`: [1]", "`s2`: [1, 2]", "15: worms[0].tree.s2[1]: '2' leads to 's10', a switch"},
        {"`s2`: [1]", "`s2`: [0]", "15: worms[0].tree.s2[0]: '0' leads to 'a.1', where"},
        {"`s2`: [1]", "`s4`: [1]", "15: worms[0].tree.s4: 's4' is no node of the fabric"},
        {"`s2`: [1]", "`s2`: [1],\n`s1`: [0]", "16: worms[0].tree.s1: 's1' is here twice"},
        {"`s2`: [1]", "`s2`: [1],\n`s10`: [0]", "16: worms[0].tree.s10: 's10' is never"},
        {way, "`path`: []", "15: worms[0].path: '[]' ends at 'a.1': expected output ports"},
        {way, "`path`: [0, 1]", "15: worms[0].path: '[0, 1]' ends at 's1'"},
        {way, "`path`: [0, 3]", "15: worms[0].path[1]: '3' is an open port of 's2'"},
        {way,
         "`path`: [0, 1, 0, 0]",
         "15: worms[0].path[3]: '0' goes on beyond 'c', a host: expected a path that ends there, "
         "unless transit is whole or as-it-comes"},
        {way,
         "`path`: [0, {`any`: [1]}, 0]",
         "15: worms[0].path[1]: '{`any`: [1]}' are choices: expected a port or [port, lane], or a "
         "tree in place of the path"},
        {way,
         "`path`: [0, 1, 1, 1, 1]",
         "15: worms[0].path[4]: '1' is a port of 's2' that the worm has taken"},
        {way,
         way + ", `path`: [0, 1, 0]",
         "14: worms[0]: '{`time`: 7, `flits`: 5, `root`: `a.1`, `tree`: {`s1`: [0], `...' has a "
         "tree and a path: expected one of the two"},
        {", `root`: `a.1`,\n   " + way,
         ", `root`: `a.1`",
         "14: worms[0]: '{`time`: 7, `flits`: 5, `root`: `a.1`}' has no tree and no path"},
        {"[2, 1]", "[2, 1, 0]", "18: worms[1].tree.s10[2]: '0' leads to 'b', where the worm has"},
        {"`s2`: [0]", "`s2`: [0, 1]", "19: worms[1].tree.s2[1]: '1' leads to 's1', where"},
    };
}

TEST_CASE(WormholeFileMistakeTestCase, "Mistakes in files are refused")
{
    const auto checkMessage = [&](const std::string& message, const std::string& begin) {
        NS_TEST_EXPECT_MSG_EQ(message.substr(0, begin.size()), begin, "wrong message: " << message);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "two lines: " << message);
        const bool helpful = message.find("expected ") != std::string::npos || begin.empty() ||
                             message.find("is no JSON: garbage after data") != std::string::npos;
        NS_TEST_EXPECT_MSG_EQ(helpful, true, "doesn't say what is accepted: " << message);
    };
    const auto path = CreateTempDirFilename("mistake.json");
    const auto fabric = [&path]() { ReadFabricFile(path); };
    const auto full = [&path]() { ReadWormCase(path); };
    const auto quoted = [](std::string text) {
        std::replace(text.begin(), text.end(), '`', '"');
        return text;
    };
    const auto make = [&path, &quoted](const Mistake& mistake) {
        auto text = GOOD;
        text.replace(text.find(quoted(mistake.good)), mistake.good.size(), quoted(mistake.bad));
        WriteText(path, text);
        return path + ':' + quoted(mistake.begin);
    };
    for (const auto& mistake : FabricMistakes())
    {
        const auto begin = make(mistake);
        checkMessage(ErrorOf(fabric), begin);
        checkMessage(ErrorOf(full), begin);
    }
    for (const auto& mistake : CaseMistakes())
    {
        const auto begin = make(mistake); // the file first, then what is said of it
        checkMessage(ErrorOf(full), begin);
    }
    // A fabric file needs nothing but its fabric; a case file does.
    WriteText(path, R"({"hosts": ["h"], "links": [["h", 0, "s", 7]]})");
    checkMessage(ErrorOf(fabric), "");
    NS_TEST_EXPECT_MSG_EQ(ReadFabricFile(path).GetNPorts(0), 8, "highest port used plus 1");
    checkMessage(ErrorOf(full), path + ":1: top level: '{\"hosts\": [\"h\"],");
    WriteText(path, R"({"hosts": ["h"], "links": []})");
    checkMessage(ErrorOf(fabric), path + ":1: links: '[]' has no switch");
    WriteText(path, R"({"hosts": ["h", "g"], "links": [["h", 0, "g", 0]]})");
    checkMessage(ErrorOf(fabric), path + ":1: links[0][2]: 'g' is a host, like 'h'");
    WriteText(path, "");
    checkMessage(ErrorOf(fabric), path + ": empty file: expected a JSON file");
    const std::string bare = R"({"hosts": ["h"], "links": [["h", 0, "s", 7]]})";
    WriteText(path, "\xef\xbb\xbf" + bare);
    checkMessage(ErrorOf(fabric), "");
    WriteText(path, "\xef,\xbf" + bare);
    checkMessage(ErrorOf(fabric), path + ":1: byte 0xef at the beginning is no byte order mark");
    const auto nowhere = CreateTempDirFilename("nowhere.json");
    checkMessage(ErrorOf([&nowhere]() { ReadWormCase(nowhere); }),
                 nowhere + ": No such file or directory: expected a file that can be read");
}

SUITE("wormhole-lane-files", UNIT);

/// @return what attributes of a fabric's lanes say, with blanks between
std::string
InstallLanes(const FabricGraph& graph)
{
    const auto fabric = WormholeHelper().Install(graph);
    const auto text = TextOf(fabric, "Lanes") + " " + TextOf(fabric, "Priorities") + " " +
                      TextOf(fabric, "Grant");
    Simulator::Destroy();
    return text;
}

std::string
FileOf(const std::string& entries)
{
    return "{" + entries + R"("hosts": ["h0", "h1"],
 "links": [["h0", 0, "s0", 0], ["h1", 0, "s0", 1]]})";
}

} // namespace

TEST_CASE(LaneFilesTestCase, "Lanes in fabric files")
{
    const auto check = [&](const std::string& entries, const std::string& attributes) {
        const auto path = WriteTemporary("lanes.json", FileOf(entries));
        const auto again = CreateTempDirFilename("again.json");
        const auto twice = CreateTempDirFilename("twice.json");
        WriteFabricFile(ReadFabricFile(path), again);
        WriteFabricFile(ReadFabricFile(again), twice);
        for (const auto& file : {path, again, twice})
        {
            NS_TEST_EXPECT_MSG_EQ(InstallLanes(ReadFabricFile(file)), attributes, entries);
        }
    };
    const auto refuseFile = [&](const std::string& entries, const std::string& part) {
        const auto path = WriteTemporary("wrong.json", FileOf("\n" + entries));
        SaysAll(ErrorOf([&] { ReadFabricFile(path); }), {part, path + ":2"});
    };
    check("", "1  flit");
    check(R"("lanes": 4, "grant": "worm",)", "4  worm");
    check(R"("lanes": 2, "priorities": [0, 7], "grant": "worm",)", "2 0,7 worm");
    check(R"("grant": "worm",)", "1  worm");
    check(R"("lanes": 1,)", "1  flit");
    refuseFile(R"("lanes": 0, "grant": "worm",)", "256");
    refuseFile(R"("lanes": 257, "grant": "worm",)", "256");
    refuseFile(R"("lanes": 2,)", "are several: expected 1, or grant worm");
    refuseFile(R"("lanes": 2, "grant": "flit",)", "are several");
    refuseFile(R"("grant": "frame",)", "expected flit or worm");
    refuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1],)",
               "are of 1 lanes: expected one for each of 2");
    refuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1, 256],)", "255");
}

static std::string
Lanes(const std::string& entries)
{
    return InstallLanes(MakeTopology("torus:4x4" + entries).graph);
}

TEST_CASE(LaneTextsTestCase, "Lanes in topology texts, beside routes of several lanes")
{
    NS_TEST_EXPECT_MSG_EQ(Lanes(",lanes=3,priorities=0+2+1,grant=worm"), "3 0,2,1 worm", "all");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",grant=worm"), "1  worm", "one lane");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline"), "2  worm", "the routes' own");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline,lanes=4,grant=worm"), "4  worm", "more");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline,grant=worm"), "2  worm", "the routes' own");
    const auto file = CreateTempDirFilename("torus.json");
    const auto text = "torus:4x4,lanes=2,priorities=1+0,grant=worm,routing=dateline";
    WriteFabricFile(MakeTopology(text).graph, file);
    NS_TEST_EXPECT_MSG_EQ(InstallLanes(ReadFabricFile(file)), "2 1,0 worm", "through a file");
    const auto refuse = [this](const std::string& entries, const std::string& part) {
        Refuses([&] { Lanes(entries); }, part);
    };
    refuse(",lanes=2", "lanes: 2 without grant worm; expected 1, or grant worm");
    refuse(",lanes=257,grant=worm", "lanes: '257' is not accepted; expected whole numbers");
    refuse(",lanes=two,grant=worm", "lanes: 'two'");
    refuse(",grant=frame", "grant: 'frame' is not accepted; expected flit or worm");
    refuse(",priorities=0+1", "expected one for each of 1");
    refuse(",priorities=0+", "priorities: '' is not accepted");
    refuse(",routing=dateline,grant=flit",
           "the fabric's grant is flit, but its routes take 2 lanes; expected grant worm");
}
