// SPDX-License-Identifier: GPL-2.0-only

#include "recovery-way.h"

#include "ns3/bracketed-name.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecoveryWay);

TypeId
RecoveryWay::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecoveryWay").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

Ptr<RecoveryWay>
RecoveryWay::Make(const std::string& name)
{
    const BracketedName parts(name, "static");
    const auto list = NamedTypes::List(GetTypeId());
    const auto found = list.find(parts.GetBaseName());
    if (found == list.end())
    {
        const auto names = NamedTypes::GetNames(list);
        throw WormholeError("there is no recovery '" + name + "'; expected " +
                            WordList::WithOr(names) +
                            NearestName::Hint(parts.GetBaseName(), names));
    }
    return NamedTypes::Make<RecoveryWay>(found->second, parts);
}

std::vector<std::string>
RecoveryWay::GetNames()
{
    return NamedTypes::GetNames(NamedTypes::List(GetTypeId()));
}

} // namespace ns3
