// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-registry.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/// @return the algorithm between hosts, unless said
std::string
GetUsualInner(DataKind kind)
{
    switch (kind)
    {
    case DataKind::BARRIER:
        return "pairwise-exchange";
    case DataKind::BROADCAST:
    case DataKind::REDUCTION:
        return "tree";
    case DataKind::GATHER:
    case DataKind::SCATTER:
        return "binomial";
    case DataKind::REDUCE_SCATTER:
        return "recursive-halving";
    case DataKind::ALL_TO_ALL:
        return "pairwise";
    case DataKind::SCAN:
        return "recursive-doubling";
    default:
        return "ring";
    }
}

/// A collective of hosts with several members (Gupta, Panda and others, Efficient barrier using
/// remote memory operations on VIA-based clusters, 2002, sections 5.2 and 5.3; Thakur et al.,
/// 2005): members give their leader what they have, combined if the kind combines; leaders do the
/// inner algorithm of the same kind among them, with parts as long as those of whole hosts
/// together; and they give members their results. The leader is the first member of a host, at the
/// root's host the root. In a scan it is the last: members of a host scan along a chain, leaders do
/// the inner scan, and each gives the next host the result of all before it, which that one's
/// leader passes on to its members.
///
/// The inner collective may be any, those in the switches with it.
///
/// Time, with t members a host, messages in memory by a_m + b_m S, and the time T_inner of the
/// inner algorithm of n / t leaders: an all-reduction of m bytes takes 2 (t - 1) (a_m / 2 + b_m m /
/// 2) and more, see doc/user/data-exchanges.rst.
///
/// Order is kept if the inner algorithm keeps it and members of hosts are consecutive ranks. If
/// they are not, and contributions are to be combined in order, as always in a scan, the inner
/// algorithm serves, without leaders.
class SmpCollective : public SoftwareCollective
{
  public:
    static void AddTo(TypeId type, DataKind kind)
    {
        const auto help = CollectiveForm::Of(type).isData
                              ? "What hosts' leaders do among them: name of an algorithm of "
                                "the same kind."
                              : "What the hosts' first members do among them: name of a " +
                                    DataKindInvariant::GetName(kind) + ".";
        type.AddAttribute("Inner",
                          help,
                          StringValue(GetUsualInner(kind)),
                          MakeStringAccessor(&SmpCollective::m_inner),
                          MakeStringChecker());
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        const auto inner = MakeInnerCollective();
        return MakeSmpSchedules(request, GetMaker(inner), m_inner);
    }

    bool UsesCosts() const override
    {
        const auto inner = MakeInnerCollective();
        return GetMaker(inner) && GetMaker(inner)->UsesCosts();
    }

  private:
    Ptr<Collective> MakeInner(const ScheduleRequest& request) const override
    {
        const auto inner = MakeInnerCollective();
        if (GetMaker(inner))
        {
            return nullptr;
        }
        if (MovesData())
        {
            const auto parts = MakeRequestOfLeaders(request).parts;
            std::string lengths;
            for (const auto bytes : parts)
            {
                lengths += (lengths.empty() ? "" : ",") + std::to_string(bytes);
            }
            parts.size() == 1 ? inner->SetAttribute("Bytes", UintegerValue(parts[0]))
                              : inner->SetAttribute("Lengths", StringValue(lengths));
        }
        return inner;
    }

    std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const override
    {
        return FindLeaders(request);
    }

    /// @return the schedules of a collective; null if hosts do not run it
    static const ScheduleMaker* GetMaker(const Ptr<Collective>& inner)
    {
        const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(inner));
        return maker && maker->RunsOnHosts() ? maker : nullptr;
    }

    /// @return what the attribute Inner names, without a group
    Ptr<Collective> MakeInnerCollective() const
    {
        // Switches reduce a value for all in a barrier; of its result, a reduction's root alone
        // takes note.
        const auto bare = m_inner.substr(0, m_inner.find('['));
        const bool isInSwitch = bare == "btin" || bare == "in-switch";
        const bool isReduction = !MovesData() && GetKind() == DataKind::REDUCTION;
        return CollectiveRegistry::MakeInner(
            isInSwitch && isReduction ? DataKind::BARRIER : GetKind(),
            m_inner,
            MovesData() ? CollectiveRegistry::Moves::DATA : CollectiveRegistry::Moves::VALUE);
    }

    std::string m_inner;
};

const RegisteredAlgorithm<SmpCollective> g_smp{
    "Smp",
    {DataKind::BARRIER, DataKind::BROADCAST, DataKind::REDUCTION},
    DataKindInvariant::GetAll()};

} // namespace

} // namespace ns3
