/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_STUDY_H
#define SYNC_STUDY_H

#include "sync-machine.h"
#include "sync-workload.h"

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-definition.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a node costs, and what hardware may cost (Hyder and Wood, 1996, section 5). Prices
 *        are list prices per node, in dollars.
 */
struct SyncPrices
{
    double processor{10000}; ///< processor and cabinet
    double memory{5000};     ///< memory of a node
    double network{5000};    ///< network adapter, and the node's part of switches
    double hardware{2000};   ///< synchronisation hardware

    /// @return whether some price is another one @param other other prices
    bool operator!=(const SyncPrices& other) const
    {
        return processor != other.processor || memory != other.memory || network != other.network ||
               hardware != other.hardware;
    }

    /// @return price of a node without synchronisation hardware, C_base
    double GetBase() const
    {
        return processor + memory + network;
    }

    /// Equation (2): C_base (T_base / T_synch - 1).
    /// @param gain T_base / T_synch, the speedup with the hardware over that without
    /// @return price at which the hardware begins not to pay; below 0 if it only slows
    double GetBreakEven(double gain) const
    {
        return GetBase() * (gain - 1);
    }

    /// @param nodes number of nodes @param withHardware whether they have the hardware
    /// @return speedup from which on they are worth more than one processor with all their memory
    double GetThreshold(uint32_t nodes, bool withHardware) const
    {
        return nodes * (GetBase() + (withHardware ? hardware : 0)) / (processor + nodes * memory);
    }
};

/**
 * @ingroup wormhole
 * @brief What synchronisation hardware brings: the tables of Hyder and Wood (1996), or the same for
 *        one's own applications, costs and prices.
 *
 * An application's second with its reference hardware and no delay consists of synchronisation,
 * at its rates, and of computing, the rest. Messages of the data network that nodes wait for in
 * turn make it longer where messages are delayed: how many there are is taken from the speedup with
 * the reference hardware at one delay. So both speedups with the reference hardware are fits, and
 * all others follow: by the model, from the sum of what events take one after the other; simulated,
 * from programs that do all that on the networks.
 * What is asked are its members.
 */
struct SyncStudy
{
    /// @return columns of its rows, each a cell of a table
    static const CsvTable& GetTable();

    /// @return columns of a file of values that the paper prints
    static const CsvTable& GetPublished();

    /// @param rows rows of a study
    /// @return what a reader has to know of them, a line each: what a break-even price below 0
    /// says, and over what speedups are of applications whose speedup is not known
    static std::vector<std::string> Explain(const std::vector<CsvRow>& rows);

    /// @return 1, 3, 4, 5, 6, 7, uniprocessor, speedups
    static const std::vector<std::string>& GetTables();

    /// @throws WormholeError if a table would be empty, or a name or number is not accepted
    void Check() const;

    /// @param progress is told how far it is, if it is there
    /// @return what is found, table by table
    /// @throws WormholeError as Check
    std::vector<CsvRow> Run(const StudyDefinition::Progress& progress = nullptr) const;

    std::vector<std::string> tables;     ///< of GetTables
    std::vector<std::string> hardware;   ///< of SyncMachine::GetHardwareNames
    std::vector<Time> delays;            ///< delays of messages
    SyncMachine::Parameters machine;     ///< the machine, but for hardware and delay
    std::vector<SyncWorkload> workloads; ///< applications
    std::vector<CsvRow> published;       ///< what the paper prints; may be empty
    SyncPrices prices;                   ///< prices
    uint32_t supersteps{100};            ///< supersteps simulated of each application
};

} // namespace ns3

#endif /* SYNC_STUDY_H */
