// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-attribute-text.h"

#include "wormhole-error.h"
#include "wormhole-exact-time.h"

#include "ns3/checked-attribute.h"
#include "ns3/data-rate.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <regex>
#include <sstream>

namespace ns3
{

namespace
{

/// Judges as ns-3's own values do, which end the program unless reading has met the end of the
/// text: after a line's end it has not, though nothing is left.
/// @return whether it is read as a whole by T's own operator
template <typename T>
bool
IsRead(const std::string& text)
{
    std::istringstream stream(text);
    T value;
    return stream >> value && stream.eof();
}

bool
IsRate(const std::string& text)
{
    // ns-3 ends the program on nothing, and takes a mere number for bit/s, hardly ever meant.
    const auto begin = text.find_first_not_of(" \t\n\r\f\v");
    return begin != std::string::npos &&
           text.find_first_not_of("0123456789.eE+-", begin) != std::string::npos &&
           IsRead<DataRate>(text);
}

/// Judges text that ns-3 would abort on instead of refusing it.
/// @param kind name of an attribute's type of value, without its namespace
bool
IsWellFormed(const std::string& kind, const std::string& text)
{
    static const std::regex address("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}");
    static const std::map<std::string, bool (*)(const std::string&)> judges{
        {"UintegerValue",
         [](auto& its) { return its.find('-') == std::string::npos && IsRead<uint64_t>(its); }},
        {"IntegerValue", IsRead<int64_t>},
        {"DoubleValue", IsRead<double>},
        {"DataRateValue", IsRate},
        {"QueueSizeValue", IsRead<QueueSize>},
        {"TimeValue", [](auto& its) { return !ExactTime::Parse(its).IsStrictlyNegative(); }},
        {"Mac48AddressValue", [](auto& its) { return std::regex_match(its, address); }},
        {"BooleanValue", [](auto& its) { return its == "true" || its == "false"; }}};
    const auto judge = judges.find(kind);
    return judge == judges.end() || judge->second(text);
}

std::string
KindOf(const TypeId::AttributeInformation& attribute)
{
    const auto kind = attribute.checker->GetValueTypeName();
    return kind.substr(kind.rfind(':') + 1); // not all versions of ns-3 name the namespace
}

/// @return the range of a number in words, else the text
/// @param text what ns-3 says of it, such as uint32_t 1:64
std::string
RangeInWords(const std::string& kind, const std::string& text)
{
    const std::map<std::string, std::string> numbers{{"UintegerValue", "a whole number"},
                                                     {"IntegerValue", "a whole number"},
                                                     {"DoubleValue", "a number"}};
    const auto number = numbers.find(kind);
    const auto blank = text.find(' ');
    const auto colon = text.find(':');
    if (number == numbers.end() || blank == std::string::npos || colon == std::string::npos)
    {
        return text;
    }
    const auto least = text.substr(blank + 1, colon - blank - 1);
    const auto greatest = text.substr(colon + 1);
    // No bound of a program's own is as far out as a double's.
    const auto isFar = [](const std::string& bound) {
        return bound.find("e+308") != std::string::npos;
    };
    return number->second + (isFar(least) ? "" : " from " + least) +
           (isFar(greatest) ? isFar(least) ? "" : " on" : " to " + greatest);
}

std::string
WhatIsAccepted(const TypeId::AttributeInformation& attribute)
{
    const std::map<std::string, std::string> words{
        {"BooleanValue", "true or false"},
        {"DataRateValue", "a rate such as 100Mbps or 160MB/s"},
        {"QueueSizeValue", "a number of packets or bytes such as 100p or 64kB"},
        {"Mac48AddressValue", "an address such as 02:00:00:00:00:01"},
        {"PointerValue",
         "an object that fits, such as ns3::ConstantRandomVariable[Constant=1] for a random "
         "variable"},
        {"TypeIdValue", "the name of a type that fits, such as ns3::TcpNewReno for TCP"}};
    const auto& checker = *attribute.checker;
    const auto kind = KindOf(attribute);
    const auto found = words.find(kind);
    return found != words.end() ? found->second
           : checker.HasUnderlyingTypeInformation()
               ? RangeInWords(kind, checker.GetUnderlyingTypeInformation())
               : kind;
}

std::vector<std::string>
ListTypes()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.GetAttributeN() > 0)
        {
            names.push_back(type.GetName());
        }
    }
    return names;
}

