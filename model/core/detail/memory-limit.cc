// SPDX-License-Identifier: GPL-2.0-only

#include "memory-limit.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/wormhole-error.h"

#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double MEMORY_GIB = 1 << 30; ///< bytes of a GiB

GlobalValue g_memoryLimit("WormholeMemoryLimit",
                          "GiB that a fabric may take for its graph, cables and nodes, or the "
                          "record of one worm in shallow buffers; what takes more is refused.",
                          DoubleValue(6),
                          MakeDoubleChecker<double>(0));

} // namespace

double
MemoryLimit::Get()
{
    DoubleValue limit;
    g_memoryLimit.GetValue(limit);
    return limit.Get() * MEMORY_GIB;
}

void
MemoryLimit::Check(double bytes, const std::function<std::string()>& what)
{
    const auto limit = Get();
    if (bytes > limit)
    {
        std::ostringstream message;
        message << std::setprecision(2) << what() << " some " << bytes / MEMORY_GIB
                << " GiB; expected up to " << limit / MEMORY_GIB
                << " GiB, or as many as the global value WormholeMemoryLimit says";
        throw WormholeError(message.str());
    }
}

} // namespace ns3
