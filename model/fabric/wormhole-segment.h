/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SEGMENT_H
#define WORMHOLE_SEGMENT_H

#include "ns3/channel.h"

namespace ns3
{

class WormholeFabric;

/**
 * @ingroup wormhole
 * @brief A fabric as protocols see it: one segment that joins all its hosts.
 *
 * To frames a fabric is one network of the second layer, so this is the ns3::Channel of every
 * host's interface. Global routing and other parts of ns-3 that ask a device's channel for its
 * neighbours find the fabric's hosts there. Worms never come by here; the cable that a host is
 * plugged into is WormholePort::GetChannel.
 *
 * Keeps its fabric until the simulation ends, so that a program need not.
 */
class WormholeSegment : public Channel
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    /// @param fabric the fabric
    void SetFabric(Ptr<WormholeFabric> fabric);

    /// @return the fabric, null once the simulation has ended
    Ptr<WormholeFabric> GetFabric() const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<WormholeFabric> m_fabric; ///< the fabric
};

} // namespace ns3

#endif /* WORMHOLE_SEGMENT_H */
