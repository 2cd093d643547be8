// SPDX-License-Identifier: GPL-2.0-only

// The collectives of add-on networks (Hyder and Wood, 1996), found by the names of their types.

#include "wormhole-collective.h"

#include "ns3/add-on-network.h"
#include "ns3/bracketed-name.h"
#include "ns3/event-id.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <deque>

namespace ns3
{

namespace
{

/// A collective by a partition of an add-on network, which its type names. One member of a host, or
/// within smp.
///
/// A member's process is busy while it hands its value over and while it fetches a result. In a
/// broadcast the root, and in a reduction all others, leave when they have handed theirs over.
class AddOnCollective : public Collective
{
  public:
    void ReceiveAt(uint32_t, Ptr<const Worm>) override
    {
        throw WormholeError("a message came over the fabric for a group of an add-on network");
    }

  private:
    void DoStop() override
    {
        m_opening.Cancel();
        if (m_network)
        {
            m_network->Close(m_partition);
            m_network = nullptr;
        }
    }

    /// @return the network's type
    std::string GetSetting() const
    {
        return NamedTypes::ShortName(GetInstanceTypeId(), GetFormTypeId(GetForm()));
    }

    void DoCreate() override
    {
        const auto request = MakeRequest();
        auto network = GetDomain().GetAddOnNetwork(GetSetting());
        network->Open(GetGroup(), request, MakeCallback(&AddOnCollective::Take, this));
        m_network = network;
        m_partition = GetGroup();
        m_members.assign(GetNMembers(), Member());
        if (m_network->GetPartitionTime().IsZero())
        {
            NotifyReady();
            return;
        }
        m_opening = Simulator::Schedule(m_network->GetPartitionTime(),
                                        &AddOnCollective::NotifyReady,
                                        Ptr<AddOnCollective>(this));
    }

    void DoEnter(uint32_t rank, uint64_t value) override
    {
        if (GetKind() == DataKind::BROADCAST && IsWaiting(rank))
        {
            m_members[rank].waits = true; // and has nothing to hand over
            Fetch(rank);
            return;
        }
        auto& software = GetSoftware(rank);
        const LatencyCosts costs(LatencyCause::ADD_ON_NETWORK, m_network->GetInterfaceTime());
        const auto end = software.Occupy(0, Simulator::Now(), costs, HostSoftware::Activity::SEND);
        software.ScheduleAt(0, end, this, &AddOnCollective::HandOver, rank, GetRound(rank), value);
    }

    void DoRelease() override
    {
        const auto time = m_network->GetPartitionTime();
        m_network->Close(m_partition);
        m_network = nullptr;
        if (time.IsZero())
        {
            NotifyReleased();
            return;
        }
        Simulator::Schedule(time, &AddOnCollective::NotifyReleased, Ptr<AddOnCollective>(this));
    }

    AddOnNetwork::Request MakeRequest() const
    {
        using Service = AddOnNetwork::Service;
        AddOnNetwork::Request request;
        request.operation = GetOperation();
        request.widthBits = GetWidthBits();
        if (GetKind() != DataKind::BARRIER)
        {
            request.service =
                GetKind() == DataKind::BROADCAST ? Service::BROADCAST : Service::TO_ONE;
            request.root = GetRoot();
        }
        CheckOneMemberAHost(
            "an add-on network takes one member per host; or use smp[Inner=" + GetSetting() + "]");
        request.hosts = GetHosts();
        return request;
    }

    bool IsWaiting(uint32_t rank) const
    {
        return GetKind() == DataKind::BARRIER ||
               (rank == GetRoot()) == (GetKind() == DataKind::REDUCTION);
    }

    void HandOver(uint32_t rank, uint64_t round, uint64_t value)
    {
        if (!m_network || !IsInRound(rank, round))
        {
            return;
        }
        m_members[rank].waits = IsWaiting(rank);
        m_network->Arrive(m_partition, rank, value);
        if (!IsWaiting(rank))
        {
            Leave(rank, GetsResult(rank) ? value : 0);
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
        if (!m_network || !member.waits || member.results.empty())
        {
            return;
        }
        member.waits = false;
        const auto result = member.results.front();
        member.results.pop_front();
        auto& software = GetSoftware(rank);
        const LatencyCosts costs(LatencyCause::ADD_ON_NETWORK, m_network->GetInterfaceTime());
        const auto end = software.ChargeReceive(0, Simulator::Now(), costs);
        software.ScheduleAt(0, end, this, &Collective::EndRound, rank, GetRound(rank), result);
    }

    struct Member
    {
        bool waits{false};            ///< whether it has come and waits for a result
        std::deque<uint64_t> results; ///< at its interface, oldest first
    };

    Ptr<AddOnNetwork> m_network; ///< the network, once there is a group
    uint16_t m_partition{0};
    EventId m_opening;             ///< the end of its partition's set-up
    std::vector<Member> m_members; ///< by rank
};

const struct RegisteredAddOnCollectives
{
    RegisteredAddOnCollectives()
    {
        for (const auto kind : {DataKind::BARRIER, DataKind::BROADCAST, DataKind::REDUCTION})
        {
            const CollectiveForm form{kind, false};
            const auto parent = form.MakeTypeId("AddOn", Collective::GetFormTypeId(form));
            if (kind == DataKind::BARRIER)
            {
                Register(form.MakeTypeId("Hw1", parent));
            }
            Register(form.MakeTypeId("HwAll", parent));
        }
    }

    static void Register(TypeId type)
    {
        type.AddConstructor<AddOnCollective>().SetSize(sizeof(AddOnCollective));
    }
} g_registeredAddOnCollectives;

} // namespace

} // namespace ns3
