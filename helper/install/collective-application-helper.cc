// SPDX-License-Identifier: GPL-2.0-only

#include "collective-application-helper.h"

#include "ns3/bracketed-name.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
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
    return !hosts.empty() && group.GetHosts() == hosts;
}

} // namespace

void
CollectiveApplicationHelper::AddComputation(const std::string& seconds)
{
    const std::string example = "ns3::ConstantRandomVariable[Constant=1e-4]";
    const BracketedName parts(seconds, example);
    TypeId type;
    WormholeError::ThrowIf(
        !TypeId::LookupByNameFailSafe(parts.GetBaseName(), &type) ||
            !type.IsChildOf(RandomVariableStream::GetTypeId()) || !type.HasConstructor(),
        "a computation takes '" + seconds + "'; expected random variables, such as " + example);
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
    m_steps.emplace_back([factory](CollectiveApplication& application, uint32_t) {
        application.AddComputation(factory.Create<RandomVariableStream>());
    });
}

void
CollectiveApplicationHelper::AddPhase(Ptr<Collective> group,
                                      void (SplitPhaseOrder::*phase)(Ptr<const Collective>),
                                      const Step& step)
{
    WormholeError::ThrowIf(!group, "a step of a schedule is a null pointer; expected a collective");
    (m_order.*phase)(group);
    m_steps.push_back(step);
    if (std::find(m_groups.begin(), m_groups.end(), group) == m_groups.end())
    {
        m_groups.push_back(group);
    }
}

ApplicationContainer
CollectiveApplicationHelper::Install(Ptr<CollectiveDomain> domain,
                                     const std::vector<uint32_t>& hosts) const
{
    WormholeError::ThrowIf(m_steps.empty(),
                           "the schedule of processes has no step; add a computation or a "
                           "collective");
    m_order.CheckEnd();
    for (const auto& group : m_groups)
    {
        if (!HasMembers(*group, hosts))
        {
            group->Create(domain, hosts);
        }
    }
    ApplicationContainer applications;
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        auto application = m_factory.Create<CollectiveApplication>();
        for (const auto& step : m_steps)
        {
            step(*application, rank);
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
