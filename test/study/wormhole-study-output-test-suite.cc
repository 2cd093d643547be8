// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/csv-file.h"
#include "ns3/gnuplot-script.h"
#include "ns3/sample-summary.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-program-options.h"

#include <filesystem>

using namespace ns3;

SUITE("wormhole-study-output", UNIT);

namespace
{

CsvRow
MakeRow(const std::string& scheme, const std::string& reduction, uint32_t size, double us)
{
    CsvRow row(AskedStudy::GetTable("btin-comparison"));
    row["scheme"] = scheme;
    row["reduction"] = reduction;
    row["btin_timing"] = reduction == "paper-inferred" ? "paper" : "flits";
    row["switches"] = 75;
    row["hosts"] = 256;
    row["connectivity"] = 0.75;
    row["law"] = "recursive";
    row["group_size"] = size;
    row["runs"] = 2;
    row["latency_us_mean"] = us;
    row["latency_us_ci95"] = 0.125;
    row["latency_us_model"] = us / 2;
    row["message_hops_mean"] = 10 * size;
    row["flit_hops_mean"] = 20 * size;
    row["height_mean"] = 5.5;
    row["edges_mean"] = 7;
    return row;
}

void
ReadOptions(const std::vector<std::string>& arguments,
            const std::function<void(const ProgramOptions&)>& use)
{
    ProgramOptions options("test", "A test.");
    options.Add("runs", "100", "A number", "7");
    options.Add("sizes", "2,4", "Numbers");
    options.Add("ratios", "0.5", "Ratios", "0.75");
    options.Add("words", "btin", "Words", "unicast,btin");
    options.Add("loads", "0.5", "Loads", "10");
    options.Add("folder", "DIR", "A folder");
    options.Add("first", "FILE", "A file");
    options.Add("second", "FILE", "Another file");
    options.Add("word", "paper", "A word", "paper");
    options.Add("time", "2us", "A time", "2us");
    options.AddSwitch("quiet", "No value");
    const auto parse = [&](int n, char** words) { options.Parse(n, words); };
    CallWithArguments(Join({"test"}, arguments), parse);
    use(options);
}

void
UseAll(const ProgramOptions& options)
{
    options.RefuseTogether("runs", {"sizes"});
    options.GetWhole("runs", 1, 9);
    options.GetWholes("sizes", 1, 64);
    options.GetRatios("ratios");
    options.GetWords("words", {"btin", "unicast"});
    options.GetWord("word", {"paper", "flits"});
    options.GetTimeAboveZero("time");
    options.GetRatios("loads", 10);
    options.RefuseAttribute("ns3::WormholePort::BufferDepth", "runs");
    options.RefuseAttribute("ns3::WormholeFabric::Replication");
    if (options.Has("folder"))
    {
        options.MakeFolder("folder");
    }
    options.RefuseSameFile({"first", "second"});
}

TEST_CASE(StudyOptionsTestCase, "Options of programs")
{
    NeedPicoseconds();
    ReadOptions({}, [this](const ProgramOptions& options) {
        NS_TEST_EXPECT_MSG_EQ(options.GetWhole("runs", 1, 9), 7, "default");
        NS_TEST_EXPECT_MSG_EQ(options.GetWholes("sizes", 1, 9).empty(), true, "no default");
        NS_TEST_EXPECT_MSG_EQ(options.GetWords("words").size(), 2, "default list");
        NS_TEST_EXPECT_MSG_EQ(options.Has("runs"), false, "not given");
        NS_TEST_EXPECT_MSG_EQ(options.Has("quiet"), false, "not given");
    });
    ReadOptions({"--quiet", "--sizes=2,64", "-runs=3", "--ratios=1", "--time=6.25ns"},
                [this](const ProgramOptions& options) {
                    NS_TEST_EXPECT_MSG_EQ(options.Has("quiet"), true, "given");
                    NS_TEST_EXPECT_MSG_EQ(options.GetWholes("sizes", 1, 64).at(1), 64, "list");
                    NS_TEST_EXPECT_MSG_EQ(options.GetWhole("runs", 1, 9), 3, "one dash does");
                    NS_TEST_EXPECT_MSG_EQ(options.GetRatios("ratios").at(0), 1, "greatest ratio");
                    const auto time = options.GetTimeAboveZero("time");
                    NS_TEST_EXPECT_MSG_EQ(time, PicoSeconds(6250), "exact time");
                });

    // A folder that was made for a study that is refused goes again.
    const auto folder = CreateTempDirFilename("refused");
    const auto fails = [&] {
        return RunStudy({"rdma-barrier",
                         "--nodes=2",
                         "--rdmaReceive=1ns",
                         "--plots=" + folder + "/plots",
                         "--gnuplot=/bin/true"})
                   .status == 1;
    };
    NS_TEST_EXPECT_MSG_EQ(fails(), true, "what r is, after the folder is made");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder), false, "gone again");
    std::filesystem::create_directories(folder + "/plots");
    WriteText(folder + "/plots/picture.plt", "plot x\n");
    NS_TEST_EXPECT_MSG_EQ(fails(), true, "again");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/plots/picture.plt"), true, "kept");

    const auto refuses = [&](const std::vector<std::string>& arguments,
                             const std::vector<std::string>& words) {
        SaysAll(ErrorOf([&] { ReadOptions(arguments, UseAll); }), words, arguments[0]);
    };
    refuses({"--size=3"}, {"there is no option --size", "--sizes", "--quiet", "--help"});
    refuses({"--RngRun=3"}, {"there is no option --RngRun", "NS_GLOBAL_VALUE=RngRun=3"});
    refuses({"--SchedulerType=ns3::Node"}, {"--SchedulerType=ns3::Node", "WormholeScheduler"});
    refuses({"--SchedulerType=Map"}, {"--SchedulerType=Map", "WormholeScheduler"});
    refuses({"--PrintAttributes=ns3::NoType"}, {"--PrintAttributes=ns3::NoType", "no such"});
    refuses({"12"}, {"'12' is no option", "--name=value"});
    refuses({""}, {"'' is no option"});
    refuses({"--runs"}, {"--runs has no value", "--runs=100"});
    refuses({"--runs="}, {"--runs has no value"});
    refuses({"--quiet=1"}, {"--quiet=1", "without a value"});
    refuses({"--runs=4", "--runs=5"}, {"--runs is given twice", "'5'"});
    refuses({"--runs=0"}, {"--runs=0", "1 to 9"});
    refuses({"--runs=10"}, {"--runs=10", "1 to 9"});
    refuses({"--runs=4x"}, {"--runs=4x", "1 to 9"});
    refuses({"--runs=-1"}, {"--runs=-1", "1 to 9"});
    refuses({"--runs=4294967297"}, {"--runs=4294967297", "1 to 9"});
    refuses({"--sizes=2,4.5"}, {"--sizes=2,4.5", "'4.5'", "1 to 64"});
    refuses({"--sizes=2,,4"}, {"--sizes=2,,4", "an entry is empty"});
    refuses({"--sizes=2,4,"}, {"an entry is empty"});
    refuses({"--ratios=0.5,1.5"}, {"--ratios=0.5,1.5", "'1.5'", "above 0"});
    refuses({"--ratios=nan"}, {"'nan'"});
    refuses({"--loads=10.1"}, {"--loads=10.1", "above 0, up to 10"});
    refuses({"--folder=/dev/null/plots"}, {"--folder=/dev/null/plots", "expected a folder"});
    refuses({"--first=a.csv", "--second=./a.csv"}, {"--second=./a.csv", "--first", "another"});
    ReadOptions({"--first=a.csv", "--second=b.csv"}, UseAll);
    ReadOptions({"--first=/dev/null", "--second=/dev/null"}, UseAll);
    refuses({"--ns3::WormholePort::BufferDepth=3"}, {"has no effect", "--runs=100"});
    refuses({"--ns3::WormholeFabric::Replication=sync"}, {"has no effect", "by itself"});
    refuses({"--ratios=0.5x"}, {"'0.5x'"});
    refuses({"--words=btin,cube"}, {"'cube'", "btin, unicast"});
    refuses({"--words=btin,btin"}, {"'btin' is given twice"});
    refuses({"--words=btin ,unicast"}, {"--words=btin ,unicast", "'btin '"});
    refuses({"--words=btin, unicast"}, {"--words=btin, unicast", "' unicast'"});
    refuses({"--word=flit"}, {"--word=flit", "expected paper, flits"});
    refuses({"--time=2"}, {"--time=2", "2"});
    refuses({"--time=0.5ps"}, {"--time=0.5ps", "multiples of 1ps"});
    refuses({"--time=0ns"}, {"--time=0ns", "above 0"});
    refuses({"--runs=4", "--sizes=2"}, {"--sizes=2", "has no effect with --runs"});
    refuses({"--ns3::NoType::Depth=3"}, {"there is no type ns3::NoType"});
    refuses({"--ns3::WormholePort::Depth=3"}, {"ns3::WormholePort has no attribute Depth"});
    refuses({"--ns3::WormholePort::BufferDepth=x"}, {"BufferDepth=x", "expected"});
    refuses({"--ns3::WormholePort::BufferDepth=-1"}, {"BufferDepth=-1", "expected"});
    refuses({"--ns3::WormholePort::BufferDepth"}, {"BufferDepth=", "expected"});
    refuses({"--ns3::WormholeFabric::FlitSize=0"}, {"FlitSize=0", "expected"});
    refuses({"--ns3::WormholeFabric::DataRate=fast"}, {"DataRate=fast", "expected"});
    refuses({"--ns3::WormholeFabric::DataRate= "}, {"expected"});
    refuses({"--ns3::DropTailQueue<Packet>::MaxSize=5p x"}, {"expected"});
    refuses({"--ns3::WormholeFabric::FlitTime=0.5ps"}, {"FlitTime=0.5ps", "multiples of 1ps"});
    refuses({"--ns3::WormholeFabric::ThrowOnDeadlock=maybe"}, {"=maybe", "true or false"});
    const std::string device = "--ns3::WormholeNetDevice::";
    refuses({device + "Address=xx"}, {"Address=xx", "02:00:00:00:00:01"});
    refuses({device + "Address=1"}, {"Address=1", "02:00:00:00:00:01"});
    refuses({device + "TxQueue=ns3::Foo"}, {"TxQueue=ns3::Foo", "expected"});
    refuses({device + "TxQueue=ns3::Node"}, {"TxQueue=ns3::Node", "expected"});
    refuses({device + "Port=x"}, {"Port can be read only"});
    const std::string jitter = "--ns3::HostSoftware::SendJitter=";
    refuses({jitter + "1"}, {"SendJitter=1", "expected"});
    const auto constant = jitter + "ns3::ConstantRandomVariable";
    refuses({constant + "[Constant=1"}, {"[Constant=1", "expected"});
    refuses({constant + "[Constnt=1]"}, {"no attribute Constnt"});
    refuses({constant + "[Constant=x]"}, {"Constant=x", "expected"});
    refuses({constant + "[Constant]"}, {"Constant=", "expected"});
}

