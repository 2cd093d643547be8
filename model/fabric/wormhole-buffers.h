/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_BUFFERS_H
#define WORMHOLE_BUFFERS_H

#include "flit-line.h"
#include "worm-visit.h"

#include "ns3/event-impl.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <limits>

namespace ns3
{

class WormholeInput;
class WormholePort;
class WormholeCrossbar;

/**
 * @ingroup wormhole
 * @brief The input side of a port: one FIFO that all worms of a channel pass, rule S4.
 */
class WormholeInput
{
  public:
    WormholePort* port{nullptr};       ///< port it belongs to; null: the sending side of a host
    WormholeCrossbar* node{nullptr};   ///< switch or interface it belongs to
    int32_t number{-1};                ///< port number, for arbitration; -1 at a sending host
    WormholeOutput* upstream{nullptr}; ///< channel that fills it; null at a sending host
    WormVisit* front{nullptr};         ///< first worm that has not wholly left, as far as is known
    WormVisit* back{nullptr};          ///< last worm; meaningful where there is a first
    int64_t left{0};                   ///< when the last worm that was in front has left

    /// Puts a worm behind all others. @param visit the worm
    void Push(WormVisit* visit)
    {
        visit->input = this;
        visit->behind = nullptr;
        (front ? back->behind : front) = visit;
        back = visit;
    }

    /// Takes out the worm in front. @param time when it has left
    void Pop(int64_t time)
    {
        left = time;
        front = front->behind;
    }
};

/**
 * @ingroup wormhole
 * @brief The output side of a port: arbiter, channel and the credits of the buffer at its end.
 *
 * Rules S2, S3, S5 and S6. Credits are counted along the buffer, not per worm: flit i of all that
 * go through this output needs credit i, and credit i + D comes when the slot of flit i is free.
 *
 * It is itself the event that decides on a grant, scheduled again and again. Its fields are in the
 * order in which they are used, those of a hop close together: what a hop costs is mostly memory.
 */
class WormholeOutput : public EventImpl
{
  public:
    /// A worm that asks for this output, rule S4.
    struct Request
    {
        int64_t time;     ///< when it asks; may lie in the future
        WormVisit* visit; ///< worm that asks
        uint64_t order;   ///< order of asking, decides between messages of the switch itself
        int32_t number;   ///< input port number; -1: the switch itself
        uint32_t lane;    ///< its lane that asks
    };

    /// A time that never comes.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    /// The time of what has always been there.
    static constexpr int64_t ALWAYS = std::numeric_limits<int64_t>::min() / 4;

    bool contested{true};            ///< whether several inputs can ask; not at a host
    bool traced{false};              ///< whether anybody listens to the port's trace sources
    bool covers{true};               ///< D tau >= toReady + p: a lone worm is not slowed by it
    WormVisit* owner{nullptr};       ///< worm that holds it until its tail is settled
    int64_t freeAt{0};               ///< when it is free; meaningful where nobody owns it
    int64_t decisionAt{NEVER};       ///< when the event is due that grants
    WormholeCrossbar* node{nullptr}; ///< switch or interface it belongs to
    boost::container::small_vector<Request, 1> requests;  ///< who waits, in order of asking
    boost::container::small_vector<int64_t, 1> decisions; ///< all times for which it is scheduled

    WormholeInput* far{nullptr};     ///< buffer at the far end; null: a host, takes all (S7)
    int64_t toReady{0};              ///< start of a flit until it is ready there, tau + p + t_r
    int64_t delay{0};                ///< propagation delay p
    uint64_t depth{0};               ///< D, flits
    uint64_t sent{0};                ///< flits of all worms whose tail is settled
    FlitLine credits;                ///< when each credit comes
    FlitLine::Cursor creditsRead{0}; ///< reader: the owner

    WormholePort* port{nullptr};        ///< port it belongs to
    uint32_t farNumber{0};              ///< number of the port at the far end of the cable
    WormholePort* farPort{nullptr};     ///< port at the far end of the cable
    WormholeCrossbar* farNode{nullptr}; ///< switch or interface at the far end

  private:
    void Notify() override;
};

} // namespace ns3

#endif /* WORMHOLE_BUFFERS_H */
