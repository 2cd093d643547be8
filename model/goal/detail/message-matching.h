// SPDX-License-Identifier: GPL-2.0-only

#ifndef MESSAGE_MATCHING_H
#define MESSAGE_MATCHING_H

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

namespace ns3
{

/// A rank's receives without messages, or messages without receives: by rank, tag and arrival.
///
/// Lookups by rank and tag take constant time; with ANY, time grows with the number of entries.
class MessageMatching
{
  public:
    /// Any rank, or any tag.
    static constexpr uint32_t ANY = UINT32_MAX;

    struct Entry
    {
        uint32_t peer{0};      ///< rank at the other end; ANY is possible for a receive
        uint32_t tag{0};       ///< its tag; ANY is possible for a receive
        uint32_t operation{0}; ///< index of its receive, or of the sender's send
        uint64_t number{0};
    };

    void Add(Entry entry)
    {
        entry.number = m_nAdded++;
        m_nWithAny += entry.peer == ANY || entry.tag == ANY;
        m_queues[Key(entry.peer, entry.tag)].push_back(entry);
    }

    /// Removes the first message that matches a receive, whose rank and tag may be ANY.
    std::optional<Entry> MatchReceive(uint32_t peer, uint32_t tag)
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

    /// Removes the first receive that matches a message.
    std::optional<Entry> MatchMessage(uint32_t peer, uint32_t tag)
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

    /// @return the oldest entry; null if none
    const Entry* GetFirst() const
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

  private:
    using Queues = std::unordered_map<uint64_t, std::deque<Entry>>; ///< by rank and tag

    static uint64_t Key(uint32_t peer, uint32_t tag)
    {
        return uint64_t{peer} << 32 | tag;
    }

    std::optional<Entry> Take(Queues::iterator found)
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

    Queues m_queues;
    uint64_t m_nAdded{0};
    uint64_t m_nWithAny{0}; ///< number of entries with ANY as rank or tag
};

} // namespace ns3

#endif /* MESSAGE_MATCHING_H */
