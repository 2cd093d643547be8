/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEAL_DATA_RUN_H
#define IDEAL_DATA_RUN_H

#include <cstdint>
#include <string>

namespace ns3
{

/// What messages cost, in ns and ns a byte.
struct IdealCosts
{
    double s;       ///< a send keeps its process busy
    double g;       ///< more for each byte
    double r;       ///< taking a message keeps its process busy
    double h;       ///< more for each byte
    double c;       ///< combining, for each byte
    double latency; ///< of the network

    /// @return how long a send takes
    double Send(double bytes) const
    {
        return s + g * bytes;
    }

    /// @return how long taking a message takes
    double Take(double bytes) const
    {
        return r + h * bytes;
    }

    /// @return how long combining takes
    double Combine(double bytes) const
    {
        return c * bytes;
    }

    /// @return time of a message between two who are ready
    double Hop(double bytes) const
    {
        return Send(bytes) + latency + Take(bytes);
    }
};

/// What a collective did.
struct IdealResult
{
    double time;           ///< until the last member left, ns
    uint64_t nMessages{0}; ///< messages that were sent
    uint64_t bytes{0};     ///< their length together
    uint64_t most{0};      ///< bytes that the member sends that sends most
    double plain{0}; ///< when the last member leaves, by a plain evaluation of its schedules, ns
};

/// @return what a collective does on an ideal network @param name its name, without brackets or
/// with @param bytes of the vector or a part
IdealResult RunIdeal(const std::string& kind,
                     const std::string& name,
                     uint32_t members,
                     uint64_t bytes,
                     uint64_t segment,
                     const IdealCosts& costs);

} // namespace ns3

#endif /* IDEAL_DATA_RUN_H */
