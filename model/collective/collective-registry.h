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
/// InSwitch classes are called btin (barrier tree); for a reduction of a value, btin is
/// another name of smp[Inner=btin]. A name may set attributes, in ns-3's notation, as
/// tree[Tree=fibo] and smp[Inner=tree[Tree=binary]] do.
///
/// An algorithm may have a class for one value of up to 64 bits, a class for data of any length, or
/// both; the two classes then share a short name. The class of a barrier also all-reduces values.
class CollectiveRegistry
{
  public:
    /// What an algorithm transfers.
    enum class Moves
    {
        EITHER, ///< data if the name states an algorithm, attribute or inner algorithm that exists
                ///< only for data; otherwise a value
        VALUE,  ///< one value of up to 64 bits
        DATA,   ///< data of any length
    };

    /// @return a new collective, without a group
    /// @param kind the kind; for one value, ALL_REDUCTION finds the same class as BARRIER
    /// @param name short name, the name of a TypeId such as ns3::UnicastBarrier, or another usual
    ///        name, such as central for unicast or segmented-ring for ring[SegmentBytes=1048576]
    /// @param moves what the collective transfers
    /// @throws WormholeError if the name or what it sets is invalid, or a bracket is not closed
    static Ptr<Collective> Make(DataKind kind,
                                const std::string& name,
                                Moves moves = Moves::EITHER);

    /// @param kind,name,moves as for Make
    /// @return the type of the collective that Make would create
    /// @throws WormholeError if there is no such name, or a bracket is not closed
    static TypeId Find(DataKind kind, const std::string& name, Moves moves = Moves::EITHER);

    /// @return a new inner collective, which one leader per host performs for all members there
    /// @param kind,name,moves as for Make; the name is the value of an attribute Inner
    /// @throws WormholeError as Make, and if the name sets what only the outer collective may set
    static Ptr<Collective> MakeInner(DataKind kind, const std::string& name, Moves moves);

    /// Checks that the name of a collective's part sets none of the attributes in `decided`.
    /// @param name,what,decided the name; the part, such as Inner; attributes without effect in it
    /// @param accepted function of an attribute and its value: what the error suggests instead
    /// @throws WormholeError if the name sets an attribute listed in `decided`
    static void CheckSettings(
        const std::string& name,
        const std::string& what,
        const std::vector<std::string>& decided,
        const std::function<std::string(const std::string&, const std::string&)>& accepted);

    /// @return values that a name's outer brackets set, by attribute @param name the name
    /// @throws WormholeError if a bracket is not closed
    static std::map<std::string, std::string> GetSettings(const std::string& name);

    /// @return short names of collectives, sorted @param kind,moves as for Make
    static std::vector<std::string> GetNames(DataKind kind, Moves moves = Moves::EITHER);
};

} // namespace ns3

#endif /* COLLECTIVE_REGISTRY_H */