TEST_CASE(StudyGroupSizeTestCase, "Numbers of members have one name in all studies")
{
    const std::set<std::string> ofAllHosts{"latency_load", "broadcast_load", "network_done"};
    for (const auto& study : StudyRegistry::GetNames())
    {
        const auto form = StudyRegistry::Make(study);
        OptionValues values;
        form->Declare(values);
        const auto hasSizes = AnyOf(form->GetParameters(), [&](const auto& each) {
            return each.kind == StudyParameter::WHOLE &&
                   each.name == values.Find(each.isList ? "groupSizes" : "groupSize");
        });
        NS_TEST_EXPECT_MSG_NE(hasSizes, (ofAllHosts.count(study) > 0), study);
    }
    Refuses([] { AskedStudy("fibo-tree", "group-sizes=0"); }, "--processes=0");
    Refuses([] { AskedStudy("split-barrier", "groupSizes=2"); }, "did you mean --members?");
}

TEST_CASE(StudyMistakesTestCase, "Impossible studies")
{
    const auto refuses = [&](const std::string& options, const std::vector<std::string>& words) {
        SaysAll(ErrorOf([&] { AskedStudy("btin-comparison", options); }), words);
    };
    refuses("connectivity=0.5", {"0.5000", "0.6733"});
    refuses("runs=0", {"--runs=0"});
    refuses("seed=0", {"4294944442"});
    refuses("groupSizes=2,257", {"257", "1 to 256"});
    refuses("groupSizes=0", {"groupSizes=0"});
    refuses("groupSizes=2,2", {"groupSizes: 2 is given twice"});
    refuses("schemes=tre", {"'tre'", "btin, butterfly"});
    refuses("reduction=real", {"paper-inferred"});
    refuses("schemes=unicast reduction=paper-inferred",
            {"none of the schemes", "btin", "unicast with simulated and ideal"});
    refuses("schemes=unicast reduction=paper-inferred-serial",
            {"none of the schemes", "paper-inferred-serial"});
    refuses("members=h1,h999", {"'h999'", "256 hosts"});
    refuses("members=s1", {"'s1'", "no host"});
    refuses("members=h1,h1", {"'h1' is given twice"});
    refuses("members=h1,h2 groupSizes=3", {"groupSizes: 3", "1 to 2"});
}

