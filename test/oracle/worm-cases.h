// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_CASES_H
#define WORM_CASES_H

// Random cases of worms.

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

namespace ns3
{

struct RandomCaseOptions
{
    double multicast{0.0};     ///< part of the worms that are tree worms
    bool treeOfSwitches{true}; ///< whether switches form a tree; else there are cycles
    bool sync{false};          ///< whether tree worms advance on all branches together
    bool uneven{false};        ///< whether cables, switches and buffers differ
    bool longer{false};        ///< whether many worms are longer than all buffers on their way
    uint32_t maxWorms{25};     ///< number of worms at most
    bool rates{false};         ///< whether cables and switches have times of their own (S10)
    bool sourceRouted{false};  ///< whether worms bring their route; then often over many switches
};

/// A random case: 2 to 8 switches, 1 to 3 hosts each, up to so many worms, all kinds of delays,
/// buffers 1 to 100 flits deep. @param options what the case is to be like
WormCase MakeRandomCase(Ptr<UniformRandomVariable> rng, const RandomCaseOptions& options);

struct LaneCaseOptions
{
    uint32_t lanes{1};   ///< lanes of a channel
    bool whole{false};   ///< whether outputs are granted to whole worms
    bool choices{false}; ///< whether unicast worms have choices
    bool ring{false};    ///< whether switches form a ring, so that worms can deadlock
    bool rates{false};   ///< whether cables have times of their own
    bool trees{true};    ///< whether some worms are tree worms
};

/// @return a random case of 2 to 6 switches @param options what it is to be like
WormCase MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options);

struct TransitCaseOptions
{
    InTransit mode{InTransit::WHOLE}; ///< how hosts pass worms on
    bool rates{false};                ///< whether cables and switches have times of their own
    bool longer{false};               ///< whether many worms are longer than all buffers
    bool sourceRouted{false};         ///< whether worms bring their route (S1b)
    bool circles{false};              ///< whether legs may close circles, so that worms deadlock
};

/// A random case (S13): 2 to 6 switches of 2 or 3 hosts, worms that 0 to 3 hosts pass on, which
/// send worms themselves, often at the same instant. @param options what the case is to be like
WormCase MakeTransitCase(Ptr<UniformRandomVariable> rng, const TransitCaseOptions& options);

/// Has hosts send worms at the very instant at which others may be put into the same queue.
void AddTransitRivals(WormCase& worms);

/// Has one to four parts of a case be down for a time (S14), one of them often once more, and some
/// for ever; often from the instant at which, without outages, a worm would start, leave or arrive.
void AddOutages(Ptr<UniformRandomVariable> rng, WormCase& worms);

} // namespace ns3

#endif /* WORM_CASES_H */
