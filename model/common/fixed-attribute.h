/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_ATTRIBUTE_H
#define FIXED_ATTRIBUTE_H

#include "wormhole-error.h"

#include "ns3/attribute.h"
#include "ns3/object-base.h"

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Leads to an attribute that is refused once the fabric has started, since it has been read.
 *
 * @tparam T the class that has it, with HasStarted()
 */
template <typename T>
class FixedAttribute : public AttributeAccessor
{
  public:
    /// @param name name of the attribute @param accessor leads to it at any time
    FixedAttribute(const std::string& name, Ptr<const AttributeAccessor> accessor)
        : m_name(name),
          m_accessor(accessor)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto owner = dynamic_cast<const T*>(object);
        if (owner && owner->HasStarted())
        {
            throw WormholeError(T::GetTypeId().GetName() + "::" + m_name +
                                " is set after the fabric's first frame or message; accepted is "
                                "before, as by a helper");
        }
        return m_accessor->Set(object, value);
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
    std::string m_name;                      ///< name of the attribute
    Ptr<const AttributeAccessor> m_accessor; ///< leads to it at any time
};

/// @ingroup wormhole
/// @tparam T the class that has the attribute @param name name of the attribute
/// @param accessor leads to it at any time @return leads to it until the fabric has started
template <typename T>
Ptr<const AttributeAccessor>
MakeFixedAccessor(const std::string& name, Ptr<const AttributeAccessor> accessor)
{
    return Create<FixedAttribute<T>>(name, accessor);
}

} // namespace ns3

#endif /* FIXED_ATTRIBUTE_H */
