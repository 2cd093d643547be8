/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NAMED_TYPES_H
#define NAMED_TYPES_H

#include "ns3/bracketed-name.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The classes of a kind by short names, made from the names of their TypeIds.
 *
 * A class's short name is its own without ns3:: and without the kind that it ends with, in small
 * letters with dashes: ns3::PairwiseExchangeBarrier is the Barrier pairwise-exchange.
 */
class NamedTypes
{
  public:
    /// @return a type's name without ns3:: @param type the type
    static std::string BareName(const TypeId& type);

    /// @return a type's short name @param type the type @param kind its kind
    static std::string ShortName(const TypeId& type, const TypeId& kind);

    /// @return all types of a kind that can be made, by short name @param kind the kind
    static std::map<std::string, TypeId> List(const TypeId& kind);

    /// @return the names of a list, sorted @param list the list
    static std::vector<std::string> GetNames(const std::map<std::string, TypeId>& list);

    /// Makes an object of a type, with the attributes of a name.
    /// @tparam T class that the type is, or derives from @param type the type @param name the name
    /// @return the object
    /// @throws WormholeError if it has no such attribute, or does not accept the value
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

#endif /* NAMED_TYPES_H */
