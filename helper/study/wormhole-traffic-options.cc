/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-traffic-options.h"

#include "ns3/text-tools.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

namespace ns3
{

namespace
{

/// A load for messages.
const char* const SOME_LOAD = "0.1";

double
GetLoad(const OptionValues& options)
{
    if (!options.Has("load"))
    {
        return 0;
    }
    const auto load = ParseStrictNumber(options.Get("load"));
    if (!(load >= 0 && load <= 1))
    {
        options.Refuse("load", "expected one number, 0 to 1");
    }
    return load;
}

} // namespace

std::vector<StudyParameter>
TrafficOptions::GetParameters()
{
    const BackgroundTraffic::Parameters standard;
    return {std::string("load=") + SOME_LOAD +
                " [ratio 0..1 raw]: Load that all hosts offer beside the collectives, a ratio of a "
                "channel's rate; without it there is no other traffic",
            {"pattern=hotspot (" + standard.pattern + ") [raw]: Who sends these data to whom",
             WormholeTrafficHelper::GetPatternNames()},
            "flits=1024 (" + standard.flits + ") [raw]: Length of their worms, as in latency-load"};
}

void
TrafficOptions::Add(ProgramOptions& options)
{
    for (const auto& parameter : GetParameters())
    {
        options.Add(parameter);
    }
}

bool
TrafficOptions::IsThere(const OptionValues& options)
{
    return GetLoad(options) > 0;
}

BackgroundTraffic::Parameters
TrafficOptions::Read(const OptionValues& options, const FabricGraph* graph)
{
    BackgroundTraffic::Parameters traffic;
    traffic.load = GetLoad(options);
    traffic.pattern = options.GetWord("pattern", WormholeTrafficHelper::GetPatternNames());
    traffic.flits = options.Get("flits");
    RefuseWithout(options, "pattern");
    RefuseWithout(options, "flits");
    options.Check("flits", [&] { WormLength::Parse(traffic.flits); });
    if (traffic.IsThere())
    {
        options.Check("pattern", [&] { traffic.Check(graph); });
    }
    return traffic;
}

void
TrafficOptions::RefuseIdeal(const OptionValues& options, const std::string& accepted)
{
    for (const auto& parameter : GetParameters())
    {
        if (options.Has(parameter.name) && (parameter.name != "load" || IsThere(options)))
        {
            options.Refuse(parameter.name,
                           "there is no traffic beside messages of an ideal network, whose ways "
                           "nothing shares; expected " +
                               accepted);
        }
    }
}

void
TrafficOptions::RefuseWithout(const OptionValues& options, const std::string& name)
{
    if (options.Has(name) && !IsThere(options))
    {
        options.RefuseAlone(name, "load", SOME_LOAD);
    }
}

} // namespace ns3
