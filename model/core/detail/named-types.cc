/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "named-types.h"

namespace ns3
{

std::string
NamedTypes::BareName(const TypeId& type)
{
    return type.GetName().substr(std::string("ns3::").size());
}

std::string
NamedTypes::ShortName(const TypeId& type, const TypeId& kind)
{
    auto name = BareName(type);
    const auto kindName = BareName(kind);
    if (name.size() > kindName.size() &&
        name.compare(name.size() - kindName.size(), kindName.size(), kindName) == 0)
    {
        name.resize(name.size() - kindName.size());
    }
    return BracketedName::Dashed(name);
}

std::map<std::string, TypeId>
NamedTypes::List(const TypeId& kind)
{
    std::map<std::string, TypeId> list;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.IsChildOf(kind) && type.HasConstructor())
        {
            list[ShortName(type, kind)] = type;
        }
    }
    return list;
}

std::vector<std::string>
NamedTypes::GetNames(const std::map<std::string, TypeId>& list)
{
    std::vector<std::string> names;
    for (const auto& entry : list)
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace ns3
