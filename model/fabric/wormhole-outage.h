// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_OUTAGE_H
#define WORMHOLE_OUTAGE_H

#include "wormhole-port.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole @brief An interval during which a part of a fabric is down (rule S14).
struct WormholeOutage
{
    Ptr<Object> part;        ///< a WormholeChannel, WormholeSwitch or WormholeNetDevice
    Time from;               ///< start of the outage, as simulated time
    Time until{Time::Max()}; ///< end of the outage; Time::Max(): never
};

/// @ingroup wormhole @brief A loss of flits of one worm in an outage.
struct WormholeLoss
{
    /// Why flits are lost.
    enum Why : uint8_t
    {
        WIRE,  ///< the flits are on a cable that is down
        DRAIN, ///< the output discards the flits: its cable is known to be down, or went down
               ///< while it carried other flits of the worm
        NODE,  ///< the flits are in a switch that goes down, or queued in a host that goes down
        HANDED ///< the flits are passed to a host or switch that is down, or have no route left
    };

    Ptr<const Worm> worm;     ///< the worm
    std::string node;         ///< name of the node that the flits were leaving, or were in
    Ptr<WormholePort> output; ///< port by which the flits were leaving; null: they were in the node
    uint64_t flits{0};        ///< number of flits
    Why why{WIRE};            ///< reason for the loss

    /// @return "node:port" of the output, or "node"
    std::string GetPlace() const
    {
        return output ? output->GetName() : node;
    }

    /// @return the reason's name: wire, drain, node or handed-over @param why the reason
    static std::string GetName(Why why);
};

/// @ingroup wormhole @brief A worm of which only the first flits arrive; an outage lost the rest.
struct WormholeCut
{
    Ptr<const Worm> worm;    ///< the worm
    Ptr<WormholePort> input; ///< port by which the worm came
    uint64_t flits{0};       ///< number of flits that have arrived by that port
    bool isHere{false};      ///< whether that port's cable was down; else one nearer the source was
    bool isEnd{false};       ///< whether no part of the worm continues from this node
};

} // namespace ns3

#endif /* WORMHOLE_OUTAGE_H */
