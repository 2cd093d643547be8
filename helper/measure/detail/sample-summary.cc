// SPDX-License-Identifier: GPL-2.0-only

#include "sample-summary.h"

#include "ns3/ordering.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3
{

double
SampleSummary::GetHalfWidth95() const
{
    const auto n = static_cast<double>(m_values.size());
    if (n < 2)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto mean = GetMean();
    const auto squares =
        SumOf(m_values, [mean](double value) { return (value - mean) * (value - mean); });
    // Mathematical functions differ in their last digit between machines: nine digits do not.
    // Without long doubles, since valgrind has none: with them no program starts under it.
    using boost::math::policies::promote_double;
    const boost::math::students_t_distribution<double,
                                               boost::math::policies::policy<promote_double<false>>>
        distribution(n - 1);
    const auto quantile = std::round(boost::math::quantile(distribution, 0.975) * 1e8) / 1e8;
    return quantile * std::sqrt(squares / (n - 1) / n);
}

double
SampleSummary::GetMedian() const
{
    const auto n = m_values.size();
    if (n == 0)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    auto values = m_values;
    std::sort(values.begin(), values.end());
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

std::string
SampleSummary::DescribeSpread() const
{
    auto values = ThoseOf(m_values, [](double value) { return !std::isnan(value); });
    std::sort(values.begin(), values.end());
    if (values.empty())
    {
        return "none";
    }
    const auto at = [&](double part) {
        const auto place = part * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const auto above = std::min(below + 1, values.size() - 1);
        return values[below] +
               (place - static_cast<double>(below)) * (values[above] - values[below]);
    };
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << values.size() << " values, median " << at(0.5)
         << ", least " << at(0) << ", quartiles " << at(0.25) << " and " << at(0.75)
         << ", greatest " << at(1);
    return text.str();
}

} // namespace ns3
