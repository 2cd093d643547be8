// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-collective.h"

#include "ns3/assert.h"
#include "ns3/group-failures.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Collective");

NS_OBJECT_ENSURE_REGISTERED(Collective);

namespace
{

/// Refuses what needs the fabric when its simulation has ended. @param what says what needs it:
///        called then only, since every member of every round asks
template <class WHAT>
void
RefuseEnded(const CollectiveDomain& domain, WHAT what)
{
    if (const auto fabric = domain.GetFabric(); fabric && fabric->GetNHosts() == 0)
    {
        throw WormholeError(what() + ", but the simulation of the fabric has ended; expected "
                                     "another fabric");
    }
}

/// Keeps a group that a callback has dropped until the event is over: its callers still use it.
void
OutliveEvent(const Ptr<Collective>& collective)
{
    if (collective->GetReferenceCount() == 1)
    {
        Simulator::ScheduleNow([collective] {});
    }
}

} // namespace

TypeId
Collective::GetTypeId()
{
    static TypeId tid =
        NewType::Of<Collective, Object>("ns3::Collective")
            .Add("Operation",
                 "How members' values are combined: AND, OR, ADD, MIN or MAX. A broadcast combines "
                 "nothing.",
                 Sets{ns3::Create<StringValue>("AND"),
                      MakeStringAccessor(&Collective::m_operationName),
                      nullptr,
                      {"AND", "OR", "ADD", "MIN", "MAX"},
                      AttributeKeywords::Form::ANY_CASE})
            .Add("WidthBits",
                 "Width of members' values in bits. Up to 6 fit two bytes (with GroupIdBits 8).",
                 Sets::Number(&Collective::m_widthBits, 1, 1, 64))
            .Add("GroupIdBits",
                 "Width of the group identifier in messages; limits the number of groups at a "
                 "time.",
                 Sets::Number(&Collective::m_groupIdBits, 8, 1, 16))
            .Add("MessageBytes",
                 "Length of the group's messages in bytes, for collectives of values, not of data, "
                 "by software; 0: the length of type, group and value.",
                 Sets::Number(&Collective::m_messageBytes, 0, 0, 1U << 30))
            .Add("Root",
                 "Rank of the root; -1: the first member at the root host of the group's barrier "
                 "tree or, on an ideal network, rank 0.",
                 Sets::Number(&Collective::m_rootRank, -1, -1))
            .Add("TreeLeaves",
                 "Leaves to count when barrier trees have equal height and number of edges; the "
                 "tree with the fewest such leaves is selected. deepest: only the leaves farthest "
                 "from the root; or all.",
                 Sets::Word({"all", "deepest"}, "deepest", &Collective::m_treeLeaves))
            .Add("TreeRoot",
                 "Number of a member's host, at whose switch the group's barrier tree has its "
                 "root; -1: the root of the tree with the fewest levels, then edges, then leaves.",
                 Sets::Number(&Collective::m_treeRoot, -1, -1))
            .Add("Timeout",
                 "Maximum time of a member's round, and of the group's set-up or release; after "
                 "this time, members fail, see the trace source Failed. 0: no limit.",
                 Sets::Duration(&Collective::m_timeout))
            .Add("Failed",
                 "A member ends its round without a result, or the group cannot be set up; with "
                 "its rank, the numbers of hosts that it missed, and why.",
                 &Collective::m_failedTrace,
                 "ns3::Collective::FailedTracedCallback")
            .Add("Enter",
                 "A member enters; with its rank and value.",
                 &Collective::m_enterTrace,
                 "ns3::Collective::MemberTracedCallback")
            .Add("Leave",
                 "A member leaves; with its rank and the result, or 0 if it gets none.",
                 &Collective::m_leaveTrace,
                 "ns3::Collective::MemberTracedCallback")
            .Add("Changed",
                 "The group has changed its members, just before Ready; with the hosts of the "
                 "members before and after, by rank, and the time since the change was requested.",
                 &Collective::m_changedTrace,
                 "ns3::Collective::ChangedTracedCallback")
            .Add("Ready",
                 "The group is set up in the fabric, and members may enter; with the time since "
                 "Create, or since a change of members began.",
                 &Collective::m_readyTrace,
                 "ns3::Collective::DurationTracedCallback")
            .Add("Released",
                 "The group's resources in the fabric are free; with the time since Release.",
                 &Collective::m_releasedTrace,
                 "ns3::Collective::DurationTracedCallback");
    return tid;
}

Collective::Collective() = default;
Collective::~Collective() = default;

