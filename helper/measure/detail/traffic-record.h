// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAFFIC_RECORD_H
#define TRAFFIC_RECORD_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Finds the end of a simulation's warm-up by the marginal standard error rule (MSER).
 *
 * K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
 * Simulation 69 (1997). Dropping the first d of n values leaves a mean whose squared standard error
 * would be s^2 / (n - d) if they were independent; the warm-up ends at the d that minimises it. If
 * that is in the latter half, there are too few values.
 */
class WarmUp
{
  public:
    /// @param series values in order of time, such as means of consecutive observations
    explicit WarmUp(const std::vector<double>& series);

    /// @return whether the warm-up ended in the first half of the series
    bool HasEnded() const
    {
        return m_size > 0 && m_length <= m_size / 2;
    }

    /// @return number of values to drop: the warm-up's, or half of all if it has not ended
    std::size_t GetLength() const
    {
        return HasEnded() ? m_length : m_size / 2;
    }

  private:
    std::size_t m_size;   ///< number of values
    std::size_t m_length; ///< number of values in the warm-up
};

/**
 * Delivery statistics of open-loop traffic: warm-up, throughput, growth of queues, latency.
 *
 * Time is divided into bins with equal numbers of generated worms. The warm-up is determined from
 * the bins' mean latencies; later bins are merged into batches, whose means give confidence
 * intervals. Times are in ns-3 time units; hosts that generate worms are called sources.
 */
class TrafficRecord
{
  public:
    /// Results after the warm-up. Intervals are half widths at 95 %.
    struct Summary
    {
        bool settled{false}; ///< whether the warm-up has ended; if not, the latter half is used
        int64_t begin{0};    ///< end of the warm-up
        int64_t end{0};      ///< end of the last bin
        /// Mean transit time of worms whose source had no other one in flight; for those not yet
        /// delivered, the time since their generation. Since it excludes source queues, it is also
        /// known for a saturated fabric.
        double transit{0};
        uint64_t worms{0};     ///< worms delivered in that time
        double offered{0};     ///< flits generated per source and flit time
        double accepted{0};    ///< flits delivered per source and flit time
        double drift{0};       ///< its difference between the halves of the time, over the larger
        double lost{0};        ///< flits of worms that outages stopped, relative to flits generated
        double growth{0};      ///< flits by which queues grew, relative to flits generated
        double growthCi95{0};  ///< its interval
        double worstGrowth{0}; ///< of the fastest growing queue, in worms over worms generated
        double worstGrowthCi95{0}; ///< its interval
        double latency{0};         ///< mean latency; NaN without worms
        double networkLatency{0};  ///< the same without time in sources' queues
        double latencyCi95{0};     ///< its interval
        bool independent{false};   ///< whether batches seem long enough for that interval
        double latency99{0};       ///< 99th percentile of the latency
    };

    TrafficRecord(uint32_t nHosts, uint32_t nSources, uint64_t wormsPerBin)
        : m_nHosts(nHosts),
          m_nSources(nSources),
          m_wormsPerBin(wormsPerBin),
          m_marks(1),
          m_queued(nHosts),
          m_alone(nHosts, -1),
          m_queuedAt(nHosts)
    {
    }

    /// Records the generation of a worm; calls are in order of time.
    void AddGenerated(uint32_t source, uint64_t flits, int64_t now);

    /// Records the delivery of a worm; calls are in order of time.
    /// @param latency time since its generation
    /// @param queued time of that in its source's queue
    void AddDelivered(uint32_t source, uint64_t flits, int64_t latency, int64_t queued = 0);

    /// Records that a worm will not be delivered: an outage has taken some of it. Calls are in
    /// order of time. @param source host that generated it @param flits its length
    void AddLost(uint32_t source, uint64_t flits);

    std::size_t GetNBins() const
    {
        return m_marks.size() - 1;
    }

    Summary Summarize(int64_t tau) const;

  private:
    struct Mark
    {
        int64_t time{0};            ///< end of the bin
        uint64_t generatedFlits{0}; ///< flits generated
        uint64_t deliveredFlits{0}; ///< flits delivered
        uint64_t lostFlits{0};      ///< flits of worms that outages stopped
        std::size_t delivered{0};   ///< worms delivered
        int64_t queued{0};          ///< their times in sources' queues
    };

    /// Index of a mark; bin i lies between marks i and i + 1.
    using Index = std::size_t;

    static std::vector<Index> Divide(Index from, Index to, std::size_t count);

    /// @return mean latency between two marks; NaN without worms
    double MeanLatency(Index from, Index to) const;
    double GetTransit() const;
    double GetDrift(Index from, Index to) const;
    void SummarizeGrowth(Summary& summary, Index from, Index to) const;
    void SummarizeLatency(Summary& summary, Index from, Index to) const;

    uint32_t m_nHosts;              ///< number of hosts
    uint32_t m_nSources;            ///< number of sources
    uint64_t m_wormsPerBin;         ///< worms generated per bin
    uint64_t m_generated{0};        ///< worms generated in the current bin
    Mark m_present;                 ///< current state
    std::vector<Mark> m_marks;      ///< begin, and ends of bins
    std::vector<uint32_t> m_queued; ///< by host, its undelivered worms
    std::vector<int64_t> m_alone; ///< by host, generation time of its only worm in flight; -1: none
    double m_transits{0};         ///< sum of the transit times of delivered worms
    uint64_t m_nTransits{0};      ///< their number
    std::vector<uint32_t> m_queuedAt; ///< number of undelivered worms at each mark
    std::vector<int64_t> m_latencies; ///< of all worms delivered, in that order
};

} // namespace ns3

#endif /* TRAFFIC_RECORD_H */
