/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-text.h"

#include "ns3/data-rate.h"
#include "ns3/exact-time.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
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

} // namespace

void
CheckAttributeText(const std::string& name, const std::string& value)
{
    const auto split = name.rfind("::");
    TypeId type;
    TypeId::AttributeInformation attribute;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, split), &type))
    {
        throw WormholeError(name + ": there is no type " + name.substr(0, split) +
                            "; see --PrintTypeIds");
    }
    if (!type.LookupAttributeByName(name.substr(split + 2), &attribute))
    {
        throw WormholeError(name + ": " + type.GetName() + " has no attribute " +
                            name.substr(split + 2) + "; see --PrintAttributes=" + type.GetName());
    }
    auto kind = attribute.checker->GetValueTypeName();
    kind = kind.substr(kind.rfind(':') + 1); // not all versions of ns-3 name the namespace
    std::string accepted = attribute.checker->HasUnderlyingTypeInformation()
                               ? attribute.checker->GetUnderlyingTypeInformation()
                               : kind;
    if (kind == "BooleanValue")
    {
        accepted = "true or false";
    }
    try
    {
        if (!IsWellFormed(kind, value) || !attribute.checker->CreateValidValue(StringValue(value)))
        {
            throw WormholeError("accepted is " + accepted);
        }
    }
    catch (const WormholeError& error)
    {
        throw WormholeError(name + "=" + value + ": " + error.what());
    }
}

} // namespace ns3
