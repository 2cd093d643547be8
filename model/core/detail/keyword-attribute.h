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
/// @brief Leads to an attribute whose value may be refused or passed over when it is set.
class CheckedAccessor : public AttributeAccessor
{
  public:
    /// @return whether a value is to be set; else the attribute stays as it is. It throws a
    /// WormholeError where a value is refused.
    using Check = std::function<bool(const ObjectBase* object, const AttributeValue& value)>;

    /// @param accessor leads to it at any time @param check called before it is set
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
    Ptr<const AttributeAccessor> m_accessor; ///< leads to it at any time
    Check m_check;                           ///< called before it is set
};

/// @ingroup wormhole
/// @tparam T the class that has the attribute, with HasStarted()
/// @param name name of the attribute @param accessor leads to it at any time
/// @return leads to it until the fabric has started: by then it has been read
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
                                "before, as by a helper");
        }
        return true;
    });
}

/// @ingroup wormhole
/// @brief The words that an attribute accepts. Any other is refused when it is set, by a
/// WormholeError, where ns-3 would end the program.
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
/// @brief Accepts text, and knows the words that the attribute's accessor accepts of it.
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

    AttributeKeywords m_words{"", {}}; ///< the words
};

/// @return a checker of an attribute @param words words that it accepts
Ptr<const AttributeChecker> MakeKeywordChecker(const AttributeKeywords& words);

/// @return an accessor that refuses other words @param words words accepted
/// @param accessor leads to the attribute
Ptr<const AttributeAccessor> MakeKeywordAccessor(const AttributeKeywords& words,
                                                 Ptr<const AttributeAccessor> accessor);

} // namespace ns3

#endif /* KEYWORD_ATTRIBUTE_H */
