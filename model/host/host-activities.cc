/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What HostSoftware tells ActivityRecorder.

#include "host-software.h"

#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// @return a message in words, behind the name of its group if that has one
std::string
Name(const HostMessage& message)
{
    std::ostringstream text;
    const auto name = ActivityRecorder::Get()->GetGroupName(message.group);
    text << name << (name.empty() ? "" : ", ") << message;
    return text.str();
}

/// @return a message in words
std::string
Name(const Worm& worm)
{
    return worm.GetKind() == Worm::MESSAGE
               ? Name(static_cast<const HostMessageWorm&>(worm).GetMessage())
               : "a message of a switch's collective unit";
}

} // namespace

ActivityRecorder::Id
HostSoftware::GetLastActivity(uint32_t task) const
{
    const auto* recorder = ActivityRecorder::Get();
    return recorder ? recorder->GetLast({this, task}) : ActivityRecorder::NONE;
}

void
HostSoftware::SetLastActivity(uint32_t task, ActivityRecorder::Id id) const
{
    if (auto* recorder = ActivityRecorder::Get())
    {
        recorder->SetLast({this, task}, id);
    }
}

void
HostSoftware::WaitForPoll(uint32_t task, Time from, Time poll) const
{
    auto* recorder = ActivityRecorder::Get();
    if (!recorder || poll <= from)
    {
        return;
    }
    recorder->Occupy({this, task},
                     GetProcessName(task),
                     m_busyUntil[task].GetTimeStep(),
                     from.GetTimeStep(),
                     {LatencyCause::POLL, poll - from});
}

std::string
HostSoftware::GetProcessName(uint32_t task) const
{
    std::string name = "h" + std::to_string(m_number);
    if (const auto device = GetDevice())
    {
        const auto port = device->GetPort()->GetName();
        name = port.substr(0, port.rfind(':'));
    }
    return task == 0 ? name : name + "." + std::to_string(task);
}

ActivityRecorder::Id
HostSoftware::RecordPassing(Direction direction,
                            const std::string& message,
                            uint32_t interface,
                            Time from,
                            Time wait) const
{
    auto& recorder = *ActivityRecorder::Get();
    return PassesAtOnce(direction) ? recorder.GetCurrent()
                                   : recorder.PassInterface(&m_interfaces.At(interface),
                                                            GetProcessName(0),
                                                            message,
                                                            from.GetTimeStep(),
                                                            wait,
                                                            GetInterfaceTime(direction));
}

ActivityRecorder::Id
HostSoftware::RecordSending(const Worm& worm, uint32_t interface, Time from, Time wait) const
{
    return ActivityRecorder::Get()
               ? RecordPassing(Direction::SENT, Name(worm), interface, from, wait)
               : ActivityRecorder::NONE;
}

void
HostSoftware::RecordLaunch(const Worm& worm, ActivityRecorder::Id cause, Time time)
{
    if (auto* recorder = ActivityRecorder::Get())
    {
        recorder->Launch(&worm, cause, time.GetTimeStep());
    }
}

Time
HostSoftware::PassInterface(Direction direction,
                            const HostMessage& message,
                            ActivityRecorder::Id& id,
                            uint32_t interface)
{
    const auto wait = PassInterface(direction, interface);
    if (ActivityRecorder::Get())
    {
        id = RecordPassing(direction, Name(message), interface, Simulator::Now(), wait);
    }
    return wait;
}

Time
HostSoftware::PassInterface(const Worm& worm, ActivityRecorder::Id& id, uint32_t interface)
{
    const auto wait = PassInterface(Direction::RECEIVED, interface);
    if (ActivityRecorder::Get())
    {
        const ActivityRecorder::Scope scope(id);
        id = RecordPassing(Direction::RECEIVED, Name(worm), interface, Simulator::Now(), wait);
    }
    return wait;
}

} // namespace ns3
