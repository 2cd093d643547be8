// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-registry.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// @return whether schedules of a kind begin or end at the request's root, as those of barriers may
bool
UsesRootOf(DataKind kind)
{
    return kind == DataKind::BARRIER || DataKindInvariant::HasRoot(kind);
}

struct SmpHosts
{
    std::vector<uint32_t> leaders;              ///< by host, in order of their first members
    std::vector<std::vector<uint32_t>> members; ///< by host; ranks
    bool areConsecutive{true};                  ///< whether members of each are consecutive ranks

    explicit SmpHosts(const ScheduleRequest& request)
    {
        std::unordered_map<uint32_t, uint32_t> places;
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            const auto host = request.GetHost(rank);
            const auto place = places.try_emplace(host, members.size()).first->second;
            if (place == members.size())
            {
                members.emplace_back();
                leaders.push_back(rank);
            }
            areConsecutive =
                areConsecutive && (members[place].empty() || members[place].back() + 1 == rank);
            members[place].push_back(rank);
        }
        if (UsesRootOf(request.kind))
        {
            leaders[places.at(request.GetHost(request.root))] = request.root;
        }
        for (uint32_t place = 0; request.kind == DataKind::SCAN && place < leaders.size(); ++place)
        {
            leaders[place] = members[place].back();
        }
    }

    std::vector<std::vector<uint32_t>> ListParts(const ScheduleRequest& request) const
    {
        if (DataKindInvariant::GetNParts(request.kind, 2) == 1)
        {
            return {{0}};
        }
        if (request.kind != DataKind::ALL_TO_ALL)
        {
            return members;
        }
        return JoinedOf(members, [&](const auto& senders) {
            return MadeOf(members, [&](const auto& receivers) {
                return JoinedOf(senders, [&](uint32_t from) {
                    return MadeOf(receivers,
                                  [&](uint32_t to) { return from * request.members + to; });
                });
            });
        });
    }
};

/// Schedules of members that work with their leaders.
class SmpPlan
{
  public:
    SmpPlan(const ScheduleRequest& request,
            const SmpHosts& hosts,
            const GroupSchedules& inner,
            const std::vector<std::vector<uint32_t>>& parts)
        : m_request(request),
          m_hosts(hosts),
          m_schedules(request, CutBlocks(inner.layout, parts))
    {
        GoUp();
        for (std::size_t place = 0; place < m_hosts.leaders.size(); ++place)
        {
            if (m_request.keepsOrder || m_request.kind == DataKind::SCAN)
            {
                m_schedules.Wait(m_hosts.leaders[place]);
            }
            m_schedules.members[m_hosts.leaders[place]].Append(inner.members[place],
                                                               m_hosts.leaders,
                                                               m_innerBlocks);
        }
        m_schedules.nMessages = std::max(m_schedules.nMessages, inner.nMessages);
        GoDown();
    }

    const GroupSchedules& GetSchedules() const
    {
        return m_schedules;
    }

  private:
    /// Cuts the data into blocks that are both of one part and of one inner block.
    BlockLayout CutBlocks(const BlockLayout& inner, const std::vector<std::vector<uint32_t>>& parts)
    {
        // Both are gone through in the inner order.
        std::vector<std::vector<uint64_t>> pieces(m_request.parts.size()); // their lengths, by part
        std::vector<std::vector<std::pair<uint32_t, uint32_t>>> places(inner.GetNData());
        uint32_t block = 0;
        uint64_t left = inner.GetBytes(uint32_t{0}); // of the inner block
        for (const auto& list : parts)
        {
            for (const auto part : list)
            {
                for (auto rest = m_request.parts[part]; rest > 0;)
                {
                    while (left == 0)
                    {
                        left = inner.GetBytes(++block);
                    }
                    const auto bytes = std::min(left, rest);
                    places[block].emplace_back(part, pieces[part].size());
                    pieces[part].push_back(bytes);
                    left -= bytes;
                    rest -= bytes;
                }
            }
        }
        BlockLayout layout;
        for (auto& lengths : pieces)
        {
            lengths.resize(std::max<std::size_t>(1, lengths.size()));
            m_parts.push_back({layout.GetNData(), static_cast<uint32_t>(lengths.size())});
            for (const auto bytes : lengths)
            {
                layout.Add(bytes);
            }
        }
        if (DataKindInvariant::Combines(m_request.kind))
        {
            m_work = {layout.AddWork(layout.GetAll()), layout.GetNData()};
        }
        for (const auto& list : places)
        {
            m_innerBlocks.emplace_back();
            for (const auto& [part, piece] : list)
            {
                AppendRange(m_innerBlocks.back(), {m_parts[part].first + piece, 1});
            }
        }
        for (auto work = inner.GetNData(); work < inner.GetNBlocks(); ++work)
        {
            m_innerBlocks.push_back(
                MadeOf(m_innerBlocks[inner.GetSource(work)], [&](const auto& range) {
                    return BlockRange{layout.AddWork(range), range.count};
                }));
        }
        return layout;
    }

