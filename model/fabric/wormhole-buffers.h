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
    WormholeCrossbar* node{nullptr};   ///< switch or interface it belongs to
    WormVisit* front{nullptr};         ///< first worm that has not wholly left, as far as is known
    WormVisit* back{nullptr};          ///< last worm; meaningful where there is a first
    int64_t left{0};                   ///< when the last worm that was in front has left
    int64_t creditDelay{0};            ///< time that credits take to the sender, p
    WormholeOutput* upstream{nullptr}; ///< channel that fills it; null at a sending host
    int32_t number{-1};                ///< port number, for arbitration; -1 at a sending host
    WormholePort* port{nullptr};       ///< port it belongs to; null: the sending side of a host

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
 * order in which they are used, three cache lines: what a hop costs is mostly memory.
 */
class alignas(64) WormholeOutput : public EventImpl
{
  public:
    /// A time that never comes.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    /// The time of what has always been there.
    static constexpr int64_t ALWAYS = std::numeric_limits<int64_t>::min() / 4;

    bool contested{true};            ///< whether several inputs can ask; not at a host
    bool traced{false};              ///< whether anybody listens to the port's trace sources
    bool covers{true};               ///< D tau >= toReady + p: a lone worm is not slowed by it
    FlitLine::Cursor creditsRead{0}; ///< reader of credits: the owner
    uint32_t depth{0};               ///< D, flits
    WormVisit* owner{nullptr};       ///< worm that holds it until its tail is settled
    int64_t freeAt{0};               ///< when it is free; meaningful where nobody owns it
    int64_t decisionAt{NEVER};       ///< when the event is due that grants
    int64_t replaced{NEVER};         ///< a later time for which it is still scheduled
    WormLane* requests{nullptr};     ///< who waits, in order of asking, rule S4

    WormholeCrossbar* node{nullptr};    ///< switch or interface it belongs to
    WormholeInput* far{nullptr};        ///< buffer at the far end; null: a host, takes all (S7)
    int64_t toReady{0};                 ///< start of a flit until it is ready there, tau + p + t_r
    uint64_t sent{0};                   ///< flits of all worms whose tail is settled
    int64_t delay{0};                   ///< propagation delay p
    WormholePort* port{nullptr};        ///< port it belongs to
    WormholePort* farPort{nullptr};     ///< port at the far end of the cable
    WormholeCrossbar* farNode{nullptr}; ///< switch or interface at the far end

    FlitLine credits; ///< when each credit comes

    /// Adds a lane to those that wait. @param lane the lane
    void AddRequest(WormLane& lane)
    {
        lane.nextRequest = nullptr;
        auto place = &requests;
        while (*place)
        {
            place = &(*place)->nextRequest;
        }
        *place = &lane;
    }

    /// Takes a lane out of those that wait. @param lane the lane
    void RemoveRequest(const WormLane& lane)
    {
        auto place = &requests;
        while (*place != &lane)
        {
            place = &(*place)->nextRequest;
        }
        *place = lane.nextRequest;
    }

  private:
    void Notify() override;
};

} // namespace ns3

#endif /* WORMHOLE_BUFFERS_H */
