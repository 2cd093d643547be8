// SPDX-License-Identifier: GPL-2.0-only

#include "data-kind.h"

#include "ns3/ordering.h"

#include <map>

namespace ns3
{

namespace
{

std::vector<uint64_t>
ListParts(uint64_t first, uint64_t count, uint64_t stride = 1)
{
    std::vector<uint64_t> parts(count);
    for (uint64_t i = 0; i < count; ++i)
    {
        parts[i] = first + i * stride;
    }
    return parts;
}

} // namespace

const std::vector<DataKind>&
DataKindInvariant::GetAll()
{
#define WORMHOLE_DATA_KIND(KIND) DataKind::KIND,
    static const std::vector<DataKind> kinds{WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)};
#undef WORMHOLE_DATA_KIND
    return kinds;
}

const std::string&
DataKindInvariant::GetName(DataKind kind)
{
    static const std::map<DataKind, std::string> names{{DataKind::BARRIER, "barrier"},
                                                       {DataKind::BROADCAST, "broadcast"},
                                                       {DataKind::REDUCTION, "reduction"},
                                                       {DataKind::ALL_REDUCTION, "allreduction"},
                                                       {DataKind::GATHER, "gather"},
                                                       {DataKind::SCATTER, "scatter"},
                                                       {DataKind::ALL_GATHER, "allgather"},
                                                       {DataKind::REDUCE_SCATTER, "reduce-scatter"},
                                                       {DataKind::ALL_TO_ALL, "alltoall"},
                                                       {DataKind::SCAN, "scan"}};
    return names.at(kind);
}

bool
DataKindInvariant::Combines(DataKind kind)
{
    return kind == DataKind::BARRIER || kind == DataKind::REDUCTION ||
           kind == DataKind::ALL_REDUCTION || kind == DataKind::REDUCE_SCATTER ||
           kind == DataKind::SCAN;
}

bool
DataKindInvariant::HasRoot(DataKind kind)
{
    return kind == DataKind::BROADCAST || kind == DataKind::REDUCTION || kind == DataKind::GATHER ||
           kind == DataKind::SCATTER;
}

uint64_t
DataKindInvariant::GetNParts(DataKind kind, uint32_t members)
{
    switch (kind)
    {
    case DataKind::GATHER:
    case DataKind::SCATTER:
    case DataKind::ALL_GATHER:
    case DataKind::REDUCE_SCATTER:
        return members;
    case DataKind::ALL_TO_ALL:
        return uint64_t{members} * members;
    default:
        return 1;
    }
}

bool
DataKindInvariant::HoldsInitially(DataKind kind,
                                  uint32_t members,
                                  uint32_t root,
                                  uint32_t rank,
                                  uint64_t part)
{
    switch (kind)
    {
    case DataKind::BROADCAST:
    case DataKind::SCATTER:
        return rank == root;
    case DataKind::GATHER:
    case DataKind::ALL_GATHER:
        return part == rank;
    case DataKind::ALL_TO_ALL:
        return part / members == rank;
    default:
        return true;
    }
}

std::vector<uint32_t>
DataKindInvariant::GetFinal(DataKind kind,
                            uint32_t members,
                            uint32_t root,
                            uint32_t rank,
                            uint64_t part)
{
    const auto only = [](uint64_t from, bool needs) {
        return needs ? std::vector<uint32_t>{static_cast<uint32_t>(from)} : std::vector<uint32_t>();
    };
    switch (kind)
    {
    case DataKind::BROADCAST:
        return only(root, true);
    case DataKind::SCATTER:
        return only(root, part == rank);
    case DataKind::GATHER:
        return only(part, rank == root);
    case DataKind::ALL_GATHER:
        return only(part, true);
    case DataKind::ALL_TO_ALL:
        return only(part / members, part % members == rank);
    case DataKind::REDUCTION:
        return NumbersBelow(rank == root ? members : 0);
    case DataKind::BARRIER:
    case DataKind::ALL_REDUCTION:
        return NumbersBelow(members);
    case DataKind::REDUCE_SCATTER:
        return NumbersBelow(part == rank ? members : 0);
    case DataKind::SCAN:
        return NumbersBelow(rank + 1);
    }
    return {};
}

std::vector<uint64_t>
DataKindInvariant::ListInitial(DataKind kind, uint32_t members, uint32_t root, uint32_t rank)
{
    const auto nParts = GetNParts(kind, members);
    switch (kind)
    {
    case DataKind::BROADCAST:
    case DataKind::SCATTER:
        return ListParts(0, rank == root ? nParts : 0);
    case DataKind::GATHER:
    case DataKind::ALL_GATHER:
        return ListParts(rank, 1);
    case DataKind::ALL_TO_ALL:
        return ListParts(uint64_t{rank} * members, members);
    default:
        return ListParts(0, nParts);
    }
}

std::vector<uint64_t>
DataKindInvariant::ListFinal(DataKind kind, uint32_t members, uint32_t root, uint32_t rank)
{
    const auto nParts = GetNParts(kind, members);
    switch (kind)
    {
    case DataKind::SCATTER:
    case DataKind::REDUCE_SCATTER:
        return ListParts(rank, 1);
    case DataKind::GATHER:
    case DataKind::REDUCTION:
        return ListParts(0, rank == root ? nParts : 0);
    case DataKind::ALL_TO_ALL:
        return ListParts(rank, members, members);
    default:
        return ListParts(0, nParts);
    }
}

} // namespace ns3