void
Collective::DoDispose()
{
    DoStop();
    if (m_failures)
    {
        m_failures->Stop();
    }
    for (const auto& part : m_parts)
    {
        part->Dispose();
    }
    ClearParts();
    m_change.reset();
    if (m_domain && m_state != NONE)
    {
        const bool isIdle =
            m_state == READY && m_nInside == 0 && !HoldsRegisters() && HasEvenRounds();
        isIdle ? m_domain->Leave(m_group) : m_domain->Abandon(m_group);
    }
    m_domain = nullptr;
    m_leaveCallbacks.clear();
    Object::DoDispose();
}

void
Collective::Create(Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts)
{
    NS_LOG_FUNCTION(this << hosts.size());
    WormholeError::ThrowIf(m_state != NONE || m_change,
                           "this collective has a group already; make another one");
    WormholeError::ThrowIf(!domain,
                           "a group without a domain; expected what CollectiveHelper::Install "
                           "returns");
    RefuseEnded(*domain, [] { return std::string("a group is made"); });
    m_operation = ParseCollectiveOperation(m_operationName);
    WormholeError::ThrowIf(hosts.empty(), "a group has no member; expected one or more");
    WormholeError::ThrowIf(m_messageBytes > 0 && m_messageBytes < GetFieldBytes(),
                           "MessageBytes is " + std::to_string(m_messageBytes) +
                               ", but its fields take " + std::to_string(GetFieldBytes()) +
                               "; expected 0, or " + std::to_string(GetFieldBytes()) + " or more");
    WormholeError::ThrowIf(m_messageBytes > GetFieldBytes() && !HasLongMessages(),
                           "MessageBytes is " + std::to_string(m_messageBytes) + ", but in " +
                               GetInstanceTypeId().GetName() +
                               " messages hold their fields alone; expected 0, or a collective by "
                               "software");
    WormholeError::ThrowIf(m_rootRank >= static_cast<int64_t>(hosts.size()),
                           "Root is " + std::to_string(m_rootRank) +
                               "; expected -1 and ranks, 0 to " + std::to_string(hosts.size() - 1));
    std::vector<Member> members(hosts.size());
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    {
        CheckHost(*domain, hosts[rank]);
        members[rank].host = hosts[rank];
    }
    m_domain = domain;
    SetMembers(std::move(members));
    WormholeError::ThrowIf(m_treeRoot >= 0 && !HasMemberAt(m_treeRoot),
                           "TreeRoot is " + std::to_string(m_treeRoot) +
                               ", a host without a member; expected -1 and hosts of members");
    m_group = domain->Join(this, m_groupIdBits);
    m_state = CREATING;
    m_since = Simulator::Now();
    try
    {
        SetUp();
    }
    catch (const WormholeError&)
    {
        m_state = NONE;
        domain->Leave(m_group);
        throw;
    }
}

void
Collective::SetMembers(std::vector<Member> members)
{
    std::vector<uint32_t> nTasks(m_domain->GetNHosts(), 0);
    for (auto& member : members)
    {
        member.task = nTasks[member.host]++;
    }
    m_members = std::move(members);
    m_firstRanks.clear();
    m_tree.reset();
    m_root = m_rootRank;
}

void
Collective::Enter(uint32_t rank, uint64_t value)
{
    NS_LOG_FUNCTION(this << rank << value);
    const auto who = [&] {
        return "group " + std::to_string(m_group) + ", rank " + std::to_string(rank);
    };
    if (m_state != READY)
    {
        throw WormholeError(who() + " enters, but the group is not ready: members may enter when "
                                    "the trace source Ready has fired, and before Release");
    }
    RefuseEnded(*m_domain, [&] { return who() + " enters"; });
    if (rank >= GetNMembers())
    {
        throw WormholeError(who() + " enters, but ranks are 0 to " +
                            std::to_string(GetNMembers() - 1));
    }
    auto& member = m_members[rank];
    if (member.inside)
    {
        throw WormholeError(who() + " enters, but has not left the round before");
    }
    if (!MayEnter(rank))
    {
        throw WormholeError(who() + " enters, but the group is about to change after round " +
                            std::to_string(member.round) +
                            "; expected when the trace source "
                            "Ready has fired");
    }
    if (m_widthBits < 64 && value >> m_widthBits)
    {
        throw WormholeError(who() + " enters with value " + std::to_string(value) +
                            ", which has more than " + std::to_string(m_widthBits) +
                            " bits (Collective::WidthBits)");
    }
    CheckContents(rank);
    member.inside = true;
    ++member.round;
    ++m_nInside;
    auto cause = ActivityRecorder::NONE;
    auto& activities = m_domain->GetActivities();
    if (activities.IsRecording())
    {
        cause = activities.Enter(
            {this, rank, member.round, Simulator::Now().GetTimeStep(), activities.GetCurrent()},
            m_group,
            GetInstanceTypeId().GetName().substr(std::string("ns3::").size()));
    }
    const ActivityRecorder::Scope scope(activities, cause);
    m_enterTrace(rank, value);
    NoteContents(rank);
    if (!m_failures || m_failures->Enter(rank))
    {
        DoEnter(rank, value);
    }
}

