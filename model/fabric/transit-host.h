/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSIT_HOST_H
#define TRANSIT_HOST_H

#include "worm.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace ns3
{

class WormholeInput;
class WormholeNodeState;
struct WormHop;

/// @ingroup wormhole
/// @brief One host that passes worms on (rule S13): what is to be put into its sending queue, and
/// what it holds.
class TransitHost
{
  public:
    /// A worm that is to be put into the sending queue.
    struct Pending
    {
        int64_t time;           ///< when, ns-3 time units
        bool isOwn;             ///< whether the host itself sends it, rather than passing it on
        Ptr<Worm> own;          ///< the worm, if it is the host's own
        Ptr<const Worm> passed; ///< the worm, if it is not
        WormRoute::Stop stop;   ///< stop of its route that the host is
        WormHop* hop;           ///< its record here, if it goes on as it comes
    };

    WormholeInput* queue{nullptr}; ///< the sending queue
    int64_t delay{0};              ///< from when a worm is ready until it is put there
    WormHop* incoming{nullptr};    ///< of worms that go on as they come, the last to begin here

    /// Adds a worm to be put into the queue, behind those of the same time or earlier; but one that
    /// is passed on goes before the host's own of the same time. @param pending the worm
    void Add(Pending pending);

    /// @return the first worm whose time has come, taken out; none if there is none
    /// @param now present time
    std::optional<Pending> TakeDue(int64_t now);

    /// A worm begins to be here. @param time when its head is ready @param flits its length
    void NoteEntry(int64_t time, uint64_t flits);

    /// A worm is here no more. @param time when its tail has left @param flits its length
    void NoteExit(int64_t time, uint64_t flits);

    /// @return greatest number of flits of worms that were here at a time @param now present time
    uint64_t GetMaxFlits(int64_t now);

  private:
    std::deque<Pending> m_pending;                      ///< by time
    std::deque<std::pair<int64_t, uint64_t>> m_entries; ///< those to count, in order of time
    std::deque<std::pair<int64_t, uint64_t>> m_exits;   ///< those to count, in order of time
    uint64_t m_flits{0};                                ///< of worms that are here
    uint64_t m_maxFlits{0};                             ///< the greatest number so far
};

} // namespace ns3

#endif /* TRANSIT_HOST_H */
