/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-rule.h"

#include <vector>

namespace ns3
{

bool
ChannelKindRule::HasCycle(const FabricGraph& graph) const
{
    // A state is a switch, and the kind of the channel by which a worm came there. States follow
    // each other as channels do, and there are far fewer of them where switches have many ports.
    const auto nKinds = GetNKinds();
    std::vector<uint8_t> follows(std::size_t{nKinds} * nKinds);
    std::vector<bool> hasNext(nKinds, false);
    for (uint32_t kind = 0; kind < nKinds; ++kind)
    {
        for (uint32_t next = 0; next < nKinds; ++next)
        {
            follows[std::size_t{kind} * nKinds + next] = MayFollow(kind, next);
            hasNext[kind] = hasNext[kind] || MayFollow(kind, next);
        }
    }

    enum : uint8_t
    {
        NEW,
        OPEN, // on the way that is searched
        DONE
    };

    /// A state on the way that is searched.
    struct Step
    {
        Node node;     ///< its switch
        uint32_t kind; ///< its kind of channel
        uint32_t port; ///< port to look at next
    };

    const auto nSwitches = graph.GetNSwitches();
    std::vector<uint8_t> seen(std::size_t{nSwitches} * nKinds, NEW);
    std::vector<Step> way;
    for (std::size_t first = 0; first < seen.size(); ++first)
    {
        if (seen[first] != NEW || !hasNext[first % nKinds])
        {
            continue;
        }
        seen[first] = OPEN;
        way.push_back(
            {static_cast<Node>(first / nKinds), static_cast<uint32_t>(first % nKinds), 0});
        while (!way.empty())
        {
            auto& [node, kind, port] = way.back();
            if (port == graph.GetNPorts(node))
            {
                seen[std::size_t{node} * nKinds + kind] = DONE;
                way.pop_back();
                continue;
            }
            const auto out = static_cast<Port>(port++);
            const auto to = graph.Peer(node, out).node;
            if (to >= nSwitches) // a host, or nothing
            {
                continue;
            }
            const auto next = GetKind(node, out);
            if (!follows[std::size_t{kind} * nKinds + next])
            {
                continue;
            }
            auto& state = seen[std::size_t{to} * nKinds + next];
            if (state == OPEN)
            {
                return true;
            }
            if (state == NEW)
            {
                state = OPEN;
                way.push_back({to, next, 0});
            }
        }
    }
    return false;
}

} // namespace ns3
