/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-announcement.h"

#include "collective-kinds.h"
#include "collective-registry.h"

#include "ns3/integer.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

GroupAnnouncement::GroupAnnouncement(const std::string& broadcast, uint64_t bytes)
    : m_broadcast(CollectiveRegistry::MakeInner(DataKind::BROADCAST,
                                                broadcast,
                                                CollectiveRegistry::Moves::VALUE))
{
    constexpr uint64_t MOST = 1U << 30;
    // Wide enough not to run out of identifiers where the group itself did not.
    m_broadcast->SetAttribute("GroupIdBits", UintegerValue(16));
    m_broadcast->SetAttribute("Root", IntegerValue(0));
    if (!m_broadcast->HasLongMessages())
    {
        throw WormholeError("Announcement is '" + broadcast +
                            "', whose messages hold their fields alone; accepted is a broadcast by "
                            "software");
    }
    bytes += m_broadcast->GetFieldBytes();
    if (bytes > MOST)
    {
        throw WormholeError("the announcement of a group would have " + std::to_string(bytes) +
                            " bytes; accepted are up to " + std::to_string(MOST) +
                            " (InSwitchBarrier::MemberSize and CableSize)");
    }
    m_broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
}

GroupAnnouncement::~GroupAnnouncement()
{
    m_broadcast->TraceDisconnectWithoutContext("Ready",
                                               MakeCallback(&GroupAnnouncement::Begin, this));
    m_broadcast->Dispose();
}

void
GroupAnnouncement::Start(Ptr<CollectiveDomain> domain,
                         const std::vector<uint32_t>& hosts,
                         KnowCallback know)
{
    m_know = know;
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        m_broadcast->SetLeaveCallback(rank,
                                      MakeBoundCallback(&GroupAnnouncement::Know, this, rank));
    }
    m_broadcast->TraceConnectWithoutContext("Ready", MakeCallback(&GroupAnnouncement::Begin, this));
    m_broadcast->Create(domain, hosts);
}

void
GroupAnnouncement::Begin(Time)
{
    for (uint32_t rank = 0; rank < m_broadcast->GetNMembers(); ++rank)
    {
        m_broadcast->Enter(rank);
    }
}

void
GroupAnnouncement::Know(GroupAnnouncement* announcement, uint32_t rank, uint64_t)
{
    announcement->m_know(rank);
}

void
GroupAnnouncement::End()
{
    m_broadcast->Release();
}

} // namespace ns3
