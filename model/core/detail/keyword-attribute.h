/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KEYWORD_ATTRIBUTE_H
#define KEYWORD_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/wormhole-error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Accesses an attribute whose value may be refused or ignored when it is set.
class CheckedAccessor : public AttributeAccessor
{
  public:
    /// @return whether the value is set; otherwise the attribute keeps its value. Throws a
    ///         WormholeError to refuse a value.
    using Check = std::function<bool(const ObjectBase* object, const AttributeValue& value)>;

    /// @param accessor the attribute's plain accessor @param check called before it is set
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
    Ptr<const AttributeAccessor> m_accessor; ///< the plain accessor
    Check m_check;
};

/// @ingroup wormhole
/// @tparam T the class that has the attribute, with HasStarted()
/// @param name name of the attribute @param accessor its plain accessor
/// @return an accessor that refuses values once the fabric has started, since they were read then
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

/// @ingroup wormhole
/// @brief The words that an attribute accepts. Any other is refused by a WormholeError when it is
///        set, where ns-3 would abort.
class AttributeKeywords
{
  public:
    /// How words may be written.
    enum class Form : uint8_t
    {
        AS_IS,     ///< as they are
        ANY_CASE,  ///< in capitals and small letters
        BY_LENGTH, ///< as they are, or several by length, as ParseByLength reads them
    };

    /// @param attribute name of the attribute @param words words accepted
    /// @param form how they may be written
    AttributeKeywords(const std::string& attribute,
                      const std::vector<std::string>& words,
                      Form form = Form::AS_IS);

    /// @return whether a word is accepted @param word the word
    bool Has(const std::string& word) const;

    std::string Print() const; ///< @return the words, as "async or sync"

    /// Refuses a word. @param word one that is not accepted @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& word) const;

  private:
    std::string m_attribute;          ///< name of the attribute
    std::vector<std::string> m_words; ///< words accepted
    Form m_form;                      ///< how they may be written
};

/// @ingroup wormhole
/// @brief Checks for text, and holds the words that the attribute's accessor accepts.
class KeywordChecker : public AttributeChecker
{
  public:
    /// @return the words
    const AttributeKeywords& GetWords() const
    {
        return m_words;
    }

  private:
    friend Ptr<const AttributeChecker> MakeKeywordChecker(const AttributeKeywords& words);

    AttributeKeywords m_words{"", {}};
};

/// @return a checker for an attribute @param words words that it accepts
Ptr<const AttributeChecker> MakeKeywordChecker(const AttributeKeywords& words);

/// @return an accessor that refuses all other words @param words words accepted
/// @param accessor leads to the attribute
Ptr<const AttributeAccessor> MakeKeywordAccessor(const AttributeKeywords& words,
                                                 Ptr<const AttributeAccessor> accessor);

} // namespace ns3

#endif /* KEYWORD_ATTRIBUTE_H */
