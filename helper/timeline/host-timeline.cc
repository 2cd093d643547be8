// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-domain.h"
#include "ns3/ordering.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/text-tools.h"
#include "ns3/timeline-log.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

// Places of a process's tracks: its rounds, by group, then the two others.
constexpr uint32_t N_PLACES = 1U << 17;            ///< places of a process
constexpr uint32_t BUSY_PLACE = 1U << 16;          ///< of what keeps it busy, after all groups
constexpr uint32_t COMPUTE_PLACE = BUSY_PLACE + 1; ///< of its computations

/// Writes what processes do to a timeline: rounds of collectives, what keeps them busy, and arrows
/// from sends to receives of messages between members. It keeps no more than the messages that are
/// on their way.
struct HostTimeline : SimpleRefCount<HostTimeline>
{
    struct Group : public SimpleRefCount<Group>
    {
        Collective* collective{nullptr}; ///< what it does
        uint16_t number{0};              ///< its identifier
        std::string name;                ///< its type
        std::vector<Time> entered;       ///< when members entered last, by rank
        std::vector<uint64_t> rounds;    ///< rounds that they have entered, by rank
        std::vector<uint64_t> left;      ///< rounds that they have left, by rank

        static void Enter(Ptr<Group> group, uint32_t rank, uint64_t)
        {
            group->entered[rank] = Simulator::Now();
            ++group->rounds[rank];
        }
    };

    struct Message
    {
        Time start;        ///< when it left its sender's software
        uint32_t nMissing; ///< receivers that it has not come to
    };

    /// What tells messages apart: group, sender, receiver, tag, round, phase and value.
    using Key = std::tuple<uint16_t, uint32_t, uint32_t, uint32_t, uint64_t, uint8_t, uint64_t>;

    static Key MakeKey(uint16_t group, const HostMessage& message)
    {
        return {group,
                message.from,
                message.to,
                message.tag,
                message.round,
                static_cast<uint8_t>(message.phase),
                message.value};
    }

    void Busy(uint32_t host, uint32_t task, Time from, Time until, HostSoftware::Activity activity)
    {
        if (m_log->Shows(m_names[host]))
        {
            // A computation may go on while the process takes messages.
            const auto isComputing = activity == HostSoftware::Activity::COMPUTE;
            m_log->AddSlice(GetTrack(host,
                                     task,
                                     isComputing ? "computing" : "",
                                     isComputing ? COMPUTE_PLACE : BUSY_PLACE),
                            "process",
                            HostSoftware::GetActivityName(activity),
                            from,
                            until);
        }
    }

    void Joined(uint16_t group, CollectiveClient* client)
    {
        auto* collective = dynamic_cast<Collective*>(client);
        if (!collective || !m_log->IsOpen())
        {
            return;
        }
        const auto made = Create<Group>();
        made->collective = collective;
        made->number = group;
        made->name = collective->GetInstanceTypeId().GetName();
        made->name.erase(0, made->name.rfind(':') + 1);
        made->entered.resize(collective->GetNMembers());
        made->rounds.resize(collective->GetNMembers());
        made->left.resize(collective->GetNMembers());
        m_groups[group] = made;
        collective->TraceConnectWithoutContext("Enter", MakeBoundCallback(&Group::Enter, made));
        const Ptr<HostTimeline> self(this);
        collective->TraceConnectWithoutContext("Leave",
                                               MakeCallback(&HostTimeline::Leave, self).Bind(made));
    }

    void Leave(Ptr<Group> group, uint32_t rank, uint64_t result)
    {
        ++group->left[rank];
        const auto host = group->collective->GetHost(rank);
        if (!m_log->IsOpen() || !m_log->Shows(m_names[host]))
        {
            return;
        }
        TraceEventArguments arguments;
        arguments.Add("group", uint64_t{group->number}).Add("rank", uint64_t{rank});
        arguments.Add("round", group->rounds[rank]).Add("result", result);
        if (m_explainer && m_log->IsWanted(group->entered[rank], Simulator::Now()))
        {
            arguments.AddJson("explain",
                              m_explainer->ExplainLeave(*group->collective,
                                                        group->rounds[rank],
                                                        rank,
                                                        group->entered[rank]));
        }
        m_log->AddSlice(GetRoundTrack(*group, rank),
                        "collective",
                        group->name,
                        group->entered[rank],
                        Simulator::Now(),
                        arguments);
    }

