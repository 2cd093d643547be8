/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "add-on-collective.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <type_traits>

namespace ns3
{

template <class KIND>
TypeId
AddOnCollective<KIND>::GetTypeId()
{
    const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
    static TypeId tid = TypeId(("ns3::AddOn" + kind).c_str()) // no std::string until ns-3.36
                            .template SetParent<KIND>()
                            .SetGroupName("Wormhole");
    return tid;
}

template <class KIND>
void
AddOnCollective<KIND>::DoDispose()
{
    if (m_network)
    {
        m_network->Close(m_partition);
        m_network = nullptr;
    }
    KIND::DoDispose();
}

template <class KIND>
AddOnNetwork::Request
AddOnCollective<KIND>::MakeRequest() const
{
    using Service = AddOnNetwork::Service;
    AddOnNetwork::Request request;
    request.operation = this->GetOperation();
    request.widthBits = this->GetWidthBits();
    if constexpr (!std::is_same_v<KIND, Barrier>)
    {
        request.service = std::is_same_v<KIND, Broadcast> ? Service::BROADCAST : Service::TO_ONE;
        request.root = this->GetRoot();
    }
    for (uint32_t rank = 0; rank < this->GetNMembers(); ++rank)
    {
        const auto host = this->GetHost(rank);
        if (this->GetTask(rank) > 0)
        {
            throw WormholeError("host " + this->GetDomain().GetHostName(host) +
                                " is a member twice; an add-on network has one member of a host, "
                                "or use smp[Inner=" +
                                GetSetting() + "]");
        }
        request.hosts.push_back(host);
    }
    return request;
}

template <class KIND>
void
AddOnCollective<KIND>::DoCreate()
{
    const auto request = MakeRequest();
    auto network = this->GetDomain().GetAddOnNetwork(GetSetting());
    network->Open(this->GetGroup(), request, MakeCallback(&AddOnCollective<KIND>::Take, this));
    m_network = network;
    m_partition = this->GetGroup();
    m_members.assign(this->GetNMembers(), Member());
    if (m_network->GetPartitionTime().IsZero())
    {
        this->BeReady();
        return;
    }
    Simulator::Schedule(m_network->GetPartitionTime(),
                        &AddOnCollective<KIND>::BeReady,
                        Ptr<AddOnCollective<KIND>>(this));
}

template <class KIND>
void
AddOnCollective<KIND>::DoRelease()
{
    const auto time = m_network->GetPartitionTime();
    m_network->Close(m_partition);
    m_network = nullptr;
    if (time.IsZero())
    {
        this->BeReleased();
        return;
    }
    Simulator::Schedule(time, &AddOnCollective<KIND>::BeReleased, Ptr<AddOnCollective<KIND>>(this));
}

template <class KIND>
bool
AddOnCollective<KIND>::IsTold(uint32_t rank) const
{
    if constexpr (std::is_same_v<KIND, Barrier>)
    {
        return true;
    }
    return (rank == this->GetRoot()) == std::is_same_v<KIND, Reduction>;
}

template <class KIND>
void
AddOnCollective<KIND>::DoEnter(uint32_t rank, uint64_t value)
{
    if (std::is_same_v<KIND, Broadcast> && IsTold(rank))
    {
        m_members[rank].waits = true; // and has nothing to hand over
        Fetch(rank);
        return;
    }
    auto& software = this->GetSoftware(rank);
    const LatencyCosts costs(LatencyCause::ADD_ON_NETWORK, m_network->GetInterfaceTime());
    const auto end = software.Occupy(0, Simulator::Now(), costs, HostSoftware::Activity::SEND);
    ActivityRecorder::ScheduleAfter(software.GetLastActivity(),
                                    end - Simulator::Now(),
                                    &AddOnCollective<KIND>::HandOver,
                                    Ptr<AddOnCollective<KIND>>(this),
                                    rank,
                                    value);
}

template <class KIND>
void
AddOnCollective<KIND>::HandOver(uint32_t rank, uint64_t value)
{
    if (!m_network)
    {
        return;
    }
    if (IsTold(rank))
    {
        m_members[rank].waits = true;
    }
    m_network->Arrive(m_partition, rank, value);
    if (!IsTold(rank))
    {
        this->Leave(rank, this->GetsResult(rank) ? value : 0);
    }
}

template <class KIND>
void
AddOnCollective<KIND>::Take(uint32_t rank, uint64_t result)
{
    m_members[rank].results.push_back(result);
    Fetch(rank);
}

template <class KIND>
void
AddOnCollective<KIND>::Fetch(uint32_t rank)
{
    auto& member = m_members[rank];
    if (!member.waits || member.results.empty())
    {
        return;
    }
    member.waits = false;
    const auto result = member.results.front();
    member.results.pop_front();
    auto& software = this->GetSoftware(rank);
    const LatencyCosts costs(LatencyCause::ADD_ON_NETWORK, m_network->GetInterfaceTime());
    const auto end = software.Take(0, Simulator::Now(), costs);
    ActivityRecorder::ScheduleAfter(software.GetLastActivity(),
                                    end - Simulator::Now(),
                                    &Collective::Leave,
                                    Ptr<Collective>(this),
                                    rank,
                                    result);
}

template <class KIND>
void
AddOnCollective<KIND>::ReceiveAt(uint32_t, Ptr<const Worm>)
{
    throw WormholeError("a message came over the fabric for a group of an add-on network");
}

template <class KIND>
void
AddOnCollective<KIND>::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

template class AddOnCollective<Barrier>;
template class AddOnCollective<Broadcast>;
template class AddOnCollective<Reduction>;

} // namespace ns3