TEST_CASE(StudyCsvTestCase, "Means, intervals and CSV")
{
    SampleSummary summary;
    NS_TEST_EXPECT_MSG_EQ(std::isnan(summary.GetHalfWidth95()), true, "no values");
    summary.Add(1);
    NS_TEST_EXPECT_MSG_EQ(std::isnan(summary.GetHalfWidth95()), true, "one value");
    for (const auto value : {2, 3, 4})
    {
        summary.Add(value);
    }
    NS_TEST_EXPECT_MSG_EQ(summary.GetMean(), 2.5, "mean");
    // t(3, 0.975) = 3.182446, standard deviation 1.290994, four values.
    NS_TEST_EXPECT_MSG_EQ_TOL(summary.GetHalfWidth95(), 2.054260, 1e-6, "half width");
    const std::string field = "a \"b\", c";
    const auto quotes = WriteTemporary("quotes.csv", "x,y\r\n" + CsvFile::Quote(field) + ",\r\n");
    const CsvFile quoted(quotes, {"x", "y"});
    NS_TEST_EXPECT_MSG_EQ(quoted.GetNRows(), 1, "rows");
    NS_TEST_EXPECT_MSG_EQ(quoted.Get(0, "x"), field, "field");
    NS_TEST_EXPECT_MSG_EQ(quoted.Get(0, "y"), "", "empty field");

    // A file is as it was, or whole.
    const auto path = WriteTemporary("whole.txt", "old");
    {
        AtomicFile file(path);
        file.Get() << "half";
    }
    NS_TEST_EXPECT_MSG_EQ(ReadText(path), "old", "not finished");
    AtomicFile file(path);
    file.Get() << "new";
    file.Finish();
    NS_TEST_EXPECT_MSG_EQ(ReadText(path), "new", "finished");
    NS_TEST_EXPECT_MSG_EQ(std::ifstream(path + ".part").good(), false, "nothing left over");
    // Of two writers of one file each ends well, and what others called NAME.part stays.
    const auto foreign = WriteText(path + ".part", "mine");
    {
        AtomicFile first(path);
        AtomicFile second(path);
        first.Get() << "first";
        second.Get() << "the second";
        first.Finish();
        NS_TEST_EXPECT_MSG_EQ(ReadText(path), "first", "the first is whole");
        second.Finish();
        NS_TEST_EXPECT_MSG_EQ(ReadText(path), "the second", "the second is whole");
        AtomicFile third(path);
    }
    NS_TEST_EXPECT_MSG_EQ(ReadText(foreign), "mine", "somebody's own file");
    for (const std::string number : {"2", "3", "4"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(path + ".part" + number).good(), false, number);
    }

    SaysAll(ErrorOf([&] { AtomicFile(path + "/below"); }), {path + "/below", "can't be written"});
}

