/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGISTER_TIMELINE_H
#define REGISTER_TIMELINE_H

#include "timeline-log.h"
#include "worm-timeline.h"

#include "ns3/collective-domain.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Writes what collective units of switches do to a time line: how long a group's register
/// gathers arrivals, and how long it then waits for its parent.
class RegisterTimeline : public SimpleRefCount<RegisterTimeline>
{
  public:
    /// Watches a collective domain. @param log where to write
    /// @param domain the domain, with a fabric @param worms what writes the fabric's worms
    static void Watch(Ptr<TimelineLog> log, Ptr<CollectiveDomain> domain, Ptr<WormTimeline> worms);

    /// Watches nothing yet. @param log where to write @param worms what writes the fabric's worms
    RegisterTimeline(Ptr<TimelineLog> log, Ptr<WormTimeline> worms);

  private:
    struct Place
    {
        std::string name; ///< its name
        bool isShown;     ///< whether it is to be written
    };

    /// A group's register.
    struct Register
    {
        bool isGathering{false}; ///< whether some have arrived, but not all
        bool isWaiting{false};   ///< whether it has told its parent
        Time since;              ///< since when either
        Time waitingSince;       ///< since when it waits
        uint64_t nArrivals{0};   ///< how many have arrived
    };

    /// A unit takes a worm.
    static void Taken(Ptr<RegisterTimeline> self,
                      uint32_t node,
                      Ptr<const Worm> worm,
                      uint32_t port);
    /// A unit sends a message.
    static void Send(Ptr<RegisterTimeline> self,
                     uint32_t node,
                     const CollectiveMessage& message,
                     uint32_t port);

    /// Writes a slice that ends now.
    void Write(uint32_t node,
               uint16_t group,
               const std::string& name,
               Time from,
               const TraceEventArguments& arguments = {}) const;

    /// @return a register's track
    TimelineLog::LazyTrack GetTrack(uint32_t node, uint16_t group) const;

    Ptr<TimelineLog> m_log;      ///< where to write
    Ptr<WormTimeline> m_worms;   ///< what writes the fabric's worms
    std::vector<Place> m_places; ///< switches, by number
    std::map<std::pair<uint32_t, uint16_t>, Register> m_registers; ///< by switch and group
};

} // namespace ns3

#endif /* REGISTER_TIMELINE_H */
