// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/sync-machine.h"
#include "ns3/sync-workload.h"

#include <filesystem>

using namespace ns3;

SUITE("wormhole-sync-study", UNIT);

namespace
{

/// Three of the paper's applications, from its Tables 2 to 6.
const char* const THREE = R"({"workloads": [
  {"name": "water", "table": 3, "reference": "hw-1", "speedup": 6.66,
   "delayed": {"delayUs": 100, "speedup": 4.06}, "perSecond": {"barrier": 2324}},
  {"name": "dycore", "table": 4, "reference": "hw-1", "speedup": 9.96,
   "delayed": {"delayUs": 100, "speedup": 7.93}, "perSecond": {"barrier": 1319}},
  {"name": "metspin", "table": 6, "reference": "hw-all", "speedup": 6.53,
   "delayed": {"delayUs": 100, "speedup": 6.12},
   "perSecond": {"barrier": 467, "addToHost": 101, "broadcast": 2565}}
]})";

/// Speedups that the paper prints, without delay.
const char* const SPEEDUPS = "id,table,row,hardware,delay_us,value,unit,use,where,why\n"
                             "a,3,water,none,0,5.81,,predicted,,\n"
                             "b,3,water,hw-1,0,6.66,,fit,,\n"
                             "c,4,dycore,none,0,8.94,,predicted,,\n"
                             "d,4,dycore,hw-1,0,9.96,,fit,,\n"
                             "e,6,metspin,none,0,4.01,,predicted,,\n"
                             "f,6,metspin,hw-1,0,4.67,,predicted,,\n"
                             "g,7,water,hw-1,0,2908,dollars,predicted,,\n";

SyncMachine
MakeMachine(const std::string& hardware, int64_t delayUs)
{
    SyncMachine::Parameters parameters;
    parameters.hardware = hardware;
    parameters.delay = MicroSeconds(delayUs);
    return SyncMachine(parameters);
}

TEST_CASE(SyncLatencyTestCase, "Table 1: butterflies of 60.0 and 307.0 us, and all else by model")
{
    const auto o = PicoSeconds(10'375'000);
    const auto l0 = PicoSeconds(1'625'000);
    Same(SyncMachine::ChooseRadices(32, o, l0), {2, 2, 2, 2, 2}, "radix 2");
    Same(SyncMachine::ChooseRadices(32, o, l0 + MicroSeconds(100)), {8, 4}, "radix 8, then 4");
    for (const auto& [delay, expected] : {std::make_pair(0, 60), std::make_pair(100, 307)})
    {
        const auto machine = MakeMachine("none", delay);
        const auto simulated = machine.RunEvent(SyncWorkload::BARRIER);
        NS_TEST_EXPECT_MSG_EQ(simulated, MicroSeconds(expected), "barrier, simulated");
        const auto model = machine.GetModelTime(SyncWorkload::BARRIER);
        NS_TEST_EXPECT_MSG_EQ(model, MicroSeconds(expected), "barrier, model");
    }
    for (const auto event : {SyncWorkload::BARRIER,
                             SyncWorkload::AND,
                             SyncWorkload::ADD,
                             SyncWorkload::MAX,
                             SyncWorkload::ADD_TO_HOST,
                             SyncWorkload::BROADCAST})
    {
        for (const auto& [hardware, delay] :
             Combine<std::string, int>({"none", "hw-1", "hw-all"}, {0, 3, 100}))
        {
            const auto machine = MakeMachine(hardware, delay);
            NS_TEST_EXPECT_MSG_EQ(machine.RunEvent(event),
                                  machine.GetModelTime(event),
                                  hardware << ", event " << event << ", " << delay);
        }
        // Flits take time on a fabric, and nothing in its closed form.
        auto machine = MakeMachine("in-switch", 100);
        const auto model = machine.GetModelTime(event);
        const auto simulated = machine.RunEvent(event);
        Holds(simulated >= model && simulated < model + MicroSeconds(1),
              Text("in-switch, event ", event, ": ", simulated));
    }
}

