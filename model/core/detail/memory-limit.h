// SPDX-License-Identifier: GPL-2.0-only

#ifndef MEMORY_LIMIT_H
#define MEMORY_LIMIT_H

#include <functional>
#include <string>

namespace ns3
{

/// The memory limit of a simulation: the global value WormholeMemoryLimit.
class MemoryLimit
{
  public:
    /// Refuses an object that needs more than the limit, before it is created.
    /// @param what called on refusal: returns subject and verb, such as "a fabric of ... takes"
    /// @throws WormholeError if the object needs more than the limit
    static void Check(double bytes, const std::function<std::string()>& what);

    /// @return memory that a simulated fabric needs, bytes; see doc/user/scale.rst
    static double OfFabric(double switches, double hosts, double cables)
    {
        return 1000 * cables + 1500 * (switches + hosts); // a cable with its two ports; a node
    }

    static double Get(); ///< @return the limit, bytes
};

} // namespace ns3

#endif /* MEMORY_LIMIT_H */
