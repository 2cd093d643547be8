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
    Time from;               ///< start, since the start of the simulation
    Time until{Time::Max()}; ///< end; Time::Max(): never
};

/// @ingroup wormhole @brief A loss of flits of one worm in an outage.
struct WormholeLoss
{
    /// Why they are lost.
    enum Why : uint8_t
    {
        WIRE,  ///< they are on a cable that is down
        DRAIN, ///< their output discards them: its cable is known to be down, or went down
               ///< while it carried other flits of the worm
        NODE,  ///< they are in a switch or in a sending queue of a host that goes down
        HANDED ///< they are passed to a host or switch that is down
    };

    Ptr<const Worm> worm;     ///< the worm
    std::string node;         ///< name of the node that the flits were leaving, or were in
    Ptr<WormholePort> output; ///< port by which the flits were leaving; null: in the node
    uint64_t flits{0};        ///< number of flits
    Why why{WIRE};            ///< reason

    /// @return "node:port" of the output, or "node"
    std::string GetPlace() const
    {
        return output ? output->GetName() : node;
    }

    /// @return wire, drain, node or handed-over @param why the reason
    static std::string GetName(Why why);
};

/// @ingroup wormhole @brief A worm that ends before its tail: the rest was lost in an outage.
struct WormholeCut
{
    Ptr<const Worm> worm;    ///< the worm
    Ptr<WormholePort> input; ///< port by which it came
    uint64_t flits{0};       ///< flits that have arrived
    bool isHere{false};      ///< whether the cable at that port was down; else an earlier cable
                             ///< was, and the mark that ends the worm has arrived
    bool isEnd{false};       ///< whether no part of the worm continues from this node
};

} // namespace ns3

#endif /* WORMHOLE_OUTAGE_H */
