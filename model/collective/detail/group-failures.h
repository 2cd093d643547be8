// SPDX-License-Identifier: GPL-2.0-only

#ifndef GROUP_FAILURES_H
#define GROUP_FAILURES_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-host-message.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Collective;

/// @ingroup wormhole
/// @brief What a group's members know of dead hosts and lost messages, which make rounds fail.
///
/// A member fails if its round exceeds the attribute Timeout, or when it learns that a host is
/// dead: as its own message there is given up (HostSoftware), heartbeats are missing, or the fabric
/// or a member says so. It ends this and later rounds without a result: the group is no longer of
/// use. A member that finds a host dead by itself tells all others.
///
/// Heartbeats go round a ring of the group's hosts while any member is in a round. They occupy
/// interfaces, but no process.
class GroupFailures
{
  public:
    explicit GroupFailures(Collective& group); ///< @param group the group, which owns this

    ~GroupFailures()
    {
        Stop();
    }

    GroupFailures(const GroupFailures&) = delete;            ///< events point to it
    GroupFailures& operator=(const GroupFailures&) = delete; ///< events point to it

    void Stop(); ///< Ends all timers; the group is disposed of.

    void StartTimer(); ///< Limits the time of set-up, or of release.

    bool Enter(uint32_t rank); ///< A member enters a round. @return false if it has failed

    /// A member is about to leave a round. @return false if it has failed
    bool Leave(uint32_t rank)
    {
        auto& member = m_members[rank];
        if (!member.hasFailed) // else timeout is the event that ends its round
        {
            member.timeout.Remove();
        }
        return !member.hasFailed;
    }

    bool HasFailed() const
    {
        return m_hasFailed;
    }

    const std::vector<uint32_t>& GetMissing(uint32_t rank) const
    {
        return m_members[rank].missing;
    }

    /// A member's round fails. @param hosts hosts that it misses
    void Fail(uint32_t rank, const std::vector<uint32_t>& hosts, const std::string& reason);

    void FailAt(uint32_t at, const std::vector<uint32_t>& hosts, const std::string& reason);

    /// All members fail; a group that is being released is freed instead.
    void FailAll(const std::vector<uint32_t>& hosts, const std::string& reason);

    /// The fabric has found hosts dead, with members or without, in increasing order.
    void NotifyDead(const std::vector<uint32_t>& hosts);

    /// A host finds that another host is dead, and tells the group's other hosts.
    void Suspect(uint32_t by, uint32_t host, const std::string& reason);

    void Receive(uint32_t host, const HostMessage& notice); ///< A heartbeat, or a host's death.

  private:
    struct Member
    {
        bool hasFailed{false};         ///< whether its rounds fail
        std::vector<uint32_t> missing; ///< hosts that it misses, increasing
        std::string reason;            ///< why
        EventId timeout;               ///< time limit, or the end of a failed round
    };

    void TimeOut(uint32_t rank);
    void Tell(uint32_t rank); ///< Reports a member's failure.
    void Beat();              ///< Hosts send and expect heartbeats.
    void Send(uint32_t from, uint32_t to, uint64_t value);

    bool IsMember(uint32_t host) const
    {
        return std::find(m_ring.begin(), m_ring.end(), host) != m_ring.end();
    }

    std::string NameHost(uint32_t host) const;

    Collective& m_group;           ///< the group
    std::vector<Member> m_members; ///< by rank
    std::vector<uint32_t> m_ring;  ///< hosts, by first rank; each expects heartbeats of the host
                                   ///< before
    std::vector<Time> m_heard;     ///< by place in m_ring, when a heartbeat came last
    EventId m_beat;                ///< the next heartbeats
    EventId m_timeout;             ///< time limit of set-up, or of release
    bool m_hasFailed{false};       ///< whether a member has failed
    bool m_isStopped{false};       ///< whether the group is disposed of
};

} // namespace ns3

#endif /* GROUP_FAILURES_H */
