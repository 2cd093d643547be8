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
 * Reads own properties of cables, switches and hosts from a fabric file; see ReadFabricFile.
 *
 * Every function throws a WormholeError for any error: one line with file, line, place, value and
 * what is expected.
 */
class FabricPropertiesReader
{
  public:
    /// Reads defaults.
    /// @param value the object in the file
    void ReadDefaults(const JsonValue& value, FabricProperties& properties);

    /// @return a cable's properties @param value the object in the file
    CableProperties ReadCable(const JsonValue& value) const;

    /// Reads which hosts are interfaces of one computer. @param value the array in the file
    /// @param graph the fabric, which receives them
    static void ReadInterfaces(const JsonValue& value, FabricGraph& graph);

    /// Reads lanes.
    /// @param root the object that may hold "lanes", "priorities" and "grant"
    static void ReadLanes(const JsonValue& root, LaneProperties& lanes);

    /// @return a switch's delay @param value the object in the file, or a number of ps
    static Time ReadSwitch(const JsonValue& value);

  private:
    void ReadOne(const JsonValue& value, const std::string& name, CableProperties& cable) const;

    CableText m_text; ///< reads texts
};

class FabricPropertiesWriter
{
  public:
    /// Writes defaults, and properties of switches and hosts.
    static void WriteParts(std::ostream& out, const FabricGraph& graph);

    /// Writes a cable's own properties, if any.
    /// @param end an end of the cable
    static void WriteCable(std::ostream& out, const FabricGraph& graph, FabricGraph::End end);
};

} // namespace ns3

#endif /* FABRIC_PROPERTIES_FILE_H */
