// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_CHANNEL_H
#define WORMHOLE_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{

class WormholePort;

/// @ingroup wormhole
/// @brief A full-duplex cable between two ports: two channels, one per direction (timing rule S2).
///
/// As an ns3::Channel it has a network device for each end that is a host; a switch's port is not a
/// network device.
class WormholeChannel : public Channel
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Plugs in both ends, or throws a WormholeError if an end already has a cable or belongs to
    /// no node, or both ends are the same port.
    void Connect(Ptr<WormholePort> a, Ptr<WormholePort> b);

    /// @return whether the fabric has started, so that Delay, DataRate and FlitTime are fixed
    bool HasStarted() const;

    /// @return propagation delay p
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @return the attribute FlitTime
    Time GetFlitTime() const
    {
        return m_flitTime;
    }

    /// @return the attribute DataRate
    DataRate GetDataRate() const
    {
        return m_dataRate;
    }

    /// @return whether the cable has its own FlitTime or DataRate, instead of the fabric's
    bool HasOwnFlitTime() const
    {
        return !m_flitTime.IsZero() || m_dataRate.GetBitRate() > 0;
    }

    Ptr<WormholePort> GetPort(std::size_t end) const; ///< @return port at one end @param end 0 or 1

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Time m_delay;
    Time m_flitTime;                          ///< attribute FlitTime; 0: from m_dataRate
    DataRate m_dataRate;                      ///< attribute DataRate; 0: the fabric's
    std::array<Ptr<WormholePort>, 2> m_ports; ///< ports at both ends
};

class WormholeFabric;

/// @ingroup wormhole @brief A fabric as protocols see it: one segment that joins all its hosts.
///
/// For frames, a fabric is one layer 2 network, so a segment is the ns3::Channel of every host's
/// interface. Global routing and other parts of ns-3 that look for a device's neighbours on its
/// channel find the fabric's hosts on the segment. Worms use no segment; the cable to a host is
/// WormholePort::GetChannel.
///
/// A segment keeps its fabric alive until the simulation ends; a program need not do so.
class WormholeSegment : public Channel
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    void SetFabric(Ptr<WormholeFabric> fabric); ///< @param fabric the fabric

    /// @return the fabric, null once the simulation has ended
    Ptr<WormholeFabric> GetFabric() const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<WormholeFabric> m_fabric;
};

} // namespace ns3

#endif /* WORMHOLE_CHANNEL_H */
