// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/csv-file.h"
#include "ns3/file-name.h"
#include "ns3/gnuplot-script.h"
#include "ns3/json-file.h"
#include "ns3/printable-text.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-machine-file.h"
#include "ns3/wormhole-program-options.h"

using namespace ns3;

namespace
{

/// Keeps all attributes' defaults, and brings them back in the end.
class KeptDefaults
{
  public:
    KeptDefaults()
    {
        for (std::size_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const auto type = TypeId::GetRegistered(i);
            for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
            {
                m_kept.emplace_back(type, j, type.GetAttribute(j).initialValue);
            }
        }
    }

    ~KeptDefaults()
    {
        for (auto& [type, index, value] : m_kept)
        {
            type.SetAttributeInitialValue(index, value);
        }
    }

    KeptDefaults(const KeptDefaults&) = delete;            ///< it restores once
    KeptDefaults& operator=(const KeptDefaults&) = delete; ///< it restores once

  private:
    std::vector<std::tuple<TypeId, std::size_t, Ptr<const AttributeValue>>> m_kept;
};

PrintedStudy
RunProgram(const std::vector<std::string>& words)
{
    KeptDefaults kept;
    return RunStudy(words);
}

const std::vector<std::vector<std::string>> STUDIES{
    Words("btin-comparison --switches=12 --hosts=24 --groupSizes=4 --runs=2 --jobs=1"),
    Words("latency-load --switches=8 --hosts=16 --flits=16 --loads=0.01 --noSearch --worms=64 "
          "--jobs=1"),
    Words("fibo-tree --processes=2,8 --network=ideal,fabric --topology=torus:3x3"),
    Words("rdma-barrier --nodes=2,3 --tasksPerNode=1"),
    Words("sync-hardware --table=1 --supersteps=10"),
    Words("smp-broadcast --topology=torus:3x3 --tasksPerHost=2 --bytes=64,1kB"),
    Words("split-barrier --topology=torus:3x3 --members=8 --compute=20us --steps=3"),
    Words("barriers-under-load --topology=torus:3x3 --loads=0.1 --rounds=10"),
    Words("broadcast-load --windows=1 --rounds=8"),
    Words("network-done --topology=torus:3x3 --messages=1 --rounds=8")};

TEST_CASE(ReadTestCase, "Machines are read")
{
    const auto path = WriteTemporary("mine.toml",
                                     "name = \"Mine\"\nsource = \"\"\"Two\nlines\"\"\"\n"
                                     "[WormholeSwitch]\nDelay = \"90ns\"\n"
                                     "[\"ns3::HotspotPattern\"] # quoted, as TOML wants it\n"
                                     "Host = 0x3\nFraction = 0.1\n"
                                     "[WormholeFabric]\nThrowOnDeadlock = false\nFlitSize = 64\n");
    const auto machine = MachineFile::Read(path);
    NS_TEST_EXPECT_MSG_EQ(machine.GetName(), "Mine", "");
    NS_TEST_EXPECT_MSG_EQ(machine.GetSource(), "Two lines", "");
    std::ostringstream all;
    for (const auto& entry : machine.GetEntries())
    {
        all << entry.line << " " << entry.attribute << "=" << entry.value << "\n";
    }
    NS_TEST_EXPECT_MSG_EQ(all.str(),
                          "5 ns3::WormholeSwitch::Delay=90ns\n"
                          "7 ns3::HotspotPattern::Host=3\n"
                          "8 ns3::HotspotPattern::Fraction=0.1\n"
                          "10 ns3::WormholeFabric::ThrowOnDeadlock=false\n"
                          "11 ns3::WormholeFabric::FlitSize=64\n",
                          "file order, whatever the classes' names");
    NS_TEST_EXPECT_MSG_EQ(machine.GetLocation(machine.GetEntries()[1]), path + ":7", "");
    const auto empty = MachineFile::Read(WriteTemporary("empty.toml", ""));
    NS_TEST_EXPECT_MSG_EQ(empty.GetEntries().size(), 0, "nothing is another default");
    NS_TEST_EXPECT_MSG_EQ(empty.SaysInSwitch(), false, "");
    NS_TEST_EXPECT_MSG_EQ(empty.GetWhyNotInSwitch(), "", "nobody knows");
    const auto told = MachineFile::Read(WriteTemporary(
        "told.toml",
        "inSwitch = { value = false, source = \"no such switches\" }\n[HostSoftware]\n"
        "StartUp = { value = \"300ns\", source = \"estimated: a guess\" }\n"
        "MessageGap = { value = \"5ns\", source = \"data sheet\" }\n"
        "MaxConcurrentSends = { value = 2 }\nFlagTime = \"1us\" # estimated\n"));
    std::ostringstream sources;
    for (const auto& entry : told.GetEntries())
    {
        sources << entry.line << " " << entry.value << " " << entry.source << " "
                << entry.IsEstimated() << "\n";
    }
    NS_TEST_EXPECT_MSG_EQ(sources.str(),
                          "3 300ns estimated: a guess 1\n4 5ns data sheet 0\n5 2  0\n6 1us  0\n",
                          "a comment says nothing to a program");
    NS_TEST_EXPECT_MSG_EQ(told.GetWhyNotInSwitch(), "no such switches", "");
    const auto read = [this](const std::string& text) {
        return MachineFile::Read(WriteTemporary("short.toml", text));
    };
    const auto nFormer = read("[HostSoftware]\nPorts = 2\n").GetEntries().size();
    NS_TEST_EXPECT_MSG_EQ(nFormer, 1, "a former name is read");
    NS_TEST_EXPECT_MSG_EQ(read("inSwitch = true\n").GetWhyNotInSwitch(), "", "they have");
    NS_TEST_EXPECT_MSG_NE(read("inSwitch = false\n").GetWhyNotInSwitch(), "", "without a source");
}

TEST_CASE(RefusedTestCase, "Machines that are none are refused")
{
    const auto refusesText = [&](const std::string& text, const std::vector<std::string>& parts) {
        const auto path = WriteTemporary("mine.toml", text);
        const auto message = ErrorOf([&] { MachineFile::Read(path); });
        for (const auto& part : parts)
        {
            Says(message, part[0] == ':' ? path + part : part);
        }
    };
    const std::string head = "[HostSoftware]\n";
    refusesText(head + "StartUp = 5\n", {":2: ", "HostSoftware::StartUp=5", "6.25ns"});
    refusesText(head + "StartUp = \"5 m\"\n", {":2: ", "=5 m"});
    refusesText(head + "\nStartup = \"5us\"\n", {":3: ", "'Startup'", "did you mean StartUp"});
    refusesText("[HostSoftwar]\n", {":1: ", "'HostSoftwar'", "did you mean HostSoftware"});
    refusesText(head + "StartUp = [1, 2]\n", {":2: ", "expected a string"});
    refusesText(head + "StartUp = 1979-05-27\n", {":2: ", "expected a string"});
    refusesText(head + "StartUp = {a = 1}\n", {":2: ", "expected a string"});
    refusesText(head + "StartUp = {value = \"1us\", why = \"x\"}\n", {":2: ", "source"});
    refusesText(head + "StartUp = {source = \"x\"}\n", {":2: ", "source"});
    refusesText(head + "StartUp = {value = {value = 1}}\n", {":2: ", "source"});
    refusesText(head + "StartUp = {value = \"1us\", source = 3}\n", {":2: ", "expected a string"});
    refusesText(head + "StartUp = {value = 5, source = \"x\"}\n", {":2: ", "6.25ns"});
    refusesText("inSwitch = 3\n", {":1: ", "true or false"});
    refusesText("inSwitch = {value = \"no\"}\n", {":1: ", "true or false"});
    refusesText(head + "StartUp = nan\n", {":2: ", "finite"});
    refusesText(head + "StartUp = \"1us\"\nStartUp = \"2us\"\n", {":3: "});
    refusesText(head + "StartUp = \"1us\"\n[\"ns3::HostSoftware\"]\nStartUp = \"2us\"\n",
                {":4: ", "twice", "line 2"});
    refusesText(head + "StartUp = \"1us\n", {":2: ", "expected TOML"});
    refusesText(head + "StartUp = \"1\\u0007us\"\n", {":2: ", "control characters"});
    refusesText(head + "StartUp = \"1\x07us\"\n", {":2: "});
    // A table's name begins with a letter, digit, dash or quotation mark; toml++ asserts it.
    for (const std::string odd : {"=", ".", "#", ",", "{", "\x18", "\xc3\xa9"})
    {
        refusesText("[" + odd + "a]\n", {":1: ", "expected TOML"});
        refusesText("[[" + odd + "a]]\n", {":1: ", "expected TOML"});
    }
    refusesText("[\n", {":1: ", "expected TOML"});
    // What is not ASCII belongs in comments and strings, of double quotation marks.
    const std::string name = "Universit\xc3\xa4t \xf0\x9f\x96\xa7";
    const auto umlaut =
        WriteTemporary("umlaut.toml",
                       "\xef\xbb\xbf# 5 \xc2\xb5s\nname = \"" + name + "\" # \xe2\x82\xac\n");
    NS_TEST_EXPECT_MSG_EQ(MachineFile::Read(umlaut).GetName(), name, "UTF-8");
    refusesText("name = '\xc3\xa9'\n", {":1: ", "double ones"});
    refusesText("name = \"a\" # b\n\xc3\xa9 = 1\n", {":2: ", "expected TOML"});
    refusesText("name = \"a\"\xef\xb9\xbf\n", {":1: ", "expected TOML"});
    refusesText("[HostSoftware]\nPorts = 1\xc3\xa9\n", {":2: ", "expected TOML"});
    refusesText("[[", {":1: ", "expected TOML"});
    refusesText("name = \"\xff\"\n", {":1: "});
    refusesText("name = 3\n", {":1: ", "expected a string"});
    refusesText("title = \"x\"\n", {":1: ", "'title'", "name, source"});
    refusesText("[DisseminationBarrier]\nMessageBytes = 8\n", {":2: ", "[\"ns3::Collective\"]"});
    refusesText("[WormholePort]\nBufferDepth = -1\n", {":2: ", "BufferDepth=-1"});
    refusesText("[WormholeFabric]\nReplication = \"tree\"\n", {":2: ", "async"});
    refusesText("[WormholeFabric]\nThrowOnDeadlock = 3\n", {":2: ", "true or false"});
    refusesText("#" + std::string(1000000, 'x'), {"1000001 bytes", "1000000"});
    refusesText("a = " + std::string(100000, '['), {":1: "});
    Refuses([] { MachineFile::Read("edr-infinband"); }, "did you mean edr-infiniband?");
    Refuses([] { MachineFile::Read(""); }, "expected edr-infiniband");
    Refuses([] { MachineFile::Read("/none.toml"); }, "/none.toml");
    Refuses([] { MachineFile::Read("/tmp/"); }, "/tmp/");
}

TEST_CASE(PresetTestCase, "Presets are read and set")
{
    const auto names = MachineFile::GetNames();
    NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), "edr-infiniband"), 1, "");
    NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), "ethernet-100g"), 1, "");
    for (const auto& name : names)
    {
        KeptDefaults kept;
        const auto machine = MachineFile::Read(name);
        NS_TEST_EXPECT_MSG_NE(machine.GetName(), name, "it says what it is");
        NS_TEST_EXPECT_MSG_EQ(machine.GetSource().empty(), false, name);
        NS_TEST_EXPECT_MSG_EQ(machine.GetEntries().empty(), false, name);
        machine.SetDefaults();
        for (const auto& entry : machine.GetEntries())
        {
            // The same text set on an attribute's value, as ns-3 prints it.
            const auto split = entry.attribute.rfind("::");
            TypeId::AttributeInformation attribute;
            TypeId::LookupByName(entry.attribute.substr(0, split))
                .LookupAttributeByName(entry.attribute.substr(split + 2), &attribute);
            const auto value = attribute.checker->CreateValidValue(StringValue(entry.value));
            NS_TEST_EXPECT_MSG_EQ(attribute.initialValue->SerializeToString(attribute.checker),
                                  value->SerializeToString(attribute.checker),
                                  name << " " << entry.attribute);
        }
    }
    KeptDefaults kept;
    MachineFile::Read("edr-infiniband").SetDefaults();
    // 64 bytes of 8 bits at 100 Gbit/s.
    auto fabric = CreateObject<WormholeFabric>();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(), PicoSeconds(5120), "exact");
}

