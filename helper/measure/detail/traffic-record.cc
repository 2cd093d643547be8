// SPDX-License-Identifier: GPL-2.0-only

#include "traffic-record.h"

#include "sample-summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

WarmUp::WarmUp(const std::vector<double>& series)
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

namespace
{

/// Numbers of batches to try: many for a good interval, few for independence.
constexpr std::size_t BATCHES[] = {32, 16, 8};

/// @return whether values do not follow their predecessors more than chance would have it: their
/// correlation is below its 95 % quantile for independent values
bool
SeemIndependent(const std::vector<double>& values)
{
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const auto value : values)
    {
        mean += value / n;
    }
    double together = 0;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        squares += (values[i] - mean) * (values[i] - mean);
        together += i > 0 ? (values[i] - mean) * (values[i - 1] - mean) : 0;
    }
    return together * std::sqrt(n) <= 1.645 * squares;
}

} // namespace

void
TrafficRecord::AddGenerated(uint32_t source, uint64_t flits, int64_t now)
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

void
TrafficRecord::AddDelivered(uint32_t source, uint64_t flits, int64_t latency, int64_t queued)
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

void
TrafficRecord::AddLost(uint32_t source, uint64_t flits)
{
    m_present.lostFlits += flits;
    --m_queued[source];
    m_alone[source] = -1;
}

TrafficRecord::Summary
TrafficRecord::Summarize(int64_t tau) const
{
    std::vector<double> latencies;
    std::vector<Index> bins; // bins without deliveries are passed over
    for (Index bin = 0; bin < GetNBins(); ++bin)
    {
        if (m_marks[bin + 1].delivered > m_marks[bin].delivered)
        {
            latencies.push_back(MeanLatency(bin, bin + 1));
            bins.push_back(bin);
        }
    }
    const WarmUp warmUp(latencies);
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

double
TrafficRecord::GetTransit() const
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

double
TrafficRecord::GetDrift(Index from, Index to) const
{
    const auto middle = (from + to) / 2;
    const auto rate = [this](Index a, Index b) {
        const auto time = static_cast<double>(m_marks[b].time - m_marks[a].time);
        return time > 0 ? (m_marks[b].deliveredFlits - m_marks[a].deliveredFlits) / time : 0;
    };
    const auto [low, high] = std::minmax({rate(from, middle), rate(middle, to)});
    return high > 0 ? 1 - low / high : 1;
}

std::vector<TrafficRecord::Index>
TrafficRecord::Divide(Index from, Index to, std::size_t count)
{
    count = std::min(count, to - from);
    std::vector<Index> ends;
    for (std::size_t i = 0; count > 0 && i <= count; ++i)
    {
        ends.push_back(from + (to - from) * i / count);
    }
    return ends;
}

double
TrafficRecord::MeanLatency(Index from, Index to) const
{
    double sum = 0;
    for (auto i = m_marks[from].delivered; i < m_marks[to].delivered; ++i)
    {
        sum += static_cast<double>(m_latencies[i]);
    }
    return sum / static_cast<double>(m_marks[to].delivered - m_marks[from].delivered);
}

void
TrafficRecord::SummarizeGrowth(Summary& summary, Index from, Index to) const
{
    const auto queuedAt = [this](Index mark, std::size_t host) {
        return static_cast<double>(m_queuedAt[mark * m_nHosts + host]);
    };
    std::size_t worst = 0;
    for (std::size_t host = 1; host < m_nHosts; ++host)
    {
        if (queuedAt(to, host) - queuedAt(from, host) > queuedAt(to, worst) - queuedAt(from, worst))
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

void
TrafficRecord::SummarizeLatency(Summary& summary, Index from, Index to) const
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

} // namespace ns3
