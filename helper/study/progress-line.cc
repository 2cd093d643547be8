/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "progress-line.h"

#include <cstdio>
#include <unistd.h>

namespace ns3
{

ProgressLine::ProgressLine(const std::string& program, bool wanted)
    : m_program(program),
      m_start(std::chrono::steady_clock::now()),
      m_terminal(isatty(STDERR_FILENO)),
      m_on(wanted || m_terminal)
{
}

ProgressLine::~ProgressLine()
{
    if (m_terminal && m_left > 0)
    {
        std::fputc('\n', stderr); // a message follows
    }
}

void
ProgressLine::Tell(uint32_t done, uint32_t all)
{
    m_left = all - done;
    if (!m_on)
    {
        return;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - m_start;
    const char* end = done < all ? "   " : "   \n";
    std::fprintf(stderr,
                 "%s%s: %u of %u runs, %.0f s left%s",
                 m_terminal ? "\r" : "",
                 m_program.c_str(),
                 done,
                 all,
                 spent.count() / done * (all - done),
                 m_terminal ? end : "\n");
}

} // namespace ns3
