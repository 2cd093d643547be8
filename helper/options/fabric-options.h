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

/// @ingroup wormhole @brief The options --fabric, --topology and --routing, common to all programs.
///
/// --fabric=cluster.json names a fabric file, written by WriteFabricFile or by hand;
/// --topology=torus:8x8,hosts=2 describes a fabric by a short text, see MakeTopology
/// (a file is also possible: file:cluster.json). Only one of --fabric and --topology may be given.
/// --routing=balanced replaces the fabric's own routes, see RoutingEngine.
class FabricOptions
{
  public:
    /// Lists the options; `defaultText` is the default of topology (empty: none); `without` tells,
    /// in help texts, which fabric is used if the options give none.
    static std::vector<StudyParameter> GetParameters(const std::string& without,
                                                     const std::string& defaultText);

    /// Makes the option placement, which JobPlacement reads: `law` is its default, `besides` is
    /// added to its help text, and `alias`, unless empty, is another name of the option.
    static StudyParameter GetPlacement(const std::string& law,
                                       const std::string& besides = "",
                                       const std::string& alias = "");

    /// Lists the options linkDelay, which sets the cables' attribute Delay, and switchDelay, which
    /// sets that of switches and interfaces; delays that the fabric itself states stay.
    static std::vector<StudyParameter> GetDelays();

    /// Sets the given delays. @param options the options @param fabrics sets the attributes
    /// @tparam HELPER WormholeHelper; a template, so that options need not know that class
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

    /// Tells whether the option fabric, topology or routing was given.
    static bool Has(const OptionValues& options)
    {
        return options.Has("fabric") || options.Has("topology") || options.Has("routing");
    }

    /// Returns the name of the option that is given, fabric or topology; if none is, topology.
    static std::string GetName(const OptionValues& options)
    {
        return options.Has("fabric") ? "fabric" : "topology";
    }

    /// Gives the text that describes the topology, as for MakeTopology; empty if there is none.
    static std::string GetText(const OptionValues& options);

    /// Makes the fabric's graph and routes; null if neither an option nor a default gives a fabric;
    /// throws a WormholeError that names the option if fabric and topology are both given, or there
    /// is no such fabric; if the value is one for the other option, the error suggests that option.
    static std::shared_ptr<const WormholeTopology> Read(const OptionValues& options);
};

} // namespace ns3

#endif /* FABRIC_OPTIONS_H */
