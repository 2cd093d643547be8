/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_STUDY_ROW_H
#define SYNC_STUDY_ROW_H

#include "ns3/csv-table.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

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

    /// @return the columns of a file, see data/README.md
    static const std::vector<std::string>& GetColumns();

    /**
     * @param path a file, CSV
     * @return its figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedSync> Read(const std::string& path);
};

} // namespace ns3

#endif /* SYNC_STUDY_ROW_H */
