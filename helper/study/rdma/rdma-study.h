/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_STUDY_H
#define RDMA_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-hosts.h"
#include "ns3/table-study.h"

#include <cstdint>
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
 * they leave one. What is asked are its members.
 */
struct RdmaStudy
{
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

    /// @return names of the transports
    static const std::vector<std::string>& GetTransports();

    /// @return words for how tasks of a node exchange messages
    static const std::vector<std::string>& GetWithinHost();

    /// @return columns of its rows
    static const CsvTable& GetTable();

    /// @return columns of a file of what barriers of a cluster take, as a paper prints it, see
    /// data/README.md; of its rows, latencies are read
    static const CsvTable& GetPublished();

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

    /// Makes all comparisons: by transport, tasks and nodes.
    /// @param progress is told how far it is, if it is there
    /// @return rows of the CSV
    std::vector<CsvRow> Run(const StudyDefinition::Progress& progress = nullptr) const;

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

} // namespace ns3

#endif /* RDMA_STUDY_H */
