// SPDX-License-Identifier: GPL-2.0-only

#ifndef SAMPLE_SUMMARY_H
#define SAMPLE_SUMMARY_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{

class SampleSummary
{
  public:
    void Add(double value)
    {
        m_values.push_back(value);
    }

    /// @return the arithmetic mean; NaN for an empty sample
    double GetMean() const
    {
        return std::accumulate(m_values.begin(), m_values.end(), 0.0) / m_values.size();
    }

    /// Half the width of the 95 % confidence interval of the mean of n values, by Student's
    /// t-distribution: its quantile 0.975 with n - 1 degrees of freedom, times the standard
    /// deviation of the sample, divided by the square root of n.
    /// @return the half width; NaN for fewer than two values
    double GetHalfWidth95() const;

    /// @return the median, or the mean of the middle two values of an even number; NaN if empty
    double GetMedian() const;

    /// @return number of values, median, minimum, quartiles and maximum as text, NaN excluded; the
    /// quantile q of n values in order is at index q (n - 1), interpolated between two values
    std::string DescribeSpread() const;

    /// @return the 99th percentile: the smallest value not exceeded by 99 % of the values; NaN for
    ///         an empty sample
    double GetPercentile99() const
    {
        return m_values.empty() ? std::numeric_limits<double>::quiet_NaN()
                                : FindPercentile99(m_values);
    }

    template <typename VALUE>
    static VALUE FindPercentile99(std::vector<VALUE> values)
    {
        const auto rank = (values.size() * 99 + 99) / 100;
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
        std::nth_element(values.begin(), place, values.end());
        return *place;
    }

  private:
    std::vector<double> m_values; ///< the sample
};

} // namespace ns3

#endif /* SAMPLE_SUMMARY_H */
