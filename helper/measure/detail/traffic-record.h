/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_RECORD_H
#define TRAFFIC_RECORD_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds where the warm-up of a simulation ends, by the marginal standard error rule (MSER).
 *
 * K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
 * Simulation 69 (1997). Dropping the first d of n values leaves a mean whose squared standard
 * error would be s^2 / (n - d), were they independent; the d for which that is least is where the
 * warm-up ends. If it lies in the latter half, there are too few values to tell.
 */
class WarmUp
{
  public:
    /// @param series values in order of time, such as means of successive observations
    explicit WarmUp(const std::vector<double>& series);

    /// @return whether it has ended in the first half of the series
    bool HasEnded() const;

    /// @return number of values to drop: the warm-up's, or half of all if it has not ended
    std::size_t GetLength() const;

  private:
    std::size_t m_size;   ///< number of values
    std::size_t m_length; ///< values that belong to the warm-up
};

/**
 * @ingroup wormhole
 * @brief What becomes of the worms of an open loop, and what follows from it: warm-up, throughput,
 * growth of queues, latency.
 *
 * Time is divided into bins in which equally many worms are made. The warm-up is found from the
 * bins' mean latencies; the bins after it are put together to batches, whose means give confidence
 * intervals. Times are in ns-3 time units; hosts that make worms are called sources.
 */
class TrafficRecord
{
  public:
    /// What was found after the warm-up. Intervals are half widths at 95 %.
    struct Summary
    {
        bool settled{false}; ///< whether the warm-up has ended; if not, the latter half is used
        int64_t begin{0};    ///< when the warm-up ended
        int64_t end{0};      ///< end of the last bin
        /// Mean time of worms whose source had no other one under way; of those that have not
        /// arrived, since they were made. Queues of sources are no part of it, so that it is known
        /// of a fabric that falls behind, too.
        double transit{0};
        uint64_t worms{0};  ///< worms delivered in that time
        double offered{0};  ///< flits made, a source and flit time
        double accepted{0}; ///< flits delivered, a source and flit time
        double drift{0};  ///< by how much that differs between halves of the time, over the greater
        double growth{0}; ///< flits that queues grew by, over flits made
        double growthCi95{0};      ///< its interval
        double worstGrowth{0};     ///< worms that the queue that grew most grew by, over worms made
        double worstGrowthCi95{0}; ///< its interval
        double latency{0};         ///< mean latency; NaN without worms
        double latencyCi95{0};     ///< its interval
        bool independent{false};   ///< whether batches seem long enough for that interval
        double latency99{0};       ///< latency that 99 % of the worms do not exceed
    };

    /// @param nHosts number of hosts @param nSources number of those that make worms
    /// @param wormsPerBin worms made in a bin
    TrafficRecord(uint32_t nHosts, uint32_t nSources, uint64_t wormsPerBin);

    /// A host makes a worm; calls are in order of time.
    /// @param source the host @param flits length of the worm @param now when
    void AddGenerated(uint32_t source, uint64_t flits, int64_t now);

    /// A worm is delivered; calls are in order of time.
    /// @param source host that made it @param flits its length @param latency time since it was
    /// made
    void AddDelivered(uint32_t source, uint64_t flits, int64_t latency);

    /// @return number of bins that are complete
    std::size_t GetNBins() const;

    /// @param tau flit time
    /// @return what is known from the bins that are complete
    Summary Summarize(int64_t tau) const;

  private:
    /// What has happened until the end of a bin.
    struct Mark
    {
        int64_t time{0};            ///< end of the bin
        uint64_t generatedFlits{0}; ///< flits made
        uint64_t deliveredFlits{0}; ///< flits delivered
        std::size_t delivered{0};   ///< worms delivered
    };

    /// Index of a mark; bin i lies between marks i and i + 1.
    using Index = std::size_t;

    static std::vector<Index> Divide(Index from, Index to, std::size_t count);

    /// @return mean latency between two marks, NaN without worms
    double MeanLatency(Index from, Index to) const;
    double GetTransit() const;
    double GetDrift(Index from, Index to) const;
    void SummarizeGrowth(Summary& summary, Index from, Index to) const;
    void SummarizeLatency(Summary& summary, Index from, Index to) const;

    uint32_t m_nHosts;                ///< number of hosts
    uint32_t m_nSources;              ///< number of hosts that make worms
    uint64_t m_wormsPerBin;           ///< worms made in a bin
    uint64_t m_generated{0};          ///< worms made in the present bin
    Mark m_present;                   ///< what has happened so far
    std::vector<Mark> m_marks;        ///< begin, and ends of bins
    std::vector<uint32_t> m_queued;   ///< by host, its worms that are not delivered
    std::vector<int64_t> m_alone;     ///< by host, when its worm on its own was made; -1: none is
    double m_transits{0};             ///< times of those that were delivered
    uint64_t m_nTransits{0};          ///< number of those
    std::vector<uint32_t> m_queuedAt; ///< that, at all marks
    std::vector<int64_t> m_latencies; ///< of all worms delivered, in that order
};

} // namespace ns3

#endif /* TRAFFIC_RECORD_H */
