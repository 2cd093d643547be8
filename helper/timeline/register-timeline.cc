// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-domain.h"
#include "ns3/collective-message.h"
#include "ns3/collective-unit.h"
#include "ns3/ordering.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/timeline-log.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Writes what collective units of switches do to a timeline: how long a group's register
/// gathers arrivals, and how long it then waits for its parent.
struct RegisterTimeline : SimpleRefCount<RegisterTimeline>
{
    struct Place
    {
        std::string name; ///< its name
        bool isShown;     ///< whether it is to be written
    };

    struct Register
    {
        bool isGathering{false}; ///< whether some have arrived, but not all
        bool isWaiting{false};   ///< whether it has told its parent
        Time since;              ///< since when either
        Time waitingSince;       ///< since when it waits
        uint64_t nArrivals{0};   ///< how many have arrived
    };

    void Taken(uint32_t node, Ptr<const Worm> worm, uint32_t)
    {
        if (!m_log->IsOpen())
        {
            return;
        }
        const auto now = Simulator::Now();
        const auto& message = static_cast<const CollectiveWorm&>(*worm).GetMessage();
        auto& state = m_registers[{node, message.group}];
        if (message.type == CollectiveMessage::REDUCTION)
        {
            if (!state.isGathering)
            {
                state.isGathering = true;
                state.since = now;
                state.nArrivals = 0;
            }
            ++state.nArrivals;
        }
        else if (message.type == CollectiveMessage::DISTRIBUTION && state.isWaiting)
        {
            Write(node, message.group, "wait for the parent", state.waitingSince);
            state.isWaiting = false;
        }
        else
        {
            Write(node, message.group, WormTimeline::NameKind(*worm), now);
        }
        m_worms->EndAt(worm, GetTrack(node, message.group), true);
    }

    void Send(uint32_t node, const CollectiveMessage& message, uint32_t)
    {
        const auto found = m_registers.find({node, message.group});
        if (found == m_registers.end() || !found->second.isGathering ||
            (message.type != CollectiveMessage::REDUCTION &&
             message.type != CollectiveMessage::DISTRIBUTION))
        {
            return;
        }
        auto& state = found->second;
        TraceEventArguments arguments;
        arguments.Add("arrivals", state.nArrivals);
        Write(node, message.group, "gather", state.since, arguments);
        state.isGathering = false;
        if (message.type == CollectiveMessage::REDUCTION)
        {
            state.isWaiting = true;
            state.waitingSince = Simulator::Now();
        }
    }

    void Write(uint32_t node,
               uint16_t group,
               const std::string& name,
               Time from,
               const TraceEventArguments& arguments = {}) const
    {
        if (m_places[node].isShown)
        {
            m_log->AddSlice(GetTrack(node, group),
                            "register",
                            name,
                            from,
                            Simulator::Now(),
                            arguments);
        }
    }

    TimelineLog::LazyTrack GetTrack(uint32_t node, uint16_t group) const
    {
        return {m_places[node].name,
                TimelineLog::FIRST_SWITCH + node,
                "register of group " + std::to_string(group),
                group};
    }

    Ptr<TimelineLog> m_log;      ///< where to write
    Ptr<WormTimeline> m_worms;   ///< what writes the fabric's worms
    std::vector<Place> m_places; ///< switches, by number
    std::map<std::pair<uint32_t, uint16_t>, Register> m_registers; ///< by switch and group
};

} // namespace

void
WatchRegisters(Ptr<TimelineLog> log, Ptr<CollectiveDomain> domain, Ptr<WormTimeline> worms)
{
    const auto made = Create<RegisterTimeline>();
    made->m_log = log;
    made->m_worms = std::move(worms);
    const auto& graph = domain->GetGraph();
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        const auto ports = graph.PortsToHosts(node);
        // One without hosts is shown where all are.
        const bool isShown = log->Shows("") || AnyOf(ports, [&](auto port) {
                                 return log->Shows(graph.GetName(graph.Peer(node, port).node));
                             });
        made->m_places.push_back({graph.GetName(node), isShown});
        const auto unit = domain->GetUnit(node);
        unit->TraceConnectWithoutContext("Taken",
                                         MakeCallback(&RegisterTimeline::Taken, made).Bind(node));
        unit->TraceConnectWithoutContext("Send",
                                         MakeCallback(&RegisterTimeline::Send, made).Bind(node));
    }
}

} // namespace ns3
