// SPDX-License-Identifier: GPL-2.0-only

#ifndef DATA_KIND_H
#define DATA_KIND_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Kinds of collectives. Each kind has a sequence of bytes; a member holds all or part of it
///        when it enters, and when it leaves.
///
/// - BARRIER: nothing, or one value of up to 64 bits as in ALL_REDUCTION; no member leaves before
///   all have arrived.
/// - BROADCAST: a vector; the root holds it at first, then all members hold it.
/// - REDUCTION, ALL_REDUCTION: a vector; at first each member holds its own, then the root, or all
///   members, hold all vectors combined element by element.
/// - SCAN: a vector; then each member holds the combined vectors of all ranks up to its own.
/// - GATHER, ALL_GATHER: a part per member, in the order of ranks; at first each member holds its
///   own part, then the root, or all members, hold all parts.
/// - SCATTER: parts as above; at first the root holds all, then each member holds its own.
/// - REDUCE_SCATTER: parts as above; each member holds all, then its own, combined.
/// - ALL_TO_ALL: a part per pair, by sender, then receiver; each holds what it sends, then
/// receives.
enum class DataKind : uint8_t
{
    BARRIER,
    BROADCAST,
    REDUCTION,
    ALL_REDUCTION,
    GATHER,
    SCATTER,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    SCAN,
};

/// @ingroup wormhole @brief Expands a macro for each kind that moves data (all but BARRIER), in the
/// order of DataKind.
/// @param DO a macro with one argument, the kind
#define WORMHOLE_DATA_KINDS(DO)                                                                    \
    DO(BROADCAST)                                                                                  \
    DO(REDUCTION)                                                                                  \
    DO(ALL_REDUCTION)                                                                              \
    DO(GATHER)                                                                                     \
    DO(SCATTER)                                                                                    \
    DO(ALL_GATHER)                                                                                 \
    DO(REDUCE_SCATTER)                                                                             \
    DO(ALL_TO_ALL)                                                                                 \
    DO(SCAN)

/// @ingroup wormhole @brief The invariants of a kind: what members hold before and after.
class DataKindInvariant
{
  public:
    /// @return all kinds that move data (all but BARRIER)
    static const std::vector<DataKind>& GetAll();

    /// @return a kind's name, such as allreduction @param kind the kind
    static const std::string& GetName(DataKind kind);

    /// @return whether the kind combines members' data @param kind the kind
    static bool Combines(DataKind kind);

    /// @return whether the kind has a root @param kind the kind
    static bool HasRoot(DataKind kind);

    /// @return number of parts of the sequence @param kind the kind @param members number of
    ///         members
    static uint64_t GetNParts(DataKind kind, uint32_t members);

    /// @param kind the kind
    /// @param members number of members
    /// @param root rank of the root
    /// @param rank a member
    /// @param part a part of the sequence
    /// @return whether the member holds that part when it enters
    static bool HoldsInitially(DataKind kind,
                               uint32_t members,
                               uint32_t root,
                               uint32_t rank,
                               uint64_t part);

    /// @param kind the kind
    /// @param members number of members
    /// @param root rank of the root
    /// @param rank a member
    /// @param part a part of the sequence
    /// @return the ranks whose contributions to the part the member must hold when it leaves, in
    ///         order; empty if it need not hold the part
    static std::vector<uint32_t> GetFinal(DataKind kind,
                                          uint32_t members,
                                          uint32_t root,
                                          uint32_t rank,
                                          uint64_t part);

    /// @return the parts for which HoldsInitially is true, in order; takes time linear in their
    ///         number
    /// @param kind the kind
    /// @param members number of members
    /// @param root rank of the root
    /// @param rank a member
    static std::vector<uint64_t> ListInitial(DataKind kind,
                                             uint32_t members,
                                             uint32_t root,
                                             uint32_t rank);

    /// @return the parts for which GetFinal is not empty, in order; takes time linear in their
    ///         number
    /// @param kind the kind
    /// @param members number of members
    /// @param root rank of the root
    /// @param rank a member
    static std::vector<uint64_t> ListFinal(DataKind kind,
                                           uint32_t members,
                                           uint32_t root,
                                           uint32_t rank);
};

} // namespace ns3

#endif /* DATA_KIND_H */