void
Collective::Leave(uint32_t rank, uint64_t result)
{
    NS_LOG_FUNCTION(this << rank << result);
    if (m_failures && !m_failures->Leave(rank))
    {
        return;
    }
    const Ptr<Collective> self(this);
    m_members[rank].inside = false;
    --m_nInside;
    if (auto& activities = m_domain->GetActivities(); activities.IsRecording())
    {
        activities.Leave({this,
                          rank,
                          m_members[rank].round,
                          Simulator::Now().GetTimeStep(),
                          activities.GetCurrent()});
    }
    m_leaveTrace(rank, result);
    if (rank < m_leaveCallbacks.size() && !m_leaveCallbacks[rank].IsNull())
    {
        const auto callback = m_leaveCallbacks[rank]; // which may dispose of this
        callback(result);
    }
    if (m_change)
    {
        Simulator::ScheduleNow(&Collective::TryChange, self);
    }
    OutliveEvent(self);
}

void
Collective::Release()
{
    NS_LOG_FUNCTION(this);
    const bool endsFailed = HasFailed() && (m_state == READY || m_state == CREATING);
    if (m_state == READY || endsFailed)
    {
        m_change.reset(); // there is nothing to be changed any more
    }
    if (endsFailed)
    {
        m_since = Simulator::Now();
        m_failures->FailAll({}, "the group is released");
        Abort();
        return;
    }
    WormholeError::ThrowIf(m_state != READY || m_nInside > 0,
                           "group " + std::to_string(m_group) + " is released while " +
                               (m_nInside > 0 ? std::to_string(m_nInside) + " members are inside"
                                              : "it is not ready"));
    for (const auto& member : m_members)
    {
        if (member.round != m_members.front().round)
        {
            throw WormholeError("group " + std::to_string(m_group) +
                                " is released although its members have not come equally often: "
                                "rank 0 " +
                                std::to_string(m_members.front().round) + " times, rank " +
                                std::to_string(&member - m_members.data()) + " " +
                                std::to_string(member.round) + " times");
        }
    }
    RefuseEnded(*m_domain, [&] { return "group " + std::to_string(m_group) + " is released"; });
    m_state = RELEASED;
    m_since = Simulator::Now();
    if (m_failures)
    {
        m_failures->StartTimer();
    }
    DoRelease();
}

void
Collective::CopyAttributes(Collective& other, const std::vector<std::string>& names) const
{
    for (const auto& name : names)
    {
        StringValue value;
        GetAttribute(name, value);
        other.SetAttribute(name, value);
    }
}

void
Collective::CheckOneMemberAHost(const std::string& accepted) const
{
    for (const auto& member : m_members)
    {
        if (member.task > 0)
        {
            throw WormholeError("host " + m_domain->GetHostName(member.host) +
                                " is a member twice; " + accepted);
        }
    }
}

void
Collective::AddPart(const Ptr<Collective>& part)
{
    part->TraceConnectWithoutContext("Ready", MakeCallback(&Collective::PartReady, this));
    part->TraceConnectWithoutContext("Released", MakeCallback(&Collective::PartReleased, this));
    part->TraceConnectWithoutContext(
        "Failed",
        MakeBoundCallback(&Collective::PartFailed, this, PeekPointer(part)));
    m_parts.push_back(part);
    ++m_nPendingParts;
}

void
Collective::CreatePart(const Ptr<Collective>& part)
{
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        part->SetLeaveCallback(
            rank,
            MakeBoundCallback(&Collective::PartLeft, this, PeekPointer(part), rank));
    }
    part->m_treeRoot = m_treeRoot < 0 ? part->m_treeRoot : m_treeRoot;
    part->Create(m_domain, GetHosts());
}

void
Collective::ReleaseParts()
{
    const auto parts = m_parts; // which may be made anew when the last one is released
    m_nPendingParts = parts.size();
    for (const auto& part : parts)
    {
        part->Release();
    }
}

void
Collective::NotifyReady()
{
    const Ptr<Collective> self(this);
    m_state = READY;
    if (!m_formerHosts.empty())
    {
        m_changedTrace(std::exchange(m_formerHosts, {}),
                       GetHosts(),
                       Simulator::Now() - m_changeSince);
    }
    if (m_change)
    {
        Simulator::ScheduleNow(&Collective::TryChange, self);
    }
    m_readyTrace(Simulator::Now() - m_since);
    OutliveEvent(self);
}

