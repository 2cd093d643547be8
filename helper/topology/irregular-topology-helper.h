// SPDX-License-Identifier: GPL-2.0-only

#ifndef IRREGULAR_TOPOLOGY_HELPER_H
#define IRREGULAR_TOPOLOGY_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Generates random irregular fabrics: q switches with k ports, connectivity f, p hosts.
///
/// Hosts are placed first: p slots are drawn uniformly from all q (k - 1), since each switch has
/// k - 1 and keeps a port. Then L = round((f k q - p) / 2) cables connect all switches; f is the
/// fraction of ports in use. The topology model (law) determines these cables:
///
/// - `recursive`: in random order, each switch is cabled to a uniformly random earlier switch with
///   a free port; then cables are added between uniformly random switches with free ports
/// - `walk`: a random walk visits the switches, and each switch is cabled to the switch from
///   which the walk first enters it; then cables are added as for `recursive`
/// - `pairing`: random pairs of free ports; a pair within a connected component is refused if it
///   would leave too few cables to connect the rest
///
/// At most one cable joins two switches, unless parallel links are enabled. A draw that gets stuck
/// is repeated as a whole. Ports are random, too. Hosts are numbered switch by switch from switch 0
/// on, and by port on each switch.
///
/// All draws call ns-3's UniformRandomVariable::GetInteger on one stream. So, if AssignStreams was
/// called, the same seed, run and stream number give the same fabric on every machine and with
/// every version of ns-3; otherwise ns-3 selects the stream number.
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

    /// Parameters. The defaults are those of the smaller fabric of Moh et al. (2001).
    struct Parameters
    {
        uint32_t switches{75};     ///< number of switches, q, at least 1
        uint32_t ports{8};         ///< ports of each switch, k
        double connectivity{0.75}; ///< fraction of ports in use, f, above 0, at most 1
        uint32_t hosts{256};       ///< number of hosts, p, 1 to q (k - 1)
        TopologyModel law{TopologyModel::RECURSIVE}; ///< the topology model
        bool parallelLinks{false}; ///< whether several cables may join two switches
    };

    IrregularTopologyHelper()
        : IrregularTopologyHelper(Parameters())
    {
    }

    /// If no fabric with these parameters exists, throws a WormholeError that names the wrong
    /// parameter and states what is expected.
    explicit IrregularTopologyHelper(const Parameters& parameters)
        : m_parameters(parameters),
          m_random(CreateObject<UniformRandomVariable>())
    {
        Check();
    }

    /// @return names of the topology models
    static std::vector<std::string> GetModelNames()
    {
        return {"recursive", "walk", "pairing"};
    }

    /// Finds a model by its name, "recursive", "walk" or "pairing", or throws a WormholeError.
    static TopologyModel ModelByName(const std::string& name);

    /// Gives a topology model's name.
    static std::string NameOf(TopologyModel law)
    {
        return GetModelNames().at(static_cast<std::size_t>(law));
    }

    /// Sets the random stream, reset with ns-3's current seed and run; returns 1, for one stream.
    int64_t AssignStreams(int64_t stream)
    {
        m_random->SetStream(stream);
        return 1;
    }

    /// Generates the next fabric of the stream, or throws a WormholeError if a thousand draws got
    /// stuck.
    FabricGraph Create();

    /// @return number of cables between switches, L
    uint32_t GetNSwitchLinks() const;

    /// Gives the fraction f of a fabric's switch ports that are in use.
    static double GetConnectivity(const FabricGraph& graph);

  private:
    void Check() const;

    Parameters m_parameters;
    Ptr<UniformRandomVariable> m_random; ///< source of random numbers
};

} // namespace ns3

#endif /* IRREGULAR_TOPOLOGY_HELPER_H */
