/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gnuplot-program.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace ns3
{

namespace
{

/// @return whether a path leads to a program @param path the path
bool
IsProgram(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// @return a text as one word of the shell @param text the text
std::string
ShellWord(const std::string& text)
{
    std::string word = "'";
    for (const auto c : text)
    {
        word += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return word + "'";
}

} // namespace

GnuplotProgram::GnuplotProgram(const std::string& path)
    : m_path(path)
{
    const auto variable = std::getenv("GNUPLOT");
    if (m_path.empty() && variable)
    {
        m_path = variable;
    }
    if (!m_path.empty())
    {
        if (!IsProgram(m_path))
        {
            throw WormholeError("gnuplot '" + m_path +
                                "' is no program; accepted is the path of "
                                "one, or nothing to look for it in PATH");
        }
        m_path = std::filesystem::absolute(m_path).string();
        return;
    }
    const auto folders = std::getenv("PATH");
    const std::string list = folders ? folders : "";
    for (std::size_t at = 0; at < list.size() && m_path.empty();)
    {
        const auto colon = std::min(list.find(':', at), list.size());
        const auto candidate = list.substr(at, colon - at) + "/gnuplot";
        m_path = IsProgram(candidate) ? std::filesystem::absolute(candidate).string() : "";
        at = colon + 1;
    }
}

bool
GnuplotProgram::IsThere() const
{
    return !m_path.empty();
}

void
GnuplotProgram::Run(const std::string& directory, const std::string& file) const
{
    // Whole paths: cd and gnuplot take what begins with - for an option.
    const auto command = "cd " + ShellWord(std::filesystem::absolute(directory).string()) + " && " +
                         ShellWord(m_path) + " " + ShellWord("./" + file) + " 2>&1";
    std::string said;
    int status = -1;
    if (const auto pipe = popen(command.c_str(), "r"))
    {
        char text[256];
        while (std::fgets(text, sizeof(text), pipe))
        {
            said += text;
        }
        status = pclose(pipe);
    }
    if (status != 0)
    {
        const auto begin = said.find_first_not_of(" \n");
        throw WormholeError(m_path + " failed on " + directory + "/" + file + ": " +
                            (begin == std::string::npos
                                 ? "it said nothing"
                                 : said.substr(begin, said.find('\n', begin) - begin)));
    }
}

} // namespace ns3
