/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCALE_BENCHMARK_H
#define SCALE_BENCHMARK_H

#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a large fabric costs: draws an irregular one, builds it as anybody would, and runs
 * one barrier of all hosts by barrier registers.
 *
 * It destroys the simulator before and after, so nothing else should be going on. The default
 * fabric's flit time takes Time::SetResolution(Time::PS); ns-3's global SchedulerType is used as it
 * is set, and the fabric drawn depends on ns3::RngSeedManager's seed and run.
 */
class ScaleBenchmark
{
  public:
    /// What is measured. The ratio of the defaults is the larger fabric's of Moh et al. (2001).
    struct Setup
    {
        uint32_t hosts{65536};     ///< number of hosts, all of them members of the barrier
        uint32_t switches{0};      ///< number of switches; 0: 300 for every 1024 hosts
        uint32_t ports{8};         ///< ports of each switch
        double connectivity{0.75}; ///< ratio of ports in use
        int64_t stream{1};         ///< stream of random numbers that the fabric is drawn from
    };

    /// What it cost. Columns of Write; seconds are of user CPU if nothing else is said.
    struct Row
    {
        uint32_t hosts{0};         ///< number of hosts
        uint32_t switches{0};      ///< number of switches
        double drawSeconds{0};     ///< drawing the fabric
        double buildSeconds{0};    ///< building it: nodes, cables, routes, software
        double groupSeconds{0};    ///< making the group: root search and set-up of registers
        double barrierSeconds{0};  ///< the barrier
        double totalSeconds{0};    ///< all of these, and disposing of everything
        double wallSeconds{0};     ///< the same on the clock on the wall
        double peakMiB{0};         ///< greatest memory in use by the process, MiB (2^20 bytes)
        uint32_t height{0};        ///< height of the barrier tree, h
        uint64_t hops{0};          ///< links crossed by the barrier's messages
        uint64_t groupEvents{0};   ///< events of ns-3 until the group was ready
        uint64_t barrierEvents{0}; ///< events of ns-3 of the barrier
        Time setUp;                ///< simulated time that the set-up of registers took
        Time latency;              ///< since all members came until the last one left
    };

    /**
     * @param hosts number of hosts
     * @return 300 switches for every 1024 hosts, rounded, one at least
     */
    static uint32_t GetSwitchesFor(uint32_t hosts);

    /**
     * @param setup what is measured
     * @return what it cost
     * @throws WormholeError if no fabric could be so, as IrregularTopologyHelper
     */
    static Row Measure(const Setup& setup);

    /// Writes a CSV table. @param os where to @param rows rows
    static void Write(std::ostream& os, const std::vector<Row>& rows);
};

} // namespace ns3

#endif /* SCALE_BENCHMARK_H */
