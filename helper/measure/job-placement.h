// SPDX-License-Identifier: GPL-2.0-only

#ifndef JOB_PLACEMENT_H
#define JOB_PLACEMENT_H

#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Selects the hosts of a group's members or of a job's processes, as the option `placement`
///        of all programs does.
///
/// - `first` (formerly `block`): the fabric's first hosts
/// - `random` (formerly `sorted`): hosts drawn uniformly from all, in the order of their numbers
/// - `shuffled` (formerly `drawn`): hosts drawn uniformly from all, in random order
/// - `best`: hosts near each other, in number order: the set of hosts with the smallest sum of
///   distances to a common switch, which may be any switch that has hosts
/// - names of hosts in rank order, separated by commas
/// - a file of names in rank order, separated by blanks, commas or line ends; # begins a comment
///
/// If the number of switches is given, random rules first draw that many switches, then hosts of
/// these switches; both draws are repeated until each drawn switch has a drawn host.
class JobPlacement
{
  public:
    /// Parameters.
    struct Parameters
    {
        std::string law{"first"}; ///< a rule of GetRules(), names of hosts, or a file
        uint32_t hosts{0};        ///< number of hosts; 0: all; the rest of a longer list is ignored
        uint32_t switches{0};     ///< number of switches with selected hosts; 0: any number
    };

    /// Throws a WormholeError if `law` is invalid, or no hosts of the fabric fit the parameters.
    JobPlacement(const FabricGraph& graph, const Parameters& parameters);

    /// @return number of hosts of a job
    uint32_t GetNHosts() const
    {
        return m_parameters.hosts;
    }

    /// @return names of the rules
    static std::vector<std::string> GetRules()
    {
        return {"first", "random", "shuffled", "best"};
    }

    /// Replaces the earlier name of a rule by its present one; any other text stays as it is.
    static std::string GetRule(const std::string& law);

    /// Tells whether a placement is a rule, rather than names or a file.
    static bool IsRule(const std::string& law)
    {
        const auto rules = GetRules();
        return std::find(rules.begin(), rules.end(), GetRule(law)) != rules.end();
    }

    /// Tells whether a rule draws hosts at random.
    static bool IsRandom(const std::string& law)
    {
        return GetRule(law) == "random" || GetRule(law) == "shuffled";
    }

    /// Counts the switches to which hosts are attached.
    static uint32_t CountSwitches(const FabricGraph& graph, const std::vector<uint32_t>& hosts);

    /// Restarts the random stream, with ns-3's current seed and run; returns the number of streams.
    int64_t AssignStreams(int64_t stream)
    {
        m_random->SetStream(stream);
        return 1;
    }

    /// Places another job and returns its hosts, by rank; throws a WormholeError if a thousand
    /// draws each left one of the drawn switches without a drawn host.
    std::vector<uint32_t> Draw();

    /// Sets the random stream, calls Draw() `number` times, and returns the last call's hosts.
    std::vector<uint32_t> Draw(int64_t stream, uint32_t number);

  private:
    /// @return numbers of the drawn hosts; empty if a drawn switch has no drawn host
    std::vector<uint32_t> TryDraw();

    /// Moves `few` randomly drawn elements to the front of a list.
    void Shuffle(std::vector<uint32_t>& list, std::size_t few);

    Parameters m_parameters;
    std::vector<std::vector<uint32_t>> m_hostsAt; ///< hosts of each switch that has any
    std::vector<uint32_t> m_fixed;                ///< hosts of every job; empty: hosts are drawn
    Ptr<UniformRandomVariable> m_random;          ///< source of random numbers
};

} // namespace ns3

#endif /* JOB_PLACEMENT_H */
