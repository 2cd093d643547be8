/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_OPTIONS_H
#define FABRIC_OPTIONS_H

#include "wormhole-option-values.h"
#include "wormhole-program-options.h"

#include "ns3/wormhole-topology-factory.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The options --fabric, --topology and --routing of a program, the same in all of them.
 *
 * --fabric=cluster.json names a file of a fabric, as WriteFabricFile and people write it;
 * --topology=torus:8x8,hosts=2 describes one by a short text, see MakeTopology, of which
 * file:cluster.json is one, too. Only one of both may be given. --routing=balanced names the routes
 * of either in place of their own, see RoutingEngine.
 */
class FabricOptions
{
  public:
    /// @param without the fabric without them, for the help text, such as "drawn ones"
    /// @param defaultText text of the topology without them; empty: none
    /// @return the options
    static std::vector<StudyParameter> GetParameters(const std::string& without,
                                                     const std::string& defaultText);

    /// Adds the options.
    /// @param options where to
    /// @param without the fabric without them, for the help text, such as "drawn ones"
    /// @param defaultText text of the topology without them; empty: none
    static void Add(ProgramOptions& options,
                    const std::string& without,
                    const std::string& defaultText = "");

    /// @return whether one of them was given @param options the options
    static bool Has(const OptionValues& options)
    {
        return options.Has("fabric") || options.Has("topology") || options.Has("routing");
    }

    /// @return name of the one that was given; topology if none was @param options the options
    static std::string GetName(const OptionValues& options)
    {
        return options.Has("fabric") ? "fabric" : "topology";
    }

    /// @return text of the topology, as MakeTopology takes it; empty: none
    /// @param options the options
    static std::string GetText(const OptionValues& options);

    /// @param options the options
    /// @return graph and routes of the fabric; null if there is neither an option nor a default
    /// @throws WormholeError if both are given, or there is no such fabric; it names the option,
    /// and the other one where its value is of that kind
    static std::shared_ptr<const WormholeTopology> Read(const OptionValues& options);
};

} // namespace ns3

#endif /* FABRIC_OPTIONS_H */
