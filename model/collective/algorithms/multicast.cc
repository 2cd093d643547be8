// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/callback.h"
#include "ns3/collective-unit.h"
#include "ns3/new-type.h"
#include "ns3/software-collective.h"
#include "ns3/working-switches.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Sets up the routers for a group's tree worms, and frees them, by a message to each switch on the
/// worm's way. Members send them (Moh et al., Table 2), as for registers of barrier trees: the one
/// at a switch's lowest port that of its own switch, then those of switches without members that
/// the worm reaches from there, one start-up after the other.
class RouterSetup : private SwitchProgram
{
  public:
    typedef Callback<void> DoneCallback;

    /// @param group the group, which must outlive this
    RouterSetup(const Collective& group,
                uint32_t root,
                const std::vector<uint32_t>& others,
                uint64_t flits)
        : m_group(group),
          m_flits(flits)
    {
        const auto& graph = group.GetDomain().GetGraph();
        const auto route = group.GetDomain().GetFabric()->GetRouter()->GetTreeRoute(root, others);
        const auto nodes = graph.Walk(graph.HostAt(root), *route);
        // By switch, its lowest port with a member, and that member's host.
        std::map<FabricGraph::Node, std::pair<FabricGraph::Port, uint32_t>> members;
        const auto represent = [&](uint32_t host) {
            const auto end = graph.SwitchOf(graph.HostAt(host));
            const auto place = std::make_pair(end.port, host);
            const auto found = members.emplace(end.node, place).first;
            found->second = std::min(found->second, place);
        };
        std::for_each(others.begin(), others.end(), represent);
        represent(root);
        std::set<FabricGraph::Node> seen;
        std::vector<uint32_t> senders(nodes.size(), root); // by stop
        for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
        {
            const auto node = nodes[stop];
            const auto member = members.find(node);
            senders[stop] = member == members.end() ? senders[stop] : member->second.second;
            for (const auto& branch : route->At(stop))
            {
                senders[branch.next] = senders[stop];
            }
            if (graph.IsSwitch(node) && seen.insert(node).second)
            {
                m_setups.push_back({node, senders[stop]});
            }
        }
    }

    ~RouterSetup() override
    {
        for (const auto& [number, unit] : m_on)
        {
            unit->SetProgram(m_group.GetGroup(), nullptr);
        }
    }

    RouterSetup(const RouterSetup&) = delete;            ///< switches point to it
    RouterSetup& operator=(const RouterSetup&) = delete; ///< switches point to it

    void Start(CollectiveMessage::Type type, DoneCallback done)
    {
        m_done = done;
        const auto& domain = m_group.GetDomain();
        const auto message = CollectiveMessage::Of(type, m_group.GetGroup());
        for (const auto& [number, sender] : m_setups)
        {
            m_on[number] = domain.GetUnit(number);
            m_on[number]->SetProgram(message.group, this);
            domain.GetSoftware(sender)->Send(ns3::Create<CollectiveWorm>(
                message,
                m_flits,
                domain.GetFabric()->GetRouter()->GetRouteToSwitch(sender, number)));
        }
    }

  private:
    /// A switch, and the host that sends its message.
    struct Setup
    {
        FabricGraph::Node node;
        uint32_t sender;
    };

    // From SwitchProgram: a switch has a message
    void ReceiveAtSwitch(uint32_t fabricSwitch, uint16_t, const CollectiveMessage& message) override
    {
        m_on.at(fabricSwitch)->SetProgram(message.group, nullptr);
        m_on.erase(fabricSwitch);
        if (m_on.empty())
        {
            const auto done = m_done; // it may be the end of this
            done();
        }
    }

    const Collective& m_group;
    uint64_t m_flits;                             ///< length of a message, flits
    std::vector<Setup> m_setups;                  ///< switches on the way, in its order
    std::map<uint32_t, Ptr<CollectiveUnit>> m_on; ///< units that wait for a message, by switch
    DoneCallback m_done;                          ///< told when none does
};

