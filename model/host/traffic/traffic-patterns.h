/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_PATTERNS_H
#define TRAFFIC_PATTERNS_H

#include "ns3/wormhole-traffic-pattern.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Each worm goes to a random other host, all of them equally likely.
class UniformPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;
};

/**
 * @ingroup wormhole
 * @brief A fraction of all worms goes to one host, the others to a random other host.
 *
 * The hot host is among those that the others go to, and sends all of its own worms to random other
 * hosts. So with n hosts at load a, and fraction f, a (f (n - 1) + 1 - f) is sent to the hot host.
 */
class HotspotPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    double m_fraction{0}; ///< attribute
    uint32_t m_host{0};   ///< attribute
};

/**
 * @ingroup wormhole
 * @brief Each worm goes to a random one of the hosts at the fewest cables away.
 *
 * That is another host of the same switch; where there is none, a host of the nearest switches that
 * have some. Cables are counted in the fabric, whether routes use them or not.
 */
class NearestSwitchPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    std::vector<FabricGraph::Node> m_switchOf;    ///< switch of each host
    std::vector<std::vector<uint32_t>> m_nearest; ///< by switch, hosts that its hosts send to
};

/// @ingroup wormhole
/// @brief A pattern by which each host sends to one other host all the time.
class FixedPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    bool IsSilent(uint32_t source) const override;
    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    /// @return destination of each of at least 2 hosts; one whose destination is itself is silent
    virtual std::vector<uint32_t> MakeDestinations(uint32_t nHosts) = 0;

    std::vector<uint32_t> m_destinations; ///< by source
};

/**
 * @ingroup wormhole
 * @brief A random permutation, drawn once, by which nobody sends to itself.
 *
 * All permutations without a fixed point are equally likely.
 */
class PermutationPattern : public FixedPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

/**
 * @ingroup wormhole
 * @brief Hosts stand in a square, row by row, and send to the place mirrored at its diagonal.
 *
 * Host r m + c of m m hosts sends to host c m + r; where m is a power of two, that swaps the halves
 * of the bits of its number. The m hosts on the diagonal are silent.
 */
class TransposePattern : public FixedPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

/// @ingroup wormhole
/// @brief Each host sends to the one whose number has the same bits in reverse order. Hosts whose
/// number reads the same both ways are silent.
class BitReversalPattern : public FixedPattern
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

} // namespace ns3

#endif /* TRAFFIC_PATTERNS_H */
