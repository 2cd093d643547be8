/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_KIND_H
#define DATA_KIND_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What members do together. Each kind has a sequence of bytes, of which a member holds all
 *        or some when it enters, and when it leaves.
 *
 * - BARRIER: nothing, or one value of up to 64 bits as in ALL_REDUCTION; nobody leaves before
 *   everybody came.
 * - BROADCAST: a vector; the root has it, then all.
 * - REDUCTION, ALL_REDUCTION: a vector; all have one, then the root, or all, have all members'
 *   combined element by element.
 * - SCAN: a vector; then each has those of ranks up to its own combined.
 * - GATHER, ALL_GATHER: a part for each member, in the order of ranks; each has its own, then the
 *   root, or all, have all.
 * - SCATTER: the same parts; the root has all, then each its own.
 * - REDUCE_SCATTER: the same parts; all have all, then each has its own, combined.
 * - ALL_TO_ALL: a part for each pair, by sender and then by receiver; each has what it sends, then
 *   what it receives.
 */
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

/// @ingroup wormhole @brief Does something for each kind that moves data, which all but BARRIER do,
/// in the order of DataKind.
/// @param DO a macro of one kind
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

/// @ingroup wormhole
/// @brief The invariants of a kind: who has what, before and after.
class DataKindInvariant
{
  public:
    /// @return all kinds that move data: all but BARRIER
    static const std::vector<DataKind>& GetAll();

    /// @return a kind's name, as in all-reduction @param kind the kind
    static const std::string& GetName(DataKind kind);

    /// @return whether members' data are combined @param kind the kind
    static bool Combines(DataKind kind);

    /// @return whether there is a root @param kind the kind
    static bool HasRoot(DataKind kind);

    /// @return number of parts that the sequence has @param kind the kind @param members how many
    static uint64_t GetNParts(DataKind kind, uint32_t members);

    /// @param kind the kind
    /// @param members number of members
    /// @param root rank of the root
    /// @param rank a member
    /// @param part a part of the sequence
    /// @return whether it has that part when it enters
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
    /// @return whose contributions it must have there when it leaves, in order; empty: it need have
    ///         none
    static std::vector<uint32_t> GetFinal(DataKind kind,
                                          uint32_t members,
                                          uint32_t root,
                                          uint32_t rank,
                                          uint64_t part);

    /// @return the parts that HoldsInitially has, in order; takes as long as there are such
    /// @param kind the kind
    /// @param members how many
    /// @param root its rank
    /// @param rank a member
    static std::vector<uint64_t> ListInitial(DataKind kind,
                                             uint32_t members,
                                             uint32_t root,
                                             uint32_t rank);

    /// @return the parts for which GetFinal has somebody, in order; takes as long as there are
    /// such
    /// @param kind the kind
    /// @param members how many
    /// @param root its rank
    /// @param rank a member
    static std::vector<uint64_t> ListFinal(DataKind kind,
                                           uint32_t members,
                                           uint32_t root,
                                           uint32_t rank);
};

} // namespace ns3

#endif /* DATA_KIND_H */
