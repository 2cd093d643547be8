// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_OPTIONS_H
#define FABRIC_OPTIONS_H

#include "wormhole-program-options.h"

#include "ns3/wormhole-topology-factory.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The options --fabric, --topology and --routing, common to all programs.
 *
 * --fabric=cluster.json names a fabric file, written by WriteFabricFile or by hand;
 * --topology=torus:8x8,hosts=2 describes a fabric by a short text, see MakeTopology
 * (file:cluster.json is possible, too). Only one of the two may be given. --routing=balanced
 * replaces the fabric's own routes, see RoutingEngine.
 */
class FabricOptions
{
  public:
    /// Lists the options; the help text says what the fabric is without them, such as "random
    /// fabrics".
    static std::vector<StudyParameter> GetParameters(const std::string& without,
                                                     const std::string& defaultText);

    /// Makes the option placement, which JobPlacement reads, with a default rule, what the help
    /// text says besides, and perhaps another name.
    static StudyParameter GetPlacement(const std::string& law,
                                       const std::string& besides = "",
                                       const std::string& alias = "");

    /// Lists linkDelay and switchDelay, without which the attributes of cables, switches and
    /// interfaces hold.
    static std::vector<StudyParameter> GetDelays();

    /// Sets what these ask for. @param options the options @param fabrics whose attributes they set
    /// @tparam HELPER WormholeHelper, of which options know nothing
    template <class HELPER>
    static void SetDelays(const OptionValues& options, HELPER& fabrics)
    {
        if (options.Has("linkDelay"))
        {
            fabrics.SetChannelAttribute("Delay", TimeValue(options.GetTimeAboveZero("linkDelay")));
        }
        if (options.Has("switchDelay"))
        {
            const TimeValue delay(options.GetTime("switchDelay"));
            fabrics.SetSwitchAttribute("Delay", delay);
            fabrics.SetDeviceAttribute("Delay", delay);
        }
    }

    /// Adds the options, see GetParameters.
    static void Add(ProgramOptions& options,
                    const std::string& without,
                    const std::string& defaultText = "");

    /// Tells whether one of them was given.
    static bool Has(const OptionValues& options)
    {
        return options.Has("fabric") || options.Has("topology") || options.Has("routing");
    }

    /// Tells which of the two was given; topology if none.
    static std::string GetName(const OptionValues& options)
    {
        return options.Has("fabric") ? "fabric" : "topology";
    }

    /// Gives the text of the topology, as for MakeTopology; empty: none.
    static std::string GetText(const OptionValues& options);

    /// Makes graph and routes of the fabric, null if neither an option nor a default exists, or
    /// throws a WormholeError that names the option if both are given, or there is no such fabric,
    /// and suggests the other one if the value is of its kind.
    static std::shared_ptr<const WormholeTopology> Read(const OptionValues& options);
};

} // namespace ns3

#endif /* FABRIC_OPTIONS_H */
