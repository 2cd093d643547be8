/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_ARBITER_H
#define OUTPUT_ARBITER_H

#include "engine-rounds.h"

#include <cstdint>

namespace ns3
{

class RunEngine;

/// @ingroup wormhole
/// @brief Who gets an output, and when, where flits are granted (rules S4, S5 and S12).
class OutputArbiter
{
  public:
    /// @param rounds when decisions are made @param engine moves what is granted
    OutputArbiter(EngineRounds& rounds, RunEngine& engine)
        : m_rounds(rounds),
          m_engine(engine)
    {
    }

    /// From now on worms have choices, and a switch's grants come in an order of their own (S12).
    void UseChoices()
    {
        m_hasChoices = true;
    }

    /// S4: asks for the outputs if it is known when. @param hop the worm @return whether it is
    bool Ask(WormHop* hop);

    /// Puts a worm's requests in. @param hop the worm @param time when it asks
    /// @param number number of the port that it came by; -1: made here, or at a sending host
    void AskOutputs(WormHop* hop, int64_t time, int32_t number);

    /// Sees to it that a free output is granted when it is asked for. @param output the output
    /// @param known until when all requests are there, ns-3 time units
    void Arm(WormholeOutput& output, int64_t known);

    /// Grants what can be granted. @param output an output; with choices all of its switch
    /// @param time the instant
    void Decide(WormholeOutput& output, int64_t time);

  private:
    /// S12: makes a switch's grants of an instant one after the other.
    void GrantInOrder(WormholeNodeState& node, int64_t time);

    /// S12: a worm withdraws all its requests but one, and goes on as if it had had no choice.
    /// @return where that request is now
    WormBranch& TakeChoice(WormBranch& branch);

    void Grant(WormholeOutput& output, WormBranch& branch, int64_t time);

    EngineRounds& m_rounds;   ///< when decisions are made
    RunEngine& m_engine;      ///< moves what is granted
    bool m_hasChoices{false}; ///< whether a worm with choices was ever sent
};

} // namespace ns3

#endif /* OUTPUT_ARBITER_H */
