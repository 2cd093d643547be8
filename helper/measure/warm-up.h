/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WARM_UP_H
#define WARM_UP_H

#include <cstddef>
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
    /**
     * @param series values in order of time, such as means of successive observations
     */
    explicit WarmUp(const std::vector<double>& series);

    /// @return whether it has ended in the first half of the series
    bool HasEnded() const;

    /// @return number of values to drop: the warm-up's, or half of all if it has not ended
    std::size_t GetLength() const;

  private:
    std::size_t m_size;   ///< number of values
    std::size_t m_length; ///< values that belong to the warm-up
};

} // namespace ns3

#endif /* WARM_UP_H */
