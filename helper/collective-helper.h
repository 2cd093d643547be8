/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_HELPER_H
#define COLLECTIVE_HELPER_H

#include "ns3/barrier.h"
#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-fabric.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Gives hosts their software and switches their collective units, and makes groups.
 */
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /// Sets an attribute of every host's software. @param name its name @param value its value
    void SetSoftwareAttribute(const std::string& name, const AttributeValue& value);

    /// Sets an attribute of every collective unit. @param name its name @param value its value
    void SetUnitAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Makes a fabric ready for collectives.
     * @param fabric the fabric
     * @param graph the graph that it was built from
     * @return its collective domain
     */
    Ptr<CollectiveDomain> Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph) const;

    /**
     * Makes a barrier of a kind, without a group; give it one with Barrier::Create.
     * @param name btin, multicast or unicast, or the name of a TypeId such as ns3::UnicastBarrier
     * @return the barrier
     * @throws WormholeError if there is no such barrier
     */
    static Ptr<Barrier> MakeBarrier(const std::string& name);

    /// @return the short names that MakeBarrier knows
    static std::vector<std::string> GetBarrierNames();

  private:
    ObjectFactory m_softwareFactory; ///< makes hosts' software
    ObjectFactory m_unitFactory;     ///< makes collective units
};

} // namespace ns3

#endif /* COLLECTIVE_HELPER_H */
