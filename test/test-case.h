// SPDX-License-Identifier: GPL-2.0-only

#ifndef TEST_CASE_H
#define TEST_CASE_H

// What test cases and suites are made of: one function each, and a list.

#include "test-tools.h"
#include "wormhole-compat.h"

#include "ns3/test.h"

namespace ns3
{

/// A test case with checks of texts, and a simulation of its own, whose times are of ps and whose
/// random numbers are those of the first run.
class ModuleTestCase : public TestCase
{
  public:
    explicit ModuleTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    using Base = ModuleTestCase; ///< what TEST_CASE_NAME names

    void Contains(const std::string& text, const std::string& part, const std::string& what = "")
    {
        NS_TEST_EXPECT_MSG_NE(text.find(part),
                              std::string::npos,
                              what << " '" << text << "' should say '" << part << "'");
    }

    void ContainsAll(const std::string& text,
                     const std::vector<std::string>& parts,
                     const std::string& what = "")
    {
        for (const auto& part : parts)
        {
            Contains(text, part, what);
        }
    }

    /// Checks a list's entries. @param wanted what they are to be
    template <typename LIST>
    void Same(const LIST& list, const std::common_type_t<LIST>& wanted, const std::string& what)
    {
        std::ostringstream entries;
        for (const auto* its : {&list, &wanted})
        {
            for (const auto& entry : *its)
            {
                entries << " " << entry;
            }
            entries << (its == &list ? "; wanted:" : "");
        }
        NS_TEST_EXPECT_MSG_EQ((list == wanted), true, what << ":" << entries.str());
    }

    /// Checks a refusal: one line. @param parts what must be in it
    void SaysAll(const std::string& message,
                 const std::vector<std::string>& parts,
                 const std::string& what = "")
    {
        ContainsAll(message, parts, what);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
    }

    void Says(const std::string& message, const std::string& part)
    {
        SaysAll(message, {part});
    }

    void Holds(bool isSo, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(isSo, true, what);
    }

    template <typename FOUND, typename WANTED>
    void Equals(const FOUND& found, const WANTED& wanted, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(found, wanted, what);
    }

    /// Checks a number. @param tolerance by which it may differ
    void Within(double found, double wanted, double tolerance, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(found, wanted, tolerance, what);
    }

    /// The same. @param part of what is wanted by which it may differ
    void Near(double found, double wanted, double part, const std::string& what)
    {
        Within(found, wanted, std::abs(wanted) * part, what);
    }

    /// @param part what the message must hold
    void Refuses(const std::function<void()>& action, const std::string& part)
    {
        Says(ErrorOf(action), part);
    }

    /// @param message all that the message must be
    void RefusesWith(const std::function<void()>& action, const std::string& message)
    {
        NS_TEST_EXPECT_MSG_EQ(ErrorOf(action), message, "refusal");
    }

    std::string WriteTemporary(const std::string& name, const std::string& text)
    {
        return WriteText(CreateTempDirFilename(name), text);
    }

