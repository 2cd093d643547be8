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
 * @brief Generates random irregular fabrics: q switches with k ports, connectivity f, p hosts.
 *
 * Hosts are placed first: p slots are drawn uniformly from k - 1 per switch, so that each switch
 * keeps a port. Then L = round((f k q - p) / 2) cables connect all switches; f is the ratio of
 * ports in use. The topology model (law) determines them:
 *
 * - `recursive`: in random order, each switch is cabled to a uniformly random earlier one with a
 *   free port; then cables are added between uniformly random switches with free ports
 * - `walk`: a random walk over the switches, each of which is cabled to the one from which it is
 *   first entered; then cables are added in the same way
 * - `pairing`: random pairs of free ports; a pair within a connected component is refused if it
 *   would leave too few cables to connect the rest
 *
 * Two switches have at most one cable, unless parallel links are enabled. A draw that gets stuck is
 * repeated as a whole. Ports are random, too. Hosts are numbered from switch 0, on each switch by
 * port.
 *
 * All draws are ns-3's UniformRandomVariable::GetInteger on one stream, so the same seed, run and
 * stream number give the same fabric on every machine and with every version of ns-3, if
 * AssignStreams was called; without it, ns-3 selects the stream number.
 */
class IrregularTopologyHelper
{
  public:
    /// How cables between switches are generated.
    enum class TopologyModel
    {
        RECURSIVE, ///< random recursive tree, then random links
        WALK,      ///< random walk, then random links
        PAIRING    ///< random pairs of free ports
    };

    /// Parameters. The defaults are the smaller fabric of Moh et al. (2001).
    struct Parameters
    {
        uint32_t switches{75};     ///< number of switches, q, at least 1
        uint32_t ports{8};         ///< ports of each switch, k
        double connectivity{0.75}; ///< ratio of ports in use, f, above 0, at most 1
        uint32_t hosts{256};       ///< number of hosts, p, 1 to q (k - 1)
        TopologyModel law{TopologyModel::RECURSIVE}; ///< the topology model
        bool parallelLinks{false}; ///< whether two switches may have several cables
    };

    IrregularTopologyHelper();

    /// @param parameters the parameters
    /// @throws WormholeError if no such fabric exists, naming the parameter and what is expected
    explicit IrregularTopologyHelper(const Parameters& parameters);

    /// @return names of the topology models
    static std::vector<std::string> GetModelNames();

    /// @param name "recursive", "walk" or "pairing"
    /// @return the model
    /// @throws WormholeError for any other name
    static TopologyModel ModelByName(const std::string& name);

    /// @return the model's name @param law a model
    static std::string NameOf(TopologyModel law);

    /// Sets the random stream, reset with ns-3's current seed and run.
    /// @param stream index of the stream
    /// @return number of streams assigned: 1
    int64_t AssignStreams(int64_t stream);

    /// Generates the next fabric of the stream.
    /// @return the fabric
    /// @throws WormholeError if a thousand draws got stuck
    FabricGraph Create();

    /// @return number of cables between switches, L
    uint32_t GetNSwitchLinks() const;

    /// @return minimum connectivity that leaves q - 1 cables to connect the switches
    double GetMinConnectivity() const;

    /// @return the ratio of switch ports in use, f @param graph any fabric
    static double GetConnectivity(const FabricGraph& graph);

  private:
    /// Refuses parameters for which no fabric exists.
    void Check() const;

    /// Refuses an impossible number of cables between switches.
    void CheckConnectivity() const;

    Parameters m_parameters;
    Ptr<UniformRandomVariable> m_random; ///< source of random numbers
};

} // namespace ns3

#endif /* IRREGULAR_TOPOLOGY_HELPER_H */
