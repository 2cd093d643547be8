/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_LOG_H
#define OUTPUT_LOG_H

// Whether explanations that name somebody at an output are true.

#include "ns3/simulator.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-latency-interval.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

/// @return the worm of the traffic that an interval names; null: none
inline const TrafficWorm*
GetTraffic(const LatencyInterval& interval)
{
    return dynamic_cast<const TrafficWorm*>(PeekPointer(interval.other));
}

/// @return whether a path names worms of the traffic
inline bool
NamesTraffic(const LatencyIntervals& path)
{
    return std::any_of(path.begin(), path.end(), GetTraffic);
}

/// What ports' traces tell: who had each output, and since when, and until when.
class OutputLog
{
  public:
    void Watch(Ptr<WormholeFabric> fabric)
    {
        for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
        {
            Watch(fabric->GetHost(host)->GetPort());
        }
        for (uint32_t number = 0; number < fabric->GetNSwitches(); ++number)
        {
            const auto node = fabric->GetSwitch(number);
            for (uint32_t port = 0; port < node->GetNPorts(); ++port)
            {
                Watch(node->GetPort(port));
            }
        }
    }

    /// @return what is false of an interval that names somebody, or nothing
    std::string FindLie(const LatencyInterval& interval, int64_t start) const
    {
        const bool isHost = interval.cause == LatencyCause::INTERFACE_BUSY;
        if (!interval.other || (!isHost && interval.cause != LatencyCause::OUTPUT))
        {
            return "";
        }
        const auto output = interval.place + (isHost ? ":0" : "");
        const auto found = m_owned.find({output, interval.other->GetId()});
        if (found == m_owned.end())
        {
            return "it never had " + output;
        }
        const auto [granted, left] = found->second;
        // In front of a host's queue, a worm waits for its output, too.
        if ((!isHost && granted > start + interval.from) || left < start + interval.to)
        {
            return "it had " + output + " from " + std::to_string(granted - start) + " until " +
                   std::to_string(left - start);
        }
        return "";
    }

  private:
    void Watch(Ptr<WormholePort> port)
    {
        port->TraceConnect("Grant", port->GetName(), MakeCallback(&OutputLog::Grant, this));
        port->TraceConnect("TailLeft", port->GetName(), MakeCallback(&OutputLog::Leave, this));
    }

    void Grant(std::string output, Ptr<const Worm> worm)
    {
        m_owned[{output, worm->GetId()}] = {Simulator::Now().GetTimeStep(), 0};
    }

    void Leave(std::string output, Ptr<const Worm> worm)
    {
        m_owned[{output, worm->GetId()}].second = Simulator::Now().GetTimeStep();
    }

    /// By output and worm, from when to when.
    std::map<std::pair<std::string, uint64_t>, std::pair<int64_t, int64_t>> m_owned;
};

} // namespace ns3

#endif /* OUTPUT_LOG_H */
