/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TRAFFIC_OPTIONS_H
#define WORMHOLE_TRAFFIC_OPTIONS_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-option-values.h"
#include "ns3/wormhole-program-options.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The options --load, --pattern and --flits of a program, the same in all that measure
 *        collectives on a fabric: traffic of all hosts beside them, see BackgroundTraffic.
 *
 * Without --load, or with --load=0, there is none.
 */
class TrafficOptions
{
  public:
    /// @return the options
    static std::vector<StudyParameter> GetParameters();

    /// Adds the options. @param options where to
    static void Add(ProgramOptions& options);

    /// @return whether there is traffic @param options the options
    static bool IsThere(const OptionValues& options);

    /// @param options the options
    /// @param graph the fabric's graph; null: it is not known yet
    /// @return what traffic there is
    /// @throws WormholeError if that can't be, or an option has no effect
    static BackgroundTraffic::Parameters Read(const OptionValues& options,
                                              const FabricGraph* graph);

    /// Refuses them where messages are on an ideal network.
    /// @param options the options
    /// @param accepted what is accepted in place of that
    /// @throws WormholeError if one of them is given
    static void RefuseIdeal(const OptionValues& options, const std::string& accepted);

    /// Refuses an option that has an effect beside traffic only.
    /// @param options the options
    /// @param name its name
    /// @throws WormholeError if it is given, and there is no traffic
    static void RefuseWithout(const OptionValues& options, const std::string& name);
};

} // namespace ns3

#endif /* WORMHOLE_TRAFFIC_OPTIONS_H */
