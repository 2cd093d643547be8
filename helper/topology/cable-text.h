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
 * @brief Reads and writes a cable's own properties as named texts: in fabric files, topology texts
 *        and the attributes of graphs.
 *
 * - "rate": data rate, such as 100Gbps, or ~54.545Gbps for the nearest possible flit time;
 *   "flit_time": flit time, such as 5.12ns
 * - "delay": propagation delay, such as 15ns; or "length", such as 3m, at 5 ns a metre
 * - "depth": depth of the buffers at its ends in flits, such as 4096; or with a unit, such as 16KiB
 */
class CableText
{
  public:
    /// @return default propagation delay per metre of cable: 5 ns
    static Time GetDefaultPace();

    /// @return the names above
    static const std::vector<std::string>& GetNames();

    /// @param pace propagation delay per metre of cable
    explicit CableText(Time pace = GetDefaultPace());

    /// Reads one property.
    /// @param name its name
    /// @param text its value
    /// @param cable receives it
    /// @throws WormholeError if the value is invalid, or the property is already set by another
    ///         name; the message begins with the error, and states what is expected
    void Read(const std::string& name, const std::string& text, CableProperties& cable) const;

    /// @return names and values from which Read restores a cable @param cable the cable
    static std::vector<std::pair<std::string, std::string>> Print(const CableProperties& cable);

    /// @return a data rate @param text such as 100Gbps @throws WormholeError as Read
    static DataRate ReadRate(const std::string& text);

  private:
    /// @return the delay of a cable @param text its length @throws WormholeError as Read
    Time ReadLength(const std::string& text) const;

    Time m_pace; ///< delay per metre
};

/// @ingroup wormhole
/// @brief Lane properties of a fabric (S11) as texts: "lanes", a whole number from 1 to
///        WormholeFabric::MAX_LANES; "priorities", from 0 to 255 for each lane, separated by +; and
///        "grant", flit or worm.
class LaneText
{
  public:
    /// The highest lane priority.
    static constexpr uint32_t MAX_PRIORITY = 255;

    /// @return the names above
    static const std::vector<std::string>& GetNames();

    /// Reads one property.
    /// @param name its name
    /// @param text its value
    /// @param lanes receives it
    /// @throws WormholeError if the value is invalid
    static void Read(const std::string& name, const std::string& text, LaneProperties& lanes);

    /// Refuses inconsistent properties.
    /// @param lanes the fabric's properties
    /// @throws WormholeError if they are inconsistent, stating what is expected
    static void Check(const LaneProperties& lanes);

    /// @return names and values of the properties that are set
    /// @param lanes the fabric's properties
    static std::vector<std::pair<std::string, std::string>> Print(const LaneProperties& lanes);
};

} // namespace ns3

#endif /* CABLE_TEXT_H */
