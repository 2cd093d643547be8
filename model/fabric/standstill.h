/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STANDSTILL_H
#define STANDSTILL_H

#include "wormhole-port.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Which worm waits for which, read off the ports of a fabric at one moment.
 *
 * A worm needs all its outputs and room in all the buffers on its way, so every wait is one that
 * must end before it can go on: a cycle of waits is a deadlock, and every deadlock has one.
 */
class Standstill
{
  public:
    /// @param ports ports of the fabric, both ends of every cable
    explicit Standstill(const std::vector<Ptr<WormholePort>>& ports);

    /// @return one line that names a wait cycle, worm by worm; empty if there is none
    std::string ExplainCycle() const;

    /// @return as ExplainCycle; without a cycle, a line with what the first worms wait for
    std::string Explain() const;

  private:
    /// A worm that cannot go on before another does.
    struct Wait
    {
        uint64_t forWorm; ///< identifier of the other
        std::string why;  ///< the place and what it lacks there
    };

    /**
     * Adds what the worms of one buffer or sending queue wait for.
     * @param visit a worm there
     * @param ahead the worm ahead of it in the same FIFO, null if it is in front
     */
    void AddWaits(const WormVisit& visit, const WormVisit* ahead);

    std::map<uint64_t, std::vector<Wait>> m_waits; ///< by identifier of the worm that waits
    std::map<uint64_t, uint64_t> m_treeFlits;      ///< length of the tree worms among these, flits
};

} // namespace ns3

#endif /* STANDSTILL_H */
