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
/// @brief Reads and writes the properties of a single cable as pairs of a name and a text, which
///        stand in fabric files, topology texts and the attributes of graphs.
///
/// - "rate" is a data rate, such as 100Gbps, or ~54.545Gbps to round it to the nearest possible
///   flit time; in place of "rate", "flit_time" may state the time per flit, such as 5.12ns.
/// - "delay" is the propagation delay, such as 15ns; in its place, "length" may be set, such as 3m.
/// - "depth" is the depth of the input buffers at both ends of the cable: a number of flits, such
///   as 4096, or a number of bytes with a unit, such as 16KiB.
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

    /// Sets the delay per metre, which converts a "length" to a delay: light in glass, and signals
    /// in copper, take 4.3 to 5.2 ns per metre.
    explicit CableText(Time pace = NanoSeconds(5))
        : m_pace(pace)
    {
    }

    /// Sets the named property of a cable from a text; throws a WormholeError if the text is
    /// invalid, or if the cable has that property already.
    void Read(const std::string& name, const std::string& text, CableProperties& cable) const;

    /// Writes the properties of a cable that are set, as names and texts that Read can read back.
    static std::vector<std::pair<std::string, std::string>> Print(const CableProperties& cable);

    /// Reads a data rate such as 100Gbps, or throws a WormholeError if the text is invalid.
    static DataRate ReadRate(const std::string& text);

  private:
    Time ReadLength(const std::string& text) const;

    Time m_pace; ///< delay per metre
};

/// @ingroup wormhole
/// @brief Texts of a fabric's lane properties (rule S11): "lanes" is the number of lanes, at most
///        WormholeFabric::MAX_LANES; "priorities" lists a number from 0 to 255 for each lane, as in
///        0+3; "grant" is flit or worm, as for the attribute WormholeFabric::Grant.
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

    /// Sets the named lane property from a text, or throws a WormholeError if the text is invalid.
    static void Read(const std::string& name, const std::string& text, LaneProperties& lanes);

    /// If the properties contradict each other, throws a WormholeError that says what is expected.
    static void Check(const LaneProperties& lanes);

    /// Writes the lane properties that are set, as names and texts.
    static std::vector<std::pair<std::string, std::string>> Print(const LaneProperties& lanes);
};

} // namespace ns3

#endif /* CABLE_TEXT_H */