TEST_CASE(SyncNodesTestCase, "Other numbers of nodes: model and simulation agree")
{
    for (const auto& [nodes, delay] :
         Combine<uint32_t, int>({2, 3, 5, 12, 31, 33, 47, 100}, {0, 100}))
    {
        auto parameters = MakeMachine("none", delay).GetParameters();
        parameters.nodes = nodes;
        const SyncMachine machine(parameters);
        for (const auto event : {SyncWorkload::BARRIER, SyncWorkload::MAX, SyncWorkload::BROADCAST})
        {
            NS_TEST_EXPECT_MSG_EQ(machine.RunEvent(event),
                                  machine.GetModelTime(event),
                                  nodes << " nodes, event " << event << ", " << delay);
        }
    }
    auto parameters = MakeMachine("in-switch", 0).GetParameters();
    parameters.nodes = 8;
    const auto few = SyncMachine(parameters).RunEvent(SyncWorkload::BARRIER);
    parameters.nodes = 200; // ports of one switch, all of whose members come at once
    const SyncMachine wide(parameters);
    NS_TEST_EXPECT_MSG_EQ(wide.RunEvent(SyncWorkload::BARRIER), few, "wide");
    parameters.nodes = 65'535;
    Refuses([&] { SyncMachine{parameters}; }, "one switch can't serve 65535 nodes and a host");
    parameters.nodes = 2;
    parameters.topology = std::make_shared<WormholeTopology>(MakeTopology("torus:4x4"));
    const SyncMachine near(parameters);
    parameters.places = {0, 1, 10};
    const SyncMachine apart(parameters);
    for (const auto event : {SyncWorkload::ADD_TO_HOST, SyncWorkload::BROADCAST})
    {
        const auto more = apart.RunEvent(event) - near.RunEvent(event);
        const auto model = apart.GetModelTime(event) - near.GetModelTime(event);
        NS_TEST_EXPECT_MSG_GT(model, Time(0), "the host is farther away");
        NS_TEST_EXPECT_MSG_EQ_TOL(more, model, MicroSeconds(1), "simulated, too");
    }
}

