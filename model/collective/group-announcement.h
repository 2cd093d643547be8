/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_ANNOUNCEMENT_H
#define GROUP_ANNOUNCEMENT_H

#include "collective.h"

#include "ns3/callback.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The broadcast by which the first member of a new group tells the others who the members
 * are and what the fabric is like (Moh et al., section 2.2: "a simple broadcast at the group
 * creation time"). It is a group of its own meanwhile, with an identifier of its own.
 */
class GroupAnnouncement
{
  public:
    /// A member knows; argument: its rank.
    typedef Callback<void, uint32_t> KnowCallback;

    /// Tells nobody yet. @param broadcast name of the broadcast @param bytes what it adds to the
    /// fields of a message @throws WormholeError if there is no such broadcast, or the message
    /// would be too long
    GroupAnnouncement(const std::string& broadcast, uint64_t bytes);

    ~GroupAnnouncement();

    GroupAnnouncement(const GroupAnnouncement&) = delete;            ///< traces point to it
    GroupAnnouncement& operator=(const GroupAnnouncement&) = delete; ///< traces point to it

    /**
     * Tells the members.
     * @param domain the fabric's collective domain
     * @param hosts numbers of the members' hosts, by rank
     * @param know told of each member when it knows
     * @throws WormholeError if the broadcast can't be
     */
    void Start(Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts, KnowCallback know);

    /// Frees the identifier; all members must know.
    void End();

  private:
    void Begin(Time);
    static void Know(GroupAnnouncement* announcement, uint32_t rank, uint64_t);

    Ptr<Collective> m_broadcast; ///< the broadcast
    KnowCallback m_know;         ///< told of each member
};

} // namespace ns3

#endif /* GROUP_ANNOUNCEMENT_H */
