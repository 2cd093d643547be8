// SPDX-License-Identifier: GPL-2.0-only

// Which registers a group writes and frees in switches when it is created or changes.

#include "ns3/in-switch-collectives.h"
#include "ns3/register-memory.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

void
InSwitchCollective::CompareTrees(const BarrierTree* former)
{
    m_new.clear();
    m_written.clear();
    const auto& switches = GetTree().GetSwitches();
    for (const auto& entry : switches)
    {
        const auto before = former ? former->Find(entry.node) : nullptr;
        const auto setup = MakeSetup(GetTree(), entry);
        const auto old = before ? MakeSetup(*former, *before) : setup;
        if (!before)
        {
            m_new.push_back(&entry);
        }
        if (!before || old.parent != setup.parent || old.children != setup.children)
        {
            m_written.push_back(&entry);
        }
    }
    const auto nKept = switches.size() - m_new.size(); // of the former tree's switches
    m_nChanges = static_cast<uint32_t>(m_written.size() +
                                       (former ? former->GetSwitches().size() - nKept : 0));
}

bool
InSwitchCollective::CanKeepTree() const
{
    const auto isHeld = [this](const auto& entry) {
        const auto groups = GetDomain().GetUnit(entry.node)->GetLeastRecentlyUsed();
        return std::find(groups.begin(), groups.end(), GetGroup()) != groups.end();
    };
    if (GetNMembers() == 1 || !m_memory || !m_memory->GetPlaces().empty())
    {
        return false;
    }
    const auto& switches = GetTree().GetSwitches();
    return std::all_of(switches.begin(), switches.end(), isHeld);
}

void
InSwitchCollective::CheckRegisters() const
{
    std::set<uint32_t> full;
    for (const auto entry : m_new)
    {
        const auto unit = GetDomain().GetUnit(entry->node);
        unit->CheckLeases();
        if (unit->GetNFree() == 0)
        {
            full.insert(entry->node);
        }
    }
    WormholeError::ThrowIf(!full.empty() && m_exhaustion == "fail", ExplainExhaustion(full));
}

std::string
InSwitchCollective::ExplainExhaustion(const std::set<uint32_t>& full) const
{
    std::vector<std::string> names;
    for (const auto node : full)
    {
        names.push_back(GetDomain().GetGraph().GetName(node));
    }
    return "group " + std::to_string(GetGroup()) + " of " + std::to_string(GetNMembers()) +
           " members can't be made: no barrier register is left in " + WordList::WithCommas(names) +
           "; release a group, give switches more (CollectiveUnit::Registers), "
           "or let hosts keep them (" +
           GetInstanceTypeId().GetName().substr(5) + "::Exhaustion memory" +
           (m_requests ? ")" : " or backup)");
}

void
InSwitchCollective::Reserve()
{
    for (const auto entry : m_new)
    {
        auto unit = GetDomain().GetUnit(entry->node);
        if (unit->GetNFree() > 0)
        {
            unit->Reserve(GetGroup());
        }
        else if (m_exhaustion != "backup" || !ReserveByBackup(*entry))
        {
            m_inMemoryTrace(entry->node, m_memory->Hold(*entry));
        }
    }
}

bool
InSwitchCollective::ReserveByBackup(const BarrierTree::SwitchEntry& entry)
{
    auto unit = GetDomain().GetUnit(entry.node);
    for (const auto other : unit->GetLeastRecentlyUsed())
    {
        if (const auto way = GetDomain().GetRouteToKeeper(other, entry.node))
        {
            unit->ReserveInPlaceOf(GetGroup(), other, way);
            return true;
        }
    }
    return false;
}

void
InSwitchCollective::FreeFormer(const BarrierTree& former)
{
    const auto hosts = GetHosts();
    for (auto entry : former.GetSwitches())
    {
        if (!GetTree().Find(entry.node))
        {
            if (std::find(hosts.begin(), hosts.end(), GetInstaller(entry)) == hosts.end())
            {
                entry.installer = GetTree().GetRootHost();
            }
            ChangeRegister(entry, CollectiveMessage::RELEASE);
        }
    }
}

CollectiveMessage
InSwitchCollective::MakeSetup(const BarrierTree& tree, const BarrierTree::SwitchEntry& entry) const
{
    auto setup = CollectiveMessage::Of(CollectiveMessage::SETUP, GetGroup());
    setup.operation = GetOperation();
    setup.widthBits = static_cast<uint8_t>(GetWidthBits());
    setup.parent = entry.IsRoot() ? GetDomain().GetGraph().SwitchOf(tree.GetRootHost()).port
                                  : entry.parentPort;
    for (const auto& ports : {entry.childPorts, entry.memberPorts})
    {
        for (const auto port : ports)
        {
            setup.children.Add(port);
        }
    }
    if (entry.IsRoot())
    {
        setup.children.Remove(setup.parent);
    }
    return setup;
}

void
InSwitchCollective::ChangeRegister(const BarrierTree::SwitchEntry& entry,
                                   CollectiveMessage::Type type)
{
    auto message = MakeSetup(GetTree(), entry);
    message.type = type;
    const auto installer = GetInstaller(entry);
    if (m_memory->IsHeldFromStart(installer, entry.node))
    {
        message.place = entry.node;
        m_memory->Take(installer, message);
        return;
    }
    const auto flits = GetDomain().GetFabric()->GetFlits(m_setupSize);
    const auto route = GetDomain().GetRouteToSwitch(installer, entry.node);
    if (!m_requests || type != CollectiveMessage::SETUP)
    {
        GetDomain().GetSoftware(installer)->Send(
            ns3::Create<CollectiveWorm>(message, flits, route));
        return;
    }
    message.stage = CollectiveMessage::REQUESTED;
    message.place = entry.node;
    const auto request = ns3::Create<RegisterRequest>(message, flits, route);
    request->back = GetDomain().GetAnswerRoute(entry.node, installer);
    GetDomain().GetSoftware(installer)->Send(request);
}

} // namespace ns3
