/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_COLLECTIVE_H
#define DATA_COLLECTIVE_H

#include "collective.h"
#include "data-kind.h"
#include "data-values.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A collective that moves data: vectors of any length, in place of the 64 bits of a Barrier,
 *        Broadcast or Reduction.
 *
 * DataKind tells what members have when they enter and when they leave. Members enter and leave
 * as in any Collective, with values of 0; contents, if anybody wants them, are given by SetInput
 * and read by GetOutput. Without them only lengths count, and nothing is computed.
 *
 * The attribute Bytes is the length of the vector (broadcast, reduction, all-reduction,
 * reduce-scatter, scan), of each member's part (gather, scatter, all-gather), or of each pair's
 * (all-to-all); Lengths gives each part a length of its own.
 *
 * A member's law is that of the contents: nobody leaves before it has what DataKindLaw::GetAtLast
 * says.
 */
class DataCollective : public Collective
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @return the length of each part of the kind's sequence, bytes; the group must have been made
    const std::vector<uint64_t>& GetParts() const
    {
        return m_parts;
    }

    uint64_t GetDataBytes() const; ///< @return the length of all parts together, bytes

    /// @return which parts a member has when it enters @param rank the member
    std::vector<uint64_t> GetInputParts(uint32_t rank) const;

    /// @return which parts it has when it leaves @param rank the member
    std::vector<uint64_t> GetOutputParts(uint32_t rank) const;

    /**
     * Gives a member its data for the next round that it enters, and those after it.
     *
     * In a round either all members that have anything to give (GetInputParts) have been given it
     * before they enter, or none: Enter refuses the first that differs from those before it.
     *
     * @param rank the member
     * @param bytes what it has, the parts that GetInputParts lists one after the other
     * @throws WormholeError if the length is another, or the algorithm carries no contents
     */
    void SetInput(uint32_t rank, const std::vector<uint8_t>& bytes);

    /// @param rank a member
    /// @return what it left with in the last round, the parts that GetOutputParts lists; empty if
    /// it leaves with nothing, or was given no input
    std::vector<uint8_t> GetOutput(uint32_t rank) const;

    DataType GetDataType() const;           ///< @return type of the elements
    DataOperation GetDataOperation() const; ///< @return how they are combined

    /// @return whether contributions are to be combined in order of ranks
    bool KeepsOrder() const
    {
        return m_keepsOrder;
    }

    bool GetsResult(uint32_t rank) const override;

  protected:
    void DoCreate() override;

    /// Notes whether the round has contents; an algorithm does so first.
    /// @param rank the member
    /// @param value ignored
    void DoEnter(uint32_t rank, uint64_t value) override;

    /// @return what a member was given for the round that it enters; null if nothing, or no byte
    /// @param rank the member
    SharedBytes GetInput(uint32_t rank) const
    {
        return m_inputs.empty() ? nullptr : m_inputs.at(rank);
    }

    /// @return whether any member was given data
    bool HasInput() const
    {
        return !m_inputs.empty();
    }

  private:
    /// A round that somebody has entered, and not everybody.
    struct Round
    {
        uint32_t nEntered{0};    ///< how many have
        int64_t giver{-1};       ///< the first of them that has anything to give; -1: none yet
        bool hasContents{false}; ///< whether that one was given it
    };

    void CheckEnter(uint32_t rank) const final;
    bool HasToGive(uint32_t rank) const;
    std::vector<uint64_t> ParseLengths() const;

    uint64_t m_bytes{0};                ///< attribute
    std::string m_lengths;              ///< attribute
    std::string m_typeName;             ///< attribute
    std::string m_operationName;        ///< attribute
    bool m_keepsOrder{false};           ///< attribute
    std::vector<uint64_t> m_parts;      ///< lengths of parts, once known
    uint64_t m_cutPart{0};              ///< length of a part with a cut element; 0: none
    std::vector<SharedBytes> m_inputs;  ///< by rank; empty if none was ever given
    std::map<uint64_t, Round> m_rounds; ///< by number, see Round
};

/// @ingroup wormhole @brief A kind of DataCollective as a TypeId, such as ns3::DataAllReduction,
/// from which the algorithms' derive.
/// @tparam KIND the kind
template <DataKind KIND>
class DataCollectiveOf : public DataCollective
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    static constexpr DataKind THE_KIND = KIND; ///< the kind

    /// @return the kind
    DataKind GetKind() const override
    {
        return KIND;
    }
};

/// @cond
#define WORMHOLE_DATA_KIND(KIND) extern template class DataCollectiveOf<DataKind::KIND>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND
/// @endcond

/// @ingroup wormhole
/// @return type of a kind's collectives of data
/// @param kind the kind
TypeId GetDataKindType(DataKind kind);

} // namespace ns3

#endif /* DATA_COLLECTIVE_H */
