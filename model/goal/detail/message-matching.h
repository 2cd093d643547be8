/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_MATCHING_H
#define MESSAGE_MATCHING_H

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Receives that wait for messages, or messages that wait for receives, of one rank: found by
 *        rank and tag, the first that came first.
 *
 * Those of a rank and a tag are found at once; what may be of any rank or tag costs as many looks
 * as there are different ranks and tags waiting.
 */
class MessageMatching
{
  public:
    /// Any rank, or any tag.
    static constexpr uint32_t ANY = UINT32_MAX;

    /// What waits.
    struct Entry
    {
        uint32_t peer{0};      ///< rank at the other end; a receive's may be ANY
        uint32_t tag{0};       ///< its tag; a receive's may be ANY
        uint32_t operation{0}; ///< index of its receive, or of the sender's send
        uint64_t number{0};    ///< in the order in which they came
    };

    void Add(Entry entry); ///< Adds what waits. @param entry it; its number is given here

    /// Takes the first message that a receive is for. @param peer its rank, or ANY @param tag its
    /// tag, or ANY @return the message, if there is one
    std::optional<Entry> MatchReceive(uint32_t peer, uint32_t tag);

    /// Takes the first receive that is for a message. @param peer rank of its sender @param tag its
    /// tag @return the receive, if there is one
    std::optional<Entry> MatchMessage(uint32_t peer, uint32_t tag);

    /// @return what came first of all that waits; null: nothing does
    const Entry* GetFirst() const;

  private:
    /// Those of one rank and tag, in order.
    typedef std::deque<Entry> Queue;
    /// Queues by rank and tag.
    typedef std::unordered_map<uint64_t, Queue> Queues;

    static uint64_t Key(uint32_t peer, uint32_t tag)
    {
        return uint64_t{peer} << 32 | tag;
    }

    std::optional<Entry> Take(Queues::iterator found);

    Queues m_queues;        ///< never empty ones
    uint64_t m_nAdded{0};   ///< so far
    uint64_t m_nWithAny{0}; ///< of what waits, that of any rank or tag
};

} // namespace ns3

#endif /* MESSAGE_MATCHING_H */
