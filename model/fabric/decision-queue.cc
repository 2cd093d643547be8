/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "decision-queue.h"

#include <algorithm>
#include <limits>

namespace ns3
{

void
DecisionQueue::SetHorizon(int64_t horizon)
{
    m_shift = 0;
    while (SLOTS << m_shift < horizon)
    {
        ++m_shift;
    }
}

void
DecisionQueue::Push(int64_t time, WormholeOutput* output)
{
    const Decision decision{time, m_pushed++, output};
    const auto slot = GetSlot(time);
    ++m_size;
    if (slot > m_slot && slot - m_slot < SLOTS && !m_filled && m_due.size() - m_at < FEW &&
        (m_far.empty() || slot < GetSlot(m_far.top().time)))
    {
        m_slot = slot;
    }
    if (slot <= m_slot)
    {
        PutAmongDue(decision);
    }
    else if (slot - m_slot < SLOTS)
    {
        auto& first = m_slots[slot % SLOTS];
        const Node node{decision, IsFilled(slot) ? first : NONE};
        if (m_free == NONE)
        {
            first = static_cast<uint32_t>(m_nodes.size());
            m_nodes.push_back(node);
        }
        else
        {
            first = m_free;
            m_free = m_nodes[first].next;
            m_nodes[first] = node;
        }
        m_filled |= uint64_t{1} << (slot % SLOTS);
    }
    else
    {
        m_far.push(decision);
    }
}

void
DecisionQueue::PutAmongDue(const Decision& decision)
{
    if (m_at == m_due.size() || (m_due.size() == m_due.capacity() && 2 * m_at > m_due.size()))
    {
        m_due.erase(m_due.begin(), m_due.begin() + m_at);
        m_at = 0;
    }
    // Most are later than all that are there.
    auto place = m_due.end();
    while (place != m_due.begin() + m_at && (place - 1)->time > decision.time)
    {
        --place;
    }
    m_due.insert(place, decision);
}

int64_t
DecisionQueue::GetNextSlot() const
{
    auto next = std::numeric_limits<int64_t>::max();
    if (m_filled)
    {
        const auto turn = (m_slot + 1) % SLOTS;
        const auto turned = turn ? m_filled >> turn | m_filled << (SLOTS - turn) : m_filled;
        next = m_slot + 1 + __builtin_ctzll(turned);
    }
    return m_far.empty() ? next : std::min(next, GetSlot(m_far.top().time));
}

int64_t
DecisionQueue::GetTimeLater() const
{
    auto time = m_far.empty() ? std::numeric_limits<int64_t>::max() : m_far.top().time;
    const auto next = GetNextSlot();
    for (auto i = IsFilled(next) ? m_slots[next % SLOTS] : NONE; i != NONE; i = m_nodes[i].next)
    {
        time = std::min(time, m_nodes[i].decision.time);
    }
    return time;
}

bool
DecisionQueue::FillDue(int64_t end)
{
    if (m_size == 0)
    {
        return false;
    }
    const auto next = GetNextSlot();
    if (next << m_shift >= end)
    {
        return false;
    }
    m_slot = next;
    m_due.clear();
    m_at = 0;
    for (auto i = IsFilled(next) ? m_slots[next % SLOTS] : NONE; i != NONE;)
    {
        auto& node = m_nodes[i];
        m_due.push_back(node.decision);
        const auto following = node.next;
        node.next = m_free;
        m_free = i;
        i = following;
    }
    m_filled &= ~(uint64_t{1} << (next % SLOTS));
    while (!m_far.empty() && GetSlot(m_far.top().time) == next)
    {
        m_due.push_back(m_far.top());
        m_far.pop();
    }
    if (m_due.size() > 1)
    {
        std::sort(m_due.begin(), m_due.end(), [](const Decision& a, const Decision& b) {
            return b > a;
        });
    }
    return true;
}

} // namespace ns3
