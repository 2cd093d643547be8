/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_STUDY_H
#define TREE_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-definition.h"
#include "ns3/study-hosts.h"
#include "ns3/study-plot.h"
#include "ns3/traffic-columns.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Has processes spread messages over a tree, one after the other as BackgroundTraffic has
 * rounds begin; process i is at host i. Ends the simulation.
 * @param hosts where processes are; on an ideal network if there are several levels
 * @param tree name of the tree, as MakeCommunicationTree takes it
 * @param levels the processes, and what messages cost
 * @param rounds how many messages; of several levels one
 * @return when each process is active, by round and process, the root at 0
 * @throws WormholeError if some process never is, or traffic is more than the fabric takes
 */
std::vector<std::vector<Time>> MeasureTree(const StudyHosts& hosts,
                                           const std::string& tree,
                                           const ProcessHierarchy& levels,
                                           uint32_t rounds = 1);

/**
 * @ingroup wormhole
 * @brief When a tree has spread a message, as a paper prints it.
 */
struct PublishedTree
{
    std::string tree;      ///< name of the tree
    double sUs{0};         ///< how long a message keeps its sender busy, us
    double rUs{0};         ///< from then until the receiver is active, us
    uint32_t processes{0}; ///< number of processes
    double finishUs{0};    ///< when the last process is active, us

    /**
     * Reads those figures of a file that plots can show: measured finishes.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedTree> Read(const std::string& path);
};

/**
 * @ingroup wormhole
 * @brief What a study of communication trees tells of one tree: a row of its CSV.
 */
struct TreeStudyRow : public TrafficRow
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
    double finishUs99{0}; ///< when the last one is active in 99 % of the rounds at the latest, us

    /// @return its columns
    static const CsvTable<TreeStudyRow>& GetTable();
};

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

    using Progress = StudyDefinition::Progress; ///< told how many trees of how many are done

    /// @return names of the papers' costs, for a program's option
    static std::vector<std::string> GetPresets();

    /// @param name manna: measured on that machine, section 5; figure-4: the four ratios there, s
    /// being 20 us; steps: 1 and 3 us, so that a microsecond is a step of Figure 9
    /// @return costs that the paper gives
    /// @throws WormholeError if there is no such name
    static std::vector<Costs> GetPreset(const std::string& name);

    /// @param trees names of trees @param costs what messages cost
    /// @throws WormholeError if a tree's name or a cost is not accepted
    static void CheckTrees(const std::vector<std::string>& trees, const std::vector<Costs>& costs);

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, a tree's name, a cost or a level is not
    /// accepted, or the fabric has too few hosts, or levels of its own
    explicit TreeStudy(const Parameters& parameters);

    /// Makes all comparisons: by costs, network, number of processes and tree, in the order asked.
    /// @param progress is told how far it is, if it is there
    /// @return what is found
    std::vector<Result> Run(const Progress& progress = Progress()) const;

    /// Writes how many processes become active when, as CSV: a row for each time at which some do.
    /// @param os where to @param results what was found
    static void WriteArrivals(std::ostream& os, const std::vector<Result>& results);

    /// Writes how fast any tree can be, as CSV: lambda, for one s, and FiboSequence's f at all
    /// times at which it grows, up to the greatest number of processes asked for.
    /// @param os where to
    void WriteSpeed(std::ostream& os) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/**
 * Draws when trees are done, over the number of processes; a panel for each network and costs. What
 * is shown is simulated; on an ideal network that is what the model gives. A tree has one colour in
 * all panels.
 * @param rows rows of a study, or of several
 * @param published published figures, which are drawn in as points
 * @return the plot finish
 */
std::vector<StudyPlot> MakeTreePlots(const std::vector<TreeStudyRow>& rows,
                                     const std::vector<PublishedTree>& published);

/// @return the study as people ask for it: fibo-tree, and trees in Python
std::unique_ptr<StudyDefinition> MakeTreeStudy();

} // namespace ns3

#endif /* TREE_STUDY_H */