/// A collective by a tree worm. In a barrier every member first sends to the root (Moh et al. 2001,
/// section 4: "multicast"). If so asked, members first set up the routers on the worm's way.
class MulticastCollective : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("AddressSize",
                 "With HeaderEncoding addresses, bytes for each destination in the tree worm's "
                 "header.",
                 Sets::Number(&MulticastCollective::m_addressSize, 2))
            .Add("HeaderEncoding",
                 "How the tree worm's header states its destinations: addresses (one per "
                 "destination), bit-string (a bit for each host of the fabric) or path-based (a "
                 "bit for each port of the switches on the route).",
                 Sets::Word(TreeWormHeader::GetNames(),
                            "addresses",
                            &MulticastCollective::m_headerEncoding))
            .Add("RouterSetup",
                 "Whether members set up the routers on the tree worm's route when the group is "
                 "created, and free them when it is released, by a message to each router.",
                 Sets::Flag(&MulticastCollective::m_setsUpRouters))
            .Add("SetupSize",
                 "Length in bytes of a message that sets up or frees a router.",
                 Sets::Number(&MulticastCollective::m_setupSize, 8, 1));
    }

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        std::vector<CommunicationSchedule> schedules(request.members);
        auto& root = schedules[request.root];
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            if (rank == request.root)
            {
                continue;
            }
            if (request.kind == DataKind::BARRIER)
            {
                root.Receive(ScheduleStep::COMBINE, rank);
                schedules[rank].Send(request.root);
            }
            schedules[rank].Receive(ScheduleStep::REPLACE,
                                    request.root,
                                    ScheduleStep::MULTICAST_TAG);
        }
        if (request.members > 1)
        {
            root.Multicast(GetHeaderBytes(request));
        }
        return schedules;
    }

    bool UsesCosts() const override
    {
        return TreeWormHeader::Parse(m_headerEncoding) != TreeWormHeader::ADDRESSES;
    }

  protected:
    void DoDispose() override
    {
        m_routers = nullptr;
        SoftwareCollective::DoDispose();
    }

  private:
    /// @return hosts of all members but the root, by rank
    static std::vector<uint32_t> GetOthers(const ScheduleRequest& request)
    {
        auto others = request.hosts;
        others.erase(others.begin() + request.root);
        return others;
    }

    /// @return length of the tree worm's header, bytes
    uint32_t GetHeaderBytes(const ScheduleRequest& request) const
    {
        TreeWormHeader header;
        header.encoding = TreeWormHeader::Parse(m_headerEncoding);
        header.addressBytes = m_addressSize;
        // Addresses need no look at the fabric.
        return request.paths && header.encoding != TreeWormHeader::ADDRESSES
                   ? request.paths->GetHeaderBytes(header,
                                                   request.hosts[request.root],
                                                   GetOthers(request))
                   : header.GetBytesOnOneSwitch(request.members);
    }

    void SetUp(const ScheduleRequest& request) override
    {
        if (!m_setsUpRouters || request.members == 1)
        {
            NotifyReady();
            return;
        }
        m_routers = std::make_unique<RouterSetup>(*this,
                                                  request.hosts[request.root],
                                                  GetOthers(request),
                                                  GetDomain().GetFabric()->GetFlits(m_setupSize));
        m_routers->Start(CollectiveMessage::SETUP,
                         MakeCallback(&MulticastCollective::NotifyReady, this));
    }

    void TakeDown() override
    {
        m_routers ? m_routers->Start(CollectiveMessage::RELEASE,
                                     MakeCallback(&MulticastCollective::RoutersFree, this))
                  : NotifyReleased();
    }

    void RoutersFree()
    {
        m_routers = nullptr;
        NotifyReleased();
    }

    uint32_t m_addressSize{0}; ///< attribute; bytes
    std::string m_headerEncoding;
    bool m_setsUpRouters{false};            ///< attribute RouterSetup
    uint32_t m_setupSize{0};                ///< attribute; bytes
    std::unique_ptr<RouterSetup> m_routers; ///< sets up routers; null where nobody does
};

const RegisteredAlgorithm<MulticastCollective> g_multicast{"Multicast",
                                                           {DataKind::BARRIER, DataKind::BROADCAST},
                                                           {}};

} // namespace

} // namespace ns3
