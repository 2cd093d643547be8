// SPDX-License-Identifier: GPL-2.0-only

#ifndef BRACKETED_NAME_H
#define BRACKETED_NAME_H

#include "ns3/object-base.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// A short name with optional attributes in ns-3's notation: tree[Tree=fibo|Root=3].
///
/// A value in brackets may be such a name itself: smp[Inner=tree[Tree=binary]].
class BracketedName
{
  public:
    /// @throws WormholeError if a bracket is not closed, or text follows the last bracket
    BracketedName(const std::string& name, const std::string& example);

    /// @return the name without brackets
    const std::string& GetBaseName() const
    {
        return m_bare;
    }

    const std::string& GetText() const
    {
        return m_text;
    }

    const std::vector<std::string>& GetSettings() const
    {
        return m_settings;
    }

    /// @throws WormholeError if the object has no such attribute or does not accept the value
    void SetAttributes(ObjectBase& object) const;

  private:
    std::string m_name;
    std::string m_bare;
    std::string m_text;
    std::vector<std::string> m_settings;
};

/// The classes of a kind, by short names that derive from the names of their TypeIds.
///
/// A class's short name is its name without ns3:: and without the kind at its end, in lower case
/// with dashes: the short name of ns3::PairwiseExchangeBarrier, a Barrier, is pairwise-exchange.
class NamedTypes
{
  public:
    /// @return a type's name without ns3::
    static std::string GetUnqualifiedName(const TypeId& type)
    {
        return type.GetName().substr(std::string("ns3::").size());
    }

    /// @return a type's short name: a dash before each inner digit or capital, all in lower case
    static std::string ShortName(const TypeId& type, const TypeId& kind);

    /// @return all types of a kind that have a constructor, by short name
    static std::map<std::string, TypeId> List(const TypeId& kind);

    /// @tparam T class that the type is, or derives from
    /// @throws WormholeError if the type has no such attribute, or does not accept the value
    template <typename T>
    static Ptr<T> Make(const TypeId& type, const BracketedName& name)
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        auto object = factory.Create<T>();
        name.SetAttributes(*object);
        return object;
    }
};

} // namespace ns3

#endif /* BRACKETED_NAME_H */
