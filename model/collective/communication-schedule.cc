/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-schedule.h"

namespace ns3
{

CommunicationSchedule&
CommunicationSchedule::Send(uint32_t to, uint32_t tag, Time after, uint32_t extraBytes)
{
    m_steps.push_back({ScheduleStep::SEND, to, tag, extraBytes, after});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::Multicast(uint32_t extraBytes)
{
    m_steps.push_back({ScheduleStep::MULTICAST, 0, ScheduleStep::MULTICAST_TAG, extraBytes});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::Call()
{
    m_steps.push_back({ScheduleStep::CALL});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::Receive(ScheduleStep::Kind kind, uint32_t from, uint32_t tag)
{
    m_steps.push_back({kind, from, tag, 0});
    return *this;
}

void
CommunicationSchedule::Append(const CommunicationSchedule& schedule,
                              const std::vector<uint32_t>& ranks)
{
    for (auto step : schedule.m_steps)
    {
        step.peer = ranks[step.peer];
        m_steps.push_back(step);
    }
}

const std::vector<ScheduleStep>&
CommunicationSchedule::GetSteps() const
{
    return m_steps;
}

} // namespace ns3
