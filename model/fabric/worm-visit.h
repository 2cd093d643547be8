/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_VISIT_H
#define WORM_VISIT_H

#include "flit-line.h"
#include "worm.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3
{

class WormholeInput;
class WormholeOutput;
class WormholeCrossbar;
struct WormVisit;

/// @ingroup wormhole
/// @brief One output that a worm takes at a node.
struct WormLane
{
    WormholeOutput* output{nullptr}; ///< output asked for
    WormRoute::Stop next{0};         ///< stop of the route that it leads to
    WormVisit* far{nullptr};         ///< the worm in the next switch's buffer; null at a host
    uint64_t base{0};                ///< flits that had gone through the output before this worm
};

/**
 * @ingroup wormhole
 * @brief Flits of a worm that leave a node in step: one output, or all outputs of a sync tree worm.
 *
 * The time at which a flit starts is the later of two: when all flits before it and the credits
 * allow it (`allowed`, known up to what the next buffers have said), and when it is here (the
 * visit's `arrivals`). Both lines keep flits one flit time apart, so their maximum does too.
 */
struct WormFlow
{
    uint32_t missing{1};                ///< lanes without a grant
    uint32_t firstLane{0};              ///< first of its lanes in the visit
    uint32_t nLanes{1};                 ///< number of lanes
    int64_t earliest{0};                ///< earliest start of the next flit of `allowed`
    FlitLine allowed;                   ///< when flits could start if all were here
    uint64_t sent{0};                   ///< flits whose start is settled
    FlitLine::Cursor allowedToSend{0};  ///< reader: start of flits
    FlitLine::Cursor allowedToFree{0};  ///< reader: freeing of slots
    FlitLine::Cursor arrivalsToSend{0}; ///< reader: start of flits
};

/**
 * @ingroup wormhole
 * @brief A worm at one node: in an input buffer, in the sending interface, or made by a switch.
 */
struct WormVisit
{
    Ptr<const Worm> worm;               ///< the worm
    uint64_t flits{0};                  ///< its length
    WormholeInput* input{nullptr};      ///< buffer it is in; null if the switch itself sends it
    WormVisit* behind{nullptr};         ///< next worm in that buffer
    WormholeCrossbar* node{nullptr};    ///< node it is at
    WormRoute::Stop stop{0};            ///< where on its route
    uint32_t flowsLeft{0};              ///< flows whose tail is not settled
    bool asked{false};                  ///< whether it has asked for its outputs
    bool queued{false};                 ///< whether it is being or waits to be brought up to date
    FlitLine::Cursor arrivalsToFree{0}; ///< reader of arrivals: freeing of slots
    uint64_t freed{0};                  ///< flits whose slot is known to be free
    uint64_t room{0};  ///< flits that the buffers on its way hold, up to this node's
    int64_t left{0};   ///< when the tail of those settled has left
    FlitLine arrivals; ///< when its flits are ready at this node
    boost::container::small_vector<WormLane, 1> lanes; ///< outputs it takes; none where it ends
    boost::container::small_vector<WormFlow, 1> flows; ///< its lanes, grouped by what goes in step
};

} // namespace ns3

#endif /* WORM_VISIT_H */