TEST_CASE(StudyRowsTestCase, "Rows of studies, written and read; mistakes in them")
{
    auto row = MakeRow("btin", "in-switch", 16, 9.12345);
    row["latency_us_ci95"] = std::nan("");
    row["root_switch"] = "s,1";
    const auto& table = AskedStudy::GetTable("btin-comparison");
    const auto text = ToCsv({row});
    const std::string header =
        "scheme,reduction,btin_timing,switches,hosts,connectivity,law,group_size,runs,"
        "latency_us_mean,latency_us_ci95,latency_us_model,message_hops_mean,flit_hops_mean,"
        "height_mean,"
        "edges_mean,start_ups_mean,root_messages_mean,message_bytes_mean,"
        "setup_us_mean,root_switch,root_host\n";
    NS_TEST_EXPECT_MSG_EQ(text,
                          header + "btin,in-switch,flits,75,256,0.7500,recursive,16,2,9.123,nan,"
                                   "4.562,160.000,320.000,5.500,7.000,0.000,0.000,"
                                   "0.000,0.000,\"s,1\",\n",
                          "CSV");
    const auto path = WriteTemporary("rows.csv", text);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(table.Read(path)), text, "read and written");

    const auto refused = [&](const std::string& body) {
        WriteText(path, body);
        return ErrorOf([&] { table.Read(path); });
    };
    const std::string line = "a,b,flits,1,2,0.5,c,3,4,5,6,7,8,9,10,11,12,13,14,15,,\n";
    NS_TEST_EXPECT_MSG_EQ(refused(header + line), "", "good");
    const std::pair<std::string, std::string> mistakes[] = {
        {"", "there is no header"},
        {"scheme\n", ":1: 'scheme' is not the header"},
        {header + "a,b\n", ":2: there are 2 fields; expected 22"},
        {header + line + "a,b,flits,x,2,0.5,c,3,4,5,6,7,8,9,10,11,12,13,14,15,,\n",
         ":3: switches 'x'"},
        {header + "a,b,flits,1,2,half,c,3,4,5,6,7,8,9,10,11,12,13,14,15,,\n",
         ":2: connectivity 'half'"},
        {header + "a,b,flits,1,2,0.5,c,3,4,,6,7,8,9,10,11,12,13,14,15,,\n",
         ":2: latency_us_mean ''"},
        {header + "\"a,b\n", ":2: the line ends within double quotes"},
    };
    for (const auto& [body, message] : mistakes)
    {
        SaysAll(refused(body), {path, message});
    }
    Refuses([&] { table.Read("no/such/file.csv"); }, "no/such/file.csv");
}

