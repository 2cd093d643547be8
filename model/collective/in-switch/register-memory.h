// SPDX-License-Identifier: GPL-2.0-only

#ifndef REGISTER_MEMORY_H
#define REGISTER_MEMORY_H

#include "ns3/callback.h"
#include "ns3/simple-ref-count.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-collective.h"

#include <algorithm>

namespace ns3
{

/// Registers of a group's barrier tree in hosts' memory (Moh et al., sections 2.2 and 3.1).
///
/// The representative of a register's switch holds the register; if the switch has no members, the
/// host on its lowest port does; if it has no hosts, the member that sets the register up does: the
/// representative of the nearest member switch above. The switch forwards the group's messages to
/// this host, whose software processes them in turn. The host sends the resulting messages: as one
/// worm on the ports of its own switch, or as a message to a distant switch, which forwards it.
///
/// A register that has been in a switch may arrive (SAVE) and leave again (FETCH). A message for a
/// register that has left is returned to the switch, after the register.
class RegisterMemory : public SimpleRefCount<RegisterMemory>
{
  public:
    /// Called when a register sends a message to its own host; arguments: the host, the message.
    typedef Callback<void, uint32_t, const CollectiveMessage&> TakeCallback;

    /// Called when a register was written (SETUP) or freed (RELEASE), or has arrived from a switch
    /// (SAVE); arguments: switch, host and type.
    typedef Callback<void, uint32_t, uint32_t, CollectiveMessage::Type> ChangeCallback;

    /// @param take receives registers' messages to their own hosts
    RegisterMemory(const Collective& group,
                   Time time,
                   uint64_t setupFlits,
                   TakeCallback take,
                   ChangeCallback change)
        : m_group(&group),
          m_time(time),
          m_setupFlits(setupFlits),
          m_take(take),
          m_change(change)
    {
    }

    /// Holds the register of a switch from the start.
    uint32_t Hold(const BarrierTree::SwitchEntry& entry)
    {
        auto& held = m_held[entry.node];
        held.host = ChooseHost(entry);
        held.toSwitch = m_group->GetDomain().GetRouteToSwitch(held.host, entry.node);
        m_group->GetDomain()
            .GetUnit(entry.node)
            ->ReserveInMemory(m_group->GetGroup(), GetRouteToHost(entry));
        return held.host;
    }

    Ptr<const WormRoute> GetRouteToHost(const BarrierTree::SwitchEntry& entry) const
    {
        return m_group->GetDomain().GetRouteFromSwitch(entry.node, ChooseHost(entry));
    }

    bool IsHeldFromStart(uint32_t host, uint32_t fabricSwitch) const
    {
        const auto found = m_held.find(fabricSwitch);
        return found != m_held.end() && found->second.host == host && !found->second.isBackup;
    }

    /// Has the host that holds a register handle a message, which takes time.
    void Take(uint32_t host, const CollectiveMessage& message)
    {
        const auto software = m_group->GetDomain().GetSoftware(host);
        const auto end =
            Simulator::Now() + software->Occupy({LatencyCause::REGISTER_MEMORY, m_time});
        software->ScheduleAt(0, end, this, &RegisterMemory::Apply, host, message);
    }

    void Clear()
    {
        m_held.clear();
    }

    /// @return the switches whose registers are held, and their hosts
    std::vector<std::pair<uint32_t, uint32_t>> GetPlaces() const
    {
        std::vector<std::pair<uint32_t, uint32_t>> places;
        for (const auto& [fabricSwitch, held] : m_held)
        {
            places.emplace_back(fabricSwitch, held.host);
        }
        return places;
    }

    /// Detaches from the group: further messages are ignored.
    void Stop()
    {
        m_group = nullptr;
        m_take.Nullify();
        m_change.Nullify();
    }

  private:
    struct Held
    {
        uint32_t host{0};
        bool isBackup{false}; ///< whether it was in the switch before
        Ptr<const WormRoute> toSwitch;
        BarrierRegister reg; ///< the register, once written
    };

    uint32_t ChooseHost(const BarrierTree::SwitchEntry& entry) const
    {
        const auto& graph = m_group->GetDomain().GetGraph();
        if (entry.IsMember())
        {
            return entry.representative - graph.GetNSwitches();
        }
        const auto ports = graph.PortsToHosts(entry.node);
        const auto host =
            ports.empty() ? entry.installer : graph.Peer(entry.node, ports.front()).node;
        return host - graph.GetNSwitches();
    }