TEST_CASE(SyncPricesTestCase,
          "Break-even of the printed speedups, and the uniprocessor's thresholds")
{
    const auto workloads = WriteTemporary("three.json", THREE);
    const auto published = WriteTemporary("speedups.csv", SPEEDUPS);
    const auto ask = [&](const std::string& processorPrice) {
        return AskedStudy(
            "sync-hardware",
            "table=7,uniprocessor hardware=none,hw-1 delays=0us supersteps=2 processorPrice=" +
                processorPrice + " workloads=" + workloads + " published=" + published);
    };
    const auto papers = ask("10000");
    const auto cheap = ask("0");
    const double dollars[] = {2926, 2282, 3292}; // water, dycore, metspin
    for (std::size_t i = 0; i < std::size(dollars); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(papers.Get(i, "model"), dollars[i], 1, papers.GetText(i, "row"));
        NS_TEST_EXPECT_MSG_EQ_TOL(cheap.Get(i, "model"), papers.Get(i, "model") / 2, 1e-9, "half");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(papers.Get(4, "model"), 3.76, 0.005, "without hardware");
    NS_TEST_EXPECT_MSG_EQ_TOL(papers.Get(6, "model"), 4.14, 0.005, "with hardware");
    NS_TEST_EXPECT_MSG_EQ(papers.GetText(0, "published"), "2908", "as printed");
    NS_TEST_EXPECT_MSG_EQ(cheap.GetText(0, "published"), "", "of other prices");
}

TEST_CASE(SyncStudyTestCase, "Tables from files: fits, predictions, break-even, CSV, plots")
{
    const auto find = [&](const std::vector<CsvRow>& rows,
                          const std::string& table,
                          const std::string& name,
                          const std::string& hardware,
                          double delayUs) -> const CsvRow& {
        for (const auto& row : rows)
        {
            if (row["table"].Text() == table && row["row"].Text() == name &&
                row["hardware"].Text() == hardware && row["delay_us"] == delayUs)
            {
                return row;
            }
        }
        static const CsvRow none(AskedStudy::GetTable("sync-hardware"));
        NS_TEST_EXPECT_MSG_EQ(true, false, "no row " << table << ' ' << name << ' ' << hardware);
        return none;
    };
    const std::string options =
        "table=speedups,7 workloads=" + WriteTemporary("three.json", THREE) +
        " published=" + WriteTemporary("speedups.csv", SPEEDUPS) + " supersteps=40";
    const AskedStudy study("sync-hardware", options);
    const auto& rows = study.GetRows();

    // Both speedups with the reference hardware come out as they went in.
    for (const auto& [name, delay, speedup] : {std::tuple("water", 0, 6.66),
                                               {"water", 100, 4.06},
                                               {"dycore", 0, 9.96},
                                               {"dycore", 100, 7.93}})
    {
        const auto& row = find(rows, "speedups", name, "hw-1", delay);
        NS_TEST_EXPECT_MSG_EQ_TOL(row["model"], speedup, 1e-3, name << ", model");
        NS_TEST_EXPECT_MSG_EQ_TOL(row["simulated"], speedup, 1e-3, name << ", simulated");
    }
    // The host runs ahead of the nodes' taking its broadcasts, so that it may be faster.
    const auto& metspin = find(rows, "speedups", "metspin", "hw-all", 0);
    NS_TEST_EXPECT_MSG_EQ_TOL(metspin["model"], 6.53, 1e-3, "metspin, model");
    NS_TEST_EXPECT_MSG_EQ_TOL(metspin["simulated"], 6.53, 0.03, "metspin, simulated");

    // 2324 barriers a second that each take 57.4 us more: what follows without hardware.
    const auto& water = find(rows, "speedups", "water", "none", 0);
    NS_TEST_EXPECT_MSG_EQ_TOL(water["model"], 6.66 / (1 + 2324 * 57.4e-6), 1e-3, "water");
    NS_TEST_EXPECT_MSG_EQ_TOL(water["simulated"], water["model"], 2e-3, "water, simulated");
    for (const auto& [delay, name] :
         Combine<int, std::string>({0, 100}, {"water", "dycore", "metspin"}))
    {
        const auto none = find(rows, "speedups", name, "none", delay)["simulated"];
        const auto hw1 = find(rows, "speedups", name, "hw-1", delay)["simulated"];
        const auto all = find(rows, "speedups", name, "hw-all", delay)["simulated"];
        const auto inSwitch = find(rows, "speedups", name, "in-switch", delay)["simulated"];
        NS_TEST_EXPECT_MSG_LT(none, hw1, name << ": HW-1 helps");
        NS_TEST_EXPECT_MSG_EQ((hw1 <= all + 1e-9), true, name << ": HW-All has more");
        NS_TEST_EXPECT_MSG_LT(none, inSwitch, name << ": registers help");
        NS_TEST_EXPECT_MSG_LT(inSwitch, all, name << ": but not as much");
    }
    for (const auto& [name, dollars] :
         {std::pair("water", 2926), {"dycore", 2282}, {"metspin", 3292}})
    {
        const auto& row = find(rows, "7", name, "hw-1", 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(row["model"], dollars, 1, name << ": printed speedups");
        const auto none = find(rows, "speedups", name, "none", 0)["simulated"];
        const auto hw1 = find(rows, "speedups", name, "hw-1", 0)["simulated"];
        NS_TEST_EXPECT_MSG_EQ_TOL(row["simulated"], 20000 * (hw1 / none - 1), 1e-6, name);
    }
    const auto& printed = find(rows, "7", "water", "hw-1", 0);
    NS_TEST_EXPECT_MSG_EQ(printed["published"].Text(), "2908", "as printed");

    const auto text = ToCsv(rows);
    const auto read = AskedStudy::Read("sync-hardware", WriteTemporary("rows.csv", text));
    NS_TEST_EXPECT_MSG_EQ(read.GetCsv(), text, "the same again");
    const AskedStudy again("sync-hardware", options);
    NS_TEST_EXPECT_MSG_EQ(again.GetCsv(), text, "same input, same bytes");

    const auto directory = CreateTempDirFilename("plots");
    const auto files = read.WritePlots(directory, "x-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 2, "speedups and prices, no latencies");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(directory + "/" + files[0]), true, "file");
}

TEST_CASE(SyncWorkloadTestCase,
          "Workloads: rates, Network-Done by acknowledgements or ADD, refusals")
{
    const auto refusesFile = [&](const std::string& rest, const std::string& part) {
        const auto text = "{\"workloads\": [\n{\"name\": \"a\", " + rest + "}\n]}\n";
        const auto path = WriteTemporary("wrong.json", text);
        SaysAll(ErrorOf([&] { SyncWorkload::Read(path); }), {part, "wrong.json:2:"});
    };
    SyncWorkload workload;
    workload.perSecond[SyncWorkload::AND] = 1000;
    workload.perSecond[SyncWorkload::NETWORK_DONE] = 1000;
    workload.perSecond[SyncWorkload::MAX] = 250;
    workload.communicates = 0.5;
    NS_TEST_EXPECT_MSG_EQ_TOL(workload.GetSuperstepRate(), 1000, 1e-9, "one superstep each");
    auto machine = MakeMachine("hw-all", 0);
    constexpr double COMPUTE = 0.5;
    const auto takes = [&](const SyncMachine& its, double seconds, const std::string& what) {
        Within(its.RunWorkload(workload, COMPUTE, 20), COMPUTE + seconds, 1e-9, "HW-All: " + what);
    };
    takes(machine, 1000 * (2.6e-6 + 2.7e-6) + 250 * 3.5e-6, "AND, ADD and every fourth time MAX");
    auto parameters = machine.GetParameters();
    parameters.networkDone = "acks";
    takes(SyncMachine(parameters),
          1000 * 2.6e-6 + 500 * 12e-6 + 250 * 3.5e-6,
          "acknowledgements where there are messages");
    NS_TEST_EXPECT_MSG_EQ(MakeMachine("none", 0).UsesAcks(), true, "software: acks");
    parameters.networkDone = "auto";
    parameters.networkDoneSums = 2;
    takes(SyncMachine(parameters),
          1000 * (2.6e-6 + 2 * 2.7e-6) + 250 * 3.5e-6,
          "AND, ADD twice and every fourth time MAX");
    parameters.networkDoneSums = 0;
    Refuses([&] { SyncMachine{parameters}; }, "0 sums; expected 1 or more");

    refusesFile(R"("reference": "hw-2", "speedup": 1, "perSecond": {"add": 1})",
                "none, hw-1 or hw-all");
    refusesFile(R"("reference": "hw-1", "speedup": 0, "perSecond": {"add": 1})", "out of range");
    refusesFile(R"("reference": "hw-1", "speedup": 1, "perSecond": {})", "no rate above 0");
    refusesFile(R"("reference": "hw-1", "speedup": 1, "perSecond": {"xor": 1})", "is unknown here");
    refusesFile(R"("reference": "hw-1", "perSecond": {"add": 1}, )"
                R"("delayed": {"delayUs": 100, "speedup": 2})",
                "is without 'speedup'");
    refusesFile(R"("reference": "hw-1", "speedup": "2", "perSecond": {"add": 1})", "is a string");
    refusesFile(
        R"("reference": "hw-1", "speedup": 2, "perSecond": {"add": 1}, "communicates": 1.5)",
        "a number from 0 to 1");
    const std::string one =
        R"({"name": "a", "reference": "none", "speedup": 2, "perSecond": {"barrier": 1e5}})";
    const auto twice =
        WriteTemporary("twice.json", "{\"workloads\": [\n" + one + ",\n" + one + "]}");
    Refuses([&] { SyncWorkload::Read(twice); }, "twice.json:3: ");
    const auto much = WriteTemporary("much.json", "{\"workloads\": [" + one + "]}");
    Refuses([&] { AskedStudy("sync-hardware", "table=speedups hardware=none workloads=" + much); },
            "workload a synchronises for 6 s in a second");
    Refuses([] { MakeMachine("hw-3", 0); }, "expected none, hw-1, hw-all, in-switch");
    SyncMachine::Parameters small;
    small.hardware = "in-switch";
    small.topology = std::make_shared<WormholeTopology>(MakeTopology("torus:4x4,hosts=2"));
    Refuses([&] { SyncMachine{small}; }, "the fabric has 32 hosts");
}

TEST_CASE(SyncTwoSumsTestCase,
          "What the rates of WWT-Water, Table 2, give with each reading of HW-All")
{
    const auto workloads =
        WriteTemporary("water.json",
                       R"({"workloads": [{"name": "a", "reference": "hw-all", "speedup": 10.32,
                "perSecond": {"networkDone": 10221, "and": 10221, "max": 6}, "communicates": 0.15}]})");
    // Seconds of a second of the run with HW-All: AND, ADD and MAX of Tables 1 and 2; with HW-1
    // acknowledgements of 12 us in 15 % of the quanta, and MAX by software, 78 us.
    constexpr double HW_1 = 10221 * 2.6e-6 + 0.15 * 10221 * 12e-6 + 6 * 78e-6;
    for (const uint32_t sums : {1, 2})
    {
        const AskedStudy study("sync-hardware",
                               "table=speedups hardware=hw-1,hw-all delays=0us networkDoneSums=" +
                                   std::to_string(sums) + " workloads=" + workloads);
        const auto& rows = study.GetRows();
        const auto hwAll = 10221 * (2.6e-6 + sums * 2.7e-6) + 6 * 3.5e-6;
        const auto speedup = 10.32 / (1 - hwAll + HW_1);
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[0]["model"], speedup, 1e-6, sums << " sums, HW-1");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[0]["simulated"], speedup, 0.01, sums << " sums, HW-1");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[1]["model"], 10.32, 1e-6, sums << " sums, the fit");
        const auto isAsPrinted = std::abs(rows[0]["simulated"] - 10.72) < 0.01;
        NS_TEST_EXPECT_MSG_EQ(isAsPrinted, (sums == 2), "Table 5 has 10.72");
    }
}

