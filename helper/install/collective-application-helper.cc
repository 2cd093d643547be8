/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-application-helper.h"

#include "ns3/bracketed-name.h"
#include "ns3/collective-application.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return whether a collective has a group of just these members
bool
HasMembers(const Collective& group, const std::vector<uint32_t>& hosts)
{
    bool same = !hosts.empty() && group.GetNMembers() == hosts.size();
    for (uint32_t rank = 0; same && rank < hosts.size(); ++rank)
    {
        same = group.GetHost(rank) == hosts[rank];
    }
    return same;
}

void
CheckGroup(Ptr<Collective> group)
{
    if (!group)
    {
        throw WormholeError("a step of a schedule is a null pointer; expected a collective");
    }
}

} // namespace

CollectiveApplicationHelper::CollectiveApplicationHelper()
{
    m_factory.SetTypeId("ns3::CollectiveApplication");
}

void
CollectiveApplicationHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_factory, name, value);
}

void
CollectiveApplicationHelper::AddComputation(const std::string& seconds)
{
    const std::string example = "ns3::ConstantRandomVariable[Constant=1e-4]";
    const BracketedName parts(seconds, example);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(parts.GetBaseName(), &type) ||
        !type.IsChildOf(RandomVariableStream::GetTypeId()) || !type.HasConstructor())
    {
        throw WormholeError("a computation takes '" + seconds +
                            "'; expected random variables, such as " + example);
    }
    ObjectFactory factory(type.GetName());
    for (const auto& setting : parts.GetSettings())
    {
        const auto equals = std::min(setting.find('='), setting.size());
        if (!setting.empty()) // ns-3 writes empty brackets where nothing is set
        {
            SetFactoryAttribute(factory,
                                setting.substr(0, equals),
                                StringValue(setting.substr(std::min(equals + 1, setting.size()))));
        }
    }
    m_order.Compute();
    m_steps.push_back({Phase::NONE, factory, nullptr});
}

void
CollectiveApplicationHelper::AddCollective(Ptr<Collective> group)
{
    CheckGroup(group);
    m_order.Meet(group);
    m_steps.push_back({Phase::BOTH, ObjectFactory(), group});
}

void
CollectiveApplicationHelper::AddEnter(Ptr<Collective> group)
{
    CheckGroup(group);
    m_order.Enter(group);
    m_steps.push_back({Phase::ENTER, ObjectFactory(), group});
}

void
CollectiveApplicationHelper::AddWait(Ptr<Collective> group)
{
    CheckGroup(group);
    m_order.Wait(group);
    m_steps.push_back({Phase::WAIT, ObjectFactory(), group});
}

ApplicationContainer
CollectiveApplicationHelper::Install(Ptr<CollectiveDomain> domain,
                                     const std::vector<uint32_t>& hosts) const
{
    if (m_steps.empty())
    {
        throw WormholeError("the schedule of processes has no step; add a computation or a "
                            "collective");
    }
    m_order.CheckEnd();
    std::vector<Ptr<Collective>> groups;
    for (const auto& step : m_steps)
    {
        if (step.group && std::find(groups.begin(), groups.end(), step.group) == groups.end())
        {
            groups.push_back(step.group);
            if (!HasMembers(*step.group, hosts))
            {
                step.group->Create(domain, hosts);
            }
        }
    }
    ApplicationContainer applications;
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        auto application = m_factory.Create<CollectiveApplication>();
        for (const auto& step : m_steps)
        {
            switch (step.phase)
            {
            case Phase::NONE:
                application->AddComputation(step.seconds.Create<RandomVariableStream>());
                break;
            case Phase::BOTH:
                application->AddCollective(step.group, rank);
                break;
            case Phase::ENTER:
                application->AddEnter(step.group, rank);
                break;
            case Phase::WAIT:
                application->AddWait(step.group);
                break;
            }
        }
        const auto device = domain->GetSoftware(hosts[rank])->GetDevice();
        if (device && device->GetNode())
        {
            device->GetNode()->AddApplication(application);
        }
        else
        {
            // There is no node to do so.
            Simulator::ScheduleNow(&Application::Initialize, application);
            Simulator::ScheduleDestroy(&Application::Dispose, application);
        }
        applications.Add(application);
    }
    return applications;
}

int64_t
CollectiveApplicationHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    int64_t used = 0;
    for (auto i = applications.Begin(); i != applications.End(); ++i)
    {
        used += DynamicCast<CollectiveApplication>(*i)->AssignComputationStreams(stream + used);
    }
    return used;
}

} // namespace ns3
