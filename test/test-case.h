/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_CASE_H
#define TEST_CASE_H

// What test cases and suites are made of: one function each, and a list.

#include "test-tools.h"

#include "ns3/test.h"
#include "ns3/wormhole-compat.h"

#include <functional>
#include <initializer_list>
#include <string>

namespace ns3
{

/// A test case with checks of texts.
class ModuleTestCase : public TestCase
{
  public:
    explicit ModuleTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    using Base = ModuleTestCase; ///< what TEST_CASE_NAME names

    /// Checks that a text has a part.
    void Contains(const std::string& text, const std::string& part, const std::string& what = "")
    {
        NS_TEST_EXPECT_MSG_NE(text.find(part),
                              std::string::npos,
                              what << " '" << text << "' should say '" << part << "'");
    }

    /// Checks a refusal: one line. @param part what must be in it
    void Says(const std::string& message, const std::string& part)
    {
        Contains(message, part);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
    }

    /// @param part what the message must hold
    void Refuses(const std::function<void()>& action, const std::string& part)
    {
        Says(ErrorOf(action), part);
    }

    /// @return path of a temporary file that holds a text
    std::string WriteTemporary(const std::string& name, const std::string& text)
    {
        return WriteText(CreateTempDirFilename(name), text);
    }
};

/// A test case with a simulation of its own, whose times are of ps and whose random numbers are
/// those of the first run.
class SimulationTestCase : public ModuleTestCase
{
  public:
    using ModuleTestCase::ModuleTestCase;

  protected:
    using Base = SimulationTestCase; ///< what TEST_CASE_NAME names

    void DoSetup() override
    {
        StartAnew();
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/// A suite of cases, which it owns: those of every run, and those of thorough ones.
class ListedTestSuite : public TestSuite
{
  public:
    /// @param extensive cases of runs with --fullness=EXTENSIVE
    ListedTestSuite(const std::string& name,
                    std::initializer_list<TestCase*> quick,
                    std::initializer_list<TestCase*> extensive = {})
        : ListedTestSuite(name, TestSuite::Type::UNIT, quick, extensive)
    {
    }

    /// @copydoc ListedTestSuite @param type ns-3's type of the suite
    ListedTestSuite(const std::string& name,
                    TestSuite::Type type,
                    std::initializer_list<TestCase*> quick,
                    std::initializer_list<TestCase*> extensive = {})
        : TestSuite(name, type)
    {
        for (const auto testCase : quick)
        {
            AddTestCase(testCase, WORMHOLE_TEST_QUICK);
        }
        for (const auto testCase : extensive)
        {
            AddTestCase(testCase, WORMHOLE_TEST_EXTENSIVE);
        }
    }
};

} // namespace ns3

/// Names a test case, at the head of its class, which has no other constructor, and whose base
/// names itself Base. What follows is private.
#define TEST_CASE_NAME(NAME, TEXT)                                                                 \
  public:                                                                                          \
    NAME()                                                                                         \
        : Base(TEXT)                                                                               \
    {                                                                                              \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    static_assert(true, "takes the semicolon")

/// A test case that is one function, whose body follows, as with BOOST_AUTO_TEST_CASE.
#define TEST_CASE_OF(BASE, NAME, TEXT)                                                             \
    class NAME : public BASE                                                                       \
    {                                                                                              \
        using Base = BASE;                                                                         \
        TEST_CASE_NAME(NAME, TEXT);                                                                \
        void DoRun() override;                                                                     \
    };                                                                                             \
    void NAME::DoRun()

/// The same with checks of texts.
#define TEST_CASE(NAME, TEXT) TEST_CASE_OF(ns3::ModuleTestCase, NAME, TEXT)

/// The same with a simulation.
#define SIMULATION_TEST_CASE(NAME, TEXT) TEST_CASE_OF(ns3::SimulationTestCase, NAME, TEXT)

/// A test case that is one function of a value, which its member keeps and its text may name.
#define TEST_CASE_WITH(BASE, NAME, TYPE, MEMBER, TEXT)                                             \
    class NAME : public BASE                                                                       \
    {                                                                                              \
      public:                                                                                      \
        explicit NAME(const TYPE& MEMBER)                                                          \
            : BASE(TEXT),                                                                          \
              MEMBER(MEMBER)                                                                       \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoRun() override;                                                                     \
        const TYPE MEMBER;                                                                         \
    };                                                                                             \
    void NAME::DoRun()

/// A suite whose cases are computed: what adds them follows.
#define TEST_SUITE(NAME, TEXT, TYPE)                                                               \
    class NAME : public ns3::TestSuite                                                             \
    {                                                                                              \
      public:                                                                                      \
        NAME();                                                                                    \
    };                                                                                             \
    static NAME g_suite##NAME;                                                                     \
    NAME::NAME()                                                                                   \
        : TestSuite(TEXT, ns3::TestSuite::Type::TYPE)

#endif /* TEST_CASE_H */
