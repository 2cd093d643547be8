/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-broadcast-plan.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// How many switches a host considers before it waits, and hosts of each: all paths of a large
/// fabric would take long.
constexpr uint32_t MAX_TRIES = 16;
constexpr uint32_t MAX_HOST_TRIES = 4;
/// How many hosts wait for channels at a time.
constexpr uint32_t MAX_WAITING = 512;

} // namespace

HostBroadcastPlan::HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps)
    : m_switches(switches),
      m_channelCaps(channelCaps),
      m_ranks(switches.GetAllRanks()),
      m_left(switches.GetSize()),
      m_served(switches.GetSize(), 0),
      m_channels(switches.GetNetwork())
{
    for (uint32_t number = 0; number < switches.GetSize(); ++number)
    {
        const auto size = switches.GetRanks(number).size();
        m_left[number].resize(size);
        std::iota(m_left[number].begin(),
                  m_left[number].end(),
                  static_cast<uint32_t>(m_switchOf.size()));
        m_switchOf.insert(m_switchOf.end(), size, number);
        m_open.emplace(-static_cast<int64_t>(size), number);
    }
    m_children.resize(m_switchOf.size());
    m_arrivals.resize(m_switchOf.size());
    Serve(0, Time(0), 0, Time(0)); // the root has it
    while (!m_free.empty() && !m_open.empty())
    {
        const auto [now, process] = *m_free.begin();
        m_free.erase(m_free.begin());
        Send(process, now);
    }
}

void
HostBroadcastPlan::Send(uint32_t process, Time now)
{
    m_waiting.erase(process);
    const auto own = m_switchOf[process];
    const auto rounds = CountRounds();
    const auto lag = GetLag(own, rounds);
    // Alike are switches that nobody serves, and those that others must help.
    const auto mayHelp = [&](uint32_t number) {
        return m_served[number] == 0 || (GetLag(number, rounds) > std::max<int64_t>(lag, 0));
    };
    if (SendElsewhere(process, now, mayHelp))
    {
        return;
    }
    if (GetLeft(own) > 0)
    {
        Serve(process, now, m_left[own].front(), m_switches.GetMinR());
        return;
    }
    if (SendElsewhere(process, now, [](uint32_t) { return true; }))
    {
        return;
    }
    // All that is left is behind busy channels: it tries again when the next one is free, unless
    // enough others do.
    m_releases.erase(m_releases.begin(), m_releases.upper_bound(now));
    if (!m_releases.empty() && m_waiting.size() < MAX_WAITING)
    {
        m_waiting.insert(process);
        m_free.emplace(*m_releases.begin(), process);
    }
}

bool
HostBroadcastPlan::SendElsewhere(uint32_t process,
                                 Time now,
                                 const std::function<bool(uint32_t)>& mayServe)
{
    const auto own = m_switchOf[process];
    uint32_t tries = 0;
    for (const auto& [left, number] : m_open)
    {
        if (number == own || !mayServe(number))
        {
            continue;
        }
        if (++tries > MAX_TRIES)
        {
            break;
        }
        if (SendTo(number, process, now))
        {
            return true;
        }
    }
    return false;
}

bool
HostBroadcastPlan::SendTo(uint32_t number, uint32_t process, Time now)
{
    const auto& left = m_left[number];
    for (std::size_t i = 0; i < left.size() && i < MAX_HOST_TRIES; ++i)
    {
        const auto& path = GetPath(process, left[i]);
        if (!m_channelCaps || m_channels.IsFree(path, now))
        {
            const auto sent = now + m_switches.GetSendTime();
            m_channels.Occupy(path, sent);
            m_releases.insert(sent);
            Serve(process, now, left[i], path.r);
            return true;
        }
        if (path.ports.empty()) // the same channels lead to all
        {
            break;
        }
    }
    return false;
}

uint32_t
HostBroadcastPlan::CountRounds() const
{
    uint32_t rounds = 0;
    for (auto served = m_allServed; served < m_switchOf.size(); served *= 2)
    {
        ++rounds;
    }
    return rounds;
}

int64_t
HostBroadcastPlan::GetLag(uint32_t number, uint32_t rounds) const
{
    const auto served = static_cast<int64_t>(m_served[number]);
    return GetLeft(number) - served * ((int64_t{1} << rounds) - 1);
}

const SwitchPath&
HostBroadcastPlan::GetPath(uint32_t process, uint32_t receiver)
{
    const auto [entry, isNew] = m_paths.try_emplace(uint64_t{process} << 32 | receiver);
    if (isNew)
    {
        entry->second = m_switches.GetPathOfRanks(m_ranks[process], m_ranks[receiver]);
    }
    return entry->second;
}

void
HostBroadcastPlan::Serve(uint32_t process, Time now, uint32_t receiver, Time r)
{
    const auto number = m_switchOf[receiver];
    auto& unserved = m_left[number];
    m_open.erase({-GetLeft(number), number});
    unserved.erase(std::find(unserved.begin(), unserved.end(), receiver));
    ++m_served[number];
    ++m_allServed;
    if (const auto left = GetLeft(number); left > 0)
    {
        m_open.emplace(-left, number);
    }
    if (receiver == process) // the root
    {
        m_free.emplace(now, process);
        return;
    }
    m_children[process].push_back(receiver);
    const auto sent = now + m_switches.GetSendTime();
    m_free.emplace(sent, process);
    m_arrivals[receiver] = sent + r;
    m_free.emplace(sent + r, receiver);
}

} // namespace ns3