TypeId::AttributeInformation
FindAttribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    if (!type.LookupAttributeByName(name, &attribute))
    {
        throw WormholeError(type.GetName() + "::" + name + ": " + type.GetName() +
                            " has no attribute " + name + HintAtAttributes(type, name));
    }
    WormholeError::ThrowIf(!(attribute.flags & TypeId::ATTR_CONSTRUCT) ||
                               !attribute.accessor->HasSetter(),
                           type.GetName() + "::" + name + " can be read only");
    return attribute;
}

void CheckObject(const std::string& text);

void
CheckValue(const TypeId::AttributeInformation& attribute,
           const std::string& name,
           const std::string& value)
{
    try
    {
        if (KindOf(attribute) == "PointerValue")
        {
            CheckObject(value);
        }
        const auto keyword = dynamic_cast<const KeywordChecker*>(PeekPointer(attribute.checker));
        if (keyword && !keyword->words.Has(value))
        {
            throw WormholeError("expected " + keyword->words.Print());
        }
        if (!IsWellFormed(KindOf(attribute), value) ||
            !attribute.checker->CreateValidValue(StringValue(value)))
        {
            throw WormholeError("expected " + WhatIsAccepted(attribute));
        }
    }
    catch (const WormholeError& error)
    {
        throw WormholeError(name + "=" + value + ": " + error.what());
    }
    catch (const std::exception&) // some of ns-3's values throw what they met
    {
        throw WormholeError(name + "=" + value + ": expected " + WhatIsAccepted(attribute));
    }
}

void
CheckObject(const std::string& text)
{
    const auto open = text.find('[');
    TypeId type;
    // Headers and tags can be made, too, but are no objects.
    WormholeError::ThrowIf(!TypeId::LookupByNameFailSafe(text.substr(0, open), &type) ||
                               !type.HasConstructor() || !type.IsChildOf(Object::GetTypeId()) ||
                               (open != std::string::npos && text.back() != ']'),
                           "expected Type[Attribute=value|...], with a type that can be made");
    if (open == std::string::npos)
    {
        return;
    }
    std::istringstream entries(text.substr(open + 1, text.size() - open - 2));
    for (std::string entry; std::getline(entries, entry, '|');)
    {
        const auto name = entry.substr(0, entry.find('='));
        CheckValue(FindAttribute(type, name),
                   name,
                   entry.substr(std::min(name.size() + 1, entry.size())));
    }
}

} // namespace

std::vector<std::string>
ListAttributeNames(TypeId type)
{
    std::vector<std::string> names;
    for (bool isLast = false; !isLast; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            if (const auto attribute = type.GetAttribute(i); IsListed(attribute))
            {
                names.push_back(attribute.name);
            }
        }
        isLast = !type.HasParent();
    }
    return names;
}

std::string
HintAtAttributes(TypeId type, const std::string& name)
{
    const auto names = ListAttributeNames(type);
    const auto hint = NearestName::Hint(name, names);
    return !hint.empty()   ? hint
           : names.empty() ? "; it has none"
                           : "; there are " + WordList::WithCommas(names);
}

void
CheckAttributeText(const std::string& name, const std::string& value)
{
    const auto split = name.rfind("::");
    WormholeError::ThrowIf(split == std::string::npos || name.substr(0, split) == "ns3",
                           name + "=" + value +
                               ": expected CLASS::NAME=VALUE, as "
                               "WormholePort::BufferDepth=56");
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, split), &type))
    {
        throw WormholeError(name + ": there is no type " + name.substr(0, split) +
                            "; build/attributes.rst lists the module's" +
                            NearestName::Hint(name.substr(0, split), ListTypes()));
    }
    CheckValue(FindAttribute(type, name.substr(split + 2)), name, value);
}

void
CheckAttributeValue(TypeId type, const std::string& name, const AttributeValue& value)
{
    const auto attribute = FindAttribute(type, name);
    const auto whole = type.GetName() + "::" + name;
    const auto text = dynamic_cast<const StringValue*>(&value);
    if (text)
    {
        CheckValue(attribute, whole, text->Get());
    }
    else if (!attribute.checker->CreateValidValue(value))
    {
        throw WormholeError(whole + "=" + value.SerializeToString(attribute.checker) +
                            ": expected " + WhatIsAccepted(attribute));
    }
}

void
SetFactoryAttribute(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    CheckAttributeValue(factory.GetTypeId(), name, value);
    factory.Set(name, value);
}

} // namespace ns3
