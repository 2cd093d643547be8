/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOG_GOPS_PATH_H
#define LOG_GOPS_PATH_H

#include "ns3/goal-schedule.h"
#include "ns3/log-gops-explanation.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// Records the causes of LogGops's steps, and finds the critical path through them.
///
/// A step occupies a processor, and usually an interface. It began when something else ended: a
/// processor or an interface became free, or a message arrived. The step links to that, so
/// following the links back from a rank's end leads to the start without a gap. Pure.
class LogGopsPath
{
  public:
    /// What ended at some time: two bits of Part, above them the number of a step.
    using Link = uint64_t;

    /// The start, which has no cause.
    static constexpr Link NOTHING = 0;

    /// Which part of a step ended.
    enum Part : uint8_t
    {
        PROCESSOR = 0,
        INTERFACE = 1,
        FLIGHT = 2, ///< the flight of the message's first byte
        MATCH = 3,  ///< the wait of a long message's sender, when it began
    };

    /// Kinds of steps.
    enum Kind : uint8_t
    {
        CALC,
        SEND,
        TAKE,    ///< receiving a message
        RECEIVE, ///< a receive matches a long message; takes no time
    };

    /// A step.
    struct Step
    {
        int64_t start; ///< start, ns-3 time units
        Link before;
        uint32_t rank;
        uint32_t from;      ///< TAKE, RECEIVE: the sender; else the rank
        uint32_t operation; ///< index of its operation; TAKE, RECEIVE: of the sender's send
        Kind kind;
    };

    explicit LogGopsPath(uint32_t ranks);

    Link Add(const Step& step);

    static Link To(Link link, Part part)
    {
        return link | part;
    }

    /// Sets the cause of a queued item.
    void SetCause(uint64_t item, Link link);

    Link GetCause(uint64_t item) const
    {
        return m_causes[item];
    }

    Link& Processor(uint32_t rank, uint8_t cpu)
    {
        return Get(m_ranks[rank].cpus, cpu);
    }

    /// @return the cause of an interface's becoming free to send
    Link& Sender(uint32_t rank, uint8_t nic)
    {
        return Get(m_ranks[rank].senders, nic);
    }

    /// @return the cause of an interface's becoming free to receive
    Link& Receiver(uint32_t rank, uint8_t nic)
    {
        return Get(m_ranks[rank].receivers, nic);
    }

    /// Follows the links back from the time at which a processor becomes free.
    /// @param end when it becomes free, ns-3 time units
    /// @return the path, from 0 to that time
    LogGopsExplanation Explain(const GoalSchedule& schedule,
                               const LogGopsParameters& parameters,
                               uint32_t rank,
                               uint8_t cpu,
                               int64_t end) const;

  private:
    class Walk;

    /// Causes of a rank's processors and interfaces becoming free, by their numbers.
    struct Rank
    {
        std::vector<Link> cpus;
        std::vector<Link> senders;
        std::vector<Link> receivers;
    };

    /// @return an entry, which is added if missing
    static Link& Get(std::vector<Link>& links, uint8_t number);

    std::vector<Step> m_steps;  ///< by number; the first one is unused
    std::vector<Link> m_causes; ///< by number of the queued item
    std::vector<Rank> m_ranks;  ///< by rank
};

} // namespace ns3

#endif /* LOG_GOPS_PATH_H */
