/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-matching.h"

namespace ns3
{

void
MessageMatching::Add(Entry entry)
{
    entry.number = m_nAdded++;
    m_nWithAny += entry.peer == ANY || entry.tag == ANY;
    m_queues[Key(entry.peer, entry.tag)].push_back(entry);
}

std::optional<MessageMatching::Entry>
MessageMatching::Take(Queues::iterator found)
{
    if (found == m_queues.end())
    {
        return std::nullopt;
    }
    const auto entry = found->second.front();
    m_nWithAny -= entry.peer == ANY || entry.tag == ANY;
    found->second.pop_front();
    if (found->second.empty())
    {
        m_queues.erase(found);
    }
    return entry;
}

std::optional<MessageMatching::Entry>
MessageMatching::MatchReceive(uint32_t peer, uint32_t tag)
{
    auto best = m_queues.end();
    if (peer != ANY && tag != ANY)
    {
        best = m_queues.find(Key(peer, tag));
    }
    else
    {
        for (auto each = m_queues.begin(); each != m_queues.end(); ++each)
        {
            const auto& first = each->second.front();
            const bool fits =
                (peer == ANY || first.peer == peer) && (tag == ANY || first.tag == tag);
            if (fits && (best == m_queues.end() || first.number < best->second.front().number))
            {
                best = each;
            }
        }
    }
    return Take(best);
}

std::optional<MessageMatching::Entry>
MessageMatching::MatchMessage(uint32_t peer, uint32_t tag)
{
    auto best = m_queues.find(Key(peer, tag));
    if (m_nWithAny > 0)
    {
        for (const auto key : {Key(peer, ANY), Key(ANY, tag), Key(ANY, ANY)})
        {
            const auto each = m_queues.find(key);
            if (each != m_queues.end() &&
                (best == m_queues.end() ||
                 each->second.front().number < best->second.front().number))
            {
                best = each;
            }
        }
    }
    return Take(best);
}

const MessageMatching::Entry*
MessageMatching::GetFirst() const
{
    const Entry* first = nullptr;
    for (const auto& [key, queue] : m_queues)
    {
        if (!first || queue.front().number < first->number)
        {
            first = &queue.front();
        }
    }
    return first;
}

} // namespace ns3
