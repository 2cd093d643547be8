// SPDX-License-Identifier: GPL-2.0-only

// Adds attributes by the members that they set. ns-3 requires a value, an accessor and a checker
// for each attribute; all three follow from the member, so the caller names only the member.

#ifndef NEW_TYPE_H
#define NEW_TYPE_H

#include "checked-attribute.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/// Sets a number or enumeration to the index of the attribute's text in a list of words.
template <class OBJECT, class MEMBER>
class ChoiceAccessor : public AccessorHelper<OBJECT, StringValue>
{
  public:
    ChoiceAccessor(std::vector<std::string> words, MEMBER OBJECT::* member)
        : m_words(std::move(words)),
          m_member(member)
    {
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    bool DoSet(OBJECT* owner, const StringValue* text) const override
    {
        const auto found = std::find(m_words.begin(), m_words.end(), text->Get());
        owner->*m_member = static_cast<MEMBER>(found - m_words.begin());
        return true;
    }

    bool DoGet(const OBJECT* owner, StringValue* text) const override
    {
        text->Set(m_words[static_cast<std::size_t>(owner->*m_member)]);
        return true;
    }

    std::vector<std::string> m_words;
    MEMBER OBJECT::* m_member;
};

/// An attribute's initial value, the accessor of its member, and the checker of its values.
struct Sets
{
    Ptr<const AttributeValue> initial;
    Ptr<const AttributeAccessor> accessor;
    Ptr<const AttributeChecker> checker;
    std::vector<std::string> words{}; ///< the only accepted values; empty: the checker decides
    AttributeKeywords::Form form{AttributeKeywords::Form::AS_IS};

    /// @return a copy whose accessor and checker refuse all but the words, if there are words
    Sets Checked(const std::string& attribute) const
    {
        if (words.empty())
        {
            return *this;
        }
        const AttributeKeywords accepted(attribute, words, form);
        return {initial, MakeKeywordAccessor(accepted, accessor), MakeKeywordChecker(accepted)};
    }

    template <class OBJECT>
    static Sets Text(std::string OBJECT::* member, const std::string& initial = "")
    {
        return {Create<StringValue>(initial), MakeStringAccessor(member), MakeStringChecker()};
    }

    /// @param member member that holds the index of the word
    template <class OBJECT, class MEMBER>
    static Sets Choice(const std::vector<std::string>& words,
                       const std::string& initial,
                       MEMBER OBJECT::* member)
    {
        const auto accessor = Create<ChoiceAccessor<OBJECT, MEMBER>>(words, member);
        return {Create<StringValue>(initial), accessor, nullptr, words};
    }

    /// @param where the member, or the methods that set and get it
    template <class... WHERE>
    static Sets Word(std::vector<std::string> words, const std::string& initial, WHERE... where)
    {
        return {Create<StringValue>(initial), MakeStringAccessor(where...), nullptr, words};
    }

    template <class OBJECT>
    static Sets Flag(bool OBJECT::* member, bool initial = false)
    {
        return {Create<BooleanValue>(initial), MakeBooleanAccessor(member), MakeBooleanChecker()};
    }

    template <class OBJECT>
    static Sets Duration(Time OBJECT::* member, Time initial = Time(0), int64_t least = 0)
    {
        return {Create<TimeValue>(initial),
                MakeTimeAccessor(member),
                ExactTime::MakeChecker(least)};
    }

    template <class OBJECT>
    static Sets Rate(DataRate OBJECT::* member, DataRate initial = DataRate(0))
    {
        return {Create<DataRateValue>(initial),
                MakeDataRateAccessor(member),
                MakeDataRateChecker()};
    }

    template <class POINTED, class OBJECT>
    static Sets Pointer(Ptr<POINTED> OBJECT::* member)
    {
        return {Create<PointerValue>(), MakePointerAccessor(member), MakePointerChecker<POINTED>()};
    }

    template <class NUMBER, class OBJECT>
    static Sets Number(NUMBER OBJECT::* member,
                       std::common_type_t<NUMBER> initial,
                       std::common_type_t<NUMBER> least = std::numeric_limits<NUMBER>::lowest(),
                       std::common_type_t<NUMBER> most = std::numeric_limits<NUMBER>::max())
    {
        if constexpr (std::is_floating_point_v<NUMBER>)
        {
            return {Create<DoubleValue>(initial),
                    MakeDoubleAccessor(member),
                    MakeDoubleChecker<NUMBER>(least, most)};
        }
        else if constexpr (std::is_signed_v<NUMBER>)
        {
            return {Create<IntegerValue>(initial),
                    MakeIntegerAccessor(member),
                    MakeIntegerChecker<NUMBER>(least, most)};
        }
        else
        {
            return {Create<UintegerValue>(initial),
                    MakeUintegerAccessor(member),
                    MakeUintegerChecker<NUMBER>(least, most)};
        }
    }
};

/// A TypeId to which attributes and trace sources are added.
class NewType : public TypeId
{
  public:
    NewType(const TypeId& type)
        : TypeId(type)
    {
    }

    /// @return the type of a class, with a constructor unless the class is abstract
    template <class OBJECT, class PARENT>
    static NewType Of(const std::string& name)
    {
        TypeId type(name.c_str()); // no std::string until ns-3.36
        type.SetParent<PARENT>().SetGroupName("Wormhole");
        if constexpr (!std::is_abstract_v<OBJECT>)
        {
            type.AddConstructor<OBJECT>();
        }
        return type;
    }

    NewType& Add(const std::string& name, const std::string& help, const Sets& sets)
    {
        const auto checked = sets.Checked(name);
        AddAttribute(name, help, *checked.initial, checked.accessor, checked.checker);
        return *this;
    }

    /// Adds an attribute that is read when the fabric starts, see MakeFixedAccessor.
    /// @tparam OBJECT class that has the attribute
    template <class OBJECT>
    NewType& AddFixed(const std::string& name, const std::string& help, const Sets& sets)
    {
        auto fixed = sets.Checked(name);
        fixed.accessor = MakeFixedAccessor<OBJECT>(name, fixed.accessor);
        return Add(name, help, fixed);
    }

    /// Adds a trace source. @param callback name of its callback's type
    template <class OBJECT, class TRACE>
    NewType& Add(const std::string& name,
                 const std::string& help,
                 TRACE OBJECT::* trace,
                 const std::string& callback)
    {
        AddTraceSource(name, help, MakeTraceSourceAccessor(trace), callback);
        return *this;
    }
};

} // namespace ns3

#endif /* NEW_TYPE_H */
