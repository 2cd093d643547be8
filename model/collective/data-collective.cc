/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-collective.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// Longest sequence of bytes that a collective has: 2^53, which doubles count exactly.
constexpr uint64_t MAX_BYTES = uint64_t{1} << 53;

std::string
GetClassName(DataKind kind)
{
    static const std::map<DataKind, std::string> names{{DataKind::BROADCAST, "Broadcast"},
                                                       {DataKind::REDUCTION, "Reduction"},
                                                       {DataKind::ALL_REDUCTION, "AllReduction"},
                                                       {DataKind::GATHER, "Gather"},
                                                       {DataKind::SCATTER, "Scatter"},
                                                       {DataKind::ALL_GATHER, "AllGather"},
                                                       {DataKind::REDUCE_SCATTER, "ReduceScatter"},
                                                       {DataKind::ALL_TO_ALL, "AllToAll"},
                                                       {DataKind::SCAN, "Scan"}};
    return "ns3::Data" + names.at(kind);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DataCollective);

TypeId
DataCollective::GetTypeId()
{
    static const AttributeWords types{"DataType", DataValues::GetTypeNames()};
    static const AttributeWords operations{"DataOperation", DataValues::GetOperationNames()};
    static TypeId tid =
        TypeId("ns3::DataCollective")
            .SetParent<Collective>()
            .SetGroupName("Wormhole")
            .AddAttribute("Bytes",
                          "Length in bytes: of the vector; in a gather, scatter or allgather of "
                          "each member's part, in an alltoall of each pair's.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&DataCollective::m_bytes),
                          MakeUintegerChecker<uint64_t>(1, MAX_BYTES))
            .AddAttribute("Lengths",
                          "Lengths of the parts in bytes with commas, in place of Bytes: by rank "
                          "in a gather, scatter, allgather or reduce-scatter, by sender and then "
                          "receiver in an alltoall; empty: all have Bytes.",
                          StringValue(""),
                          MakeStringAccessor(&DataCollective::m_lengths),
                          MakeStringChecker())
            .AddAttribute("DataType",
                          "Type of the elements, which are never cut: int32, int64, uint32, "
                          "uint64, float32 or float64.",
                          StringValue("int32"),
                          MakeWordAccessor(types, MakeStringAccessor(&DataCollective::m_typeName)),
                          MakeWordChecker(types))
            .AddAttribute(
                "DataOperation",
                "How elements are combined: sum, product, min, max, and, or, xor.",
                StringValue("sum"),
                MakeWordAccessor(operations, MakeStringAccessor(&DataCollective::m_operationName)),
                MakeWordChecker(operations))
            .AddAttribute("KeepsOrder",
                          "Whether contributions are combined in order of ranks, for operations "
                          "that do not commute; algorithms that can't do so fall back on others.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DataCollective::m_keepsOrder),
                          MakeBooleanChecker());
    return tid;
}

std::vector<uint64_t>
DataCollective::ParseLengths() const
{
    std::vector<uint64_t> lengths;
    std::istringstream stream(m_lengths);
    for (std::string word; std::getline(stream, word, ',');)
    {
        const bool isNumber = !word.empty() && word.size() < 16 &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        if (!isNumber)
        {
            throw WormholeError("Lengths is '" + m_lengths + "', of which '" + word +
                                "' is no length; accepted are whole numbers of bytes with commas");
        }
        lengths.push_back(std::stoull(word));
    }
    return lengths;
}

void
DataCollective::DoCreate()
{
    const auto nParts = DataKindLaw::GetNParts(GetKind(), GetNMembers());
    const auto& name = DataKindLaw::GetName(GetKind());
    DataValues::CheckOperation(DataKindLaw::Combines(GetKind()) ? GetDataOperation()
                                                                : DataOperation::SUM,
                               GetDataType());
    m_parts.clear();
    if (!m_lengths.empty())
    {
        m_parts = ParseLengths();
        if (m_parts.size() != nParts)
        {
            throw WormholeError("Lengths has " + std::to_string(m_parts.size()) +
                                " entries; accepted of kind " + name + " with " +
                                std::to_string(GetNMembers()) + " members are " +
                                std::to_string(nParts));
        }
    }
    else if (GetKind() == DataKind::REDUCE_SCATTER)
    {
        // Equal parts, as far as whole elements allow.
        const auto element = DataValues::GetElementBytes(GetDataType());
        const auto elements = m_bytes / element;
        for (uint64_t part = 0; part < nParts; ++part)
        {
            m_parts.push_back((elements / nParts + (part < elements % nParts)) * element);
        }
        m_parts.back() += m_bytes % element;
    }
    else
    {
        m_parts.assign(nParts, m_bytes);
    }
    uint64_t total = 0;
    for (const auto bytes : m_parts)
    {
        total += bytes;
        if (total > MAX_BYTES || bytes > MAX_BYTES)
        {
            throw WormholeError("the data of kind " + name + " with " +
                                std::to_string(GetNMembers()) +
                                " members are longer than 2^53 bytes; accepted is less");
        }
    }
    if (total == 0)
    {
        throw WormholeError("the kind " + name +
                            " has no data: Bytes or Lengths are 0; accepted is 1 byte and more");
    }
    const auto element = DataValues::GetElementBytes(GetDataType());
    const auto cut = std::find_if(m_parts.begin(), m_parts.end(), [element](uint64_t bytes) {
        return bytes % element != 0;
    });
    m_cutPart = cut == m_parts.end() ? 0 : *cut;
    m_inputs.clear();
    m_rounds.clear();
}

