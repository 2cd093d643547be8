// SPDX-License-Identifier: GPL-2.0-only

#ifndef CABLE_TEXT_H
#define CABLE_TEXT_H

#include "ns3/fabric-properties.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Reads and writes a cable's own properties as named texts: in fabric files, topology texts
///        and the attributes of graphs.
///
/// - "rate": data rate, such as 100Gbps, or ~54.545Gbps for the nearest possible flit time;
///   "flit_time": flit time, such as 5.12ns
/// - "delay": propagation delay, such as 15ns; or "length", such as 3m, at 5 ns a metre
/// - "depth": depth of the buffers at its ends in flits, such as 4096; or with a unit, such as
///   16KiB
class CableText
{
  public:
    /// @return names of the properties of a cable
    static const std::vector<std::string>& GetNames()
    {
        static const std::vector<std::string> names{"rate",
                                                    "flit_time",
                                                    "delay",
                                                    "length",
                                                    "depth"};
        return names;
    }

    /// Converts lengths to delays with this propagation delay per metre, which is 4.3 to 5.2 ns for
    /// light in glass and for signals in copper.
    explicit CableText(Time pace = NanoSeconds(5))
        : m_pace(pace)
    {
    }

    /// Reads one property by its name; throws a WormholeError if the value is invalid or the
    /// property is already set; the message begins with the error and states what is expected.
    void Read(const std::string& name, const std::string& text, CableProperties& cable) const;

    /// Writes names and values from which Read restores a cable.
    static std::vector<std::pair<std::string, std::string>> Print(const CableProperties& cable);

    /// Reads a data rate such as 100Gbps; throws as Read.
    static DataRate ReadRate(const std::string& text);

  private:
    Time ReadLength(const std::string& text) const;

    Time m_pace; ///< delay per metre
};

/// @ingroup wormhole
/// @brief Texts of a fabric's lane properties (S11): "lanes" is a whole number from 1 to
///        WormholeFabric::MAX_LANES; "priorities" has a number from 0 to 255 for each lane,
///        separated by +; "grant" is flit or worm.
class LaneText
{
  public:
    static constexpr uint32_t MAX_PRIORITY = 255; ///< the highest lane priority

    /// @return names of the lane properties
    static const std::vector<std::string>& GetNames()
    {
        static const std::vector<std::string> names{"lanes", "priorities", "grant"};
        return names;
    }

    /// Reads one property by its name, or throws a WormholeError if the value is invalid.
    static void Read(const std::string& name, const std::string& text, LaneProperties& lanes);

    /// Throws a WormholeError that states what is expected if properties are inconsistent.
    static void Check(const LaneProperties& lanes);

    /// Writes names and values of the properties that are set.
    static std::vector<std::pair<std::string, std::string>> Print(const LaneProperties& lanes);
};

} // namespace ns3

#endif /* CABLE_TEXT_H */
