// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAFFIC_RECORD_H
#define TRAFFIC_RECORD_H

#include "sample-summary.h"

#include "ns3/ordering.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace ns3
{

/// Finds the end of a simulation's warm-up by the marginal standard error rule (MSER).
///
/// K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
/// Simulation 69 (1997). Dropping the first d of n values leaves a mean whose squared standard
/// error would be s^2 / (n - d) if they were independent; the warm-up ends at the d that minimises
/// it. If that is in the latter half, there are too few values.
class WarmUp
{
  public:
    /// @param series values in order of time, such as means of consecutive observations
    explicit WarmUp(const std::vector<double>& series)
        : m_size(series.size()),
          m_length(series.size())
    {
        // The last values are few, and often equal by chance, so no warm-up ends among them.
        const auto fewest = m_size / 8 + 1;
        double mean = 0;
        double squares = 0; // of deviations, of the values from d on
        double least = std::numeric_limits<double>::infinity();
        for (auto d = m_size; d-- > 0;)
        {
            const auto n = static_cast<double>(m_size - d);
            const auto deviation = series[d] - mean;
            mean += deviation / n;
            squares += deviation * (series[d] - mean);
            const auto error = squares / (n * n);
            if (m_size - d >= fewest && error <= least)
            {
                least = error;
                m_length = d;
            }
        }
    }

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

/// Delivery statistics of open-loop traffic: warm-up, throughput, growth of queues, latency.
///
/// Time is divided into bins with equal numbers of generated worms. The warm-up is determined from
/// the bins' mean latencies; later bins are merged into batches, whose means give confidence
/// intervals. Times are in ns-3 time units; hosts that generate worms are called sources.
class TrafficRecord
{
  public:
    /// Results after the warm-up. Intervals are half widths at 95 %.
    struct Summary
    {
        bool settled{false}; ///< whether the warm-up has ended; if not, the latter half is used
        int64_t begin{0};    ///< end of the warm-up
        int64_t end{0};      ///< end of the last bin
        /// Mean transit time of worms whose source had no other worm in flight; worms not yet
        /// delivered count with the time since their generation. Since it excludes source queues,
        /// it is also known for a saturated fabric.
        double transit{0};
        uint64_t worms{0};     ///< number of worms delivered after the warm-up
        double offered{0};     ///< flits generated per source and flit time
        double accepted{0};    ///< flits delivered per source and flit time
        double drift{0};       ///< relative difference of accepted between halves of the time
        double lost{0};        ///< flits of worms that outages stopped, relative to flits generated
        double growth{0};      ///< flits by which queues grew, relative to flits generated
        double growthCi95{0};  ///< interval of growth
        double worstGrowth{0}; ///< the same for the fastest growing queue, counted in worms
        double worstGrowthCi95{0}; ///< interval of worstGrowth
        double latency{0};         ///< mean latency; NaN without worms
        double networkLatency{0};  ///< the same without time in sources' queues
        double latencyCi95{0};     ///< interval of the mean latency
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
    void AddGenerated(uint32_t source, uint64_t flits, int64_t now)
    {
        m_present.time = now;
        m_present.generatedFlits += flits;
        if (++m_queued[source] == 1)
        {
            m_alone[source] = now;
        }
        if (++m_generated == m_wormsPerBin)
        {
            m_generated = 0;
            m_marks.push_back(m_present);
            m_queuedAt.insert(m_queuedAt.end(), m_queued.begin(), m_queued.end());
        }
    }

    /// Records the delivery of a worm; calls are in order of time.
    /// @param latency time since its generation
    /// @param queued part of this time that it spent in its source's queue
    void AddDelivered(uint32_t source, uint64_t flits, int64_t latency, int64_t queued = 0)
    {
        m_present.deliveredFlits += flits;
        m_present.queued += queued;
        ++m_present.delivered;
        --m_queued[source];
        if (m_alone[source] >= 0)
        {
            m_alone[source] = -1;
            m_transits += static_cast<double>(latency);
            ++m_nTransits;
        }
        m_latencies.push_back(latency);
    }

    /// Records that a worm will not be delivered: an outage has taken a part of it. Calls are in
    /// order of time. @param source host that generated the worm @param flits its length
    void AddLost(uint32_t source, uint64_t flits)
    {
        m_present.lostFlits += flits;
        --m_queued[source];
        m_alone[source] = -1;
    }

    std::size_t GetNBins() const
    {
        return m_marks.size() - 1;
    }

    Summary Summarize(int64_t tau) const
    {
        const auto bins = NumbersWith(GetNBins(), [this](Index bin) { // with deliveries
            return m_marks[bin + 1].delivered > m_marks[bin].delivered;
        });
        const WarmUp warmUp(MadeOf(bins, [this](Index bin) { return MeanLatency(bin, bin + 1); }));
        const auto from = bins.empty() ? 0 : bins[warmUp.GetLength()];
        const auto to = GetNBins();
        Summary summary;
        summary.settled = warmUp.HasEnded();
        summary.begin = m_marks[from].time;
        summary.end = m_marks[to].time;
        summary.worms = m_marks[to].delivered - m_marks[from].delivered;
        const auto capacity = static_cast<double>(summary.end - summary.begin) / tau * m_nSources;
        summary.offered = (m_marks[to].generatedFlits - m_marks[from].generatedFlits) / capacity;
        summary.accepted = (m_marks[to].deliveredFlits - m_marks[from].deliveredFlits) / capacity;
        summary.transit = GetTransit();
        summary.drift = GetDrift(from, to);
        SummarizeGrowth(summary, from, to);
        SummarizeLatency(summary, from, to);
        return summary;
    }

  private:
    /// @return whether values seem independent of their predecessors: the correlation with these is
    /// below its 95 % quantile for independent values
    static bool SeemIndependent(const std::vector<double>& values)
    {
        const auto n = static_cast<double>(values.size());
        const auto mean = SumOf(values, [n](double value) { return value / n; });
        double together = 0;
        double squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            squares += (values[i] - mean) * (values[i] - mean);
            together += i > 0 ? (values[i] - mean) * (values[i - 1] - mean) : 0;
        }
        return together * std::sqrt(n) <= 1.645 * squares;
    }

    /// Numbers of batches to try: many for a good interval, few for independence.
    static constexpr std::size_t BATCHES[] = {32, 16, 8};

    struct Mark
    {
        int64_t time{0};            ///< end of the bin
        uint64_t generatedFlits{0}; ///< flits generated
        uint64_t deliveredFlits{0}; ///< flits delivered
        uint64_t lostFlits{0};      ///< flits of worms that outages stopped
        std::size_t delivered{0};   ///< number of worms delivered
        int64_t queued{0};          ///< sum of their times in sources' queues
    };

    /// Index of a mark; bin i lies between marks i and i + 1.
    using Index = std::size_t;

    static std::vector<Index> Divide(Index from, Index to, std::size_t count)
    {
        count = std::min(count, to - from);
        return MadeOfNumbers(count > 0 ? count + 1 : 0,
                             [=](Index i) { return from + (to - from) * i / count; });
    }

    /// @return mean latency between two marks; NaN without worms
    double MeanLatency(Index from, Index to) const
    {
        const auto sum = std::accumulate(m_latencies.begin() + m_marks[from].delivered,
                                         m_latencies.begin() + m_marks[to].delivered,
                                         0.0);
        return sum / static_cast<double>(m_marks[to].delivered - m_marks[from].delivered);
    }

    double GetTransit() const
    {
        auto sum = m_transits;
        auto n = m_nTransits;
        for (const auto made : m_alone)
        {
            sum += made >= 0 ? static_cast<double>(m_present.time - made) : 0;
            n += made >= 0;
        }
        return n > 0 ? sum / static_cast<double>(n) : 0;
    }

    double GetDrift(Index from, Index to) const
    {
        const auto middle = (from + to) / 2;
        const auto rate = [this](Index a, Index b) {
            const auto time = static_cast<double>(m_marks[b].time - m_marks[a].time);
            return time > 0 ? (m_marks[b].deliveredFlits - m_marks[a].deliveredFlits) / time : 0;
        };
        const auto [low, high] = std::minmax({rate(from, middle), rate(middle, to)});
        return high > 0 ? 1 - low / high : 1;
    }

    void SummarizeGrowth(Summary& summary, Index from, Index to) const
    {
        const auto queuedAt = [this](Index mark, std::size_t host) {
            return static_cast<double>(m_queuedAt[mark * m_nHosts + host]);
        };
        std::size_t worst = 0;
        for (std::size_t host = 1; host < m_nHosts; ++host)
        {
            if (queuedAt(to, host) - queuedAt(from, host) >
                queuedAt(to, worst) - queuedAt(from, worst))
            {
                worst = host;
            }
        }
        SampleSummary growth;
        SampleSummary worstGrowth;
        const auto ends = Divide(from, to, BATCHES[1]);
        const auto nBatches = static_cast<double>(ends.size()) - 1;
        const auto flits = (m_marks[to].generatedFlits - m_marks[from].generatedFlits) / nBatches;
        const auto worms = static_cast<double>((to - from) * m_wormsPerBin) / m_nSources / nBatches;
        for (std::size_t i = 1; i < ends.size(); ++i)
        {
            const auto& a = m_marks[ends[i - 1]];
            const auto& b = m_marks[ends[i]];
            growth.Add((static_cast<double>(b.generatedFlits - a.generatedFlits) -
                        static_cast<double>(b.deliveredFlits - a.deliveredFlits) -
                        static_cast<double>(b.lostFlits - a.lostFlits)) /
                       flits);
            worstGrowth.Add((queuedAt(ends[i], worst) - queuedAt(ends[i - 1], worst)) / worms);
        }
        summary.lost =
            static_cast<double>(m_marks[to].lostFlits - m_marks[from].lostFlits) / nBatches / flits;
        summary.growth = growth.GetMean();
        summary.growthCi95 = growth.GetHalfWidth95();
        summary.worstGrowth = worstGrowth.GetMean();
        summary.worstGrowthCi95 = worstGrowth.GetHalfWidth95();
    }

    void SummarizeLatency(Summary& summary, Index from, Index to) const
    {
        summary.latency = MeanLatency(from, to);
        summary.networkLatency =
            summary.latency - static_cast<double>(m_marks[to].queued - m_marks[from].queued) /
                                  static_cast<double>(summary.worms);
        for (const auto count : BATCHES)
        {
            const auto ends = Divide(from, to, count);
            std::vector<double> means;
            SampleSummary sample;
            for (std::size_t i = 1; i < ends.size(); ++i)
            {
                means.push_back(MeanLatency(ends[i - 1], ends[i]));
                sample.Add(means.back());
            }
            summary.latencyCi95 = sample.GetHalfWidth95();
            summary.independent = SeemIndependent(means);
            if (summary.independent)
            {
                break;
            }
        }
        summary.latency99 = std::numeric_limits<double>::quiet_NaN();
        if (summary.worms > 0)
        {
            const std::vector<int64_t> latencies(m_latencies.begin() + m_marks[from].delivered,
                                                 m_latencies.begin() + m_marks[to].delivered);
            summary.latency99 = static_cast<double>(SampleSummary::FindPercentile99(latencies));
        }
    }

    uint32_t m_nHosts;              ///< number of hosts
    uint32_t m_nSources;            ///< number of sources
    uint64_t m_wormsPerBin;         ///< number of worms generated per bin
    uint64_t m_generated{0};        ///< number of worms generated in the current bin
    Mark m_present;                 ///< current state
    std::vector<Mark> m_marks;      ///< begin, and ends of bins
    std::vector<uint32_t> m_queued; ///< number of undelivered worms, by host
    std::vector<int64_t> m_alone; ///< by host, generation time of its only worm in flight; -1: none
    double m_transits{0};         ///< sum of the transit times of delivered worms
    uint64_t m_nTransits{0};      ///< their number
    std::vector<uint32_t> m_queuedAt; ///< number of undelivered worms at each mark
    std::vector<int64_t> m_latencies; ///< latencies of all delivered worms, in order of delivery
};

} // namespace ns3

#endif /* TRAFFIC_RECORD_H */
