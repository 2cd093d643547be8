/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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
/// @brief What a cable has of its own (S10). What is not here is as the attributes say.
struct CableProperties
{
    std::optional<DataRate> rate;       ///< WormholeChannel::DataRate
    std::optional<Time> flitTime;       ///< FlitTime, before a rate; 0: the nearest to the rate
    std::optional<Time> delay;          ///< WormholeChannel::Delay, 1 unit of time or more
    std::optional<uint32_t> depth;      ///< WormholePort::BufferDepth at both ends, flits
    std::optional<uint64_t> depthBytes; ///< the same in bytes, of which whole flits are used

    /// @return whether it has nothing of its own
    bool IsEmpty() const
    {
        return !rate && !flitTime && !delay && !depth && !depthBytes;
    }

    /// Takes what is there in others. @param others other properties, which stand before these
    void Take(const CableProperties& others);
};

/// @ingroup wormhole
/// @brief What a fabric has of lanes (S11) and of outages (S14). What is not here is as the
/// attributes say.
struct LaneProperties
{
    std::optional<uint32_t> lanes;    ///< WormholeFabric::Lanes
    std::vector<uint32_t> priorities; ///< WormholeFabric::Priorities; none: not here
    std::optional<std::string> grant; ///< WormholeFabric::Grant
    std::vector<std::string> outages; ///< entries of WormholeFabric::OutageSchedule, besides its own
};

/// @ingroup wormhole
/// @brief What a fabric's cables and switches have of their own: part of the fabric, as its cables
/// are.
class FabricProperties
{
  public:
    /// A port: number of its node, and its own.
    using Place = std::pair<uint32_t, uint16_t>;

    CableProperties cables;          ///< what all cables have
    std::optional<Time> switchDelay; ///< what all switches have, WormholeSwitch::Delay
    LaneProperties lanes;            ///< lanes of all channels

    /// Says what a cable has; FabricGraph::SetCable tells both its ends.
    /// @param place one end of it
    /// @param properties what it has besides what all have
    void SetCable(Place place, const CableProperties& properties);

    /// Says what a switch has. @param node its number @param delay WormholeSwitch::Delay
    void SetSwitchDelay(uint32_t node, Time delay)
    {
        m_switches[node] = delay;
    }

    /// @return what a cable has besides what all have; null: nothing @param place an end of it
    const CableProperties* FindCable(Place place) const;

    /// @return all that a cable has @param place an end of it
    CableProperties GetCable(Place place) const;

    /// @return what a switch has, for all or by itself @param node its number
    std::optional<Time> GetSwitchDelay(uint32_t node) const;

    /// @return delays of switches that have one by themselves, by the switch's number
    const std::map<uint32_t, Time>& GetSwitchDelays() const
    {
        return m_switches;
    }

    /// @return whether no cable and no switch has anything of its own
    bool IsEmpty() const
    {
        return cables.IsEmpty() && !switchDelay && m_cables.empty() && m_switches.empty();
    }

  private:
    std::map<Place, CableProperties> m_cables; ///< by each of their ends
    std::map<uint32_t, Time> m_switches;       ///< delays of switches by number
};

} // namespace ns3

#endif /* FABRIC_PROPERTIES_H */
