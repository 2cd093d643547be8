/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_PHASE_ORDER_H
#define SPLIT_PHASE_ORDER_H

#include "collective.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Checks the order of a process's steps: a collective is waited for after it was entered,
 *        once, and before it is entered again or the schedule ends.
 */
class SplitPhaseOrder
{
  public:
    /// The next step has nothing to do with it: a computation.
    void Compute();

    /// The next step enters and waits. @param group its collective
    /// @throws WormholeError if a step has entered it that none has waited for
    void Meet(Ptr<const Collective> group);

    /// The next step enters. @param group its collective
    /// @throws WormholeError if a step has entered it that none has waited for
    void Enter(Ptr<const Collective> group);

    /// The next step waits. @param group its collective
    /// @throws WormholeError if no step has entered it that none has waited for
    void Wait(Ptr<const Collective> group);

    /// The schedule ends here. @throws WormholeError if something entered was not waited for
    void CheckEnd() const;

  private:
    void CheckEnter(Ptr<const Collective> group) const;

    uint32_t m_nSteps{0};                                ///< steps so far
    std::map<Ptr<const Collective>, uint32_t> m_entered; ///< step that entered, not waited for
};

} // namespace ns3

#endif /* SPLIT_PHASE_ORDER_H */
