// SPDX-License-Identifier: GPL-2.0-only

#ifndef BARRIER_MODEL_H
#define BARRIER_MODEL_H

#include "ns3/nstime.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-exact-time.h"

#include <cstdint>

namespace ns3
{

/// The times of a homogeneous fabric, and of a message without contention.
struct FabricTimes
{
    Time startUp;        ///< t_s, start-up of a message
    Time linkDelay;      ///< t_p, propagation delay of a cable
    Time switchDelay;    ///< t_r, delay of a switch
    Time interfaceDelay; ///< delay of an interface, t_r in the model of Moh et al. (2001)
    Time flitTime;       ///< tau, time of a flit

    static FabricTimes Of(const CollectiveDomain& domain);

    /// The model of Moh et al. (2001), t_s + d t_p + (d + 1) t_r, for d cables, d - 1 switches and
    /// two interfaces, without the time of flits.
    /// @return time from the beginning of the start-up until the receiving software has the message
    Time Message(uint32_t links) const;

    /// The time of a lone worm by the fabric's timing rules, including branches of a tree worm, if
    /// buffers cover a cable's round trip or hold the whole worm: the head takes tau + t_p + t_r
    /// per channel, the tail is L - 1 flit times behind the head, so that (d - 1 + L) tau are added
    /// to Message.
    /// @return time from the beginning of the start-up until the receiving software has the worm
    Time LoneWorm(uint32_t links, uint64_t flits) const
    {
        return TimeLimit::Add(Message(links), TimeLimit::Multiply(flitTime, links - 1 + flits));
    }
};

/**
 * The time of a central barrier without contention.
 *
 * All members but the root send a message to it at once; it has all of them when the one with the
 * longest path has arrived. Then it sends a tree worm (multicast), which has reached all members at
 * the end of its longest branch, or a message to each in turn (unicast), start-up after start-up in
 * the order of ranks.
 */
struct BarrierModel
{
    Time latency;            ///< with the lengths of worms, FabricTimes::LoneWorm
    Time model;              ///< without them, FabricTimes::Message: the closed form
    uint64_t messageHops{0}; ///< worms times channels
    uint64_t flitHops{0};    ///< flits times channels
    uint64_t startUps{0};    ///< number of messages, each with a start-up, to or from the root

    /// @param barrier a multicast or unicast barrier, with a group
    /// @param exact whether latency is required; else buffers may be of any depth
    /// @throws WormholeError if it is a different barrier, or if short buffers would slow a lone
    ///         worm, so that latency would be wrong
    BarrierModel(const CollectiveDomain& domain, const Barrier& barrier, bool exact = true);

  private:
    struct Phase
    {
        Time latency; ///< with the lengths of worms
        Time model;   ///< without them
    };

    /// @param wait start of the worm's start-up, relative to the phase
    void AddWorm(const WormRoute& route, uint64_t flits, Time wait, Phase& phase);

    Ptr<WormholeFabric> m_fabric; ///< the fabric
    FabricTimes m_times;          ///< its times
    uint64_t m_depth{0};          ///< longest worm that buffers don't slow; 0: unlimited
};

/// Length of the longest message of a barrier with a group, bytes: fields, and a tree worm's
/// header.
uint32_t GetLongestMessageBytes(const Barrier& barrier);

/// Maximum number of channels between a route's start and one of its ends.
uint32_t GetRouteDepth(const WormRoute& route);

} // namespace ns3

#endif /* BARRIER_MODEL_H */
