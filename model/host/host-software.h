/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_SOFTWARE_H
#define HOST_SOFTWARE_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/wormhole-net-device.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a host's software costs, and whom arriving messages are for.
 *
 * Sending a message takes the start-up time t_s, which covers buffers, copies and setting up the
 * interface; messages start up one after the other. Aggregated to the host's interface.
 */
class HostSoftware : public Object
{
  public:
    /// Takes the messages of one group; argument: the worm.
    typedef Callback<void, Ptr<const Worm>> Receiver;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Runs on a host.
     * @param device the host's interface
     */
    void Install(Ptr<WormholeNetDevice> device);

    /**
     * Sends a message after its start-up.
     * @param worm the message
     * @return how long until the start-up is over and the interface has it
     */
    Time Send(Ptr<Worm> worm);

    /**
     * Keeps the software busy with something else than sending.
     * @param duration how long it takes, once what was begun before is done
     * @return how long until it is done
     */
    Time Occupy(Time duration);

    /// @return the start-up time t_s
    Time GetStartUp() const;

    /// @return the host's interface
    Ptr<WormholeNetDevice> GetDevice() const;

    /**
     * Names who takes the messages of a kind that arrive at this host.
     * @param kind Worm::MESSAGE or Worm::COLLECTIVE
     * @param receiver who takes them
     */
    void SetReceiver(Worm::Kind kind, Receiver receiver);

    /**
     * Names who takes the messages of a kind, as WormholeNetDevice::SetHostReceiver.
     * @param kind Worm::MESSAGE or Worm::COLLECTIVE
     * @param receiver who takes them, from this and other hosts
     */
    void SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver);

  protected:
    void DoDispose() override;

  private:
    Time m_startUp;                  ///< attribute
    Time m_busyUntil;                ///< when the last start-up is over
    Ptr<WormholeNetDevice> m_device; ///< the host's interface
};

} // namespace ns3

#endif /* HOST_SOFTWARE_H */
