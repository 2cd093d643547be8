// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/broadcast-plans.h"
#include "ns3/new-type.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/// @return the tree of all hosts if only leaders send to other switches
CommunicationTree
MakeTreeOfLeaders(const WorkingSwitches& switches,
                  const SwitchBroadcastPlan::Heuristics& heuristics)
{
    std::vector<uint32_t> leaders; // by switch: the process
    uint32_t hosts = 0;
    for (uint32_t number = 0; number < switches.GetSize(); ++number)
    {
        leaders.push_back(hosts);
        hosts += static_cast<uint32_t>(switches.GetRanks(number).size());
    }
    const auto between = SwitchBroadcastPlan(switches, heuristics).GetTree();
    std::vector<std::vector<uint32_t>> children(hosts);
    for (uint32_t number = 0; number < switches.GetSize(); ++number)
    {
        const auto leader = leaders[number];
        for (const auto child : between.GetChildren(number))
        {
            children[leader].push_back(leaders[child]);
        }
        const auto within =
            MakeBinomialTree(static_cast<uint32_t>(switches.GetRanks(number).size()));
        for (uint32_t process = 0; process < within.GetSize(); ++process)
        {
            for (const auto child : within.GetChildren(process))
            {
                children[leader + process].push_back(leader + child);
            }
        }
    }
    return CommunicationTree(children);
}

/// The broadcast of Sun et al., "Broadcast on Clusters of SMPs with Optimal Concurrency".
///
/// First between switches: see SwitchBroadcastPlan. Every working switch has a leader, the root or
/// its first member. A leader serves other switches first, then, within its switch, the first
/// members of the other hosts, down a binomial tree. Within a host, these set a flag for every
/// other member there. On an ideal network, all hosts are on one switch.
///
/// With Senders=informed, every host that has the message may send to other switches, too: see
/// HostBroadcastPlan.
class SssMstBroadcast : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("Senders",
                 "Who sends to other switches: leaders, the first member of each switch; or "
                 "informed, any host that has the message, over free channels of the links. With "
                 "informed, DownToUp, UpToDown and Siblings have no effect.",
                 Sets::Word({"leaders", "informed"}, "leaders", &SssMstBroadcast::m_senders))
            .Add("DownToUp",
                 "Whether leaders first serve the switch with the longest path below it; else the "
                 "order is that of the switches' first members.",
                 Sets::Flag(&SssMstBroadcast::m_downToUp, true))
            .Add("UpToDown",
                 "Whether switches that would be served late get another parent.",
                 Sets::Flag(&SssMstBroadcast::m_upToDown, true))
            .Add("Siblings",
                 "With UpToDown, whether the other parent may be a sibling.",
                 Sets::Flag(&SssMstBroadcast::m_siblings, true))
            .Add("ChannelCaps",
                 "Whether a link's channels limit the number of paths across it: with UpToDown, "
                 "all paths of the tree; with Senders=informed, the paths in use at any one time.",
                 Sets::Flag(&SssMstBroadcast::m_channelCaps, true))
            .Add("SelfCongestion",
                 "Whether a message that would find too many others on a link waits at its "
                 "sender, which knows when all others send; else it waits in the network.",
                 Sets::Flag(&SssMstBroadcast::m_selfCongestion));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        const BetweenHosts between(*this);
        return MakeSmpSchedules(request, &between, "sss-mst");
    }

    bool UsesCosts() const override
    {
        return true;
    }

  private:
    /// The two upper levels, for one member of each host.
    class BetweenHosts : public ScheduleMaker
    {
      public:
        explicit BetweenHosts(const SssMstBroadcast& settings)
            : m_settings(settings)
        {
        }

        GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
        {
            const WorkingSwitches switches(request);
            const SwitchBroadcastPlan::Heuristics heuristics{m_settings.m_downToUp,
                                                             m_settings.m_upToDown,
                                                             m_settings.m_siblings,
                                                             m_settings.m_channelCaps};
            const auto tree = m_settings.m_senders == "leaders"
                                  ? MakeTreeOfLeaders(switches, heuristics)
                                  : HostBroadcastPlan(switches, heuristics.channelCaps).GetTree();
            return TreeSchedules(tree, switches.GetAllRanks())
                .Make(request, m_settings.m_selfCongestion);
        }

      private:
        const SssMstBroadcast& m_settings;
    };

    std::string m_senders;
    bool m_downToUp{true};
    bool m_upToDown{true};
    bool m_siblings{true};
    bool m_channelCaps{true};
    bool m_selfCongestion{false};
};

const RegisteredAlgorithm<SssMstBroadcast> g_sssMst{"SssMst", {DataKind::BROADCAST}, {}};

} // namespace

} // namespace ns3
