/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PROPERTIES_FILE_H
#define FABRIC_PROPERTIES_FILE_H

#include "ns3/cable-text.h"
#include "ns3/fabric-graph.h"
#include "ns3/json-file.h"

#include <ostream>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Reads what cables, switches and hosts have of their own from a fabric file; see
 *        ReadFabricFile.
 *
 * Every function throws a WormholeError for any mistake, in one line that names file, line, place,
 * value and what would be accepted.
 */
class FabricPropertiesReader
{
  public:
    /// Reads what all have. @param value the object in the file @param properties gets it
    void ReadDefaults(const JsonValue& value, FabricProperties& properties);

    /// @return what a cable has @param value the object in the file
    CableProperties ReadCable(const JsonValue& value) const;

    /// Reads which hosts are interfaces of one computer. @param value the array in the file
    /// @param graph the fabric, which gets them
    static void ReadInterfaces(const JsonValue& value, FabricGraph& graph);

    /// Reads lanes. @param root the object that may hold "lanes", "priorities" and "grant"
    /// @param lanes gets them
    static void ReadLanes(const JsonValue& root, LaneProperties& lanes);

    /// @return a switch's delay @param value the object in the file, or a number of ps
    static Time ReadSwitch(const JsonValue& value);

  private:
    /// Reads one of a cable's properties.
    void ReadOne(const JsonValue& value, const std::string& name, CableProperties& cable) const;

    CableText m_text; ///< reads texts
};

/// @ingroup wormhole
/// @brief Writes what FabricPropertiesReader reads.
class FabricPropertiesWriter
{
  public:
    /// Writes what all have, and switches and hosts. @param out where to @param graph the fabric
    static void WriteParts(std::ostream& out, const FabricGraph& graph);

    /// Writes what a cable has, if anything. @param out where to @param graph the fabric
    /// @param end an end of the cable
    static void WriteCable(std::ostream& out, const FabricGraph& graph, FabricGraph::End end);
};

} // namespace ns3

#endif /* FABRIC_PROPERTIES_FILE_H */
