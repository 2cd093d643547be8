// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-collective.h"

#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// Longest sequence of bytes that a collective has: 2^53, which doubles count exactly.
constexpr uint64_t MAX_BYTES = uint64_t{1} << 53;

const struct RegisteredForms
{
    RegisteredForms()
    {
        for (const auto& form : CollectiveForm::GetAll())
        {
            Collective::GetFormTypeId(form);
        }
    }
} g_registeredForms;

} // namespace

const std::vector<CollectiveForm>&
CollectiveForm::GetAll()
{
    static const std::vector<CollectiveForm> forms = [] {
        std::vector<CollectiveForm> all{{DataKind::BARRIER, false},
                                        {DataKind::BROADCAST, false},
                                        {DataKind::REDUCTION, false}};
        for (const auto kind : DataKindInvariant::GetAll())
        {
            all.push_back({kind, true});
        }
        return all;
    }();
    return forms;
}

CollectiveForm
CollectiveForm::Of(TypeId type)
{
    for (; type.HasParent(); type = type.GetParent())
    {
        for (const auto& form : GetAll())
        {
            if (type.GetName() == form.NameType(""))
            {
                return form;
            }
        }
    }
    return {};
}

std::string
CollectiveForm::GetName() const
{
    static const std::map<DataKind, std::string> names{{DataKind::BARRIER, "Barrier"},
                                                       {DataKind::BROADCAST, "Broadcast"},
                                                       {DataKind::REDUCTION, "Reduction"},
                                                       {DataKind::ALL_REDUCTION, "AllReduction"},
                                                       {DataKind::GATHER, "Gather"},
                                                       {DataKind::SCATTER, "Scatter"},
                                                       {DataKind::ALL_GATHER, "AllGather"},
                                                       {DataKind::REDUCE_SCATTER, "ReduceScatter"},
                                                       {DataKind::ALL_TO_ALL, "AllToAll"},
                                                       {DataKind::SCAN, "Scan"}};
    return (isData ? "Data" : "") + names.at(kind);
}

TypeId
Collective::GetFormTypeId(const CollectiveForm& form)
{
    TypeId type;
    return TypeId::LookupByNameFailSafe(form.NameType(""), &type)
               ? type
               : form.MakeTypeId("", form.isData ? GetDataTypeId() : GetTypeId());
}

TypeId
Collective::GetDataTypeId()
{
    static TypeId tid =
        NewType::Of<Collective, Collective>("ns3::DataCollective")
            .Add("Bytes",
                 "Length in bytes of the vector; in a gather, scatter or allgather, of each "
                 "member's part; in an alltoall, of each pair's part.",
                 Sets::Number(&Collective::m_bytes, 8, 1, MAX_BYTES))
            .Add("Lengths",
                 "Lengths of the parts in bytes, separated by commas, in place of Bytes: by rank "
                 "in a gather, scatter, allgather or reduce-scatter; by sender, then receiver, in "
                 "an alltoall; empty: each is Bytes or, in a reduce-scatter, a share of it.",
                 Sets::Text(&Collective::m_lengths))
            .Add("DataType",
                 "Type of the elements, which are never cut: int32, int64, uint32, uint64, float32 "
                 "or float64.",
                 Sets::Choice(DataValues::GetTypeNames(), "int32", &Collective::m_dataType))
            .Add("DataOperation",
                 "How elements are combined: sum, product, min, max, and, or, xor.",
                 Sets::Choice(DataValues::GetOperationNames(), "sum", &Collective::m_dataOperation))
            .Add("KeepsOrder",
                 "Whether contributions are combined in order of ranks, for operations that do not "
                 "commute; others replace algorithms that cannot do so (in switches: Fallback).",
                 Sets::Flag(&Collective::m_keepsOrder));
    return tid;
}

std::vector<uint64_t>
Collective::ParseLengths() const
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
                                "' is no length; expected whole numbers of bytes with commas");
        }
        lengths.push_back(std::stoull(word));
    }
    return lengths;
}

