/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_LENGTH_H
#define WORM_LENGTH_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How long worms are, in flits: a random variable and its mean, which offered load needs.
 *
 * Values of the random variable are rounded up, and are 1 at least. Copies share one random
 * variable.
 */
class WormLength
{
  public:
    /// Lengths of any kind.
    /// @param flits draws lengths
    /// @param mean mean of what it draws, rounded up as above
    /// @throws WormholeError if the mean is below 1
    WormLength(Ptr<RandomVariableStream> flits, double mean);

    /// @return all worms have one length @param flits the length, 1 at least
    static WormLength Fixed(uint64_t flits);

    /// @return all lengths from least to greatest are equally likely
    /// @param least least length, 1 at least
    /// @param greatest greatest length
    static WormLength Uniform(uint64_t least, uint64_t greatest);

    /// Short worms and long ones.
    /// @param shortFlits length of the short ones, 1 at least
    /// @param longFlits length of the long ones
    /// @param longRatio ratio of worms that are long, from 0 to 1
    /// @return the lengths
    static WormLength Bimodal(uint64_t shortFlits, uint64_t longFlits, double longRatio);

    /// @return lengths of a geometric distribution, the exponential one rounded up
    /// @param mean mean length, 1 at least
    static WormLength Geometric(double mean);

    /// Reads lengths from text: FLITS; uniform:LEAST:GREATEST; bimodal:SHORT:LONG:RATIO, with the
    /// ratio of worms that are long; or geometric:MEAN.
    /// @param text such as 64 or bimodal:8:1024:0.1
    /// @return the lengths
    /// @throws WormholeError if it is nothing of that kind
    static WormLength Parse(const std::string& text);

    /// Sets the stream of random numbers.
    /// @param stream number of the stream
    /// @return number of streams used: 1
    int64_t AssignStreams(int64_t stream);

    uint64_t Draw(); ///< @return a random length

    /// @return mean length
    double GetMean() const
    {
        return m_mean;
    }

    bool IsConstant() const; ///< @return whether all worms have one length

  private:
    Ptr<RandomVariableStream> m_flits; ///< draws lengths
    double m_mean;                     ///< mean length
};

} // namespace ns3

#endif /* WORM_LENGTH_H */