    /// @return all blocks, or each of them apart where segments follow one another
    std::vector<BlockRanges> FindSegments() const
    {
        const auto all = m_schedules.layout.GetAll();
        if (m_request.segmentBytes == 0 || m_request.parts.size() > 1)
        {
            return {{all}};
        }
        return MadeOfNumbers(all.count, [](uint32_t block) { return BlockRanges{{block, 1}}; });
    }

    BlockRanges FindOthers(uint32_t rank) const
    {
        const auto own = m_parts[rank];
        BlockRanges ranges;
        AppendRange(ranges, {0, own.first});
        AppendRange(ranges,
                    {own.first + own.count, m_schedules.layout.GetNData() - own.first - own.count});
        return ranges;
    }

    /// @return blocks of an all-to-all that a member sends to others, or receives
    BlockRanges FindExchanged(uint32_t rank, bool sends) const
    {
        BlockRanges ranges;
        for (uint32_t other = 0; other < m_request.members; ++other)
        {
            if (other != rank)
            {
                AppendRange(ranges,
                            m_parts[sends ? rank * m_request.members + other
                                          : other * m_request.members + rank]);
            }
        }
        return ranges;
    }

    /// Has all members but the leaders do something with their leaders.
    template <typename ACTION>
    void ForOthers(ACTION action) const
    {
        for (std::size_t place = 0; place < m_hosts.leaders.size(); ++place)
        {
            for (const auto rank : m_hosts.members[place])
            {
                if (rank != m_hosts.leaders[place])
                {
                    action(rank, m_hosts.leaders[place]);
                }
            }
        }
    }

    /// Has members other than leaders exchange blocks with their leaders.
    template <typename FIND>
    void Exchange(bool isUp, FIND find)
    {
        std::vector<BlockMessage> messages;
        ForOthers([&](uint32_t rank, uint32_t leader) {
            messages.push_back({isUp ? rank : leader, isUp ? leader : rank, find(rank)});
        });
        m_schedules.Step(messages);
    }

    /// Has members give leaders what they have.
    void GoUp()
    {
        const auto kind = m_request.kind;
        if (kind == DataKind::SCAN)
        {
            ScanUp();
        }
        else if (DataKindInvariant::Combines(kind))
        {
            CombineUp();
        }
        else if (kind == DataKind::ALL_TO_ALL)
        {
            Exchange(true, [&](uint32_t rank) { return FindExchanged(rank, true); });
        }
        else if (kind == DataKind::GATHER || kind == DataKind::ALL_GATHER)
        {
            Exchange(true, [&](uint32_t rank) { return BlockRanges{m_parts[rank]}; });
        }
    }

    /// Has leaders combine what members have, if need be from their own ranks outwards.
    void CombineUp()
    {
        for (const auto& segment : FindSegments())
        {
            std::vector<BlockMessage> messages;
            ForOthers([&](uint32_t rank, uint32_t leader) {
                messages.push_back({rank, leader, segment, ScheduleStep::COMBINE, rank < leader});
            });
            if (!m_request.keepsOrder)
            {
                m_schedules.Step(messages);
                continue;
            }
            std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
                return a.isLeft && b.isLeft ? a.from > b.from : a.isLeft && !b.isLeft;
            });
            for (const auto& message : messages)
            {
                StepInOrder(m_schedules, {message});
            }
        }
    }

    /// Has members of each host scan what they have along a chain.
    void ScanUp()
    {
        for (const auto& segment : FindSegments())
        {
            for (const auto& ranks : m_hosts.members)
            {
                for (std::size_t i = 1; i < ranks.size(); ++i)
                {
                    m_schedules.Pass(
                        {ranks[i - 1], ranks[i], segment, ScheduleStep::COMBINE, true});
                }
            }
        }
    }

    /// Has leaders give members their results.
    void GoDown()
    {
        switch (m_request.kind)
        {
        case DataKind::BARRIER:
        case DataKind::BROADCAST:
        case DataKind::ALL_REDUCTION:
            for (const auto& segment : FindSegments())
            {
                Exchange(false, [&](uint32_t) { return segment; });
            }
            break;
        case DataKind::SCATTER:
        case DataKind::REDUCE_SCATTER:
            Exchange(false, [&](uint32_t rank) { return BlockRanges{m_parts[rank]}; });
            break;
        case DataKind::ALL_GATHER:
            Exchange(false, [&](uint32_t rank) { return FindOthers(rank); });
            break;
        case DataKind::ALL_TO_ALL:
            Exchange(false, [&](uint32_t rank) { return FindExchanged(rank, false); });
            break;
        case DataKind::SCAN:
            ScanDown();
            break;
        default:
            break;
        }
    }

    /// Has leaders give the next host what all before it have combined.
    void ScanDown()
    {
        std::vector<BlockMessage> between;
        std::vector<BlockMessage> within;
        const auto all = m_schedules.layout.GetAll();
        for (std::size_t place = 1; place < m_hosts.leaders.size(); ++place)
        {
            const auto& ranks = m_hosts.members[place];
            const auto leader = m_hosts.leaders[place];
            if (ranks.size() > 1)
            {
                between.push_back({m_hosts.leaders[place - 1],
                                   leader,
                                   {all},
                                   ScheduleStep::REPLACE,
                                   false,
                                   {m_work}});
            }
            for (std::size_t i = 0; i + 1 < ranks.size(); ++i)
            {
                within.push_back({leader, ranks[i], {m_work}, ScheduleStep::COMBINE, true, {all}});
            }
        }
        m_schedules.Step(between);
        m_schedules.Step(within);
    }

    const ScheduleRequest& m_request;
    const SmpHosts& m_hosts;
    std::vector<BlockRange> m_parts;
    BlockRange m_work{0, 0};                ///< places for work for all of them, if there are any
    std::vector<BlockRanges> m_innerBlocks; ///< what the inner algorithm's blocks are, by block
    GroupSchedules m_schedules;
};

