/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-program.h"

#include "goal-run.h"

#include "ns3/host-message.h"
#include "ns3/schedule-costs.h"
#include "ns3/string.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GoalProgram);

TypeId
GoalProgram::GetTypeId()
{
    static const AttributeWords transports{"Transport", ScheduleCosts::GetTransportNames()};
    static const AttributeWords within{"WithinHost", {"flags", "interface"}};
    static TypeId tid =
        TypeId("ns3::GoalProgram")
            .SetParent<Collective>()
            .SetGroupName("Wormhole")
            .AddConstructor<GoalProgram>()
            .AddAttribute(
                "Transport",
                "How ranks on different hosts exchange messages: sendrecv or rdma.",
                StringValue("sendrecv"),
                MakeWordAccessor(transports, MakeStringAccessor(&GoalProgram::m_transport)),
                MakeWordChecker(transports))
            .AddAttribute("WithinHost",
                          "How ranks on one host exchange messages: flags, by shared memory with a "
                          "copy at either end; or interface, through the host's interface to its "
                          "switch and back.",
                          StringValue("flags"),
                          MakeWordAccessor(within, MakeStringAccessor(&GoalProgram::m_withinHost)),
                          MakeWordChecker(within));
    return tid;
}

GoalProgram::GoalProgram() = default;
GoalProgram::~GoalProgram() = default;

void
GoalProgram::SetSchedule(std::shared_ptr<const GoalSchedule> schedule)
{
    m_schedule = std::move(schedule);
}

void
GoalProgram::DoCreate()
{
    if (!m_schedule || m_schedule->GetNRanks() != GetNMembers())
    {
        throw WormholeError(
            "a GOAL schedule of " + std::to_string(m_schedule ? m_schedule->GetNRanks() : 0) +
            " ranks is for as many members; there are " + std::to_string(GetNMembers()));
    }
    m_schedule->Check();
    m_run = ns3::Create<GoalRun>(*this,
                                 *m_schedule,
                                 ScheduleCosts::ParseTransport(m_transport),
                                 ScheduleCosts::ParseWithinHost(m_withinHost));
    BeReady();
}

void
GoalProgram::DoDispose()
{
    if (m_run)
    {
        m_run->Stop();
    }
    Collective::DoDispose();
}

void
GoalProgram::DoEnter(uint32_t rank, uint64_t)
{
    m_run->Enter(rank);
}

void
GoalProgram::DoRelease()
{
    m_run->Stop();
    BeReleased();
}

bool
GoalProgram::GetsResult(uint32_t) const
{
    return false;
}

uint64_t
GoalProgram::GetNDone() const
{
    return m_run ? m_run->GetNDone() : 0;
}

std::string
GoalProgram::ExplainWait() const
{
    return m_run ? m_run->ExplainWait() : "";
}

void
GoalProgram::ReceiveAt(uint32_t, Ptr<const Worm> worm)
{
    const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
    m_run->Receive(GetHost(message.to), message);
}

void
GoalProgram::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

} // namespace ns3
