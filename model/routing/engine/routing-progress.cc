/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routing-progress.h"

#include <utility>

namespace ns3
{

namespace
{

/// Who is told, and when.
struct Telling
{
    RoutingProgress::Listener listener; ///< who; empty: nobody
    double patience{2};                 ///< when a part is first told of, s after its begin
};

/// @return who is told, in this process
Telling&
GetTelling()
{
    static Telling telling;
    return telling;
}

/// Time between two calls.
constexpr std::chrono::milliseconds INTERVAL{200};

} // namespace

RoutingProgress::Listener
RoutingProgress::SetListener(Listener listener, double patience)
{
    auto& telling = GetTelling();
    telling.patience = patience;
    return std::exchange(telling.listener, std::move(listener));
}

RoutingProgress::RoutingProgress(const std::string& what, uint64_t all)
    : m_what(what),
      m_all(all),
      m_next(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(GetTelling().patience)))
{
}

RoutingProgress::~RoutingProgress()
{
    if (!m_isTold || !GetTelling().listener)
    {
        return;
    }
    try
    {
        GetTelling().listener(m_what, m_done, m_done);
    }
    catch (...)
    {
        // Routes are there, or an error is under way already.
    }
}

void
RoutingProgress::Step()
{
    ++m_done;
    if (!GetTelling().listener || m_done == m_all)
    {
        return;
    }
    if (const auto now = Clock::now(); now >= m_next)
    {
        m_next = now + INTERVAL;
        m_isTold = true;
        GetTelling().listener(m_what, m_done, m_all);
    }
}

} // namespace ns3
