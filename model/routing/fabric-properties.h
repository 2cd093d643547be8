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
/// @brief Properties of a single cable (S10). Unset properties follow the attributes.
struct CableProperties
{
    std::optional<DataRate> rate;       ///< WormholeChannel::DataRate
    std::optional<Time> flitTime;       ///< flit time, overriding the rate; 0: the rate's, rounded
    std::optional<Time> delay;          ///< WormholeChannel::Delay, at least 1 time unit
    std::optional<uint32_t> depth;      ///< WormholePort::BufferDepth at both ends, flits
    std::optional<uint64_t> depthBytes; ///< depth in bytes, rounded down to whole flits

    /// @return whether no property is set
    bool IsEmpty() const
    {
        return !rate && !flitTime && !delay && !depth && !depthBytes;
    }

    /// Takes over the properties set in another object, which take precedence.
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
/// @brief A fabric's properties of lanes (S11) and of outages (S14). Properties not set here follow
///        the attributes.
struct LaneProperties
{
    std::optional<uint32_t> lanes;    ///< WormholeFabric::Lanes
    std::vector<uint32_t> priorities; ///< WormholeFabric::Priorities; empty: unset
    std::optional<std::string> grant; ///< WormholeFabric::Grant
    std::vector<std::string>
        outages; ///< entries of WormholeFabric::OutageSchedule, added to the attribute's entries
};

/// @ingroup wormhole
/// @brief Properties of a fabric's cables and switches. Like the cables, they are part of the
///        fabric.
class FabricProperties
{
  public:
    using Place = std::pair<uint32_t, uint16_t>; ///< a port: numbers of its node and of the port

    CableProperties cables;          ///< properties of all cables
    std::optional<Time> switchDelay; ///< delay of all switches, WormholeSwitch::Delay
    LaneProperties lanes;            ///< lane properties

    /// Sets the properties of one end of a cable, where they differ from those of all cables;
    /// FabricGraph::SetCable sets both ends.
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

    /// @return all properties of a cable @param place an end of it
    CableProperties GetCable(Place place) const
    {
        auto all = cables;
        if (const auto own = FindCable(place))
        {
            all.Take(*own);
        }
        return all;
    }

    /// @return a switch's delay: its own, or that of all switches @param node its number
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