uint64_t
DataCollective::GetDataBytes() const
{
    return std::accumulate(m_parts.begin(), m_parts.end(), uint64_t{0});
}

std::vector<uint64_t>
DataCollective::GetInputParts(uint32_t rank) const
{
    const auto root = DataKindLaw::HasRoot(GetKind()) ? GetRoot() : 0;
    return DataKindLaw::ListAtFirst(GetKind(), GetNMembers(), root, rank);
}

std::vector<uint64_t>
DataCollective::GetOutputParts(uint32_t rank) const
{
    const auto root = DataKindLaw::HasRoot(GetKind()) ? GetRoot() : 0;
    return DataKindLaw::ListAtLast(GetKind(), GetNMembers(), root, rank);
}

void
DataCollective::SetInput(uint32_t rank, const std::vector<uint8_t>& bytes)
{
    if (rank >= GetNMembers())
    {
        throw WormholeError("there is no rank " + std::to_string(rank) +
                            " to give data to; there "
                            "are " +
                            std::to_string(GetNMembers()) + " members");
    }
    if (!CarriesContents())
    {
        throw WormholeError(GetInstanceTypeId().GetName() +
                            " carries no contents; only lengths count there");
    }
    uint64_t wanted = 0;
    for (const auto part : GetInputParts(rank))
    {
        wanted += m_parts[part];
    }
    if (m_cutPart != 0)
    {
        throw WormholeError("a part of " + std::to_string(m_cutPart) +
                            " bytes has no whole number of elements of " +
                            std::to_string(DataValues::GetElementBytes(GetDataType())) +
                            " bytes (DataType)");
    }
    if (bytes.size() != wanted)
    {
        throw WormholeError("rank " + std::to_string(rank) + " is given " +
                            std::to_string(bytes.size()) + " bytes; accepted are " +
                            std::to_string(wanted));
    }
    m_inputs.resize(GetNMembers());
    m_inputs[rank] = bytes.empty() ? nullptr : std::make_shared<SharedBytes::element_type>(bytes);
}

std::vector<uint8_t>
DataCollective::GetOutput(uint32_t rank) const
{
    if (rank >= GetNMembers())
    {
        throw WormholeError("there is no rank " + std::to_string(rank) + " with data; there are " +
                            std::to_string(GetNMembers()) + " members");
    }
    return HasInput() ? ReadOutput(rank) : std::vector<uint8_t>();
}

bool
DataCollective::HasToGive(uint32_t rank) const
{
    const auto parts = GetInputParts(rank);
    return std::any_of(parts.begin(), parts.end(), [this](uint64_t part) {
        return m_parts[part] > 0;
    });
}

void
DataCollective::CheckEnter(uint32_t rank) const
{
    const auto found = m_rounds.find(GetRound(rank) + 1);
    if (found == m_rounds.end() || found->second.giver < 0)
    {
        return;
    }
    const auto& round = found->second;
    const bool hasContents = GetInput(rank) != nullptr;
    if (hasContents == round.hasContents || !HasToGive(rank))
    {
        return;
    }
    const auto giver = static_cast<uint32_t>(round.giver);
    throw WormholeError("group " + std::to_string(GetGroup()) + ": rank " +
                        std::to_string(hasContents ? giver : rank) + " has no contents in round " +
                        std::to_string(found->first) + ", but rank " +
                        std::to_string(hasContents ? rank : giver) +
                        " has; accepted are those of all members that have data to give (SetInput "
                        "before Enter), or of none");
}

void
DataCollective::DoEnter(uint32_t rank, uint64_t)
{
    const auto number = GetRound(rank);
    auto& round = m_rounds[number];
    if (round.giver < 0 && HasToGive(rank))
    {
        round.giver = rank;
        round.hasContents = GetInput(rank) != nullptr;
    }
    if (++round.nEntered == GetNMembers())
    {
        m_rounds.erase(number);
    }
}

DataType
DataCollective::GetDataType() const
{
    return DataValues::ParseType(m_typeName);
}

DataOperation
DataCollective::GetDataOperation() const
{
    return DataValues::ParseOperation(m_operationName);
}

bool
DataCollective::GetsResult(uint32_t) const
{
    return false;
}

template <DataKind KIND>
TypeId
DataCollectiveOf<KIND>::GetTypeId()
{
    static TypeId tid = TypeId(GetClassName(KIND).c_str()) // no std::string until 3.36
                            .template SetParent<DataCollective>()
                            .SetGroupName("Wormhole");
    return tid;
}

#define WORMHOLE_DATA_KIND(KIND) template class DataCollectiveOf<DataKind::KIND>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND

TypeId
GetDataKindType(DataKind kind)
{
    return kind == DataKind::BARRIER ? DataCollective::GetTypeId()
                                     : TypeId::LookupByName(GetClassName(kind));
}

} // namespace ns3
