// SPDX-License-Identifier: GPL-2.0-only

#ifndef CHECKED_ATTRIBUTE_H
#define CHECKED_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-error.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{

/// Accesses an attribute whose value may be refused or ignored when it is set.
class CheckedAccessor : public AttributeAccessor
{
  public:
    /// @return whether to set the value; if not, it is kept. Throws a WormholeError to refuse.
    using Check = std::function<bool(const ObjectBase* object, const AttributeValue& value)>;

    CheckedAccessor(Ptr<const AttributeAccessor> accessor, Check check)
        : m_accessor(std::move(accessor)),
          m_check(std::move(check))
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        return !m_check(object, value) || m_accessor->Set(object, value);
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
    Ptr<const AttributeAccessor> m_accessor;
    Check m_check;
};

/// @return an accessor that refuses values once the fabric has started, and so has read them
template <typename T>
Ptr<const AttributeAccessor>
MakeFixedAccessor(const std::string& name, Ptr<const AttributeAccessor> accessor)
{
    return Create<CheckedAccessor>(accessor, [name](const ObjectBase* object, const auto&) {
        const auto owner = dynamic_cast<const T*>(object);
        if (owner && owner->HasStarted())
        {
            throw WormholeError(T::GetTypeId().GetName() + "::" + name +
                                " is set after the fabric's first frame or message; expected "
                                "earlier, for example by a helper");
        }
        return true;
    });
}

/// The words that an attribute accepts. Other words cause a WormholeError, where ns-3 would abort.
class AttributeKeywords
{
  public:
    /// How words may be written.
    enum class Form : uint8_t
    {
        AS_IS,
        ANY_CASE,  ///< in capital or small letters
        BY_LENGTH, ///< one word, or several by length, as ParseByLength reads them
    };

    AttributeKeywords(std::string attribute,
                      std::vector<std::string> words,
                      Form form = Form::AS_IS)
        : m_attribute(std::move(attribute)),
          m_words(std::move(words)),
          m_form(form)
    {
    }

    bool Has(const std::string& word) const;

    std::string Print() const; ///< @return the words, such as "async or sync"

    /// @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& word) const
    {
        throw WormholeError(m_attribute + " is '" + word + "'; it may be " + Print());
    }

  private:
    std::string m_attribute;
    std::vector<std::string> m_words;
    Form m_form; ///< how they may be written
};

/// Checks that a value is text, and holds the words that the attribute's accessor accepts.
struct KeywordChecker : public AttributeChecker
{
    AttributeKeywords words{"", {}};
};

Ptr<const AttributeChecker> MakeKeywordChecker(const AttributeKeywords& words);

Ptr<const AttributeAccessor> MakeKeywordAccessor(const AttributeKeywords& words,
                                                 Ptr<const AttributeAccessor> accessor);

/// Adds an attribute's former name as deprecated. Since ns-3 sets every attribute of a new object,
/// the former name has a default that changes nothing.
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

/// Accesses a trace source that its object makes when a callback first connects.
/// @tparam OBJECT class of the object
/// @tparam LISTEN function that returns an object's trace source
template <class OBJECT, class LISTEN>
class LazyTraceAccessor : public TraceSourceAccessor
{
  public:
    explicit LazyTraceAccessor(LISTEN listen)
        : m_listen(std::move(listen))
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.ConnectWithoutContext(callback); });
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.Connect(callback, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.DisconnectWithoutContext(callback); });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.Disconnect(callback, context); });
    }

  private:
    template <class CALL>
    bool With(ObjectBase* object, CALL call) const
    {
        const auto own = dynamic_cast<OBJECT*>(object);
        if (own)
        {
            call(m_listen(*own));
        }
        return own != nullptr;
    }

    LISTEN m_listen;
};

/// @return an accessor for TypeId::AddTraceSource
template <class OBJECT, class LISTEN>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(LISTEN listen)
{
    return Create<LazyTraceAccessor<OBJECT, LISTEN>>(std::move(listen));
}

/// @return whether lists of attributes include an attribute; they omit former names
inline bool
IsListed(const TypeId::AttributeInformation& attribute)
{
    return attribute.supportLevel == TypeId::SupportLevel::SUPPORTED;
}

} // namespace ns3

#endif /* CHECKED_ATTRIBUTE_H */
