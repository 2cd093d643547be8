/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IRREGULAR_TOPOLOGY_HELPER_H
#define IRREGULAR_TOPOLOGY_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Draws random irregular fabrics: q switches of k ports, connectivity f, p hosts.
 *
 * Hosts come first: p slots are drawn uniformly out of k - 1 a switch, so that each switch keeps a
 * port. Then L = round((f k q - p) / 2) cables join switches, so that all are connected; f is the
 * ratio of ports in use. A law says how they are laid:
 *
 * - `recursive`: in random order, each switch joins a uniformly random earlier one with a free
 *   port; then cables are added between uniformly random switches with free ports
 * - `walk`: a random walk over the switches, each of which is joined to the one from which it is
 *   first entered; then cables are added in the same way
 * - `pairing`: random pairs of free ports; a pair within what is connected already is refused if it
 *   would leave too few cables to join the rest
 *
 * Two switches have one cable at most, unless parallel links are asked for. A draw that gets stuck
 * is drawn again as a whole. Which ports are used is random too. Hosts are numbered from switch 0
 * on, on each switch by port.
 *
 * All draws are ns-3's UniformRandomVariable::GetInteger on one stream, so one seed, run and stream
 * number give the same fabric on every machine and with every version of ns-3, if AssignStreams
 * has been called; without it, ns-3 chooses the stream number.
 */
class IrregularTopologyHelper
{
  public:
    /// How cables between switches are drawn.
    enum class TopologyModel
    {
        RECURSIVE, ///< random recursive tree, then random links
        WALK,      ///< random walk, then random links
        PAIRING    ///< random pairs of free ports
    };

    /// What is drawn. The defaults are the smaller fabric of Moh et al. (2001).
    struct Parameters
    {
        uint32_t switches{75};     ///< number of switches, q, 1 at least
        uint32_t ports{8};         ///< ports of each switch, k
        double connectivity{0.75}; ///< ratio of ports in use, f, above 0, 1 at most
        uint32_t hosts{256};       ///< number of hosts, p, 1 to q (k - 1)
        TopologyModel law{TopologyModel::RECURSIVE}; ///< how cables are drawn
        bool parallelLinks{false}; ///< whether two switches may have several cables
    };

    IrregularTopologyHelper();

    /// @param parameters what is to be drawn
    /// @throws WormholeError if no fabric could be so, naming the parameter and what would be
    /// accepted
    explicit IrregularTopologyHelper(const Parameters& parameters);

    /// @return names of the laws
    static std::vector<std::string> GetModelNames();

    /// @param name "recursive", "walk" or "pairing"
    /// @return the law
    /// @throws WormholeError for any other name
    static TopologyModel ModelByName(const std::string& name);

    /// @return the law's name @param law a law
    static std::string NameOf(TopologyModel law);

    /// Sets the stream of random numbers, started anew with ns-3's current seed and run.
    /// @param stream number of the stream
    /// @return number of streams used: 1
    int64_t AssignStreams(int64_t stream);

    /// Draws the next fabric of the stream.
    /// @return the fabric
    /// @throws WormholeError if a thousand draws got stuck
    FabricGraph Create();

    /// @return number of cables between switches, L
    uint32_t GetNSwitchLinks() const;

    /// @return least connectivity for which q - 1 cables are left to join the switches
    double GetMinConnectivity() const;

    /// @return the ratio of switches' ports in use, f @param graph any fabric
    static double GetConnectivity(const FabricGraph& graph);

  private:
    /// Refuses parameters that no fabric fits.
    void Check() const;

    /// Refuses more or fewer cables between switches than can be.
    void CheckConnectivity() const;

    Parameters m_parameters;             ///< what is drawn
    Ptr<UniformRandomVariable> m_random; ///< where random numbers come from
};

} // namespace ns3

#endif /* IRREGULAR_TOPOLOGY_HELPER_H */
