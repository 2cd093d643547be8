/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORMER_ATTRIBUTE_H
#define FORMER_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>

namespace ns3
{

/// @ingroup wormhole
/// @brief Leads to an attribute by its former name. ns-3 sets every attribute of a new object; the
/// value NONE, which is the default, leaves the attribute as it is.
/// @tparam VALUE the attribute's type of value
template <typename VALUE>
class FormerAccessor : public AttributeAccessor
{
  public:
    /// @param accessor leads to the attribute @param none the value NONE
    FormerAccessor(Ptr<const AttributeAccessor> accessor, VALUE none)
        : m_accessor(std::move(accessor)),
          m_none(std::move(none))
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto given = dynamic_cast<const VALUE*>(&value);
        return (given && given->Get() == m_none.Get()) || m_accessor->Set(object, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_accessor->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

  private:
    Ptr<const AttributeAccessor> m_accessor; ///< leads to the attribute
    VALUE m_none;                            ///< leaves the attribute as it is
};

/// @ingroup wormhole
/// @brief Adds an attribute's former name, which ns-3 warns of when it is used.
/// @param type the type, which has the attribute
/// @param former its former name
/// @param present its name
/// @param none a value that nobody gives it, the default
/// @param accessor leads to the attribute
/// @param checker checks what is given
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
    return type.AddAttribute(former,
                             "Former name of " + present + ".",
                             none,
                             Create<FormerAccessor<VALUE>>(accessor, none),
                             checker,
                             TypeId::SupportLevel::DEPRECATED,
                             "use " + present + ".");
}

/// @ingroup wormhole
/// @return whether an attribute is in lists of attributes, which former names are not
/// @param attribute the attribute
inline bool
IsListed(const TypeId::AttributeInformation& attribute)
{
    return attribute.supportLevel == TypeId::SupportLevel::SUPPORTED;
}

} // namespace ns3

#endif /* FORMER_ATTRIBUTE_H */
