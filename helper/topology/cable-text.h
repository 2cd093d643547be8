/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CABLE_TEXT_H
#define CABLE_TEXT_H

#include "ns3/fabric-properties.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Reads and writes what a cable has of its own, as texts by name: in fabric files, topology
 *        texts and the attributes of graphs.
 *
 * - "rate": data rate, such as 100Gbps, or ~54.545Gbps for the nearest flit time to it;
 *   "flit_time": flit time, such as 5.12ns
 * - "delay": propagation delay, such as 15ns; or "length", such as 3m, at 5 ns a metre
 * - "depth": of the buffers at its ends, flits, such as 4096; or with a unit, such as 16KiB
 */
class CableText
{
  public:
    /// @return propagation delay of a metre of cable, unless something else is said: 5 ns
    static Time GetDefaultPace();

    /// @return the names above
    static const std::vector<std::string>& GetNames();

    /// @param pace propagation delay of a metre of cable
    explicit CableText(Time pace = GetDefaultPace());

    /// Reads one of them.
    /// @param name its name
    /// @param text its value
    /// @param cable gets it
    /// @throws WormholeError if the value is none, or the cable has another word for the same; the
    /// message begins with what is wrong with the value, and says what would be accepted
    void Read(const std::string& name, const std::string& text, CableProperties& cable) const;

    /// @return names and values from which Read makes it again @param cable a cable
    static std::vector<std::pair<std::string, std::string>> Print(const CableProperties& cable);

    /// @return a data rate @param text such as 100Gbps @throws WormholeError as Read
    static DataRate ReadRate(const std::string& text);

  private:
    /// @return the delay of a cable @param text its length @throws WormholeError as Read
    Time ReadLength(const std::string& text) const;

    Time m_pace; ///< delay of a metre
};

/// @ingroup wormhole
/// @brief What a fabric has of lanes (S11), as texts: "lanes", a whole number from 1 to
/// WormholeFabric::MAX_LANES; "priorities", one from 0 to 255 for each lane with + between; and
/// "grant", flit or worm.
class LaneText
{
  public:
    /// The highest priority of a lane.
    static constexpr uint32_t MAX_PRIORITY = 255;

    /// @return the names above
    static const std::vector<std::string>& GetNames();

    /// Reads one of them.
    /// @param name its name
    /// @param text its value
    /// @param lanes gets it
    /// @throws WormholeError if the value is none
    static void Read(const std::string& name, const std::string& text, LaneProperties& lanes);

    /// Refuses what does not go together.
    /// @param lanes what a fabric has
    /// @throws WormholeError naming what is accepted
    static void Check(const LaneProperties& lanes);

    /// @return names and values of the properties that are set
    /// @param lanes what a fabric has
    static std::vector<std::pair<std::string, std::string>> Print(const LaneProperties& lanes);
};

} // namespace ns3

#endif /* CABLE_TEXT_H */
