/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_REGISTRY_H
#define COLLECTIVE_REGISTRY_H

#include "collective.h"

#include "ns3/type-id.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Collectives by short names, made from the names of their TypeIds.
 *
 * A class's short name is its own without the kind, in small letters with dashes:
 * ns3::PairwiseExchangeBarrier is the barrier pairwise-exchange. The barrier in the
 * switches is btin, and a reduction there, smp[Inner=btin], may be called so as well.
 * A name may set attributes, as ns-3 writes them: tree[Tree=fibo], smp[Inner=tree[Tree=binary]].
 */
class CollectiveRegistry
{
  public:
    /**
     * Makes a collective, without a group.
     * @param kind Barrier::GetTypeId(), or that of another kind
     * @param name short name, or the name of a TypeId such as ns3::UnicastBarrier; or another
     *        usual name, such as central for unicast, binomial for tree[Tree=binomial], or
     *        segmented-ring for ring[SegmentBytes=1048576]
     * @param kindName what messages call the kind; empty: as its class is
     * @return the collective
     * @throws WormholeError if there is none of that name, or it has no such attribute or value,
     *         or a bracket is not closed
     */
    static Ptr<Collective> Make(TypeId kind,
                                const std::string& name,
                                const std::string& kindName = "");

    /**
     * Makes what first members of hosts do among them, of an attribute Inner.
     * @param kind as for Make
     * @param name as for Make
     * @return the collective
     * @throws WormholeError as Make, and if the name sets an attribute that what is around it
     *         decides
     */
    static Ptr<Collective> MakeInner(TypeId kind, const std::string& name);

    /**
     * @param name name of a collective
     * @return the attributes that it sets in its own brackets, with their values
     * @throws WormholeError if a bracket is not closed
     */
    static std::map<std::string, std::string> GetSettings(const std::string& name);

    /// @return short names of a kind's collectives, sorted @param kind the kind
    static std::vector<std::string> GetNames(TypeId kind);

  private:
    /// @return all collectives of a kind, by short name @param kind the kind
    static std::map<std::string, TypeId> List(TypeId kind);

    /// @return all names that Make takes without brackets @param kind the kind
    static std::vector<std::string> ListUsualNames(TypeId kind);

    /// @return what messages call a kind @param kind the kind
    static std::string NameKind(TypeId kind);
};

} // namespace ns3

#endif /* COLLECTIVE_REGISTRY_H */
