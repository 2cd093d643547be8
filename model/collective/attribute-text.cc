/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-text.h"

#include "ns3/data-rate.h"
#include "ns3/exact-time.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <cstdint>
#include <sstream>

namespace ns3
{

namespace
{

/// @return whether a text is read as a whole by T's own operator @param text the text
template <typename T>
bool
IsRead(const std::string& text)
{
    std::istringstream stream(text);
    T value;
    return stream >> value && stream.peek() == std::istringstream::traits_type::eof();
}

/**
 * Judges text that ns-3 would abort on instead of refusing it.
 * @param kind name of an attribute's type of value, without its namespace
 * @param text the value
 * @return whether it is well formed, as far as is known
 */
bool
IsWellFormed(const std::string& kind, const std::string& text)
{
    if (kind == "UintegerValue")
    {
        return text.find('-') == std::string::npos && IsRead<uint64_t>(text);
    }
    if (kind == "IntegerValue")
    {
        return IsRead<int64_t>(text);
    }
    if (kind == "DoubleValue")
    {
        return IsRead<double>(text);
    }
    if (kind == "DataRateValue")
    {
        return IsRead<DataRate>(text);
    }
    if (kind == "TimeValue")
    {
        ExactTime::Parse(text);
    }
    if (kind == "BooleanValue")
    {
        return text == "true" || text == "false";
    }
    return true;
}

/// @return name of an attribute's type of value, without its namespace @param attribute which
std::string
KindOf(const TypeId::AttributeInformation& attribute)
{
    const auto kind = attribute.checker->GetValueTypeName();
    return kind.substr(kind.rfind(':') + 1); // not all versions of ns-3 name the namespace
}

/// @return what an attribute accepts, in words @param attribute the attribute
std::string
WhatIsAccepted(const TypeId::AttributeInformation& attribute)
{
    if (KindOf(attribute) == "BooleanValue")
    {
        return "true or false";
    }
    return attribute.checker->HasUnderlyingTypeInformation()
               ? attribute.checker->GetUnderlyingTypeInformation()
               : KindOf(attribute);
}

/// @return an attribute @param type a type that has it @param name its name
TypeId::AttributeInformation
FindAttribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    if (!type.LookupAttributeByName(name, &attribute))
    {
        throw WormholeError(type.GetName() + "::" + name + ": " + type.GetName() +
                            " has no attribute " + name +
                            "; see --PrintAttributes=" + type.GetName());
    }
    return attribute;
}

/// Refuses text that is no value of an attribute. @param attribute the attribute
/// @param name its name, with its class @param value the text
void
CheckValue(const TypeId::AttributeInformation& attribute,
           const std::string& name,
           const std::string& value)
{
    try
    {
        if (!IsWellFormed(KindOf(attribute), value) ||
            !attribute.checker->CreateValidValue(StringValue(value)))
        {
            throw WormholeError("accepted is " + WhatIsAccepted(attribute));
        }
    }
    catch (const WormholeError& error)
    {
        throw WormholeError(name + "=" + value + ": " + error.what());
    }
}

} // namespace

void
CheckAttributeText(const std::string& name, const std::string& value)
{
    const auto split = name.rfind("::");
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, split), &type))
    {
        throw WormholeError(name + ": there is no type " + name.substr(0, split) +
                            "; see --PrintTypeIds");
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
                            ": accepted is " + WhatIsAccepted(attribute));
    }
}

void
SetFactoryAttribute(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    CheckAttributeValue(factory.GetTypeId(), name, value);
    factory.Set(name, value);
}

} // namespace ns3
