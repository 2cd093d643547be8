/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_TIMELINE_H
#define HOST_TIMELINE_H

#include "timeline-explainer.h"
#include "timeline-log.h"

#include "ns3/collective-domain.h"
#include "ns3/collective.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Writes what processes do to a time line: rounds of collectives, what keeps them busy, and
 *        arrows from sends to receives of messages between members.
 *
 * It keeps no more than the messages that are on their way.
 */
class HostTimeline : public SimpleRefCount<HostTimeline>
{
  public:
    /// Watches a collective domain. @param log where to write @param domain the domain
    /// @param explainer explains why members leave when they do; null: nobody asks
    static void Watch(Ptr<TimelineLog> log,
                      Ptr<CollectiveDomain> domain,
                      Ptr<TimelineExplainer> explainer);

    /// Watches nothing yet. @param log where to write @param names names of hosts, by number
    /// @param explainer as for Watch
    HostTimeline(Ptr<TimelineLog> log,
                 std::vector<std::string> names,
                 Ptr<TimelineExplainer> explainer);

  private:
    struct Group : public SimpleRefCount<Group>
    {
        Collective* collective{nullptr}; ///< what it does
        uint16_t number{0};              ///< its identifier
        std::string name;                ///< its type
        std::vector<Time> entered;       ///< when members entered last, by rank
        std::vector<uint64_t> rounds;    ///< rounds that they have entered, by rank
        std::vector<uint64_t> left;      ///< rounds that they have left, by rank
    };

    /// A message between members that has been sent.
    struct Message
    {
        Time start;        ///< when it left its sender's software
        uint32_t nMissing; ///< receivers that it has not come to
    };

    /// What tells messages apart: group, sender, receiver, tag, round, phase and value.
    using Key = std::tuple<uint16_t, uint32_t, uint32_t, uint32_t, uint64_t, uint8_t, uint64_t>;

    static Key MakeKey(uint16_t group, const HostMessage& message);

    static void Busy(Ptr<HostTimeline> self,
                     uint32_t host,
                     uint32_t task,
                     Time from,
                     Time until,
                     HostSoftware::Activity activity);
    static void Joined(Ptr<HostTimeline> self, uint16_t group, CollectiveClient* client);
    static void Enter(Ptr<HostTimeline> self, Ptr<Group> group, uint32_t rank, uint64_t value);
    /// A member leaves.
    static void Leave(Ptr<HostTimeline> self, Ptr<Group> group, uint32_t rank, uint64_t result);
    static void Sent(Ptr<HostTimeline> self,
                     uint16_t group,
                     const HostMessage& message,
                     uint32_t receivers,
                     Time start);
    static void Received(Ptr<HostTimeline> self,
                         uint16_t group,
                         const HostMessage& message,
                         uint32_t host);

    /// @param what what is there; empty: what keeps it busy
    /// @param place its place, after those of the process before
    TimelineLog::LazyTrack GetTrack(uint32_t host,
                                    uint32_t task,
                                    const std::string& what,
                                    uint32_t place) const;

    /// @return the track of a member's rounds
    TimelineLog::LazyTrack GetRoundTrack(const Group& group, uint32_t rank) const;

    Ptr<TimelineLog> m_log;                     ///< where to write
    Ptr<TimelineExplainer> m_explainer;         ///< explains leaves; null: nobody asks
    std::vector<std::string> m_names;           ///< names of hosts, by number
    std::map<uint16_t, Ptr<Group>> m_groups;    ///< by identifier
    std::map<Key, std::vector<Message>> m_sent; ///< messages on their way
};

} // namespace ns3

#endif /* HOST_TIMELINE_H */
