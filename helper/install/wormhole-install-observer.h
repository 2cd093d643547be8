/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_INSTALL_OBSERVER_H
#define WORMHOLE_INSTALL_OBSERVER_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/wormhole-fabric.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief Is notified of every fabric and collective domain that the helpers install, before any
///        activity: for observers of simulations set up elsewhere, such as Timeline.
class InstallObserver
{
  public:
    InstallObserver() = default;
    virtual ~InstallObserver();

    InstallObserver(const InstallObserver&) = delete;            ///< there is only one
    InstallObserver& operator=(const InstallObserver&) = delete; ///< there is only one

    /// A fabric was installed. @param fabric the fabric @param graph its graph
    virtual void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) = 0;

    /// A collective domain was installed, after its fabric. @param domain the domain
    virtual void ObserveDomain(Ptr<CollectiveDomain> domain) = 0;

    /// @return the one observer; null if there is none
    static InstallObserver* Get();

  protected:
    /// Registers this as the only observer. @throws WormholeError if there is one already
    void Register();

    /// Ends the notifications.
    void Unregister();
};

} // namespace ns3

#endif /* WORMHOLE_INSTALL_OBSERVER_H */
