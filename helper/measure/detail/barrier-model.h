/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_MODEL_H
#define BARRIER_MODEL_H

#include "ns3/collective-kinds.h"
#include "ns3/nstime.h"
#include "ns3/worm-route.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief The times of a fabric whose parts are all alike, and of a message that has it for itself.
struct FabricTimes
{
    Time startUp;        ///< t_s, start-up of a message
    Time linkDelay;      ///< t_p, propagation delay of a cable
    Time switchDelay;    ///< t_r, delay of a switch
    Time interfaceDelay; ///< delay of an interface, t_r in the model of Moh et al. (2001)
    Time flitTime;       ///< tau, time of a flit

    /// @return the times of a fabric's first parts @param domain its collective domain
    static FabricTimes Of(const CollectiveDomain& domain);

    /// The model of Moh et al. (2001), t_s + d t_p + (d + 1) t_r: d cables, d - 1 switches and two
    /// interfaces, and no time for flits.
    /// @param links number of cables on the way, d, 1 at least
    /// @return time from the start-up on until the receiving software has the message
    Time Message(uint32_t links) const;

    /// What the fabric's timing rules give for a lone worm, branches of a tree worm included, where
    /// buffers cover a cable's round trip or hold the whole worm: the head takes tau + t_p + t_r
    /// from a channel to the next, the tail is L - 1 flit times behind the head, so that
    /// (d - 1 + L) tau are added to Message.
    /// @param links number of cables on the way, d, 1 at least
    /// @param flits its length when it starts, L
    /// @return time from the start-up on until the receiving software has the worm
    Time LoneWorm(uint32_t links, uint64_t flits) const;
};

/**
 * @ingroup wormhole
 * @brief What a central barrier takes where no message ever waits for another.
 *
 * All members but the root send a message to it at once; it has all of them when the one with the
 * longest way is there. Then it sends a tree worm (multicast), which has reached everybody when it
 * is through with its longest branch, or a message to each in turn (unicast), start-up after
 * start-up in the order of ranks.
 */
struct BarrierModel
{
    Time latency;            ///< with the lengths of worms, FabricTimes::LoneWorm
    Time model;              ///< without, FabricTimes::Message: the closed form
    uint64_t messageHops{0}; ///< links crossed by messages
    uint64_t flitHops{0};    ///< links crossed by flits
    uint64_t startUps{0};    ///< messages, each for a start-up and from or to the root

    /// @param domain the fabric's collective domain @param barrier a barrier multicast or unicast,
    /// with a group @param exact whether latency is of interest; else buffers may be as they like
    /// @throws WormholeError if it is another barrier, or if a lone worm would be slowed by buffers
    /// that are too short for latency to be right
    BarrierModel(const CollectiveDomain& domain, const Barrier& barrier, bool exact = true);

  private:
    /// One phase of a barrier.
    struct Phase
    {
        Time latency; ///< with the lengths of worms
        Time model;   ///< without
    };

    /// @param wait how long after the phase's start its start-up begins
    void AddWorm(const WormRoute& route, uint64_t flits, Time wait, Phase& phase);

    Ptr<WormholeFabric> m_fabric; ///< the fabric
    FabricTimes m_times;          ///< its times
    uint64_t m_depth{0};          ///< longest worm that buffers don't slow; 0: all worms
};

/// @ingroup wormhole
/// @brief Length of the longest message of a barrier: its fields, and a tree worm's header.
/// @param barrier the barrier, with a group
/// @return that length, bytes
uint32_t GetLongestMessageBytes(const Barrier& barrier);

/// @ingroup wormhole
/// @brief Greatest number of channels between a route's start and one of its ends.
/// @param route the route
/// @return that number
uint32_t GetRouteDepth(const WormRoute& route);

} // namespace ns3

#endif /* BARRIER_MODEL_H */
