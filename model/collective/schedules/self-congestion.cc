/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "self-congestion.h"

#include "link-channels.h"

#include <set>
#include <tuple>

namespace ns3
{

SelfCongestion::SelfCongestion(const CommunicationTree& tree,
                               const std::vector<uint32_t>& ranks,
                               const ScheduleRequest& request)
    : m_waits(tree.GetSize()),
      m_arrivals(tree.GetSize())
{
    for (uint32_t process = 0; process < tree.GetSize(); ++process)
    {
        m_waits[process].resize(tree.GetChildren(process).size());
    }
    if (!request.paths)
    {
        return;
    }
    const auto hostOf = [&](uint32_t process) {
        return request.hosts.empty() ? ranks[process] : request.hosts[ranks[process]];
    };
    LinkChannels channels(request.paths.get());
    // Who tries to send: when, since when, which process and child.
    std::set<std::tuple<Time, Time, uint32_t, uint32_t>> tries{{Time(0), Time(0), 0, 0}};
    while (!tries.empty())
    {
        const auto [now, since, process, turn] = *tries.begin();
        tries.erase(tries.begin());
        if (turn == tree.GetChildren(process).size())
        {
            continue;
        }
        const auto child = tree.GetChildren(process)[turn];
        const bool isFlag = hostOf(process) == hostOf(child);
        const auto path =
            isFlag ? SwitchPath() : request.paths->GetPath(hostOf(process), hostOf(child));
        if (const auto free = channels.GetFree(path, now); free > now)
        {
            tries.emplace(free, since, process, turn);
            continue;
        }
        const auto sent = isFlag ? now : now + request.s;
        channels.Occupy(path, sent);
        if (now > since)
        {
            m_waits[process][turn] = now - m_arrivals[process];
        }
        m_arrivals[child] = sent + path.r;
        tries.emplace(sent, sent, process, turn + 1);
        tries.emplace(m_arrivals[child], m_arrivals[child], child, 0);
    }
}

} // namespace ns3
