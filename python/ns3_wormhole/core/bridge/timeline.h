/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What Python needs of time lines and records of channels. The loader compiles this in memory,
// behind bridge.h.

#include "ns3/channel-record.h"
#include "ns3/double.h"
#include "ns3/timeline.h"
#include "ns3/wormhole-traffic-helper.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3_wormhole
{

/// @return a time line @param settings what is written
inline std::unique_ptr<ns3::Timeline>
MakeTimeline(const ns3::Timeline::Settings& settings)
{
    return std::make_unique<ns3::Timeline>(settings);
}

/// Has a time line watch what is there already. @param timeline the time line @param domain of it
inline void
WatchDomain(ns3::Timeline& timeline, ns3::Ptr<ns3::CollectiveDomain> domain)
{
    if (domain->GetFabric())
    {
        timeline.ObserveFabric(domain->GetFabric(), domain->GetGraph());
    }
    timeline.ObserveDomain(domain);
}

/// @return a record of the channels of a domain's fabric @param domain the domain
inline ns3::Ptr<ns3::ChannelRecord>
RecordChannels(ns3::Ptr<ns3::CollectiveDomain> domain)
{
    return ns3::ChannelRecord::Begin(domain->GetFabric(), domain->GetGraph());
}

/// Has all hosts send uniform traffic for some time, and waits until all has arrived.
/// @param domain where @param load of each host @param flits length of worms @param time how long
inline void
SendTraffic(ns3::Ptr<ns3::CollectiveDomain> domain,
            double load,
            const std::string& flits,
            ns3::Time time)
{
    ns3::WormholeTrafficHelper helper;
    helper.SetPattern("uniform");
    helper.SetAttribute("Load", ns3::DoubleValue(load));
    const auto traffic =
        helper.Install(domain->GetFabric(), domain->GetGraph(), ns3::WormLength::Parse(flits), 1);
    traffic->Start();
    ns3::Simulator::Schedule(time, &ns3::WormholeTraffic::Stop, traffic);
    ns3::Simulator::Run();
}

/// @return the CSV of a record @param record the record
inline std::string
PrintChannels(ns3::Ptr<ns3::ChannelRecord> record)
{
    std::ostringstream text;
    record->WriteCsv(text);
    return text.str();
}

} // namespace ns3_wormhole
