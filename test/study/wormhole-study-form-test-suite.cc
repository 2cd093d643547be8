/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/study-definition.h"
#include "ns3/study-plot.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-study-program.h"

#include <filesystem>

using namespace ns3;

SUITE("wormhole-study-form", UNIT);

namespace
{

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

    void Measure(const Progress&) override
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

bool
IsLine(const std::string& message, const std::string& begin)
{
    return message.compare(0, begin.size(), begin) == 0 && message.find('\n') == message.size() - 1;
}

int
Call(const std::vector<std::string>& words, std::string& told)
{
    SquareForm form;
    StudyProgram program("squares.cc", form);
    int status = 0;
    told = PrintedBy(std::cerr, [&] {
        status = CallWithArguments(Join({"squares"}, words),
                                   [&](int n, char** all) { return program.Main(n, all); });
    });
    return status;
}

/// A study without plots or several processes has no options of theirs, and runs.
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
        NS_TEST_EXPECT_MSG_EQ(IsLine(told, "squares: there is no option --" + option.substr(0, 4)),
                              true,
                              told);
    }
    NS_TEST_EXPECT_MSG_EQ(Call({"--csv=/"}, told), 1, "no file");
}

TEST_CASE(StudyMainTestCase, "WormholeStudyMain")
{
    const auto path = CreateTempDirFilename("tree.csv");
    const auto run = [](const std::vector<std::string>& words) {
        return CallWithArguments(words, WormholeStudyMain);
    };
    NS_TEST_EXPECT_MSG_EQ(run({"fibo-tree", "--csv=" + path, "--processes=2", "--trees=chain"}),
                          0,
                          "runs");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path), true, "has rows");

    const auto errors = PrintedBy(std::cerr, [&] {
        NS_TEST_EXPECT_MSG_EQ(run({"fibotree"}), 1, "there is none");
        NS_TEST_EXPECT_MSG_EQ(WormholeStudyMain(0, nullptr), 1, "no name");
    });
    NS_TEST_EXPECT_MSG_EQ(errors.find("wormhole: there is no study 'fibotree'"), 0, "");
}

TEST_CASE(SweepTestCase, "a sweep, its columns and a plot")
{
    // A curve for each number, a panel without points, and nothing at all.
    const auto checkPlot = [&](const StudyPlot::Rows& rows) {
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
        const auto text = ReadText(folder + "/" + files[0]);
        for (const std::string words :
             {"$points1 << EOD\n3 9\n3 14\n3 16\n\n\n2 4\n",
              "set title 'first'\nplot $points1 index 0 title '3' with linespoints lw 2, ",
              "unset key\nset title 'second'\nplot x title 'x' with lines\n"})
        {
            Contains(text, words);
        }
    };
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
        const auto rows =
            StudySweep::Measure(asked, measure, jobs, [&](uint32_t done, uint32_t all) {
                NS_TEST_EXPECT_MSG_EQ(done, ++told, "one more");
                NS_TEST_EXPECT_MSG_EQ(all, 6, "of all");
            });
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 6, "all combinations");
        NS_TEST_EXPECT_MSG_EQ(rows[1]["square"], 14, "the last ones vary fastest");
        NS_TEST_EXPECT_MSG_EQ(rows[5]["square"], 11, "in order");
        checkPlot(rows);
    }
    const auto columns = SquareForm().GetTable().GetColumns();
    NS_TEST_ASSERT_MSG_EQ(columns.size(), 2, "columns");
    NS_TEST_EXPECT_MSG_EQ(columns[1].doc, "Its square", "what one holds");
}

} // namespace