    void Apply(uint32_t host, CollectiveMessage message)
    {
        if (!m_group)
        {
            return;
        }
        const auto fabricSwitch = message.place;
        if (message.type == CollectiveMessage::SAVE)
        {
            m_held[fabricSwitch] = {host,
                                    true,
                                    m_group->GetDomain().GetRouteToSwitch(host, fabricSwitch),
                                    BarrierRegister(message)};
            m_change(fabricSwitch, host, message.type);
            return;
        }
        const auto found = m_held.find(fabricSwitch);
        if (found == m_held.end())
        {
            Return(host, message);
            return;
        }
        auto& held = found->second;
        message.stage = CollectiveMessage::PLAIN;
        switch (message.type)
        {
        case CollectiveMessage::SETUP:
            held.reg = BarrierRegister(message);
            m_change(fabricSwitch, host, message.type);
            break;
        case CollectiveMessage::RELEASE:
            m_group->GetDomain().GetUnit(fabricSwitch)->ReleaseFromMemory(m_group->GetGroup());
            m_change(fabricSwitch, host, message.type);
            break;
        case CollectiveMessage::FETCH:
            GiveBack(fabricSwitch);
            break;
        case CollectiveMessage::REDUCTION:
            if (held.reg.Arrive(message.parent, message.value))
            {
                message.value = held.reg.GetResult();
                Send(held, message, {held.reg.GetParent()});
            }
            break;
        default:
            Send(held, message, held.reg.GetOthers(message.parent));
            break;
        }
    }

    void GiveBack(uint32_t fabricSwitch)
    {
        const auto held = m_held.at(fabricSwitch);
        m_held.erase(fabricSwitch);
        SendBy(held.host, held.reg.Save(CollectiveMessage::RESTORE), m_setupFlits, held.toSwitch);
    }

    /// Returns a message for a register that has left.
    void Return(uint32_t host, CollectiveMessage message)
    {
        message.stage = CollectiveMessage::RETURNED;
        SendBy(host,
               message,
               message.type == CollectiveMessage::RELEASE ? m_setupFlits
                                                          : m_group->GetMessageFlits(),
               m_group->GetDomain().GetRouteToSwitch(host, message.place));
    }

    /// Sends from a host on ports of the register's switch.
    void Send(const Held& held, CollectiveMessage message, std::vector<uint16_t> ports)
    {
        const auto flits = m_group->GetMessageFlits();
        if (held.toSwitch->GetNChannels() > 1)
        {
            message.stage = CollectiveMessage::FROM_MEMORY;
            message.children = PortSet();
            for (const auto port : ports)
            {
                message.children.Add(port);
            }
            SendBy(held.host, message, flits, held.toSwitch);
            return;
        }
        const auto& graph = m_group->GetDomain().GetGraph();
        const auto self =
            std::find(ports.begin(), ports.end(), graph.SwitchOf(graph.HostAt(held.host)).port);
        const bool toSelf = self != ports.end();
        if (toSelf)
        {
            ports.erase(self);
        }
        if (!ports.empty())
        {
            std::vector<std::vector<uint16_t>> stops(2 + ports.size());
            stops[0] = {0};
            stops[1] = ports;
            SendBy(held.host, message, flits, ns3::Create<WormRoute>(WormRoute::Tree(stops)));
        }
        if (toSelf)
        {
            m_take(held.host, message);
        }
    }

    void SendBy(uint32_t host,
                const CollectiveMessage& message,
                uint64_t flits,
                Ptr<const WormRoute> route)
    {
        m_group->GetDomain().GetSoftware(host)->Send(
            ns3::Create<CollectiveWorm>(message, flits, route));
    }

    const Collective* m_group;       ///< the group; null once stopped
    Time m_time;                     ///< software time for a message
    uint64_t m_setupFlits;           ///< length of messages that carry a register, flits
    TakeCallback m_take;             ///< receives messages to the host itself
    ChangeCallback m_change;         ///< called on changes of registers
    std::map<uint32_t, Held> m_held; ///< by switch
};

} // namespace ns3

#endif /* REGISTER_MEMORY_H */
