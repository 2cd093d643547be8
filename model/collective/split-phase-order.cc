/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-phase-order.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

void
SplitPhaseOrder::Compute()
{
    ++m_nSteps;
}

void
SplitPhaseOrder::Meet(Ptr<const Collective> group)
{
    CheckEnter(group);
    ++m_nSteps;
}

void
SplitPhaseOrder::Enter(Ptr<const Collective> group)
{
    CheckEnter(group);
    m_entered[group] = m_nSteps++;
}

void
SplitPhaseOrder::CheckEnter(Ptr<const Collective> group) const
{
    const auto found = m_entered.find(group);
    if (found != m_entered.end())
    {
        throw WormholeError(
            "step " + std::to_string(m_nSteps) + " of a schedule enters the collective that step " +
            std::to_string(found->second) + " has entered; accepted is a wait for it in between");
    }
}

void
SplitPhaseOrder::Wait(Ptr<const Collective> group)
{
    if (m_entered.erase(group) == 0)
    {
        std::vector<uint32_t> steps;
        for (const auto& entry : m_entered)
        {
            steps.push_back(entry.second);
        }
        std::sort(steps.begin(), steps.end());
        std::string list;
        for (const auto step : steps)
        {
            list += (list.empty() ? "" : ", ") + std::to_string(step);
        }
        throw WormholeError("step " + std::to_string(m_nSteps) +
                            " of a schedule waits for a collective that is not entered; accepted " +
                            (list.empty() ? "is one that a step before has entered"
                                          : "are those entered by step " + list));
    }
    ++m_nSteps;
}

void
SplitPhaseOrder::CheckEnd() const
{
    uint32_t first = m_nSteps;
    for (const auto& entry : m_entered)
    {
        first = std::min(first, entry.second);
    }
    if (first < m_nSteps)
    {
        throw WormholeError("a schedule ends at step " + std::to_string(m_nSteps) +
                            " without a wait for the collective that step " +
                            std::to_string(first) +
                            " enters; accepted is a wait for each that is entered");
    }
}

} // namespace ns3
