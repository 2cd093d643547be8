/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-broadcast-plan.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// How many switches a host considers before it waits: of a large fabric all paths would take long.
constexpr uint32_t MAX_TRIES = 16;
/// How many hosts wait for channels at a time.
constexpr uint32_t MAX_WAITING = 512;

} // namespace

HostBroadcastPlan::HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps)
    : m_switches(switches),
      m_channelCaps(channelCaps),
      m_served(switches.GetSize(), 0)
{
    for (uint32_t number = 0; number < switches.GetSize(); ++number)
    {
        const auto size = switches.GetRanks(number).size();
        m_firsts.push_back(static_cast<uint32_t>(m_switchOf.size()));
        m_switchOf.insert(m_switchOf.end(), size, number);
        m_open.emplace(-static_cast<int64_t>(size), number);
    }
    m_children.resize(m_switchOf.size());
    Serve(0, Time(0), 0, Time(0)); // the root has it
    while (!m_free.empty() && !m_open.empty())
    {
        const auto [now, process] = *m_free.begin();
        m_free.erase(m_free.begin());
        Send(process, now);
    }
}

CommunicationTree
HostBroadcastPlan::GetTree() const
{
    return CommunicationTree(m_children);
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
        Serve(process, now, own, m_switches.GetMinR());
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
        const auto& path = GetPath(own, number);
        if (HasChannels(path, now))
        {
            for (const auto& link : path.links)
            {
                m_busy[link].insert(now + m_switches.GetSendTime());
            }
            m_releases.insert(now + m_switches.GetSendTime());
            Serve(process, now, number, path.r);
            return true;
        }
    }
    return false;
}

int64_t
HostBroadcastPlan::GetLeft(uint32_t number) const
{
    return static_cast<int64_t>(m_switches.GetRanks(number).size()) - m_served[number];
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

void
HostBroadcastPlan::Serve(uint32_t process, Time now, uint32_t number, Time r)
{
    const auto receiver = m_firsts[number] + m_served[number];
    m_open.erase({-GetLeft(number), number});
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
    m_free.emplace(sent + r, receiver);
}

bool
HostBroadcastPlan::HasChannels(const SwitchPath& path, Time now)
{
    return !m_channelCaps ||
           std::all_of(path.links.begin(), path.links.end(), [&](const SwitchLink& link) {
               auto& ends = m_busy[link];
               ends.erase(ends.begin(), ends.upper_bound(now));
               return ends.size() < m_switches.CountChannels(link);
           });
}

const SwitchPath&
HostBroadcastPlan::GetPath(uint32_t from, uint32_t to)
{
    const auto [entry, isNew] = m_paths.try_emplace(SwitchLink(from, to));
    if (isNew)
    {
        entry->second = m_switches.GetPath(from, to);
    }
    return entry->second;
}

} // namespace ns3