TEST_CASE(StudyPlotsTestCase, "Plots and published figures")
{
    const auto checkPlots = [&](const std::string& published) {
        const std::vector<CsvRow> rows{MakeRow("btin", "in-switch", 8, 9),
                                       MakeRow("btin", "in-switch", 4, 8),
                                       MakeRow("multicast", "ideal", 4, 20)};
        const auto folder = CreateTempDirFilename("plots");
        const auto draw = [&](const std::vector<CsvRow>& some,
                              const std::string& prefix,
                              const std::string& options) {
            const auto read = WriteTemporary("rows.csv", ToCsv(some));
            return AskedStudy::Read("btin-comparison", read, options).WritePlots(folder, prefix);
        };
        const auto files = draw(rows, "x-", "published=" + published);
        NS_TEST_ASSERT_MSG_EQ(files.size(), 4, "plots");
        NS_TEST_EXPECT_MSG_EQ(files[0], "x-latency.plt", "name");
        ContainsAll(ReadText(folder + "/x-latency.plt"),
                    {"x-latency.png",
                     "x-latency.svg",
                     "set logscale x 2",
                     "group size (members)",
                     "latency (us)",
                     "title 'BTIN'",
                     "title 'paper'",
                     "75 switches, 256 hosts, connectivity 0.75"});
        const auto latencies = ReadText(folder + "/x-latency-1.dat");
        Contains(latencies, "4 8 0.125\n8 9 0.125\n", "btin");
        Contains(latencies, "8 9.75\n", "published");
        NS_TEST_EXPECT_MSG_EQ(latencies.find("1.25"), std::string::npos, "a formula's is not");
        NS_TEST_EXPECT_MSG_EQ(latencies.find("2.25"), std::string::npos, "nor another fabric's");
        const auto factors = ReadText(folder + "/x-latency-factor-1.dat");
        Contains(factors, "4 2.5\n", "20 us over 8 us");
        Contains(factors, "4 3.5\n", "published");

        NS_TEST_EXPECT_MSG_EQ(draw({rows[0]}, "y-", {}).size(), 2, "no factors without multicast");
    };
    const std::string header = "id,quantity,scheme,switches,hosts,connectivity,group_size,value,"
                               "unit,source,where,reproducible,why";
    const auto path = CreateTempDirFilename("published.csv");
    WriteText(path,
              header + "\na,latency,btin,75,256,0.75,8,9.75,us,paper,\"Section 1, text\",yes,\n"
                       "b,latency_factor,multicast,75,256,0.75,4,3.5,ratio,paper,,no,\n"
                       "c,latency,btin,75,256,0.75,8,1.25,us,formula,,no,\n"
                       "d,root_switch,btin,75,256,0.75,8,s3,name,paper,,yes,\n"
                       "e,latency,btin,300,1024,0.75,8,2.25,us,paper,,no,\n");
    checkPlots(path);

    WriteText(path, header + "\na,latency,btin,75,256,0.75,8,fast,us,paper,,yes,\n");
    SaysAll(ErrorOf([&] { checkPlots(path); }), {path + ":2", "value 'fast'"});
    SaysAll(ErrorOf([] { GnuplotProgram("no/such/gnuplot"); }), {"'no/such/gnuplot'", "expected"});
}

