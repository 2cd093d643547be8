/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-options.h"

#include "ns3/exact-time.h"

#include <iostream>

namespace ns3
{

const std::vector<std::string>&
TimelineOptions::GetNames()
{
    static const std::vector<std::string> names{"timeline",
                                                "timelineFrom",
                                                "timelineUntil",
                                                "timelineHosts",
                                                "timelineExplain"};
    return names;
}

void
TimelineOptions::Add(ProgramOptions& options)
{
    options.Add("timeline",
                "FILE",
                "What happens in the simulations as Chrome's trace event JSON, for Perfetto or "
                "'ns3-wormhole timeline'; compressed if the name ends in .gz");
    options.Add("timelineFrom", "TIME", "what ends before, as 10us, is left out of it", "0us");
    options.Add("timelineUntil", "TIME", "what begins after, as 50us, is left out of it");
    options.Add("timelineHosts",
                "NAME,NAME",
                "hosts shown in it, with the worms from and to them; all without it");
    options.AddSwitch("timelineExplain",
                      "Tell in it why each worm, and each member of a round, took as long as it "
                      "did; keeps all that happens in memory");
}

std::unique_ptr<Timeline>
TimelineOptions::Begin(const OptionValues& options)
{
    if (!options.Has("timeline"))
    {
        for (const auto& name : GetNames())
        {
            if (options.Has(name))
            {
                options.RefuseAlone(name, "timeline");
            }
        }
        return nullptr;
    }
    Timeline::Settings settings;
    settings.path = options.Get("timeline");
    settings.from = options.GetTime("timelineFrom");
    if (options.Has("timelineUntil"))
    {
        settings.until = options.GetTime("timelineUntil");
        if (settings.until <= settings.from)
        {
            options.Refuse("timelineUntil",
                           "accepted is a time after the beginning, " +
                               ExactTime::Print(settings.from));
        }
    }
    settings.hosts = options.GetWords("timelineHosts");
    settings.explains = options.Has("timelineExplain");
    std::unique_ptr<Timeline> made;
    options.Check("timeline", [&] { made = std::make_unique<Timeline>(settings); });
    return made;
}

void
TimelineOptions::Finish(Timeline* timeline, const std::string& program)
{
    const auto empty = timeline ? timeline->Finish() : "";
    if (!empty.empty())
    {
        std::cerr << program << ": --timeline: " << empty << std::endl;
    }
}

} // namespace ns3