/// HW-1 acknowledges by default.
TEST_CASE(SyncReferenceTestCase,
          "The way of Network-Done changes the machines that are compared, not what was measured")
{
    const auto workloads =
        WriteTemporary("done.json",
                       R"({"workloads": [{"name": "a", "reference": "hw-all", "speedup": 9.5,
                "delayed": {"delayUs": 100, "speedup": 8},
                "perSecond": {"networkDone": 9000, "and": 9000}, "communicates": 0.5}]})");
    const auto run = [&](const std::string& networkDone) {
        return AskedStudy("sync-hardware",
                          "table=speedups hardware=hw-1,hw-all workloads=" + workloads +
                              " networkDone=" + networkDone + " supersteps=20");
    };
    const auto usual = run("auto");
    const auto acks = run("acks");
    const auto adds = run("add");
    NS_TEST_ASSERT_MSG_EQ(usual.GetNRows(), 4, "two machines, two delays");
    for (std::size_t i = 0; i < usual.GetNRows(); ++i)
    {
        const bool isHw1 = usual.GetText(i, "hardware") == "hw-1";
        const auto& same = isHw1 ? acks : adds;
        const auto& other = isHw1 ? adds : acks;
        const auto model = usual.Get(i, "model");
        NS_TEST_EXPECT_MSG_EQ(same.Get(i, "model"), model, "row " << i << ", model");
        NS_TEST_EXPECT_MSG_EQ(same.Get(i, "simulated"), usual.Get(i, "simulated"), "row " << i);
        NS_TEST_EXPECT_MSG_NE(other.Get(i, "model"), model, "row " << i << ", the other way");
    }
}

} // namespace
