/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routing-line.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace ns3
{

RoutingLine::RoutingLine()
{
    RoutingProgress::Listener listener;
    if (isatty(STDERR_FILENO))
    {
        listener = [this](const std::string& what, uint64_t done, uint64_t all) {
            Tell(what, done, all);
        };
    }
    m_before = RoutingProgress::SetListener(std::move(listener));
}

RoutingLine::~RoutingLine()
{
    RoutingProgress::SetListener(std::move(m_before));
}

void
RoutingLine::Tell(const std::string& what, uint64_t done, uint64_t all)
{
    const bool isOver = done == all;
    const auto line = isOver ? ""
                             : "routes: " + std::to_string(done) +
                                   (all > 0 ? " of " + std::to_string(all) : "") + " " + what;
    const auto rest = m_width - std::min(m_width, line.size());
    std::cerr << '\r' << line << std::string(rest, ' ') << (isOver ? "\r" : "") << std::flush;
    m_width = isOver ? 0 : line.size();
}

} // namespace ns3
