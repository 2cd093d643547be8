/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_STUDY_ROW_H
#define SPLIT_STUDY_ROW_H

#include "ns3/csv-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of split-phase barriers tells of one barrier and computing time: a row of its
 *        CSV.
 */
struct SplitStudyRow
{
    std::string algorithm;        ///< the barrier
    std::string progress;         ///< HostSoftware's Progress
    uint32_t members{0};          ///< number of members
    uint32_t pieces{0};           ///< computations between entering and waiting
    uint32_t imbalancePercent{0}; ///< by how much computing is longer or shorter at most
    double computeUs{0};          ///< mean time to compute in a step, us
    double barrierUs{0};          ///< time of a step that does not compute, us
    double blockingUs{0};         ///< time of a step that computes, enters and waits, us
    double splitUs{0};            ///< time of a step that enters, computes and waits, us
    double savedPercent{0};       ///< what the latter saves, parts of barrierUs
    double load{0};         ///< load of traffic beside; 0: none, and what follows is not written
    std::string pattern{};  ///< who sends that to whom
    std::string flits{};    ///< length of its worms, as WormLength::Parse
    double barrierUs99{0};  ///< time that 99 % of the steps without computing do not exceed, us
    double blockingUs99{0}; ///< the same of steps that compute, enter and wait, us
    double splitUs99{0};    ///< the same of steps that enter, compute and wait, us

    /// @return its columns
    static const CsvTable<SplitStudyRow>& GetTable();
};

} // namespace ns3

#endif /* SPLIT_STUDY_ROW_H */
