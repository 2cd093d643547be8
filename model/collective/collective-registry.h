/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_REGISTRY_H
#define COLLECTIVE_REGISTRY_H

#include "data-kind.h"
#include "wormhole-collective.h"

#include "ns3/type-id.h"

#include <functional>
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
 * ns3::PairwiseExchangeBarrier is the barrier pairwise-exchange, ns3::RingDataScan the scan ring.
 * What is in the switches is btin, and a reduction of a value there, smp[Inner=btin], may be called
 * so as well. A name may set attributes, as ns-3 writes them: tree[Tree=fibo],
 * smp[Inner=tree[Tree=binary]].
 *
 * An algorithm of a kind may be for one value of up to 64 bits (a barrier: for no data, or an
 * all-reduction of such a value), for data of any length, or for both by two classes of one name.
 */
class CollectiveRegistry
{
  public:
    /// What an algorithm moves.
    enum class Moves
    {
        EITHER, ///< a value if there is such an algorithm, and its name sets nothing of data
        VALUE,  ///< one value of up to 64 bits
        DATA,   ///< data of any length
    };

    /**
     * Makes a collective, without a group.
     * @param kind the kind; of a value, an ALL_REDUCTION is a BARRIER
     * @param name short name, or the name of a TypeId such as ns3::UnicastBarrier; or another
     *        usual name, such as central for unicast, binomial for tree[Tree=binomial], or
     *        segmented-ring for ring[SegmentBytes=1048576]
     * @param moves what it is to move
     * @return the collective
     * @throws WormholeError if there is none of that name, or it has no such attribute or value,
     *         or a bracket is not closed
     */
    static Ptr<Collective> Make(DataKind kind,
                                const std::string& name,
                                Moves moves = Moves::EITHER);

    /// @param kind,name,moves as for Make
    /// @return the type that Make makes
    /// @throws WormholeError if there is none of that name, or a bracket is not closed
    static TypeId Find(DataKind kind, const std::string& name, Moves moves = Moves::EITHER);

    /// Makes what leaders of hosts do among them, of an attribute Inner.
    /// @param kind,name,moves as for Make
    /// @return the collective
    /// @throws WormholeError as Make, and if the name sets an attribute that what is around it
    /// decides
    static Ptr<Collective> MakeInner(DataKind kind, const std::string& name, Moves moves);

    /// Refuses a name that sets attributes which are decided elsewhere.
    /// @param name the name
    /// @param what whose name it is, such as Inner
    /// @param decided the attributes
    /// @param accepted what is accepted, by such an attribute and its value
    /// @throws WormholeError if it does
    static void CheckSettings(
        const std::string& name,
        const std::string& what,
        const std::vector<std::string>& decided,
        const std::function<std::string(const std::string&, const std::string&)>& accepted);

    /// @param name name of a collective
    /// @return the attributes that it sets in its own brackets, with their values
    /// @throws WormholeError if a bracket is not closed
    static std::map<std::string, std::string> GetSettings(const std::string& name);

    /// @return short names of a kind's collectives, sorted
    /// @param kind the kind
    /// @param moves what they move
    static std::vector<std::string> GetNames(DataKind kind, Moves moves = Moves::EITHER);
};

} // namespace ns3

#endif /* COLLECTIVE_REGISTRY_H */
