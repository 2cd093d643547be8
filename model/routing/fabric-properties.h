// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_PROPERTIES_H
#define FABRIC_PROPERTIES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Properties of a cable (rule S10): one that is set replaces the attribute named beside it.
struct CableProperties
{
    std::optional<DataRate> rate;       ///< WormholeChannel::DataRate
    std::optional<Time> flitTime;       ///< WormholeChannel::FlitTime; 0: from `rate`, rounded
    std::optional<Time> delay;          ///< WormholeChannel::Delay, at least 1 time unit
    std::optional<uint32_t> depth;      ///< WormholePort::BufferDepth of both ends, in flits
    std::optional<uint64_t> depthBytes; ///< BufferDepth in bytes, rounded down to flits

    /// @return whether no property is set
    bool IsEmpty() const
    {
        return !rate && !flitTime && !delay && !depth && !depthBytes;
    }

    /// Takes over what `others` has set; `rate` and `flitTime` change together, as do the depths.
    void Take(const CableProperties& others)
    {
        if (others.rate || others.flitTime)
        {
            rate = others.rate;
            flitTime = others.flitTime;
        }
        delay = others.delay ? others.delay : delay;
        if (others.depth || others.depthBytes)
        {
            depth = others.depth;
            depthBytes = others.depthBytes;
        }
    }
};

/// @ingroup wormhole
/// @brief A fabric's properties of lanes (rule S11) and of outages (rule S14), each with the
///        attribute that applies if the property is not set.
struct LaneProperties
{
    std::optional<uint32_t> lanes;    ///< WormholeFabric::Lanes
    std::vector<uint32_t> priorities; ///< WormholeFabric::Priorities; empty: unset
    std::optional<std::string> grant; ///< WormholeFabric::Grant
    std::vector<std::string>
        outages; ///< further outages, beside those that WormholeFabric::OutageSchedule lists
};

/// @ingroup wormhole
/// @brief Properties of a fabric's cables and switches. Like the cables themselves, the properties
///        are part of the fabric.
class FabricProperties
{
  public:
    using Place = std::pair<uint32_t, uint16_t>; ///< a port: its node's number, its own number

    CableProperties cables;          ///< properties of all cables, unless a cable sets its own
    std::optional<Time> switchDelay; ///< WormholeSwitch::Delay of switches without their own
    LaneProperties lanes;            ///< properties of lanes and outages

    /// Sets, at one end of a cable, the properties that differ from `cables`;
    /// FabricGraph::SetCable sets them at both ends.
    void SetCable(Place place, const CableProperties& properties)
    {
        if (properties.IsEmpty())
        {
            m_cables.erase(place);
        }
        else
        {
            m_cables[place] = properties;
        }
    }

    /// Sets a switch's delay. @param node its number @param delay WormholeSwitch::Delay
    void SetSwitchDelay(uint32_t node, Time delay)
    {
        m_switches[node] = delay;
    }

    /// @return a cable's own properties; null if it has none @param place an end of it
    const CableProperties* FindCable(Place place) const
    {
        const auto found = m_cables.find(place);
        return found == m_cables.end() ? nullptr : &found->second;
    }

    /// @return a cable's properties: its own, else those of `cables` @param place an end of it
    CableProperties GetCable(Place place) const
    {
        auto all = cables;
        if (const auto own = FindCable(place))
        {
            all.Take(*own);
        }
        return all;
    }

    /// @return a switch's delay: its own, else `switchDelay` @param node the switch's number
    std::optional<Time> GetSwitchDelay(uint32_t node) const
    {
        const auto found = m_switches.find(node);
        return found == m_switches.end() ? switchDelay : found->second;
    }

    /// @return the delays of switches that have their own, by switch number
    const std::map<uint32_t, Time>& GetSwitchDelays() const
    {
        return m_switches;
    }

    /// @return whether no property of a cable or switch is set
    bool IsEmpty() const
    {
        return cables.IsEmpty() && !switchDelay && m_cables.empty() && m_switches.empty();
    }

  private:
    std::map<Place, CableProperties> m_cables; ///< properties of cables, by each end
    std::map<uint32_t, Time> m_switches;       ///< delays of switches by number
};

} // namespace ns3

#endif /* FABRIC_PROPERTIES_H */