SUITE("wormhole-study-form", UNIT);

/// Squares of numbers, without plots.
class SquareForm : public StudyDefinition
{
  public:
    SquareForm()
        : StudyDefinition(
              {"squares", "squares", "Squares.", "Squares.", "a row a number", false, false},
              {{"number: A number", CsvColumn::WHOLE}, {"square: Its square", CsvColumn::WHOLE}})
    {
        Add({"numbers=2,3 (1) [list 1..1000]: Numbers"});
    }

    void Measure(const ProgressListener&) override
    {
        for (const auto number : Get<Wholes>("numbers"))
        {
            m_rows.emplace_back(m_table);
            m_rows.back()["number"] = number;
            m_rows.back()["square"] = number * number;
        }
    }

  private:
    void Validate(const OptionValues&) override
    {
        m_rows.clear();
    }
};

int
Call(const std::vector<std::string>& words, std::string& told)
{
    SquareForm form;
    StudyProgram program("squares.cc", form);
    int status = 0;
    const auto main = [&](int n, char** all) { status = program.Main(n, all); };
    told = PrintedBy(std::cerr, [&] { CallWithArguments(Join({"squares"}, words), main); });
    return status;
}

TEST_CASE(StudyWithoutPlotsTestCase, "a study without plots")
{
    const auto path = CreateTempDirFilename("squares.csv");
    std::string told;
    NS_TEST_EXPECT_MSG_EQ(Call({"--numbers=2,9", "--csv=" + path}, told), 0, told);
    SquareForm read;
    NS_TEST_EXPECT_MSG_EQ(read.ReadCsv(path), true, "has rows");
    NS_TEST_ASSERT_MSG_EQ(read.GetRows().size(), 2, "its rows");
    NS_TEST_EXPECT_MSG_EQ(read.GetRows()[1]["square"], 81, "in order");
    for (const std::string option : {"plots=x", "fromCsv=x", "gnuplot=x", "jobs=2"})
    {
        NS_TEST_EXPECT_MSG_EQ(Call({"--" + option}, told), 1, option);
        const auto begin = "squares: there is no option --" + option.substr(0, 4);
        Holds(told.find(begin) == 0 && told.find('\n') == told.size() - 1, told);
    }
    NS_TEST_EXPECT_MSG_EQ(Call({"--csv=/"}, told), 1, "no file");
}

