/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_STUDY_H
#define RDMA_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-definition.h"
#include "ns3/study-hosts.h"
#include "ns3/study-plot.h"
#include "ns3/traffic-columns.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a barrier of a cluster takes, as a paper prints it.
 */
struct PublishedBarrier
{
    std::string cluster;      ///< name of the cluster, a preset of RdmaStudy
    std::string transport;    ///< rdma or send-receive
    uint32_t nodes{0};        ///< number of nodes
    uint32_t tasksPerNode{0}; ///< number of tasks on each
    double latencyUs{0};      ///< time of a barrier, us

    /**
     * Reads those figures of a file, see data/README.md, that plots can show: latencies.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedBarrier> Read(const std::string& path);
};

/**
 * @ingroup wormhole
 * @brief What a study of barriers by remote writes tells of one cluster: a row of its CSV.
 */
struct RdmaStudyRow : public TrafficRow
{
    std::string transport;    ///< rdma or send-receive
    uint32_t nodes{0};        ///< number of nodes
    uint32_t tasksPerNode{0}; ///< number of tasks on each
    uint32_t steps{0};        ///< exchanges between nodes, or between tasks, one after the other
    double latencyUsMean{0};  ///< mean time of a barrier, us
    std::string withinHost{"flags"}; ///< how tasks of a node exchange messages
    uint32_t interfacePercent{0};    ///< part of a message's time in which it occupies interfaces
    double setUpUs{0};               ///< time to make the group, us
    double latencyUs99{0};           ///< time that 99 % of the barriers do not exceed, us

    /// @return names of the transports
    static const std::vector<std::string>& GetTransports();

    /// @return words for how tasks of a node exchange messages
    static const std::vector<std::string>& GetWithinHost();

    /// @return its columns
    static const CsvTable<RdmaStudyRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Barriers by remote writes against barriers by messages: the comparison of Gupta et al.
 *        (2002).
 *
 * Both are pairwise exchanges. By remote writes, with several tasks a node, a node's tasks meet by
 * flags in shared memory, and one of them exchanges with other nodes; by messages, all tasks
 * exchange, those of one node in a way of one's choice. Tasks enter the next barrier as soon as
 * they leave one.
 */
class RdmaStudy
{
  public:
    /// What things cost on a cluster.
    struct Costs
    {
        Time rdmaSend;       ///< how long a remote write keeps its sender busy
        Time rdmaReceive;    ///< from then until the target has seen it, between two hosts
        Time messageSend;    ///< how long a message keeps its sender busy
        Time messageReceive; ///< from then until the receiver has it, between two hosts
        Time flag;           ///< for a task to set a flag that its node shares, and to see one

        /// @return the time until the receiver has it @param transport rdma or send-receive
        Time GetReceive(const std::string& transport) const
        {
            return transport == "rdma" ? rdmaReceive : messageReceive;
        }
    };

    /// What is asked.
    struct Parameters
    {
        Costs costs;                                  ///< what things cost
        std::vector<std::string> transports;          ///< rdma, send-receive
        std::vector<uint32_t> nodes;                  ///< numbers of nodes
        std::vector<uint32_t> tasksPerNode;           ///< numbers of tasks on each
        uint32_t barriers{20};                        ///< number of barriers to average over
        StudyHosts hosts;                             ///< the nodes
        std::vector<std::string> withinHost{"flags"}; ///< how tasks of a node exchange messages
        /// Of s and of r, how much of it a message occupies the sender's and receiver's interface.
        std::vector<uint32_t> interfacePercents{0};
        std::string exchange{"none"}; ///< how addresses for remote writes are exchanged
        Time registration;            ///< to register a buffer for them

        /// @throws WormholeError if there are fewer hosts than nodes
        void CheckNodes() const;

        /// @param transport rdma or send-receive
        /// @throws WormholeError if the fabric's own times are above what interfaces leave of r
        void CheckReceiving(const std::string& transport) const;
    };

    using Progress = StudyDefinition::Progress; ///< told how many clusters of how many are done

    /// @return names of the paper's clusters, for a program's option
    static std::vector<std::string> GetPresets();

    /**
     * What things cost on a cluster of the paper. It gives the latency of barriers, and so of a
     * step: 31.88 us / 3 and 45.14 us / 3 on cluster 1, 29 us / 3 and 40.5 us / 3 on cluster 2. How
     * a step divides into sending and receiving is not given: each has a half. It does not matter
     * for powers of two; for others, a partner's message may be there before it is waited for.
     * On cluster 3 the 65 us of 32 nodes with two tasks are five steps and two flags, each of
     * which is assumed to take 1 us, half of it to set it; a step by messages is that by a remote
     * write over 1 - 0.41.
     * @param name cluster-1, cluster-2 or cluster-3
     * @return the costs
     * @throws WormholeError if there is no such name
     */
    static Costs GetPreset(const std::string& name);

    /// @param n number of nodes or tasks
    /// @return number of steps of a pairwise exchange: floor(log2 n), and 2 if n is no power of two
    static uint32_t GetSteps(uint32_t n);

    /// @return a part of a time @param time the time @param percent how much of it
    static Time GetPart(Time time, uint32_t percent);

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, or the fabric has too few hosts or is too
    /// slow for the costs
    explicit RdmaStudy(const Parameters& parameters);

    /// Makes all comparisons: by transport, tasks and nodes.
    /// @param progress is told how far it is, if it is there
    /// @return rows of the CSV
    std::vector<RdmaStudyRow> Run(const Progress& progress = Progress()) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/**
 * Draws latency of barriers over the number of nodes, a panel for each number of tasks. With
 * several parts of a message's time in which interfaces are occupied, latency is over that part, of
 * the greatest number of nodes.
 * @param rows rows of a study of one cluster
 * @param cluster name of the cluster, for titles; figures of others are left out
 * @param published published figures
 * @return the plot latency or interface
 */
std::vector<StudyPlot> MakeRdmaPlots(const std::vector<RdmaStudyRow>& rows,
                                     const std::string& cluster,
                                     const std::vector<PublishedBarrier>& published);

/// @return the study as people ask for it: rdma-barrier, and rdma in Python
std::unique_ptr<StudyDefinition> MakeRdmaStudy();

} // namespace ns3

#endif /* RDMA_STUDY_H */