/// Without effect if it gives the defaults; the same as options and attributes if it gives others.
TEST_CASE(StudyTestCase, "Studies run on machines")
{
    const auto ask = [this](const std::vector<std::string>& words) -> std::string {
        const auto outcome = RunProgram(words);
        NS_TEST_EXPECT_MSG_EQ(outcome.status, 0, words[0] << ": " << outcome.errors);
        return outcome.csv;
    };
    std::vector<std::string> plain; // what each study says without a machine
    std::set<std::string> covered;
    const auto delays = [this](const std::string& cable, const std::string& other) {
        const auto text = "[WormholeChannel]\nDelay = \"" + cable + "\"\n[WormholeSwitch]\n" +
                          "Delay = \"" + other + "\"\n[WormholeNetDevice]\nDelay = \"" + other +
                          "\"\n";
        return "--machine=" + WriteTemporary(cable + ".toml", text);
    };
    const auto same = delays("20ns", "300ns");
    const auto slow = delays("70ns", "450ns");
    for (const auto& study : STUDIES)
    {
        covered.insert(StudyRegistry::Make(study[0])->GetDescription().python);
        plain.push_back(ask(study));
        NS_TEST_EXPECT_MSG_EQ(ask(Join(study, {same})), plain.back(), study[0]);
        const auto onSlow = ask(Join(study, {slow}));
        const auto names = StudyRegistry::Make(study[0])->GetParameters();
        if (AnyOf(names, [](const auto& parameter) { return parameter.name == "linkDelay"; }))
        {
            const auto options = ask(Join(study, {"--linkDelay=70ns", "--switchDelay=450ns"}));
            NS_TEST_EXPECT_MSG_EQ(onSlow, options, study[0]);
            const auto both = ask(Join(study, {slow, "--linkDelay=20ns", "--switchDelay=300ns"}));
            NS_TEST_EXPECT_MSG_EQ(both, plain.back(), study[0] << ": options go before it");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(covered.size(), StudyRegistry::GetNames().size(), "every study");
    const std::string text = "[HostSoftware]\nStartUp = \"3us\"\nReceiveOverhead = \"2500ns\"\n";
    const auto costs = "--machine=" + WriteTemporary("costs.toml", text);
    for (const auto index : {5, 6, 7, 8})
    {
        const auto run = [&](const std::vector<std::string>& options) {
            return RunProgram(Join(STUDIES[index], options));
        };
        const auto& name = STUDIES[index][0];
        const auto onMachine = run({costs}).csv;
        NS_TEST_EXPECT_MSG_EQ(onMachine, run({"--startUp=3us", "--receive=2500ns"}).csv, name);
        NS_TEST_EXPECT_MSG_NE(onMachine, plain[index], name);
        NS_TEST_EXPECT_MSG_EQ(run({costs, "--startUp=4us", "--receive=1us"}).csv,
                              run({"--startUp=4us", "--receive=1us"}).csv,
                              name << ": options go before the machine");
        const auto errors = run({"--attribute=HostSoftware::StartUp=3us"}).errors;
        Says(errors.substr(0, errors.size() - 1), "expected --startUp=2us");
    }
    const auto& btin = STUDIES[0];
    const std::string attribute = "--attribute=HostSoftware::StartUp=5us";
    const auto set = ask(Join(btin, {costs, attribute}));
    NS_TEST_EXPECT_MSG_EQ(set, ask(Join(btin, {costs, "--startUp=5us"})), "attributes");
    NS_TEST_EXPECT_MSG_EQ(set, ask(Join(btin, {attribute, costs})), "in any order");
    const auto idle = RunProgram(Join(STUDIES[3], {costs}));
    NS_TEST_EXPECT_MSG_EQ(idle.errors.find("rdma-barrier: "), 0, "what has no effect is said");
    NS_TEST_EXPECT_MSG_EQ(idle.csv, plain[3], "and has none");
}

TEST_CASE(OptionTestCase, "A machine's value that an option refuses names its line")
{
    const auto refuses =
        [this](const std::string& study, const std::string& machine, const std::string& part) {
            const auto outcome = RunProgram({study, "--machine=" + machine});
            NS_TEST_EXPECT_MSG_EQ(outcome.status, 1, study);
            NS_TEST_ASSERT_MSG_EQ(outcome.errors.empty(), false, study);
            Says(outcome.errors.substr(0, outcome.errors.size() - 1), part);
        };
    const auto path = WriteTemporary("load.toml", "[WormholeTraffic]\nLoad = 11\n");
    refuses("latency-load", path, path + ":2: ns3::WormholeTraffic::Load");
    refuses("btin-comparison", "none", "there is no machine 'none'");
}

TEST_CASE(UnreadTestCase, "Without toml++, machines are refused")
{
    const auto path = WriteTemporary("mine.toml", "[WormholeSwitch]\nDelay = \"90ns\"\n");
    Refuses([&] { MachineFile::Read(path); }, "install toml++");
}

// Cases of files are none where they can't be read, so all are listed.
SUITE("wormhole-machine-file", UNIT);

ADD_CASES()
{
    if (!MachineFile::ReadsToml())
    {
        AddQuick<UnreadTestCase>();
        return;
    }
    AddQuick<ReadTestCase>();
    AddQuick<RefusedTestCase>();
    AddQuick<PresetTestCase>();
    AddQuick<StudyTestCase>();
    AddQuick<OptionTestCase>();
}

SUITE("wormhole-quoting", UNIT);

const std::string UNPRINTABLE[] = {"a\nb",
                                   "\x1b[31m",
                                   std::string("\0", 1),
                                   "\x7f",
                                   "\xc2\x85",         // U+0085
                                   "\xe2\x80\xa8",     // U+2028
                                   "\xe2\x80\xae",     // U+202E
                                   "\xe2\x81\xa7",     // U+2067
                                   "\xef\xbb\xbf",     // U+FEFF
                                   "\xef\xbf\xbe",     // U+FFFE
                                   "\xef\xb7\x90",     // U+FDD0
                                   "\xf0\x9f\xbf\xbf", // U+1FFFF
                                   "\xed\xa0\x80",     // a surrogate
                                   "\xff",
                                   "\xc0\xaf",
                                   "\xe2\x82"}; // cut off

const std::string PRINTABLE[] = {"s0",
                                 "",
                                 "`touch PWNED`",
                                 "\"; system \"touch PWNED\"; \"",
                                 "'; system 'touch PWNED'; '",
                                 "</script><script>",
                                 "]]>",
                                 "a, \"b\", c",
                                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                                 "100 %\\"};

const CsvTable TABLE{{"text: A text"}, {"number: A number", 2}};

void
ParseOption(const std::string& option)
{
    ProgramOptions options(__FILE__, "usage");
    options.Add("plots", "DIR", "folder");
    CallWithArguments({"program", option}, [&](int n, char** words) { options.Parse(n, words); });
}

CsvRow
MakeTextRow(const std::string& text, double number)
{
    CsvRow row(TABLE);
    row["text"] = text;
    row["number"] = number;
    return row;
}

} // namespace

TEST_CASE(PrintableNamesTestCase, "Names are printable, or refused at once")
{
    for (const auto& text : PRINTABLE)
    {
        NS_TEST_EXPECT_MSG_EQ(PrintableText::IsPrintable(text), true, text);
        NS_TEST_EXPECT_MSG_EQ(PrintableText::Replace(text), text, text);
    }
    for (const auto& text : UNPRINTABLE)
    {
        NS_TEST_EXPECT_MSG_EQ(PrintableText::IsPrintable(text), false, text);
        NS_TEST_EXPECT_MSG_EQ(PrintableText::IsPrintable(PrintableText::Replace(text)), true, text);
        Refuses([&] { FabricGraph(1, 2, 4).SetName(0, text); }, "expected printable text");
        Refuses([&] { ParseOption("--plots=" + text); },
                text[0] == '\0' ? "--plots" : "not printable");
        if (text != "a\nb") // there the line ends
        {
            const auto csv = WriteTemporary("row.csv", "text,number\nx,1\n" + text + ",2\n");
            Refuses([&] { TABLE.Read(csv); }, csv + ":3: ");
        }
        const auto isAscii = static_cast<unsigned char>(text[0]) < 0x80;
        const auto name = isAscii ? JsonFile::Quote(text) : "\"" + text + "\"";
        const auto file = WriteTemporary("name.json",
                                         "{\"hosts\": [\"a\",\n" + name +
                                             "], \"links\": [[\"a\", 0, \"s\", 0]]}");
        const auto message = ErrorOf([&] { ReadFabricFile(file); });
        Says(message, file + ":2: ");
        NS_TEST_EXPECT_MSG_EQ(message.find("has no cable"), std::string::npos, message);
        Holds(PrintableText::IsPrintable(WormholeError(text).what()), "as shown in a message");
    }
}

TEST_CASE(CsvFormulaTestCase, "No text of a table is a formula, and all are read back")
{
    for (const std::string text : {"=1+1", "+a", "-x", "@cell", "'=a", "''=a", "'-5", "-5-5"})
    {
        NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote(text), "'" + text, "what looks like a formula");
    }
    Equals(CsvFile::Quote("=cmd|' /C calc'!A0,1"), "\"'=cmd|' /C calc'!A0,1\"", "with a comma");
    NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote("\t1"), "'\t1", "a tab");
    NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote("\r1"), "\"'\r1\"", "an end of a line");
    for (const std::string text : {"-3.5", "+4", "-.5e-3", "a=b", "'a", "", "'", "''"})
    {
        NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote(text), text, "what does not");
    }
    std::vector<CsvRow> rows;
    for (const auto& prefix : {"", "'", "''", "\"", " "})
    {
        for (const std::string first : {"=", "+", "-", "@", "x", ""})
        {
            for (const auto& rest : PRINTABLE)
            {
                rows.push_back(MakeTextRow(prefix + first + rest, -3.5));
            }
            rows.push_back(MakeTextRow(prefix + first + "5", -0.25));
        }
    }
    const auto read = TABLE.Read(WriteTemporary("table.csv", ToCsv(rows)));
    NS_TEST_ASSERT_MSG_EQ(read.size(), rows.size(), "rows");
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(read[i]["text"].Text(), rows[i]["text"].Text(), "read back");
        NS_TEST_EXPECT_MSG_EQ(read[i]["number"], rows[i]["number"], "numbers stay");
    }
}

