/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/csv-file.h"
#include "ns3/csv-table.h"
#include "ns3/file-name.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/json-file.h"
#include "ns3/printable-text.h"
#include "ns3/wormhole-machine-file.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-topology-factory.h"

#include <fstream>

using namespace ns3;

namespace
{

/// Texts that are not printable.
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

/// Texts that are, whatever they mean elsewhere.
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

/// A table of texts and numbers.
const CsvTable TABLE{{"text: A text"}, {"number: A number", 2}};

/// @return a row of it
CsvRow
MakeTextRow(const std::string& text, double number)
{
    CsvRow row(TABLE);
    row["text"] = text;
    row["number"] = number;
    return row;
}

} // namespace

/// Names that not all formats can hold are refused where they come in, naming the place.
SIMULATION_TEST_CASE(PrintableNamesTestCase, "Names are printable, or refused at once")
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
        std::string argument = "--plots=" + text;
        Refuses(
            [&] {
                ProgramOptions options(__FILE__, "usage");
                options.Add("plots", "DIR", "folder");
                std::string program = "program";
                char* arguments[] = {program.data(), argument.data()};
                options.Parse(2, arguments);
            },
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
        NS_TEST_EXPECT_MSG_EQ(PrintableText::IsPrintable(WormholeError(text).what()),
                              true,
                              "as shown in a message");
    }
}

/// Cells of CSV that spreadsheets would take for formulas.
SIMULATION_TEST_CASE(CsvFormulaTestCase, "No text of a table is a formula, and all are read back")
{
    for (const std::string text : {"=1+1", "+a", "-x", "@cell", "'=a", "''=a", "'-5", "-5-5"})
    {
        NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote(text), "'" + text, "what looks like a formula");
    }
    NS_TEST_EXPECT_MSG_EQ(CsvFile::Quote("=cmd|' /C calc'!A0,1"),
                          "\"'=cmd|' /C calc'!A0,1\"",
                          "with a comma");
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
    std::ostringstream text;
    TABLE.Write(text, rows);
    const auto read = TABLE.Read(WriteTemporary("table.csv", text.str()));
    NS_TEST_ASSERT_MSG_EQ(read.size(), rows.size(), "rows");
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(read[i]["text"].Text(), rows[i]["text"].Text(), "read back");
        NS_TEST_EXPECT_MSG_EQ(read[i]["number"], rows[i]["number"], "numbers stay");
    }
}

/// Texts in gnuplot's scripts; that gnuplot runs nothing, test/python/test_quoting.py shows.
SIMULATION_TEST_CASE(GnuplotQuotesTestCase, "Texts in scripts are quoted")
{
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::Quote("it's \"`a`\" @b\\"),
                          "'it'.\"'\".'s \"`a`\" @b\\'",
                          "single quotes");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::Quote("a\nb\x01"), "'a b\xef\xbf\xbd'", "one line");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::QuoteTic("5 %d"), "'5 %%d'", "no format");
    NS_TEST_EXPECT_MSG_EQ(GnuplotScript::QuoteFile("|touch x"), "'./|touch x'", "no command");
    GnuplotCurves curves("a'b.dat");
    curves.Add("one's", "lines", {{1, 2, 0}, {3, 4, 0}}, false);
    curves.Add("two", "yerrorbars", {{1, 2, 0.5}}, true);
    curves.AddFunction("x", "lines", "x");
    NS_TEST_EXPECT_MSG_EQ(curves.GetPlot(),
                          "plot './a'.\"'\".'b.dat' index 0 title 'one'.\"'\".'s' with lines, "
                          "'./a'.\"'\".'b.dat' index 1 title 'two' with yerrorbars, "
                          "x title 'x' with lines\n",
                          "curves");
    std::ostringstream points;
    curves.WritePoints(points);
    NS_TEST_EXPECT_MSG_EQ(points.str(), "1 2\n3 4\n\n\n1 2 0.5\n\n\n", "points");
    GnuplotScript script;
    script.name = "a\nsystem 'x'";
    Refuses([&] { script.Write(CreateTempDirFilename("plots")); }, "expected printable");
}

/// Folders that are named as files, names that no file can have, and options that ns-3 has not.
SIMULATION_TEST_CASE(OddNamesTestCase, "Odd names of files and folders are refused in one line")
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
        Refuses(
            [&] {
                ProgramOptions options(__FILE__, "usage");
                std::string program = "program";
                auto argument = option;
                char* arguments[] = {program.data(), argument.data()};
                options.Parse(2, arguments);
            },
            option.substr(0, 7));
    }
}

/// Texts from outside in other languages.
static ListedTestSuite g_wormholeQuotingTestSuite("wormhole-quoting",
                                                  {new PrintableNamesTestCase,
                                                   new CsvFormulaTestCase,
                                                   new GnuplotQuotesTestCase,
                                                   new OddNamesTestCase});
