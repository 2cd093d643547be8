// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ATTRIBUTE_TEXT_H
#define WORMHOLE_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Throws for an attribute or value for which ns-3 would abort.
/// @param name the attribute's full name, such as ns3::Class::Attribute @param value its value
/// @throws WormholeError if there is no such type or attribute, the attribute is read-only, or the
///         value is not accepted, such as a negative time, a rate without a unit, or 1 for true
void CheckAttributeText(const std::string& name, const std::string& value);

/// @ingroup wormhole @brief Throws for an attribute or value for which ns-3 would abort.
/// @param type type of the object @param name,value the attribute's name and value
/// @throws WormholeError if the type has no such attribute to set, or the value is not accepted
void CheckAttributeValue(TypeId type, const std::string& name, const AttributeValue& value);

/// @ingroup wormhole
/// @brief Sets an attribute of a helper's factory, or throws where ns-3 would abort.
/// @param factory the factory, with its type set @param name,value the attribute's name and value
/// @throws WormholeError if the type has no such attribute to set, or the value is not accepted
void SetFactoryAttribute(ObjectFactory& factory,
                         const std::string& name,
                         const AttributeValue& value);

/// @ingroup wormhole
/// @return names of a type's undeprecated attributes, own before inherited @param type the type
std::vector<std::string> ListAttributeNames(TypeId type);

/// @ingroup wormhole
/// @return the end of a message about an unknown attribute: "; did you mean ...?", a list of the
///         known attributes, or "; it has none" @param type the type @param name the unknown name
std::string HintAtAttributes(TypeId type, const std::string& name);

} // namespace ns3

#endif /* WORMHOLE_ATTRIBUTE_TEXT_H */
