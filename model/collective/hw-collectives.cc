/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The collectives of add-on networks (Hyder and Wood, 1996): one class a network and operation,
// found by the names of their types. They differ in what they ask of the network alone.

#include "collective-kinds.h"

#include "ns3/add-on-network.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

namespace
{

/**
 * A collective by a partition of an add-on network: derived classes tell of which. One
 * member of a host, or within smp.
 *
 * A member's process is busy while it hands its value over and while it fetches a result. In a
 * broadcast the root, and in a reduction all others, leave when they have handed theirs over.
 *
 * @tparam KIND Barrier, Broadcast or Reduction
 */
template <class KIND>
class AddOnCollective : public KIND
{
  public:
    static TypeId GetTypeId()
    {
        const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
        static TypeId tid = TypeId(("ns3::AddOn" + kind).c_str()) // no std::string until ns-3.36
                                .template SetParent<KIND>()
                                .SetGroupName("Wormhole");
        return tid;
    }

    void ReceiveAt(uint32_t, Ptr<const Worm>) override
    {
        throw WormholeError("a message came over the fabric for a group of an add-on network");
    }

  protected:
    void DoDispose() override
    {
        if (m_network)
        {
            m_network->Close(m_partition);
            m_network = nullptr;
        }
        KIND::DoDispose();
    }

  private:
    virtual std::string GetSetting() const = 0;

    void DoCreate() override
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

    void DoEnter(uint32_t rank, uint64_t value) override
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
        software.GetActivities().ScheduleAfter(software.GetLastActivity(),
                                               end - Simulator::Now(),
                                               &AddOnCollective<KIND>::HandOver,
                                               Ptr<AddOnCollective<KIND>>(this),
                                               rank,
                                               value);
    }

    void DoRelease() override
    {
        const auto time = m_network->GetPartitionTime();
        m_network->Close(m_partition);
        m_network = nullptr;
        if (time.IsZero())
        {
            this->BeReleased();
            return;
        }
        Simulator::Schedule(time,
                            &AddOnCollective<KIND>::BeReleased,
                            Ptr<AddOnCollective<KIND>>(this));
    }

    AddOnNetwork::Request MakeRequest() const
    {
        using Service = AddOnNetwork::Service;
        AddOnNetwork::Request request;
        request.operation = this->GetOperation();
        request.widthBits = this->GetWidthBits();
        if constexpr (!std::is_same_v<KIND, Barrier>)
        {
            request.service =
                std::is_same_v<KIND, Broadcast> ? Service::BROADCAST : Service::TO_ONE;
            request.root = this->GetRoot();
        }
        this->CheckOneMemberAHost(
            "an add-on network has one member of a host, or use smp[Inner=" + GetSetting() + "]");
        request.hosts = this->GetHosts();
        return request;
    }

    bool IsTold(uint32_t rank) const
    {
        if constexpr (std::is_same_v<KIND, Barrier>)
        {
            return true;
        }
        return (rank == this->GetRoot()) == std::is_same_v<KIND, Reduction>;
    }

    void HandOver(uint32_t rank, uint64_t value)
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

    void Take(uint32_t rank, uint64_t result)
    {
        m_members[rank].results.push_back(result);
        Fetch(rank);
    }

    /// A member that is inside fetches the oldest result.
    void Fetch(uint32_t rank)
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
        software.GetActivities().ScheduleAfter(software.GetLastActivity(),
                                               end - Simulator::Now(),
                                               &Collective::Leave,
                                               Ptr<Collective>(this),
                                               rank,
                                               result);
    }

    struct Member
    {
        bool waits{false};            ///< whether it has come and waits for a result
        std::deque<uint64_t> results; ///< at its interface, oldest first
    };

    Ptr<AddOnNetwork> m_network;   ///< the network, once there is a group
    uint16_t m_partition{0};       ///< identifier of the partition
    std::vector<Member> m_members; ///< by rank
};

template <class KIND, bool IS_ALL>
class HwCollective : public AddOnCollective<KIND>
{
  public:
    static TypeId GetTypeId()
    {
        const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
        const auto name = (IS_ALL ? "ns3::HwAll" : "ns3::Hw1") + kind;
        static TypeId tid = TypeId(name.c_str()) // no std::string until ns-3.36
                                .template SetParent<AddOnCollective<KIND>>()
                                .SetGroupName("Wormhole")
                                .template AddConstructor<HwCollective>();
        return tid;
    }

  private:
    std::string GetSetting() const override
    {
        return IS_ALL ? "hw-all" : "hw-1";
    }
};

using Hw1Barrier = HwCollective<Barrier, false>;
using HwAllBarrier = HwCollective<Barrier, true>;
using HwAllBroadcast = HwCollective<Broadcast, true>;
using HwAllReduction = HwCollective<Reduction, true>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Hw1Barrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBarrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBroadcast);
NS_OBJECT_ENSURE_REGISTERED(HwAllReduction);

} // namespace ns3
