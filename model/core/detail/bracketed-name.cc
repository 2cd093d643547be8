// SPDX-License-Identifier: GPL-2.0-only

#include "bracketed-name.h"

#include "ns3/string.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-error.h"

#include <cctype>
#include <set>

namespace ns3
{

BracketedName::BracketedName(const std::string& name, const std::string& example)
    : m_name(name)
{
    const auto bracket = name.find('[');
    m_bare = name.substr(0, bracket);
    if (bracket == std::string::npos)
    {
        return;
    }
    std::size_t begin = bracket + 1;
    int depth = 0;
    for (std::size_t i = bracket; i < name.size(); ++i)
    {
        depth += (name[i] == '[') - (name[i] == ']');
        const bool isLast = depth == 0;
        if (isLast || (depth == 1 && name[i] == '|'))
        {
            m_settings.push_back(name.substr(begin, i - begin));
            begin = i + 1;
        }
        if (isLast && i + 1 < name.size())
        {
            throw WormholeError("'" + name + "': '" + name.substr(i + 1) +
                                "' is behind the last bracket; expected a name such as " + example);
        }
    }
    WormholeError::ThrowIf(
        depth > 0,
        "'" + name +
            "': " + (depth == 1 ? "a bracket is" : std::to_string(depth) + " brackets are") +
            " not closed; expected '" + name + std::string(depth, ']') + "'");
    m_text = name.substr(bracket + 1, name.size() - bracket - 2);
}

void
BracketedName::SetAttributes(ObjectBase& object) const
{
    const auto type = object.GetInstanceTypeId();
    std::set<std::string> known;
    for (const auto& part : m_settings)
    {
        const auto equals = part.find('=');
        const auto attribute = part.substr(0, equals);
        TypeId::AttributeInformation information;
        if (equals == std::string::npos || !type.LookupAttributeByName(attribute, &information))
        {
            throw WormholeError("'" + m_name + "': '" + part + "' sets no attribute of " +
                                type.GetName() +
                                "; expected Attribute=value, with | between several" +
                                HintAtAttributes(type, attribute));
        }
        WormholeError::ThrowIf(!known.insert(attribute).second,
                               "'" + m_name + "': " + attribute +
                                   " is set twice; expected one value");
        const auto value = part.substr(equals + 1);
        try
        {
            CheckAttributeText(type.GetName() + "::" + attribute, value);
        }
        catch (const WormholeError& error)
        {
            throw WormholeError("'" + m_name + "': " + error.what());
        }
        object.SetAttribute(attribute, StringValue(value));
    }
}

std::string
NamedTypes::ShortName(const TypeId& type, const TypeId& kind)
{
    auto name = GetUnqualifiedName(type);
    const auto kindName = GetUnqualifiedName(kind);
    if (name.size() > kindName.size() &&
        name.compare(name.size() - kindName.size(), kindName.size(), kindName) == 0)
    {
        name.resize(name.size() - kindName.size());
    }
    std::string text;
    for (const char letter : name)
    {
        const auto code = static_cast<unsigned char>(letter);
        if ((std::isupper(code) || std::isdigit(code)) && !text.empty())
        {
            text += '-';
        }
        text += static_cast<char>(std::tolower(code));
    }
    return text;
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

} // namespace ns3