/// Texts in gnuplot's scripts; that gnuplot runs nothing, test/python/test_quoting.py shows.
TEST_CASE(GnuplotQuotesTestCase, "Texts in scripts are quoted")
{
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::Quote("it's \"`a`\" @b\\"),
                          "'it'.\"'\".'s \"`a`\" @b\\'",
                          "single quotes");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::Quote("a\nb\x01"), "'a b\xef\xbf\xbd'", "one line");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::QuoteTic("5 %d"), "'5 %%d'", "no format");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::QuoteFile("|touch x"), "'./|touch x'", "no command");
    StudyPlot plot{"a'b"};
    plot.data = StudyPlot::IN_FILE;
    plot.panels = {{"",
                    {{"one's", "lines", {{1, 2, 0}, {3, 4, 0}}},
                     {"two", "yerrorbars", {{1, 2, 0.5}}},
                     {"x", "lines", {}, "", "x"}}}};
    const auto folder = CreateTempDirFilename("plots");
    StudyPlot::Write({plot}, folder, "");
    Contains(ReadText(folder + "/a'b.plt"),
             "plot './a'.\"'\".'b.dat' index 0 title 'one'.\"'\".'s' with lines, "
             "'./a'.\"'\".'b.dat' index 1 title 'two' with yerrorbars, "
             "x title 'x' with lines\n");
    NS_TEST_EXPECT_MSG_EQ(ReadText(folder + "/a'b.dat"), "1 2\n3 4\n\n\n1 2 0.5\n\n\n", "points");
    GnuplotScript script;
    script.name = "a\nsystem 'x'";
    Refuses([&] { script.Write(CreateTempDirFilename("plots")); }, "expected printable");
}

TEST_CASE(OddNamesTestCase, "Odd names of files and folders are refused in one line")
{
    for (const std::string name : {"x.pdf", "a/x.PNG", "x.svg/", "plots.csv"})
    {
        Refuses([&] { FileName::CheckFolder(name); }, "expected the name of a folder");
    }
    for (const std::string name : {"plots", "v1.2", "a.pdf/b", "/tmp/", "./"})
    {
        FileName::CheckFolder(name);
    }
    for (const std::size_t length : {251, 256, 5000})
    {
        const std::string name(length, 'm');
        Refuses([&] { MachineFile::Read(name); }, "there is no machine 'mmm");
        Refuses([&] { MachineFile::Read("./" + name + ".toml"); }, "File name too long");
        Refuses([&] { ReadFabricFile(name + ".json"); }, "File name too long");
    }
    for (const std::string option : {"--PrintNope", "--Print", "--PrintTypeIds=x"})
    {
        Refuses([&] { ParseOption(option); }, option.substr(0, 7));
    }
}
