// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-registry.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/software-collective.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// A collective that the processors of the network adapters run (Buntinas, Panda and Sadayappan,
/// Fast NIC-based barrier over Myrinet/GM, 2001; Yu and others, Efficient and scalable barrier over
/// Quadrics and Myrinet with a new NIC-based collective message passing protocol, 2004): a member
/// rings its adapter's doorbell, the adapters do the inner algorithm's steps among them, and each
/// tells its member when its part is complete.
///
/// Time of a barrier with d steps in which every member sends and takes one message, where nothing
/// interferes: DoorbellTime + d (2 AdapterMessageTime + max(AdapterStepTime, the network's time)) +
/// CompletionTime.
class NicCollective : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("Inner",
                 "Name of the software algorithm of the same kind that the network adapters run.",
                 Sets::Text(&NicCollective::m_inner, "dissemination"));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return GetMaker(*MakeInnerCollective()).MakeGroupSchedules(request);
    }

    bool UsesRoot() const override
    {
        return GetMaker(*MakeInnerCollective()).UsesRoot();
    }

    bool UsesCosts() const override
    {
        return false; // which MakeInnerCollective sees to
    }

    bool RunsOnHosts() const override
    {
        return false;
    }

    HostSoftware& GetProcessor(uint32_t rank) const override
    {
        return GetSoftware(rank).GetAdapter();
    }

  private:
    void DoCreate() override
    {
        CheckOneMemberAHost("expected one member of each host, or smp[Inner=nic]");
        SoftwareCollective::DoCreate();
    }

    void DoEnter(uint32_t rank, uint64_t value) override
    {
        auto& host = GetSoftware(rank);
        const auto end = host.Occupy(0,
                                     Simulator::Now(),
                                     {LatencyCause::ADAPTER, host.GetDoorbellTime()},
                                     HostSoftware::Activity::SEND);
        host.ScheduleAt(0, end, this, &NicCollective::Start, rank, GetRound(rank), value);
    }

    void Start(uint32_t rank, uint64_t round, uint64_t value)
    {
        if (IsInRound(rank, round))
        {
            SoftwareCollective::DoEnter(rank, value);
        }
    }

    void Complete(uint32_t rank, uint64_t result) override
    {
        auto& host = GetSoftware(rank);
        const auto end = host.ChargeReceive(0,
                                            Simulator::Now(),
                                            {LatencyCause::ADAPTER, host.GetCompletionTime()});
        host.ScheduleAt(0, end, this, &Collective::EndRound, rank, GetRound(rank), result);
    }

    static const ScheduleMaker& GetMaker(const Collective& inner)
    {
        return dynamic_cast<const ScheduleMaker&>(inner);
    }

    /// @return what the attribute Inner names, without a group
    Ptr<Collective> MakeInnerCollective() const
    {
        auto inner =
            CollectiveRegistry::MakeInner(GetKind(), m_inner, CollectiveRegistry::Moves::VALUE);
        const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(inner));
        const bool isOfHosts = m_inner.substr(0, m_inner.find('[')) == "smp"; // one member each
        WormholeError::ThrowIf(!maker || !maker->RunsOnHosts() || isOfHosts ||
                                   (maker->UsesRoot() && maker->UsesCosts()),
                               "Inner is '" + m_inner +
                                   "', which adapters can't run; expected an algorithm in software "
                                   "that plans by no host's costs, such as pairwise-exchange");
        return inner;
    }

    std::string m_inner; ///< attribute
};

const RegisteredAlgorithm<NicCollective> g_nic{"Nic", {DataKind::BARRIER}, {}};

} // namespace

} // namespace ns3
