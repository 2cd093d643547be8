/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_STUDY_H
#define TREE_STUDY_H

#include "tree-measurement.h"
#include "tree-study-row.h"

#include "ns3/nstime.h"
#include "ns3/process-hierarchy.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How long trees take to spread a message: the comparison of Cordsen et al. (1997), by the
 *        cost model and simulated.
 */
class TreeStudy
{
  public:
    /// What sending and receiving cost.
    using Costs = MessageCost;

    /// Levels below that of a comparison's costs: consecutive processes are in one group.
    struct Levels
    {
        std::vector<uint32_t> groupSizes; ///< processes in a group, the smallest groups first
        std::vector<Costs> costs;         ///< what a message within a group costs, by level
        std::string text;                 ///< what was asked, for tables

        /// @return processes in these groups @param processes number of them
        /// @param top costs between the largest groups
        /// @throws WormholeError if a group's size is not accepted
        ProcessHierarchy MakeHierarchy(uint32_t processes, const Costs& top) const;
    };

    /// What is asked.
    struct Parameters
    {
        std::vector<Costs> costs;          ///< each is a comparison of its own
        std::vector<uint32_t> processes;   ///< numbers of processes
        std::vector<std::string> trees;    ///< names, as MakeCommunicationTree takes them
        std::vector<std::string> networks; ///< ideal, fabric
        Levels levels{};                   ///< levels within, on an ideal network
        StudyHosts onFabric{};             ///< hosts of the fabric, where it is asked for
        uint32_t rounds{20};               ///< messages to average over, beside traffic
    };

    /// What is known of one tree.
    struct Result
    {
        TreeStudyRow row;            ///< what the CSV tells
        std::vector<Time> model;     ///< when each process is active, by the cost model
        std::vector<Time> simulated; ///< the same, simulated; means beside traffic
    };

    /// Is told how many trees of how many are done.
    typedef std::function<void(uint32_t done, uint32_t all)> Progress;

    /// @return names of the papers' costs, for a program's option
    static std::vector<std::string> GetPresets();

    /**
     * @param name manna: measured on that machine, section 5; figure-4: the four ratios there, s
     *             being 20 us; steps: 1 and 3 us, so that a microsecond is a step of Figure 9
     * @return costs that the paper gives
     * @throws WormholeError if there is no such name
     */
    static std::vector<Costs> GetPreset(const std::string& name);

    /**
     * @param trees names of trees
     * @param costs what messages cost
     * @throws WormholeError if a tree's name or a cost is not accepted
     */
    static void CheckTrees(const std::vector<std::string>& trees, const std::vector<Costs>& costs);

    /**
     * @param parameters what is asked
     * @throws WormholeError if there is nothing to do, a tree's name, a cost or a level is not
     *         accepted, or the fabric has too few hosts, or levels of its own
     */
    explicit TreeStudy(const Parameters& parameters);

    /**
     * Makes all comparisons: by costs, network, number of processes and tree, in the order asked.
     * @param progress is told how far it is, if it is there
     * @return what is found
     */
    std::vector<Result> Run(const Progress& progress = Progress()) const;

    /// @return the columns of WriteArrivals
    static const std::vector<std::string>& GetArrivalColumns();

    /**
     * Writes how many processes become active when, as CSV: a row for each time at which some do.
     * @param os where to
     * @param results what was found
     */
    static void WriteArrivals(std::ostream& os, const std::vector<Result>& results);

    /// @return the columns of WriteSpeed
    static const std::vector<std::string>& GetSpeedColumns();

    /**
     * Writes how fast any tree can be, as CSV: lambda, for one s, and FiboSequence's f at all
     * times at which it grows, up to the greatest number of processes asked for.
     * @param os where to
     */
    void WriteSpeed(std::ostream& os) const;

  private:
    Parameters m_parameters; ///< what is asked
};

} // namespace ns3

#endif /* TREE_STUDY_H */
