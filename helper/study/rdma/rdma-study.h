/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_STUDY_H
#define RDMA_STUDY_H

#include "rdma-study-row.h"

#include "ns3/nstime.h"
#include "ns3/study-hosts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

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
    };

    /// Is told how many clusters of how many are done.
    typedef std::function<void(uint32_t done, uint32_t all)> Progress;

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

    /**
     * @param n number of nodes or tasks
     * @return number of steps of a pairwise exchange: floor(log2 n), and 2 if n is no power of two
     */
    static uint32_t GetSteps(uint32_t n);

    /// @return a part of a time @param time the time @param percent how much of it
    static Time GetPart(Time time, uint32_t percent);

    /**
     * @param parameters what is asked
     * @throws WormholeError if there is nothing to do, or the fabric has too few hosts or is too
     *         slow for the costs
     */
    explicit RdmaStudy(const Parameters& parameters);

    /**
     * Makes all comparisons: by transport, tasks and nodes.
     * @param progress is told how far it is, if it is there
     * @return rows of the CSV
     */
    std::vector<RdmaStudyRow> Run(const Progress& progress = Progress()) const;

  private:
    /// @return row without times @param transport the transport @param withinHost how tasks of a
    /// node exchange messages @param percent of the interface @param tasks on each node @param
    /// nodes number of nodes
    static RdmaStudyRow MakeRow(const std::string& transport,
                                const std::string& withinHost,
                                uint32_t percent,
                                uint32_t tasks,
                                uint32_t nodes);

    /// @return what is run @param row the cluster @param isRdma whether with costs of remote writes
    StudyHosts::Task MakeTask(const RdmaStudyRow& row, bool isRdma) const;

    /// Notes the times of barriers. @param row the cluster, which gets them
    void Measure(RdmaStudyRow& row) const;

    /// @return time to make the group, us @param row the cluster
    double MeasureSetUp(const RdmaStudyRow& row) const;

    Parameters m_parameters; ///< what is asked
};

} // namespace ns3

#endif /* RDMA_STUDY_H */
