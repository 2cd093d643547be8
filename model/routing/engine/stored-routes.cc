/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stored-routes.h"

#include <algorithm>
#include <utility>

namespace ns3
{

uint32_t
StoredRoutes::Store::CountCopies(uint64_t nSwitches, const HostPlaces& hosts)
{
    constexpr uint64_t MAX_WAYS = uint64_t{1} << 21; // more than one for each pair only below
    const auto most = std::max<uint64_t>(1, MAX_WAYS / (nSwitches * nSwitches));
    return static_cast<uint32_t>(std::clamp<uint64_t>(hosts.GetMaxAt(), 1, most));
}

StoredRoutes::Store::Store(uint32_t nSwitches, uint32_t nCopies)
    : m_nSwitches(nSwitches),
      m_nCopies(nCopies),
      m_ways(std::size_t{nCopies} * nSwitches * nSwitches)
{
}

std::size_t
StoredRoutes::Store::IndexOf(Node from, Node to, uint32_t copy) const
{
    return (std::size_t{copy} * m_nSwitches + from) * m_nSwitches + to;
}

void
StoredRoutes::Store::Set(Node from, Node to, uint32_t copy, std::vector<Vertex> way)
{
    m_ways[IndexOf(from, to, copy)] = std::move(way);
}

const std::vector<StoredRoutes::Vertex>&
StoredRoutes::Store::Get(Node from, Node to, uint32_t copy) const
{
    return m_ways[IndexOf(from, to, copy)];
}

uint32_t
StoredRoutes::Store::GetNCopies() const
{
    return m_nCopies;
}

StoredRoutes::StoredRoutes(const FabricGraph& graph,
                           uint32_t nLanes,
                           Store store,
                           const TurnSet& turns)
    : LaneRoutes(graph, nLanes),
      m_store(std::move(store))
{
    SetRanks(turns);
    m_begins.reserve(m_store.m_ways.size() + 1);
    m_begins.push_back(0);
    for (const auto& way : m_store.m_ways)
    {
        m_begins.push_back(m_begins.back() + way.size());
    }
    m_vertices.reserve(m_begins.back());
    for (const auto& way : std::exchange(m_store.m_ways, {}))
    {
        m_vertices.insert(m_vertices.end(), way.begin(), way.end());
    }
}

void
StoredRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const auto& hosts = GetHosts();
    const auto index = m_store.IndexOf(hosts.SwitchOf(from),
                                       hosts.SwitchOf(to),
                                       hosts.PlaceOf(to) % m_store.GetNCopies());
    const auto vertices = m_vertices.data();
    way.insert(way.end(), vertices + m_begins[index], vertices + m_begins[index + 1]);
}

bool
StoredRoutes::AreBySwitch() const
{
    return true;
}

} // namespace ns3
