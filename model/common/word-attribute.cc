/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-attribute.h"

#include "word-list.h"
#include "wormhole-error.h"

#include "ns3/string.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/// @return a text in small letters
std::string
ToLower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return text;
}

/// Refuses what is none of an attribute's words when it is set.
class WordAccessor : public AttributeAccessor
{
  public:
    WordAccessor(const AttributeWords& words, Ptr<const AttributeAccessor> accessor)
        : m_words(words),
          m_accessor(accessor)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto text = dynamic_cast<const StringValue*>(&value);
        if (text && !m_words.Has(text->Get()))
        {
            m_words.Refuse(text->Get());
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
    AttributeWords m_words;                  ///< the words
    Ptr<const AttributeAccessor> m_accessor; ///< leads to the attribute
};

} // namespace

AttributeWords::AttributeWords(const std::string& attribute,
                               const std::vector<std::string>& words,
                               bool ignoresCase)
    : m_attribute(attribute),
      m_words(words),
      m_ignoresCase(ignoresCase)
{
}

bool
AttributeWords::Has(const std::string& word) const
{
    return std::any_of(m_words.begin(), m_words.end(), [&](const auto& each) {
        return m_ignoresCase ? ToLower(each) == ToLower(word) : each == word;
    });
}

std::string
AttributeWords::Print() const
{
    return WordList::WithOr(m_words);
}

void
AttributeWords::Refuse(const std::string& word) const
{
    throw WormholeError(m_attribute + " is '" + word + "'; it may be " + Print());
}

WordChecker::WordChecker(const AttributeWords& words)
    : m_words(words)
{
}

const AttributeWords&
WordChecker::GetWords() const
{
    return m_words;
}

bool
WordChecker::Check(const AttributeValue& value) const
{
    return dynamic_cast<const StringValue*>(&value) != nullptr;
}

std::string
WordChecker::GetValueTypeName() const
{
    return "ns3::StringValue";
}

bool
WordChecker::HasUnderlyingTypeInformation() const
{
    return true;
}

std::string
WordChecker::GetUnderlyingTypeInformation() const
{
    return m_words.Print();
}

Ptr<AttributeValue>
WordChecker::Create() const
{
    return ns3::Create<StringValue>();
}

bool
WordChecker::Copy(const AttributeValue& source, AttributeValue& destination) const
{
    const auto from = dynamic_cast<const StringValue*>(&source);
    const auto to = dynamic_cast<StringValue*>(&destination);
    if (!from || !to)
    {
        return false;
    }
    *to = *from;
    return true;
}

Ptr<const AttributeChecker>
MakeWordChecker(const AttributeWords& words)
{
    return Create<WordChecker>(words);
}

Ptr<const AttributeAccessor>
MakeWordAccessor(const AttributeWords& words, Ptr<const AttributeAccessor> accessor)
{
    return Create<WordAccessor>(words, accessor);
}

} // namespace ns3
