// SPDX-License-Identifier: GPL-2.0-only

#ifndef BARRIER_REGISTER_H
#define BARRIER_REGISTER_H

#include "collective-message.h"

#include "ns3/worm-route.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief One group's register at one switch (BTIN paper, Figure 4 and Table 1).
///
/// The root switch's parent is the port of the root host, so that all three kinds of switches of
/// Table 1 behave the same: a reduction goes to the parent when all children have arrived; a
/// distribution from the parent goes to all children; in a broadcast the distribution may also come
/// from a child. The register is in a switch, or in the memory of a host.
class BarrierRegister
{
  public:
    BarrierRegister() = default;

    /// @param setup a SETUP message, or the result of Save
    explicit BarrierRegister(const CollectiveMessage& setup);

    /// @return the group's identifier
    uint16_t GetGroup() const;

    /// Processes a reduction message.
    /// @param port the input port
    /// @param value its value
    /// @return whether all children have now arrived; the register is then ready for the next round
    /// @throws WormholeError if the port expects no arrival, or its arrival has already occurred
    bool Arrive(uint16_t port, uint64_t value);

    /// @return ports of the children that have not arrived, lowest first; empty if none has arrived
    std::vector<uint16_t> GetAwaited() const;

    /// @return the combined values of the last complete round
    uint64_t GetResult() const;

    /// @return port towards the root
    uint16_t GetParent() const;

    /// @return ports away from the root, lowest first
    std::vector<uint16_t> GetChildren() const;

    /// @param port a port of the tree
    /// @return ports to its other neighbours (parent and children), lowest first
    /// @throws WormholeError if the port is neither the parent's nor a child's
    std::vector<uint16_t> GetOthers(uint16_t port) const;

    /// @return a message that moves the register, but not GetResult @param type SAVE or RESTORE
    CollectiveMessage Save(CollectiveMessage::Type type) const;

  private:
    CollectiveMessage m_setup; ///< identifier, parent, children, operation, width
    PortSet m_arrived;         ///< arrival bits
    uint64_t m_data{0};        ///< values combined so far in this round
    uint64_t m_result{0};      ///< result of the last round
};

} // namespace ns3

#endif /* BARRIER_REGISTER_H */