void
Collective::MeasureParts()
{
    m_inputs.clear();
    m_rounds.clear();
    if (!MovesData())
    {
        m_partBytes = {sizeof(uint64_t)};
        return;
    }
    const auto nParts = DataKindInvariant::GetNParts(GetKind(), GetNMembers());
    const auto& name = DataKindInvariant::GetName(GetKind());
    const auto type = GetDataType();
    const auto operation = GetDataOperation();
    const bool isOfBits = operation == DataOperation::AND || operation == DataOperation::OR ||
                          operation == DataOperation::XOR;
    WormholeError::ThrowIf(DataKindInvariant::Combines(GetKind()) && isOfBits &&
                               (type == DataType::FLOAT32 || type == DataType::FLOAT64),
                           "floats have no and, or and xor; expected a DataOperation of sum, "
                           "product, min or max, or a DataType of integers");
    const auto element = DataValues::GetElementBytes(type);
    if (!m_lengths.empty())
    {
        m_partBytes = ParseLengths();
        WormholeError::ThrowIf(m_partBytes.size() != nParts,
                               "Lengths has " + std::to_string(m_partBytes.size()) +
                                   " entries; expected for kind " + name + " with " +
                                   std::to_string(GetNMembers()) +
                                   " members: " + std::to_string(nParts));
    }
    else if (GetKind() == DataKind::REDUCE_SCATTER)
    {
        // Equal parts, as far as whole elements allow.
        const auto elements = m_bytes / element;
        m_partBytes = MadeOfNumbers(nParts, [&](uint64_t part) {
            return (elements / nParts + (part < elements % nParts)) * element;
        });
        m_partBytes.back() += m_bytes % element;
    }
    else
    {
        m_partBytes.assign(nParts, m_bytes);
    }
    uint64_t total = 0;
    for (const auto bytes : m_partBytes)
    {
        total += bytes;
        if (total > MAX_BYTES || bytes > MAX_BYTES)
        {
            throw WormholeError("the data of kind " + name + " with " +
                                std::to_string(GetNMembers()) +
                                " members are longer than 2^53 bytes; expected less");
        }
    }
    WormholeError::ThrowIf(total == 0,
                           "the kind " + name +
                               " has no data: Bytes or Lengths are 0; expected 1 byte and more");
    const auto cut =
        FindIn(m_partBytes, [element](uint64_t bytes) { return bytes % element != 0; });
    m_cutPart = cut == m_partBytes.end() ? 0 : *cut;
}

uint64_t
Collective::GetDataBytes() const
{
    return std::accumulate(m_partBytes.begin(), m_partBytes.end(), uint64_t{0});
}

void
Collective::SetInput(uint32_t rank, const std::vector<uint8_t>& bytes)
{
    WormholeError::ThrowIf(rank >= GetNMembers(),
                           "there is no rank " + std::to_string(rank) +
                               " to give data to; there are " + std::to_string(GetNMembers()) +
                               " members");
    WormholeError::ThrowIf(!CarriesContents(),
                           GetInstanceTypeId().GetName() +
                               " carries no contents; only lengths count there");
    const auto wanted =
        SumOf(GetInputParts(rank), [this](uint64_t part) { return m_partBytes[part]; });
    WormholeError::ThrowIf(
        m_cutPart != 0,
        "a part of " + std::to_string(m_cutPart) + " bytes has no whole number of elements of " +
            std::to_string(DataValues::GetElementBytes(GetDataType())) + " bytes (DataType)");
    WormholeError::ThrowIf(bytes.size() != wanted,
                           "rank " + std::to_string(rank) + " is given " +
                               std::to_string(bytes.size()) + " bytes; expected " +
                               std::to_string(wanted));
    m_inputs.resize(GetNMembers());
    m_inputs[rank] = bytes.empty() ? nullptr : std::make_shared<SharedBytes::element_type>(bytes);
}

std::vector<uint8_t>
Collective::GetOutput(uint32_t rank) const
{
    WormholeError::ThrowIf(rank >= GetNMembers(),
                           "there is no rank " + std::to_string(rank) + " with data; there are " +
                               std::to_string(GetNMembers()) + " members");
    return HasInput() ? ReadOutput(rank) : std::vector<uint8_t>();
}

void
Collective::CheckContents(uint32_t rank) const
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
                        " has; expected those of all members that have data to give (SetInput "
                        "before Enter), or of none");
}

void
Collective::NoteContents(uint32_t rank)
{
    if (!MovesData())
    {
        return;
    }
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

} // namespace ns3
