// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_REGISTRY_H
#define COLLECTIVE_REGISTRY_H

#include "wormhole-collective.h"

#include "ns3/type-id.h"

#include <functional>

namespace ns3
{

/// @ingroup wormhole
/// @brief Finds collectives by short names, which are derived from the names of their TypeIds.
///
/// A class's short name is its name without the kind, in lower case with dashes:
/// ns3::PairwiseExchangeBarrier is the barrier pairwise-exchange, ns3::RingDataScan the scan ring.
/// In-switch algorithms are called btin; a reduction of a value in the switches, smp[Inner=btin],
/// may be called btin as well. A name may set attributes, in ns-3's notation: tree[Tree=fibo],
/// smp[Inner=tree[Tree=binary]].
///
/// An algorithm for a kind may support one value of up to 64 bits (in a barrier: no value, or an
/// all-reduction of one), data of any length, or both; if both, two classes share a short name.
class CollectiveRegistry
{
  public:
    /// What an algorithm transfers.
    enum class Moves
    {
        EITHER, ///< data, if the algorithm, or an attribute or inner algorithm that the name sets,
                ///< exists for data only; else a value
        VALUE,  ///< one value of up to 64 bits
        DATA,   ///< data of any length
    };

    /// @return a new collective, without a group
    /// @param kind the kind; for a value, ALL_REDUCTION is the same as BARRIER
    /// @param name short name, the name of a TypeId such as ns3::UnicastBarrier, or another usual
    ///        name, such as central for unicast or segmented-ring for ring[SegmentBytes=1048576]
    /// @param moves what it transfers
    /// @throws WormholeError for an unknown name, attribute or value, or an unclosed bracket
    static Ptr<Collective> Make(DataKind kind,
                                const std::string& name,
                                Moves moves = Moves::EITHER);

    /// @param kind,name,moves as for Make
    /// @return the type that Make creates
    /// @throws WormholeError if there is no such name, or a bracket is not closed
    static TypeId Find(DataKind kind, const std::string& name, Moves moves = Moves::EITHER);

    /// @return the collective that an attribute Inner names, performed by one leader per host
    /// @param kind,name,moves as for Make
    /// @throws WormholeError like Make, and if the name sets an attribute of the outer collective
    static Ptr<Collective> MakeInner(DataKind kind, const std::string& name, Moves moves);

    /// Checks that a name sets no attribute that is determined elsewhere.
    /// @param name,what,decided the name, its use (such as Inner), and those attributes
    /// @param accepted returns what to use instead, given such an attribute and its value
    /// @throws WormholeError if the name sets such an attribute
    static void CheckSettings(
        const std::string& name,
        const std::string& what,
        const std::vector<std::string>& decided,
        const std::function<std::string(const std::string&, const std::string&)>& accepted);

    /// @return attributes and values set in a name's outer brackets @param name the name
    /// @throws WormholeError if a bracket is not closed
    static std::map<std::string, std::string> GetSettings(const std::string& name);

    /// @return short names of collectives, sorted @param kind,moves as for Make
    static std::vector<std::string> GetNames(DataKind kind, Moves moves = Moves::EITHER);
};

} // namespace ns3

#endif /* COLLECTIVE_REGISTRY_H */
