/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-registry.h"

#include "reduction.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <cctype>

namespace ns3
{

namespace
{

/// @return a word in small letters, with a dash before each digit and each but the first that was a
/// capital @param word the word
std::string
Dashed(const std::string& word)
{
    std::string text;
    for (const char letter : word)
    {
        const auto code = static_cast<unsigned char>(letter);
        if ((std::isupper(code) || std::isdigit(code)) && !text.empty())
        {
            text += '-';
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return text;
}

/// @return a type's name without ns3:: @param type the type
std::string
BareName(const TypeId& type)
{
    return type.GetName().substr(std::string("ns3::").size());
}

/**
 * Sets attributes.
 * @param object whose
 * @param text them, such as Tree=fibo|Transport=rdma; brackets may enclose such within
 * @param name what they are part of, for messages
 */
void
SetAttributes(Collective& object, const std::string& text, const std::string& name)
{
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i)
    {
        const char letter = i < text.size() ? text[i] : '|';
        depth += (letter == '[') - (letter == ']');
        if (letter != '|' || depth > 0)
        {
            continue;
        }
        const auto part = text.substr(begin, i - begin);
        const auto equals = part.find('=');
        if (equals == std::string::npos ||
            !object.SetAttributeFailSafe(part.substr(0, equals),
                                         StringValue(part.substr(equals + 1))))
        {
            throw WormholeError("'" + name + "': '" + part + "' sets no attribute of " +
                                object.GetInstanceTypeId().GetName() +
                                "; accepted is Attribute=value, with | between several");
        }
        begin = i + 1;
    }
}

} // namespace

std::map<std::string, TypeId>
CollectiveRegistry::List(TypeId kind)
{
    std::map<std::string, TypeId> list;
    const auto kindName = BareName(kind);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (!type.IsChildOf(kind) || !type.HasConstructor())
        {
            continue;
        }
        auto name = BareName(type);
        if (name.size() > kindName.size() &&
            name.compare(name.size() - kindName.size(), kindName.size(), kindName) == 0)
        {
            name.resize(name.size() - kindName.size());
        }
        list[name == "InSwitch" ? "btin" : Dashed(name)] = type;
    }
    return list;
}

Ptr<Collective>
CollectiveRegistry::Make(TypeId kind, const std::string& name)
{
    static const std::map<std::string, std::string> ALIASES{{"central", "unicast"},
                                                            {"pairwise", "pairwise-exchange"},
                                                            {"in-switch", "btin"}};
    const auto bracket = name.find('[');
    const bool hasAttributes = bracket != std::string::npos && name.back() == ']';
    auto bare = hasAttributes ? name.substr(0, bracket) : name;
    const auto alias = ALIASES.find(bare);
    bare = alias == ALIASES.end() ? bare : alias->second;

    if (kind == Reduction::GetTypeId() && bare == "btin")
    {
        return Make(kind, "smp[Inner=btin]");
    }

    const auto list = List(kind);
    const auto found = list.find(bare);
    TypeId type;
    if (found != list.end())
    {
        type = found->second;
    }
    else if (!TypeId::LookupByNameFailSafe(bare, &type) || !type.IsChildOf(kind) ||
             !type.HasConstructor())
    {
        std::string known;
        for (const auto& entry : list)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw WormholeError("there is no " + Dashed(BareName(kind)) + " '" + name +
                            "'; there are " + known + " and the TypeIds that derive from " +
                            kind.GetName());
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    auto collective = factory.Create<Collective>();
    if (hasAttributes)
    {
        SetAttributes(*collective, name.substr(bracket + 1, name.size() - bracket - 2), name);
    }
    return collective;
}

std::vector<std::string>
CollectiveRegistry::GetNames(TypeId kind)
{
    std::vector<std::string> names;
    for (const auto& entry : List(kind))
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace ns3