ScheduleRequest
MakeRequestOfLeaders(const ScheduleRequest& request,
                     const SmpHosts& hosts,
                     const std::vector<std::vector<uint32_t>>& parts)
{
    auto among = request;
    among.members = static_cast<uint32_t>(hosts.leaders.size());
    const auto root = std::find(hosts.leaders.begin(), hosts.leaders.end(), request.root);
    among.root = UsesRootOf(request.kind) ? static_cast<uint32_t>(root - hosts.leaders.begin()) : 0;
    among.hosts = MadeOf(hosts.leaders, [&](auto leader) { return request.GetHost(leader); });
    among.parts = MadeOf(parts, [&](const auto& list) {
        return SumOf(list, [&](uint32_t part) { return request.parts[part]; });
    });
    return among;
}

/// @return schedules of leaders who call another collective with all blocks
GroupSchedules
MakeCalls(const ScheduleRequest& among)
{
    GroupSchedules schedules(among, among.MakeParts());
    for (auto& schedule : schedules.members)
    {
        schedule.Call({schedules.layout.GetAll()});
    }
    return schedules;
}

/// @return the algorithm between hosts, unless said
std::string
GetUsualInner(DataKind kind)
{
    static const std::map<DataKind, std::string> names{
        {DataKind::BARRIER, "pairwise-exchange"},
        {DataKind::BROADCAST, "tree"},
        {DataKind::REDUCTION, "tree"},
        {DataKind::GATHER, "binomial"},
        {DataKind::SCATTER, "binomial"},
        {DataKind::REDUCE_SCATTER, "recursive-halving"},
        {DataKind::ALL_TO_ALL, "pairwise"},
        {DataKind::SCAN, "recursive-doubling"}};
    const auto name = names.find(kind);
    return name == names.end() ? "ring" : name->second;
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
    static void AddTo(NewType type, DataKind kind)
    {
        const auto help = CollectiveForm::Of(type).isData
                              ? "Name of the algorithm, of the same kind, that the hosts' "
                                "leaders run."
                              : "The inner algorithm, of the hosts' first members: name of a " +
                                    DataKindInvariant::GetName(kind) + ".";
        type.Add("Inner", help, Sets::Text(&SmpCollective::m_inner, GetUsualInner(kind)));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeSmpSchedules(request, GetMaker(MakeInnerCollective()), m_inner);
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
            const SmpHosts hosts(request);
            const auto parts = MakeRequestOfLeaders(request, hosts, hosts.ListParts(request)).parts;
            parts.size() == 1
                ? inner->SetAttribute("Bytes", UintegerValue(parts[0]))
                : inner->SetAttribute("Lengths", StringValue(PrintNumbers(parts, ",")));
        }
        return inner;
    }

    std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const override
    {
        return SmpHosts(request).leaders;
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
        // Switches reduce a value by a barrier, of whose result only the root takes note.
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

GroupSchedules
MakeSmpSchedules(const ScheduleRequest& request,
                 const ScheduleMaker* inner,
                 const std::string& name)
{
    const SmpHosts hosts(request);
    const bool needsOrder = request.kind == DataKind::SCAN ||
                            (request.keepsOrder && DataKindInvariant::Combines(request.kind));
    if (needsOrder && !hosts.areConsecutive)
    {
        WormholeError::ThrowIf(!inner,
                               "members of a host are not consecutive ranks, so that '" + name +
                                   "' can't combine in order of ranks; expected algorithms by "
                                   "software, or no KeepsOrder");
        auto schedules = inner->MakeGroupSchedules(request);
        if (schedules.fallback.empty())
        {
            schedules.fallback = name + ": members of a host are not consecutive ranks";
        }
        return schedules;
    }
    const auto parts = hosts.ListParts(request);
    const auto among = MakeRequestOfLeaders(request, hosts, parts);
    const auto innerSchedules = inner ? inner->MakeGroupSchedules(among) : MakeCalls(among);
    auto schedules = SmpPlan(request, hosts, innerSchedules, parts).GetSchedules();
    if (!innerSchedules.fallback.empty())
    {
        schedules.fallback = GroupSchedules::OfInner(innerSchedules.fallback);
    }
    return schedules;
}

} // namespace ns3