    void DoSetup() override
    {
        StartAnew();
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/// A suite, to which the test cases add themselves that follow in its file.
class FileSuite : public TestSuite
{
  public:
    FileSuite(const std::string& name, Type type, const std::string& file)
        : TestSuite(name, type)
    {
        Of(file) = this;
    }

    /// @return the last suite that a file has begun; null: none
    static FileSuite*& Of(const std::string& file)
    {
        static std::map<std::string, FileSuite*> suites;
        return suites[file];
    }

    using TestSuite::AddTestCase;
};

/// Adds a case to the suite of its file, if that has begun one. @return true
template <typename CASE>
bool
AddOwnCase(const std::string& file)
{
    if (const auto suite = FileSuite::Of(file))
    {
        suite->AddTestCase(new CASE, WORMHOLE_TEST_QUICK);
    }
    return true;
}

/// Adds cases with arguments to the suite of a file.
class CaseList
{
  public:
    explicit CaseList(const std::string& file)
        : m_suite(FileSuite::Of(file))
    {
    }

  protected:
    /// @param isQuick whether the case is of every run, or of runs with --fullness=EXTENSIVE
    /// @param args its constructor's
    template <typename CASE, typename... ARGS>
    void Add(bool isQuick, ARGS&&... args)
    {
        m_suite->AddTestCase(new CASE(std::forward<ARGS>(args)...),
                             isQuick ? WORMHOLE_TEST_QUICK : WORMHOLE_TEST_EXTENSIVE);
    }

    template <typename CASE, typename... ARGS>
    void AddQuick(ARGS&&... args)
    {
        Add<CASE>(true, std::forward<ARGS>(args)...);
    }

    /// Adds a case of every run for each entry of a list, which is its argument.
    template <typename CASE, typename LIST>
    void AddQuickEach(const LIST& list)
    {
        for (const auto& entry : list)
        {
            AddQuick<CASE>(entry);
        }
    }

    template <typename CASE, typename... ARGS>
    void AddExtensive(ARGS&&... args)
    {
        Add<CASE>(false, std::forward<ARGS>(args)...);
    }

    /// Adds cases of seeds 0 to n - 1, the first of which are of every run. @param step seeds of a
    /// case
    template <typename... CASES>
    void AddSeeds(uint32_t n, uint32_t step)
    {
        for (uint32_t first = 0; first < n; first += step)
        {
            const auto end = first + (first == 0 ? FewIfSanitized(step) : step);
            (Add<CASES>(first == 0, first, end), ...);
        }
    }

  private:
    FileSuite* m_suite; ///< the suite
};

} // namespace ns3

/// A name that is unique in a compilation of several files.
#define TEST_UNIQUE(NAME) TEST_UNIQUE_AS(NAME, __COUNTER__)
#define TEST_UNIQUE_AS(NAME, NUMBER) TEST_UNIQUE_OF(NAME, NUMBER)
#define TEST_UNIQUE_OF(NAME, NUMBER) NAME##NUMBER

/// Begins a suite: the test cases that follow in this file are its. TYPE is ns-3's: UNIT or SYSTEM.
#define SUITE(TEXT, TYPE) SUITE_AS(TEST_UNIQUE(g_suite), TEXT, TYPE)
#define SUITE_AS(NAME, TEXT, TYPE)                                                                 \
    static inline ns3::FileSuite NAME(TEXT, ns3::TestSuite::Type::TYPE, __FILE__)

/// Names a test case, at the head of its class, which has no other constructor, and whose base
/// names itself Base; and adds it to the suite of its file. What follows is private. The class must
/// be in a namespace without a name: other classes' members may be made before the suite.
#define TEST_CASE_NAME(NAME, TEXT)                                                                 \
  public:                                                                                          \
    NAME()                                                                                         \
        : Base(TEXT)                                                                               \
    {                                                                                              \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    static inline const bool s_isAdded = ns3::AddOwnCase<NAME>(__FILE__)

/// A test case that is one function, whose body follows, as with BOOST_AUTO_TEST_CASE.
#define TEST_CASE_OF(BASE, NAME, TEXT)                                                             \
    namespace                                                                                      \
    {                                                                                              \
    class NAME : public BASE                                                                       \
    {                                                                                              \
        using Base = BASE;                                                                         \
        TEST_CASE_NAME(NAME, TEXT);                                                                \
        void DoRun() override;                                                                     \
    };                                                                                             \
    }                                                                                              \
    void NAME::DoRun()

/// The same of the usual kind.
#define TEST_CASE(NAME, TEXT) TEST_CASE_OF(ns3::ModuleTestCase, NAME, TEXT)

/// A test case that is one function of some arguments, which ADD_CASES gives it, and which its text
/// may name. PARAMETERS are in parentheses.
#define TEST_CASE_WITH(NAME, PARAMETERS, TEXT)                                                     \
    TEST_CASE_WITH_OF(ns3::ModuleTestCase, NAME, PARAMETERS, TEXT)

/// The same of a base of its own.
#define TEST_CASE_WITH_OF(BASE, NAME, PARAMETERS, TEXT)                                            \
    class NAME : public BASE                                                                       \
    {                                                                                              \
      public:                                                                                      \
        template <typename... ARGS>                                                                \
        explicit NAME(const ARGS&... args)                                                         \
            : BASE(MakeText(args...)),                                                             \
              m_run([this, args...] { Run(args...); })                                             \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        _Pragma("GCC diagnostic push")                                                             \
            _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") static std::string MakeText   \
            PARAMETERS                                                                             \
        {                                                                                          \
            return TEXT;                                                                           \
        }                                                                                          \
        _Pragma("GCC diagnostic pop") void DoRun() override                                        \
        {                                                                                          \
            m_run();                                                                               \
        }                                                                                          \
        void Run PARAMETERS;                                                                       \
        std::function<void()> m_run;                                                               \
    };                                                                                             \
    void NAME::Run PARAMETERS

/// Adds cases with arguments, by AddQuick<CASE>(...) and AddExtensive<CASE>(...), which follow in
/// braces.
#define ADD_CASES() ADD_CASES_AS(TEST_UNIQUE(AddedCases), TEST_UNIQUE(g_addedCases))
#define ADD_CASES_AS(NAME, OBJECT)                                                                 \
    namespace                                                                                      \
    {                                                                                              \
    class NAME : public ns3::CaseList                                                              \
    {                                                                                              \
      public:                                                                                      \
        NAME()                                                                                     \
            : CaseList(__FILE__)                                                                   \
        {                                                                                          \
            DoAdd();                                                                               \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoAdd();                                                                              \
    };                                                                                             \
    const NAME OBJECT;                                                                             \
    }                                                                                              \
    void NAME::DoAdd()

#endif /* TEST_CASE_H */