    void Failed(uint16_t number,
                uint32_t rank,
                const std::vector<uint32_t>& hosts,
                const std::string& reason)
    {
        const auto found = m_groups.find(number);
        if (!m_log->IsOpen() || found == m_groups.end())
        {
            return;
        }
        const auto& group = *found->second;
        const auto missing =
            WordList::WithCommas(MadeOf(hosts, [this](uint32_t host) { return m_names[host]; }));
        TraceEventArguments arguments;
        arguments.Add("rank", uint64_t{rank}).Add("round", group.rounds[rank]);
        arguments.Add("missing", missing).Add("reason", reason);
        m_log->AddSlice(GetRoundTrack(group, rank),
                        "collective",
                        group.name + " failed",
                        group.entered[rank],
                        Simulator::Now(),
                        arguments);
    }

    void Sent(uint16_t group, const HostMessage& message, uint32_t receivers, Time start)
    {
        if (m_log->IsOpen())
        {
            m_sent[MakeKey(group, message)].push_back({start, receivers});
        }
    }

    void Received(uint16_t group, const HostMessage& message, uint32_t host)
    {
        const auto found = m_sent.find(MakeKey(group, message));
        const auto known = m_groups.find(group);
        if (found == m_sent.end() || known == m_groups.end())
        {
            return;
        }
        auto& first = found->second.front();
        const auto& collective = *known->second->collective;
        const auto from = collective.GetHost(message.from);
        const auto receiver =
            message.to == HostMessage::ANYONE ? collective.GetRank(host) : message.to;
        if (m_log->Shows(m_names[from]) || m_log->Shows(m_names[host]))
        {
            // It leaves at the end of the slice of its send, which holds the time before. Perfetto
            // rounds to ns; with two of them between, one time comes before the other.
            const auto before = NanoSeconds(2);
            const auto sent = std::max(Time(0), first.start - before);
            const auto& group = *known->second;
            const auto task = collective.GetTask(receiver);
            auto came = Simulator::Now();
            const bool isInside = group.rounds[receiver] > group.left[receiver];
            const bool isWithin = isInside && came - group.entered[receiver] >= before;
            if (isInside && !isWithin)
            {
                came = group.entered[receiver];
            }
            // A receive may cost nothing, but there is a round, unless the group has none.
            const auto hasRounds = group.rounds[receiver] > 0 || group.rounds[message.from] > 0;
            m_log->AddArrow("message",
                            GetTrack(from, collective.GetTask(message.from), "", BUSY_PLACE),
                            sent,
                            hasRounds ? GetRoundTrack(group, receiver)
                                      : GetTrack(host, task, "", BUSY_PLACE),
                            came,
                            isWithin);
        }
        if (--first.nMissing == 0)
        {
            found->second.erase(found->second.begin());
            if (found->second.empty())
            {
                m_sent.erase(found);
            }
        }
    }

    /// @param what what is there; empty: what keeps it busy
    /// @param place its place, after those of the process before
    TimelineLog::LazyTrack GetTrack(uint32_t host,
                                    uint32_t task,
                                    const std::string& what,
                                    uint32_t place) const
    {
        return {m_names[host],
                host + 1,
                "process " + std::to_string(task) + (what.empty() ? "" : ", " + what),
                (task % 64) * N_PLACES + place};
    }

    TimelineLog::LazyTrack GetRoundTrack(const Group& group, uint32_t rank) const
    {
        return GetTrack(group.collective->GetHost(rank),
                        group.collective->GetTask(rank),
                        "group " + std::to_string(group.number),
                        group.number);
    }

    Ptr<TimelineLog> m_log;                     ///< where to write
    Ptr<TimelineExplainer> m_explainer;         ///< explains leaves; null: nobody asks
    std::vector<std::string> m_names;           ///< names of hosts, by number
    std::map<uint16_t, Ptr<Group>> m_groups;    ///< by identifier
    std::map<Key, std::vector<Message>> m_sent; ///< messages on their way
};

} // namespace

void
WatchHosts(Ptr<TimelineLog> log, Ptr<CollectiveDomain> domain, Ptr<TimelineExplainer> explainer)
{
    const auto made = Create<HostTimeline>();
    made->m_log = std::move(log);
    made->m_explainer = std::move(explainer);
    for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
    {
        made->m_names.push_back(domain->GetHostName(host));
        domain->GetSoftware(host)->TraceConnectWithoutContext(
            "Busy",
            MakeCallback(&HostTimeline::Busy, made).Bind(host));
    }
    domain->TraceConnectWithoutContext("Joined", MakeCallback(&HostTimeline::Joined, made));
    domain->TraceConnectWithoutContext("Failed", MakeCallback(&HostTimeline::Failed, made));
    domain->TraceConnectWithoutContext("Sent", MakeCallback(&HostTimeline::Sent, made));
    domain->TraceConnectWithoutContext("Received", MakeCallback(&HostTimeline::Received, made));
}

} // namespace ns3
