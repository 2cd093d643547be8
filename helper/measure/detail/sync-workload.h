// SPDX-License-Identifier: GPL-2.0-only

#ifndef SYNC_WORKLOAD_H
#define SYNC_WORKLOAD_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A parallel application as a study of synchronisation hardware sees it (Hyder and Wood, 1996,
 * Table 2): how often it synchronises, and how fast it is with a reference hardware.
 *
 * It is bulk-synchronous: processes compute, then synchronise, and so on. Rates are events, each of
 * all nodes together, per second of a run with the reference hardware and without any delay of
 * messages: with hardware if that is hw-1 or hw-all, by software alone if it is none. A run with
 * other hardware has the same events in more or less time, and so other rates.
 */
struct SyncWorkload
{
    enum Event : uint8_t
    {
        BARRIER,      ///< a barrier of the nodes
        AND,          ///< AND of one bit, to all nodes
        ADD,          ///< ADD of 32 bits, to all nodes
        MAX,          ///< MAX of 64 bits, to all nodes
        ADD_TO_HOST,  ///< ADD of 32 bits from all nodes to the host
        BROADCAST,    ///< a broadcast from the host to all nodes
        NETWORK_DONE, ///< wait until all messages between nodes have arrived
    };

    static constexpr std::size_t EVENTS = 7; ///< number of kinds of events

    std::string name;                       ///< its name
    std::string application;                ///< whose input it is; its own name otherwise
    uint32_t table{0};                      ///< the paper's table; 0: none
    std::string reference{"hw-all"};        ///< hardware that rates and speedup are with
    double speedup{0};                      ///< over one processor, without delay; 0: not known
    std::array<double, EVENTS> perSecond{}; ///< rates of events
    double communicates{1};                 ///< share of NETWORK_DONE that there are messages in
    double delayUs{0};                      ///< delay of messages of delayedSpeedup, us
    double delayedSpeedup{0};               ///< with the reference hardware; 0: not known
    double messageDelays{0};                ///< messages per second that nodes wait for in turn
    double weight{1};                       ///< of its application in aggregates

    /// @return keys of events in files, in order
    static const std::vector<std::string>& GetEventKeys();

    /// @return how often it comes to a point where all nodes wait for each other, per second
    double GetSuperstepRate() const;

    /// Reads workloads of a JSON file, see doc/studies/sync-hardware.rst.
    /// @throws WormholeError for any mistake, in one line with file, line, place and value
    static std::vector<SyncWorkload> Read(const std::string& path);
};

} // namespace ns3

#endif /* SYNC_WORKLOAD_H */
