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
/// @brief Generates random irregular fabrics: q switches of k ports, p hosts, connectivity f.
///
/// Connectivity f is the fraction of all k q switch ports that are in use. Hosts are placed first:
/// each switch keeps a port for a cable and has k - 1 slots for hosts; p of all q (k - 1) slots are
/// drawn uniformly. Then the topology model (law) places L = round((f k q - p) / 2) cables:
///
/// - `recursive`: switches are added in random order, each cabled to an earlier one drawn uniformly
///   from those with a free port; then cables join uniformly drawn switches with free ports
/// - `walk`: a random walk visits all switches; when it first enters a switch, a cable joins this
///   switch to the one that the walk comes from; then cables are added as for `recursive`
/// - `pairing`: cables join random pairs of free ports; a pair within one connected component is
///   refused if too few cables would then be left to connect all components
///
/// At most one cable joins two switches, unless `parallelLinks` is set. If a draw gets stuck, the
/// whole fabric is drawn anew. Which ports of a switch are used is random, too. Hosts are numbered
/// switch by switch, from switch 0 on, and in the order of their ports on each switch.
///
/// All draws call ns-3's UniformRandomVariable::GetInteger on one stream. So, if AssignStreams was
/// called, the same seed, run and stream number give the same fabric on every machine and with
/// every version of ns-3; without AssignStreams, ns-3 selects the stream number.
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
        uint32_t switches{75};     ///< number q of switches: at least 1
        uint32_t ports{8};         ///< number k of ports of each switch
        double connectivity{0.75}; ///< fraction f of all switch ports in use: above 0, at most 1
        uint32_t hosts{256};       ///< number p of hosts: 1 to q (k - 1)
        TopologyModel law{TopologyModel::RECURSIVE}; ///< the topology model
        bool parallelLinks{false}; ///< whether several cables may join two switches
    };

    IrregularTopologyHelper()
        : IrregularTopologyHelper(Parameters())
    {
    }

    /// Makes a generator; throws a WormholeError if no fabric with the given parameters exists: the
    /// error names the wrong parameter and states what is expected.
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

    /// Sets the random stream, which starts anew with ns-3's current seed and run; returns 1.
    int64_t AssignStreams(int64_t stream)
    {
        m_random->SetStream(stream);
        return 1;
    }

    /// Generates the next fabric from the random stream; throws a WormholeError if a thousand draws
    /// in a row get stuck.
    FabricGraph Create();

    /// @return number L of cables between switches
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
