/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORMER_ATTRIBUTE_H
#define FORMER_ATTRIBUTE_H

#include "ns3/keyword-attribute.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Adds an attribute's former name as deprecated. ns-3 sets every attribute of a new object;
///        this one gets a default that leaves the attribute unchanged.
/// @tparam VALUE the attribute's type of value
/// @param type the type, which has the attribute
/// @param former its former name
/// @param present its name
/// @param none a value that nobody would set: the default
/// @param accessor leads to the attribute
/// @param checker the attribute's checker
/// @return the type
template <typename VALUE>
TypeId
AddFormerAttribute(TypeId type,
                   const std::string& former,
                   const std::string& present,
                   const VALUE& none,
                   Ptr<const AttributeAccessor> accessor,
                   Ptr<const AttributeChecker> checker)
{
    const auto isGiven = [none](const ObjectBase*, const AttributeValue& value) {
        const auto given = dynamic_cast<const VALUE*>(&value);
        return !given || given->Get() != none.Get();
    };
    return type.AddAttribute(former,
                             "Former name of " + present + ".",
                             none,
                             Create<CheckedAccessor>(accessor, isGiven),
                             checker,
                             TypeId::SupportLevel::DEPRECATED,
                             "use " + present + ".");
}

/// @ingroup wormhole
/// @return whether an attribute is listed; former names are not
/// @param attribute the attribute
inline bool
IsListed(const TypeId::AttributeInformation& attribute)
{
    return attribute.supportLevel == TypeId::SupportLevel::SUPPORTED;
}

} // namespace ns3

#endif /* FORMER_ATTRIBUTE_H */
