/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_STUDY_ROW_H
#define TREE_STUDY_ROW_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of communication trees tells of one tree: a row of its CSV.
 */
struct TreeStudyRow
{
    std::string tree;            ///< name of the tree, as MakeCommunicationTree takes it
    std::string network;         ///< ideal or fabric
    double sUs{0};               ///< how long a message keeps its sender busy, us
    double rUs{0};               ///< from then until the receiver is active, us
    uint32_t processes{0};       ///< number of processes
    double finishUsModel{0};     ///< when the last one is active, by the cost model, us
    double finishUsSimulated{0}; ///< the same, simulated, us
    double cUs{0};               ///< how long a message keeps both ends busy, us
    std::string levels;          ///< the levels within, as TreeStudy::Levels::text; empty: none
    double boundUsModel{0};      ///< a time that no tree is faster than, by the cost model, us
    double load{0};        ///< load of traffic beside; 0: none, and what follows is not written
    std::string pattern{}; ///< who sends that to whom
    std::string flits{};   ///< length of its worms, as WormLength::Parse
    double finishUs99{0};  ///< when the last one is active in 99 % of the rounds at the latest, us

    /**
     * Writes CSV.
     * @param os where to
     * @param rows the rows
     */
    static void Write(std::ostream& os, const std::vector<TreeStudyRow>& rows);

    /**
     * Reads CSV.
     * @param path the file
     * @return its rows
     * @throws WormholeError if it is no such file
     */
    static std::vector<TreeStudyRow> Read(const std::string& path);
};

} // namespace ns3

#endif /* TREE_STUDY_ROW_H */
