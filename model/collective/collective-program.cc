/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-program.h"

namespace ns3
{

CollectiveProgram&
CollectiveProgram::Send(uint32_t to, uint32_t tag)
{
    m_steps.push_back({ProgramStep::SEND, to, tag, 0});
    return *this;
}

CollectiveProgram&
CollectiveProgram::Multicast(uint32_t extraBytes)
{
    m_steps.push_back({ProgramStep::MULTICAST, 0, ProgramStep::MULTICAST_TAG, extraBytes});
    return *this;
}

CollectiveProgram&
CollectiveProgram::Call()
{
    m_steps.push_back({ProgramStep::CALL});
    return *this;
}

CollectiveProgram&
CollectiveProgram::Receive(ProgramStep::Kind kind, uint32_t from, uint32_t tag)
{
    m_steps.push_back({kind, from, tag, 0});
    return *this;
}

void
CollectiveProgram::Append(const CollectiveProgram& program, const std::vector<uint32_t>& ranks)
{
    for (auto step : program.m_steps)
    {
        step.peer = ranks[step.peer];
        m_steps.push_back(step);
    }
}

const std::vector<ProgramStep>&
CollectiveProgram::GetSteps() const
{
    return m_steps;
}

} // namespace ns3
