/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_TEXT_H
#define LANE_TEXT_H

#include "ns3/fabric-properties.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a fabric has of lanes (S11), as texts: "lanes", a whole number from 1 to
 *        WormholeFabric::MAX_LANES; "priorities", one from 0 to 255 for each lane with + between;
 *        and "grant", flit or worm.
 */
class LaneText
{
  public:
    /// The highest priority of a lane.
    static constexpr uint32_t MAX_PRIORITY = 255;

    /// @return the names above
    static const std::vector<std::string>& GetNames();

    /**
     * Reads one of them.
     * @param name its name
     * @param text its value
     * @param lanes gets it
     * @throws WormholeError if the value is none
     */
    static void Read(const std::string& name, const std::string& text, LaneProperties& lanes);

    /// Refuses what does not go together. @param lanes what a fabric has
    /// @throws WormholeError naming what is accepted
    static void Check(const LaneProperties& lanes);

    /// @return names and values of what is there @param lanes what a fabric has
    static std::vector<std::pair<std::string, std::string>> Print(const LaneProperties& lanes);
};

} // namespace ns3

#endif /* LANE_TEXT_H */
