/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_STUDY_ROW_H
#define SMP_STUDY_ROW_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of broadcasts on a cluster of SMPs tells of one broadcast: a row of its CSV.
 */
struct SmpStudyRow
{
    std::string algorithm;    ///< name of the broadcast
    uint32_t switches{0};     ///< number of working switches
    uint32_t hosts{0};        ///< number of hosts, whatever the number of their processes
    uint32_t bytes{0};        ///< length of the message
    uint32_t steps{0};        ///< steps at unit cost, one-port
    double timeUs{0};         ///< until the last process has the message, simulated, us
    uint32_t tasksPerHost{1}; ///< number of processes of each host
    double load{0};           ///< load of traffic beside; 0: none, and what follows is not written
    std::string pattern{};    ///< who sends that to whom
    std::string flits{};      ///< length of its worms, as WormLength::Parse
    double timeUs99{0};       ///< time that 99 % of the broadcasts do not exceed, us

    /**
     * Writes CSV. Where some host has several processes, there is one more column at the end,
     * tasks_per_host, and beside traffic those of TrafficColumns.
     * @param os where to
     * @param rows the rows
     */
    static void Write(std::ostream& os, const std::vector<SmpStudyRow>& rows);

    /**
     * Reads CSV.
     * @param path the file
     * @return its rows
     * @throws WormholeError if it is no such file
     */
    static std::vector<SmpStudyRow> Read(const std::string& path);

    /// @return rows as bytes, nothing of them rounded, for Unpack in a process of this program
    /// @param rows the rows
    static std::string Pack(const std::vector<SmpStudyRow>& rows);

    /// @return rows @param bytes what Pack returned
    static std::vector<SmpStudyRow> Unpack(const std::string& bytes);
};

} // namespace ns3

#endif /* SMP_STUDY_ROW_H */
