/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SAMPLE_SUMMARY_H
#define SAMPLE_SUMMARY_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What a study tells of a sample: its mean, and how sure that is.
class SampleSummary
{
  public:
    /// Adds a value. @param value the value
    void Add(double value);

    /// @return the arithmetic mean; NaN without values
    double GetMean() const;

    /// Half the width of the 95 % confidence interval of the mean, by Student's t-distribution: the
    /// quantile 0.975 for one value less, times the sample's standard deviation, over the root of
    /// the number of values.
    /// @return the half width; NaN with fewer than two values
    double GetHalfWidth95() const;

    /// @return the median, the mean of both where two are in the middle; NaN without values
    double GetMedian() const;

    /// @return least value that 99 % of the values do not exceed; NaN without values
    double GetPercentile99() const;

    /// @return least of some values that 99 % of them do not exceed @param values at least one
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
