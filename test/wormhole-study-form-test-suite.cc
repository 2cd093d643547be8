/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/csv-table.h"
#include "ns3/study-form.h"
#include "ns3/study-main.h"
#include "ns3/study-program.h"
#include "ns3/test.h"
#include "ns3/wormhole-compat.h"

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A row of the smallest study that there can be.
struct SquareRow
{
    uint32_t number{0}; ///< a number
    uint32_t square{0}; ///< its square

    /// @return its columns
    static const CsvTable<SquareRow>& GetTable()
    {
        static const auto table =
            CsvTable<SquareRow>({{"number", "", "A number", &SquareRow::number},
                                 {"square", "", "Its square", &SquareRow::square}});
        return table;
    }
};

/// Squares of numbers, without plots.
class SquareForm : public RowStudyForm<SquareRow>
{
  public:
    SquareForm()
        : RowStudyForm(
              {"squares", "squares", "Squares.", "Squares.", "a row a number", false, false})
    {
        AddWholes({"numbers", "2,3", "", "Numbers", "1"}, 1, 1000, Into(m_numbers));
    }

    void Measure(const Progress&) override
    {
        for (const auto number : m_numbers)
        {
            m_rows.push_back({number, number * number});
        }
    }

  private:
    void Finish(const OptionValues&) override
    {
        m_rows.clear();
    }

    std::vector<uint32_t> m_numbers; ///< numbers
};

/// @return whether a message is one line that begins as it must @param message the message
/// @param begin how
bool
IsLine(const std::string& message, const std::string& begin)
{
    return message.compare(0, begin.size(), begin) == 0 && message.find('\n') == message.size() - 1;
}

/// A study without plots or several processes has no options of theirs, and runs.
class StudyWithoutPlotsTestCase : public TestCase
{
  public:
    StudyWithoutPlotsTestCase()
        : TestCase("a study without plots")
    {
    }

  private:
    /// @return exit status @param words options @param told what standard error gets
    static int Call(std::vector<std::string> words, std::string& told)
    {
        words.insert(words.begin(), "squares");
        std::vector<char*> arguments;
        for (auto& word : words)
        {
            arguments.push_back(word.data());
        }
        SquareForm form;
        std::ostringstream errors;
        const auto old = std::cerr.rdbuf(errors.rdbuf());
        const int status = StudyProgram("squares.cc", form)
                               .Main(static_cast<int>(arguments.size()), arguments.data());
        std::cerr.rdbuf(old);
        told = errors.str();
        return status;
    }

    void DoRun() override
    {
        NeedPicoseconds();
        const auto path = CreateTempDirFilename("squares.csv");
        std::string told;
        NS_TEST_EXPECT_MSG_EQ(Call({"--numbers=2,9", "--csv=" + path}, told), 0, told);
        const auto rows = SquareRow::GetTable().Read(path);
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 2, "its rows");
        NS_TEST_EXPECT_MSG_EQ(rows[1].square, 81, "in order");
        for (const std::string option : {"plots=x", "fromCsv=x", "gnuplot=x", "jobs=2"})
        {
            NS_TEST_EXPECT_MSG_EQ(Call({"--" + option}, told), 1, option);
            NS_TEST_EXPECT_MSG_EQ(
                IsLine(told, "squares: there is no option --" + option.substr(0, 4)),
                true,
                told);
        }
        NS_TEST_EXPECT_MSG_EQ(Call({"--csv=/"}, told), 1, "no file");
    }
};

/// Programs by name out of the library.
class StudyMainTestCase : public TestCase
{
  public:
    StudyMainTestCase()
        : TestCase("WormholeStudyMain")
    {
    }

  private:
    void DoRun() override
    {
        NeedPicoseconds();
        const auto path = CreateTempDirFilename("tree.csv");
        std::string name = "fibo-tree";
        std::string csv = "--csv=" + path;
        std::string count = "--processes=2";
        std::string trees = "--trees=chain";
        char* arguments[] = {name.data(), csv.data(), count.data(), trees.data()};
        NS_TEST_EXPECT_MSG_EQ(WormholeStudyMain(4, arguments), 0, "runs");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path), true, "has rows");

        std::ostringstream errors;
        const auto old = std::cerr.rdbuf(errors.rdbuf());
        name = "fibotree";
        char* wrong[] = {name.data()};
        NS_TEST_EXPECT_MSG_EQ(WormholeStudyMain(1, wrong), 1, "there is none");
        NS_TEST_EXPECT_MSG_EQ(WormholeStudyMain(0, nullptr), 1, "no name");
        std::cerr.rdbuf(old);
        NS_TEST_EXPECT_MSG_EQ(errors.str().find("wormhole: there is no study 'fibotree'"), 0, "");
    }
};

/// Forms of studies, and their programs.
class WormholeStudyFormTestSuite : public TestSuite
{
  public:
    WormholeStudyFormTestSuite()
        : TestSuite("wormhole-study-form", TestSuite::Type::UNIT)
    {
        AddTestCase(new StudyWithoutPlotsTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new StudyMainTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// Registers the suite.
static WormholeStudyFormTestSuite g_wormholeStudyFormTestSuite;

} // namespace
