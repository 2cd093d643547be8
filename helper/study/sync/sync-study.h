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
#include "ns3/study-form.h"
#include "ns3/study-plot.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
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

    /**
     * Equation (2): C_base (T_base / T_synch - 1).
     * @param gain T_base / T_synch, the speedup with the hardware over that without
     * @return price at which the hardware begins not to pay; below 0 if it only slows
     */
    double GetBreakEven(double gain) const
    {
        return GetBase() * (gain - 1);
    }

    /**
     * @param nodes number of nodes
     * @param withHardware whether they have the hardware
     * @return speedup from which on they are worth more than one processor with all their memory
     */
    double GetThreshold(uint32_t nodes, bool withHardware) const
    {
        return nodes * (GetBase() + (withHardware ? hardware : 0)) / (processor + nodes * memory);
    }
};

/**
 * @ingroup wormhole
 * @brief One value of a study of synchronisation hardware: a cell of a table, as a row of CSV.
 */
struct SyncStudyRow
{
    std::string table;     ///< 1, 3 to 7, uniprocessor or speedups
    std::string row;       ///< operation or application
    std::string hardware;  ///< none, hw-1, hw-all, in-switch
    double delayUs{0};     ///< delay of messages, us
    std::string published; ///< what the paper prints; empty: nothing
    double model{std::numeric_limits<double>::quiet_NaN()}; ///< by formulas; NaN: there are none
    double simulated{std::numeric_limits<double>::quiet_NaN()}; ///< simulated; NaN: is not
    std::string unit; ///< us, dollars, relative or nothing
    std::string use;  ///< of the published value: given, fit or predicted; empty without one

    /**
     * @param rows rows of a study
     * @return what a reader has to know of them, a line each: what a break-even price below 0 says,
     *         and over what speedups are of applications whose speedup is not known
     */
    static std::vector<std::string> Explain(const std::vector<SyncStudyRow>& rows);

    /// @return its columns
    static const CsvTable<SyncStudyRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief A value that the paper prints.
 */
struct PublishedSync
{
    std::string table;    ///< its table
    std::string row;      ///< operation or application
    std::string hardware; ///< none, hw-1 or hw-all
    double delayUs{0};    ///< delay of messages, us
    std::string value;    ///< a number, never or always
    std::string use;      ///< given, fit or predicted

    /**
     * @param path a file, CSV
     * @return its figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedSync> Read(const std::string& path);
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
 */
class SyncStudy
{
  public:
    /// What is asked.
    struct Parameters
    {
        std::vector<std::string> tables;      ///< of GetTables
        std::vector<std::string> hardware;    ///< of SyncMachine::GetHardwareNames
        std::vector<Time> delays;             ///< delays of messages
        SyncMachine::Parameters machine;      ///< the machine, but for hardware and delay
        std::vector<SyncWorkload> workloads;  ///< applications
        std::vector<PublishedSync> published; ///< what the paper prints; may be empty
        SyncPrices prices;                    ///< prices
        uint32_t supersteps{100};             ///< supersteps simulated of each application
    };

    using Progress = StudyForm::Progress; ///< told how many simulations of how many are done

    /// @return 1, 3, 4, 5, 6, 7, uniprocessor, speedups
    static const std::vector<std::string>& GetTables();

    /**
     * @param parameters what is asked
     * @throws WormholeError if there is nothing to do, a table would be empty, or a name or number
     *         is not accepted
     */
    explicit SyncStudy(const Parameters& parameters);

    /**
     * @param progress is told how far it is, if it is there
     * @return what is found, table by table
     */
    std::vector<SyncStudyRow> Run(const Progress& progress = Progress());

  private:
    /// Modelled and simulated value.
    struct Values
    {
        double model{0};     ///< by formulas
        double simulated{0}; ///< simulated
    };

    /// @throws WormholeError if a table would have no row
    void CheckTables() const;

    /// @return the machine @param hardware its hardware @param delay of its messages
    SyncMachine MakeMachine(const std::string& hardware, Time delay) const;

    /// @return what an event takes, in s @param event the event @param hardware the hardware
    /// @param delay of messages
    Values GetEvent(SyncWorkload::Event event, const std::string& hardware, Time delay);

    /// @return what synchronisation takes of a workload's second, by the model, in s
    /// @param workload the workload @param machine the machine
    double GetSyncTime(const SyncWorkload& workload, const SyncMachine& machine);

    /// @return what computing takes of it, in s @param workload the workload @param delay of
    /// messages
    double GetComputeTime(const SyncWorkload& workload, Time delay);

    /// @return an application's speedup, or if that is not known with any hardware, how much faster
    /// it is than with its reference hardware and no delay @param workload the workload @param
    /// hardware the hardware
    /// @param delay of messages
    Values GetSpeedup(const SyncWorkload& workload, const std::string& hardware, Time delay);

    /// @return the published value; null if there is none @param table the table @param row the row
    /// @param hardware the hardware @param delay of messages
    const PublishedSync* FindPublished(const std::string& table,
                                       const std::string& row,
                                       const std::string& hardware,
                                       Time delay) const;

    /// @return the speedup that the paper prints, of the same with hw-1 if there is none for
    /// hw-all; 0: none @param workload the workload @param hardware the hardware
    /// @param delay of messages
    double FindPublishedSpeedup(const SyncWorkload& workload,
                                const std::string& hardware,
                                Time delay) const;

    /// Adds a row. @param row the row, without what is published, which is added where prices are
    /// the paper's or don't matter
    void Add(SyncStudyRow row);

    void AddLatencies();                        ///< adds table 1
    void AddSpeedups(const std::string& table); ///< adds tables 3 to 6, speedups @param table it
    void AddBreakEven();                        ///< adds table 7
    void AddUniprocessor();                     ///< adds the comparison with one processor

    /// Gains of an application's inputs by one hardware at one delay.
    struct Gain
    {
        Values mean;      ///< of its inputs
        double weight{0}; ///< of the application
    };

    /// @return gains by application, in the order of workloads @param hardware the hardware
    /// @param delay of messages
    std::vector<std::pair<std::string, Gain>> GetGains(const std::string& hardware, Time delay);

    /// Tells that one more simulation is done.
    void Tell();

    Parameters m_parameters;                  ///< what is asked
    std::vector<SyncStudyRow> m_rows;         ///< what was found
    Progress m_progress;                      ///< is told how far it is
    uint32_t m_done{0};                       ///< simulations done
    uint32_t m_all{0};                        ///< about how many there will be
    std::map<std::string, Values> m_events;   ///< what events take, once known
    std::map<std::string, Values> m_speedups; ///< speedups, once known
};

/**
 * Draws latencies, speedups and break-even prices, a panel for each delay, bars for what is
 * simulated and marks for what is published and modelled; and speedups over what applications'
 * names end with, if that is a number.
 * @param rows what was found
 * @return the plots latency, speedup, break-even and by-number
 */
std::vector<StudyPlot> MakeSyncPlots(const std::vector<SyncStudyRow>& rows);

/// @return the study as people ask for it: sync-hardware, and sync_hardware in Python
std::unique_ptr<StudyForm> MakeSyncStudy();

} // namespace ns3

#endif /* SYNC_STUDY_H */
