/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "warm-up.h"

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

bool
WarmUp::HasEnded() const
{
    return m_size > 0 && m_length <= m_size / 2;
}

std::size_t
WarmUp::GetLength() const
{
    return HasEnded() ? m_length : m_size / 2;
}

} // namespace ns3