TEST_CASE(StudyMainTestCase, "WormholeStudyMain")
{
    const auto path = CreateTempDirFilename("tree.csv");
    const auto run = [](const std::vector<std::string>& words) {
        return CallWithArguments(words, WormholeStudyMain);
    };
    const auto status = run({"fibo-tree", "--csv=" + path, "--processes=2", "--trees=chain"});
    NS_TEST_EXPECT_MSG_EQ(status, 0, "runs");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path), true, "has rows");

    const auto errors = PrintedBy(std::cerr, [&] {
        NS_TEST_EXPECT_MSG_EQ(run({"fibotree"}), 1, "there is none");
        NS_TEST_EXPECT_MSG_EQ(WormholeStudyMain(0, nullptr), 1, "no name");
    });
    NS_TEST_EXPECT_MSG_EQ(errors.find("wormhole: there is no study 'fibotree'"), 0, "");
}

TEST_CASE(SweepTestCase, "a sweep, its columns and a plot")
{
    const CsvTable table{{"number: A number", CsvColumn::WHOLE},
                         {"square: Its square", CsvColumn::WHOLE}};
    const auto measure = [](CsvRow row, std::size_t) {
        row["square"] += row["number"] * row["number"];
        return row;
    };
    const auto asked = StudySweep(CsvRow(table))
                           .Over("number", std::vector<uint32_t>{3, 2})
                           .Over("square", std::vector<uint32_t>{0, 5, 7})
                           .GetRows();
    for (const uint32_t jobs : {1, 2})
    {
        uint32_t told = 0;
        const auto count = [&](const char*, uint64_t done, uint64_t all) {
            NS_TEST_EXPECT_MSG_EQ(done, ++told, "one more");
            NS_TEST_EXPECT_MSG_EQ(all, 6, "of all");
            return true;
        };
        const auto rows = StudySweep::Measure(asked, measure, jobs, count);
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 6, "all combinations");
        NS_TEST_EXPECT_MSG_EQ(rows[1]["square"], 14, "the last ones vary fastest");
        NS_TEST_EXPECT_MSG_EQ(rows[5]["square"], 11, "in order");
        // A curve for each number, a panel without points, and nothing at all.
        StudyPlot plot{"squares", "number", "its square"};
        plot.columns = 2;
        plot.panels = {{"first", {}}, {"second", {}}};
        for (const auto& [number, some] : StudyPlot::GroupBy(rows, "number"))
        {
            plot.panels.front().curves.push_back(
                {number, "linespoints lw 2", StudyPlot::PointsOf(some, "number", "square")});
        }
        plot.panels.back().curves = {{"3", "lines"}, {"2", "lines"}, {"x", "lines", {}, "", "x"}};
        const auto folder = CreateTempDirFilename("plots");
        const auto files = StudyPlot::Write({plot, StudyPlot{"nothing"}}, folder, "a-");
        NS_TEST_ASSERT_MSG_EQ(files.size(), 1, "what there is");
        ContainsAll(ReadText(folder + "/" + files[0]),
                    {"$points1 << EOD\n3 9\n3 14\n3 16\n\n\n2 4\n",
                     "set title 'first'\nplot $points1 index 0 title '3' with linespoints lw 2, ",
                     "unset key\nset title 'second'\nplot x title 'x' with lines\n"});
    }
    const auto columns = SquareForm().GetTable().GetColumns();
    NS_TEST_ASSERT_MSG_EQ(columns.size(), 2, "columns");
    NS_TEST_EXPECT_MSG_EQ(columns[1].doc, "Its square", "what one holds");
}

} // namespace
