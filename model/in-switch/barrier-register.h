/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_REGISTER_H
#define BARRIER_REGISTER_H

#include "collective-message.h"

#include "ns3/worm-route.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief One group's register at one switch (BTIN paper, Figure 4 and Table 1).
 *
 * The root switch's parent is the port of the root host, so that all three kinds of switches of
 * Table 1 do the same: a reduction goes to the parent when all children have arrived, a
 * distribution from the parent goes to all children. In a broadcast, it may come from a child. It
 * lives in a switch, or in the memory of a host there.
 */
class BarrierRegister
{
  public:
    BarrierRegister() = default;

    /// @param setup a SETUP message, or what Save returned
    explicit BarrierRegister(const CollectiveMessage& setup);

    /// @return the group's identifier
    uint16_t GetGroup() const;

    /// Takes a reduction message.
    /// @param port port that it came by
    /// @param value its value
    /// @return whether all children have arrived now; the register is then ready for the next round
    /// @throws WormholeError if nobody is expected by that port, or has come by it already
    bool Arrive(uint16_t port, uint64_t value);

    /// @return all children's values of the last complete round, combined
    uint64_t GetResult() const;

    /// @return port towards the root
    uint16_t GetParent() const;

    /// @return ports away from the root, lowest first
    std::vector<uint16_t> GetChildren() const;

    /// @param port a port of the tree
    /// @return ports to its other neighbours: the parent and children, lowest first
    /// @throws WormholeError if that port is neither the parent's nor a child's
    std::vector<uint16_t> GetOthers(uint16_t port) const;

    /// @return all of it, for another place @param type SAVE or RESTORE
    CollectiveMessage Save(CollectiveMessage::Type type) const;

  private:
    CollectiveMessage m_setup; ///< identifier, parent, children, operation, width
    PortSet m_arrived;         ///< arrival bits
    uint64_t m_data{0};        ///< values of this round combined so far
    uint64_t m_result{0};      ///< result of the last round
};

} // namespace ns3

#endif /* BARRIER_REGISTER_H */