void
Collective::NotifyReleased()
{
    const Ptr<Collective> self(this);
    if (m_failures)
    {
        m_failures->Stop();
    }
    m_domain->Leave(m_group);
    m_state = NONE;
    if (m_change && m_change->hasBegun)
    {
        Simulator::ScheduleNow(&Collective::Renew, self);
        return;
    }
    m_change.reset();
    m_formerHosts.clear();
    m_releasedTrace(Simulator::Now() - m_since);
    OutliveEvent(self);
}

GroupFailures&
Collective::GetFailures()
{
    if (!m_failures)
    {
        m_failures = std::make_unique<GroupFailures>(*this);
    }
    return *m_failures;
}

bool
Collective::HasFailed() const
{
    return m_failures && m_failures->HasFailed();
}

std::vector<uint32_t>
Collective::GetMissing(uint32_t rank) const
{
    return m_failures ? m_failures->GetMissing(rank) : std::vector<uint32_t>();
}

std::vector<uint32_t>
Collective::GetHosts() const
{
    return MadeOf(m_members, [](const auto& member) { return member.host; });
}

uint32_t
Collective::GetRoot() const
{
    if (m_root < 0)
    {
        m_root = m_domain->IsIdeal()
                     ? 0
                     : GetRank(GetTree().GetRootHost() - m_domain->GetGraph().GetNSwitches());
    }
    return static_cast<uint32_t>(m_root);
}

const BarrierTree&
Collective::GetTree() const
{
    if (!m_tree)
    {
        WormholeError::ThrowIf(m_domain->IsIdeal(), "there is no barrier tree on an ideal network");
        const auto first = ThoseOf(m_members, [](const auto& each) { return each.task == 0; });
        const auto nodes = MadeOf(first, [this](const auto& each) {
            return m_domain->GetGraph().HostAt(each.host);
        });
        const auto left = m_domain->FindGraphLeft(GetHosts());
        const auto& graph = left ? *left : m_domain->GetGraph();
        m_tree = std::make_unique<const BarrierTree>(
            graph,
            nodes,
            m_treeLeaves == "deepest" ? BarrierTree::Leaves::DEEPEST : BarrierTree::Leaves::ALL,
            m_treeRoot < 0 ? FabricGraph::NONE
                           : graph.SwitchOf(graph.HostAt(static_cast<uint32_t>(m_treeRoot))).node);
    }
    return *m_tree;
}

std::string
Collective::ExplainMissing() const
{
    const auto furthest = GreatestOf(uint64_t{0}, m_members, [](const auto& member) {
        return member.inside ? member.round : 0;
    });
    if (m_nInside == 0)
    {
        return "";
    }
    std::string text = "group " + std::to_string(m_group) + " waits for ";
    constexpr uint32_t SHOWN = 8;
    uint32_t missing = 0;
    for (const auto& member : m_members)
    {
        if (member.round < furthest && ++missing <= SHOWN)
        {
            text += (missing > 1 ? ", " : "") + m_domain->GetHostName(member.host) +
                    (member.task > 0 ? " task " + std::to_string(member.task) : "");
        }
    }
    return text + (missing > SHOWN ? ", ..." : "") + (missing == 0 ? "messages" : "") + " (" +
           std::to_string(missing) + " of " + std::to_string(GetNMembers()) + " members)";
}

const CollectiveForm&
Collective::GetForm() const
{
    if (!m_form)
    {
        m_form = CollectiveForm::Of(GetInstanceTypeId());
    }
    return *m_form;
}

uint32_t
Collective::GetRank(uint32_t host) const
{
    if (host < m_members.size() && m_members[host].host == host && m_members[host].task == 0)
    {
        return host; // members are the first hosts, as they often are
    }
    if (m_firstRanks.empty())
    {
        m_firstRanks = NumbersWith(m_members.size(),
                                   [this](uint32_t rank) { return m_members[rank].task == 0; });
        std::sort(m_firstRanks.begin(), m_firstRanks.end(), [this](uint32_t a, uint32_t b) {
            return m_members[a].host < m_members[b].host;
        });
    }
    const auto found =
        std::partition_point(m_firstRanks.begin(), m_firstRanks.end(), [&](uint32_t rank) {
            return m_members[rank].host < host;
        });
    NS_ASSERT_MSG(found != m_firstRanks.end() && m_members[*found].host == host,
                  "host " << host << " is no member");
    return *found;
}

} // namespace ns3
