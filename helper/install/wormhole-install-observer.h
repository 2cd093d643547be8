// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_INSTALL_OBSERVER_H
#define WORMHOLE_INSTALL_OBSERVER_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief An object that the helpers notify of every fabric and collective domain they install,
///        before anything happens in it; so an observer need not set up the simulation itself.
class InstallObserver
{
  public:
    InstallObserver() = default;

    virtual ~InstallObserver()
    {
        Unregister();
    }

    InstallObserver(const InstallObserver&) = delete;            ///< not copyable
    InstallObserver& operator=(const InstallObserver&) = delete; ///< not copyable

    /// Called after a fabric is installed. @param fabric the fabric @param graph its graph
    virtual void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) = 0;

    /// Called after a domain, and its fabric if any, is installed. @param domain the domain
    virtual void ObserveDomain(Ptr<CollectiveDomain> domain) = 0;

    /// Ends the observation and completes the output; events after this call are ignored.
    /// @return a hint for the user if nothing was observed; else an empty string
    /// @throws WormholeError if not all output could be written
    virtual std::string Finish() = 0;

    /// @return the observers, in the order in which they called Register
    static const std::vector<InstallObserver*>& GetAll()
    {
        return s_all;
    }

  protected:
    /// Makes the helpers notify this observer from now on.
    void Register()
    {
        s_all.push_back(this);
    }

    /// Makes the helpers stop notifying this observer.
    void Unregister()
    {
        s_all.erase(std::remove(s_all.begin(), s_all.end(), this), s_all.end());
    }

  private:
    static std::vector<InstallObserver*> s_all; ///< observers to be notified, in order of Register
};

} // namespace ns3

#endif /* WORMHOLE_INSTALL_OBSERVER_H */
