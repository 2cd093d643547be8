// SPDX-License-Identifier: GPL-2.0-only

#include "checked-attribute.h"

#include "text-tools.h"

#include "ns3/attribute-helper.h"
#include "ns3/ordering.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

std::string
ToLower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return text;
}

} // namespace

bool
AttributeKeywords::Has(const std::string& word) const
{
    if (m_form == Form::BY_LENGTH && word.find(':') != std::string::npos)
    {
        const auto values = ParseByLength(word);
        return AllOf(values, [&](const auto& value) { return IsIn(m_words, value.second); });
    }
    return AnyOf(m_words, [&](const auto& each) {
        return m_form == Form::ANY_CASE ? ToLower(each) == ToLower(word) : each == word;
    });
}

std::string
AttributeKeywords::Print() const
{
    return WordList::WithOr(m_words) +
           (m_form == Form::BY_LENGTH
                ? ", or by length as 0:" + m_words.front() + ",8KiB:" + m_words.back()
                : "");
}

Ptr<const AttributeChecker>
MakeKeywordChecker(const AttributeKeywords& words)
{
    const auto checker =
        MakeSimpleAttributeChecker<StringValue, KeywordChecker>("ns3::StringValue", words.Print());
    dynamic_cast<KeywordChecker&>(*checker).words = words;
    return checker;
}

Ptr<const AttributeAccessor>
MakeKeywordAccessor(const AttributeKeywords& words, Ptr<const AttributeAccessor> accessor)
{
    return Create<CheckedAccessor>(accessor, [words](const auto*, const AttributeValue& value) {
        const auto text = dynamic_cast<const StringValue*>(&value);
        if (text && !words.Has(text->Get()))
        {
            words.Refuse(text->Get());
        }
        return true;
    });
}

} // namespace ns3
