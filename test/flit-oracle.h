/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_ORACLE_H
#define FLIT_ORACLE_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-case-file.h"
#include "ns3/worm-replay.h"

namespace ns3
{

/**
 * @ingroup wormhole-tests
 * The delays and depths of a case's fabric: the case's own everywhere, or uneven ones around them.
 */
class FabricDelays
{
  public:
    /// @param worms the case @param uneven whether cables, switches and buffers differ
    FabricDelays(const WormCase& worms, bool uneven);

    /// @return flit time of the cable at a port, ps @param node the port's node @param port the
    /// port
    int64_t GetFlitTime(FabricGraph::Node node, int port) const;
    /// @return propagation delay p of the cable at a port, ps @param node the port's node
    /// @param port the port
    int64_t GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const;
    /// @return delay t_r of a switch, ps @param node the switch
    int64_t GetSwitchDelay(FabricGraph::Node node) const;
    /// @return depth D of the buffer at a port, flits @param node the port's node
    /// @param port the port
    uint32_t GetDepth(FabricGraph::Node node, FabricGraph::Port port) const;
    /// Sets a fabric's attributes accordingly. @param fabric the fabric
    void Apply(WormholeFabric& fabric) const;

  private:
    const WormCase& m_case; ///< the case
    bool m_uneven;          ///< whether cables, switches and buffers differ
};

/**
 * @ingroup wormhole-tests
 * Moves every flit of a case on its own, by rules S1 to S10, S13 and S1b and nothing else: slow,
 * plain, and without a line in common with the fabric that it judges.
 * @param worms the case
 * @param delays delays and depths of its fabric
 * @return when worms started, left and arrived
 */
ReplayOutcome MoveFlitByFlit(const WormCase& worms, const FabricDelays& delays);

/**
 * @ingroup wormhole-tests
 * What random cases are like.
 */
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

/**
 * @ingroup wormhole-tests
 * A random case: 2 to 8 switches, 1 to 3 hosts each, up to so many worms, all kinds of delays,
 * buffers 1 to 100 flits deep.
 * @param rng random numbers
 * @param options what the case is to be like
 * @return the case
 */
WormCase MakeRandomCase(Ptr<UniformRandomVariable> rng, const RandomCaseOptions& options);

} // namespace ns3

#endif /* FLIT_ORACLE_H */
