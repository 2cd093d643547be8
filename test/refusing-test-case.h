/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REFUSING_TEST_CASE_H
#define REFUSING_TEST_CASE_H

#include "test-tools.h"

#include "ns3/test.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole-tests
 * A test case with refusals and files, whose times need ps.
 */
class RefusingTestCase : public TestCase
{
  public:
    /// @param name what is tested
    explicit RefusingTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoSetup() override
    {
        NeedPicoseconds();
    }

    /// Checks a refusal. @param message its one line @param part what must be in it
    void Says(const std::string& message, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_NE(message.find(part),
                              std::string::npos,
                              "'" << message << "' should say '" << part << "'");
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
    }

    /// @param action what must be refused @param part what the message must hold
    void Refuses(const std::function<void()>& action, const std::string& part)
    {
        Says(ErrorOf(action), part);
    }

    /// @return path of a file that holds a text @param name its name @param text the text
    std::string WriteText(const std::string& name, const std::string& text)
    {
        return ns3::WriteText(CreateTempDirFilename(name), text);
    }
};

} // namespace ns3

#endif /* REFUSING_TEST_CASE_H */
