// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-routing-progress.h"

#include <utility>

namespace ns3
{

namespace
{

/// Who is told, and when.
struct Telling
{
    ProgressListener listener; ///< who; empty: nobody
    double patience{2};        ///< when a part is first told of, s after its begin
};

Telling&
GetTelling()
{
    static Telling telling;
    return telling;
}

constexpr std::chrono::milliseconds INTERVAL{200}; ///< between two calls

} // namespace

ProgressListener
RoutingProgress::SetListener(ProgressListener listener, double patience)
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
        GetTelling().listener(m_what.c_str(), m_done, m_done);
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
        TellProgress(GetTelling().listener, m_what.c_str(), m_done, m_all);
    }
}

} // namespace ns3
