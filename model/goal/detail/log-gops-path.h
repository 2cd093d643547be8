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

/**
 * @ingroup wormhole
 * @brief What led to what while LogGops ran a schedule, and the critical path through it.
 *
 * A step occupies a processor, and mostly an interface. Each began when something else was over: a
 * processor or an interface was free again, or a message was there. A step names that, so whoever
 * follows these names from when a rank ended comes back to the start without a gap. Pure.
 */
class LogGopsPath
{
  public:
    /// What was over at some time: twice bits of Part, above them the number of a step.
    using Link = uint64_t;

    /// The start: nothing was before it.
    static constexpr Link NOTHING = 0;

    /// What of a step was over.
    enum Part : uint8_t
    {
        PROCESSOR = 0, ///< the processor's
        INTERFACE = 1, ///< the interface's
        FLIGHT = 2,    ///< that of the message's first byte
        MATCH = 3,     ///< the wait of a long message's sender, when it began
    };

    /// What a step is.
    enum Kind : uint8_t
    {
        CALC,    ///< a calculation
        SEND,    ///< a message is sent
        TAKE,    ///< a message is taken
        RECEIVE, ///< a receive finds a long message; takes no time
    };

    /// A step.
    struct Step
    {
        int64_t start;      ///< when it began, ns-3 time units
        Link before;        ///< what was over then
        uint32_t rank;      ///< where
        uint32_t from;      ///< TAKE, RECEIVE: the sender; else as rank
        uint32_t operation; ///< its operation's index; TAKE, RECEIVE: that of the sender's send
        Kind kind;          ///< what it is
    };

    explicit LogGopsPath(uint32_t ranks); ///< @param ranks number of ranks

    /// Adds a step. @param step the step @return a link to its part PROCESSOR
    Link Add(const Step& step);

    /// @return a link to another part of the same step @param link to its part PROCESSOR
    /// @param part the other part
    static Link To(Link link, Part part)
    {
        return link | part;
    }

    /// Notes from when on a thing in the queue could be done. @param item its number
    /// @param link what is over then
    void SetCause(uint64_t item, Link link);

    /// @return what was noted of a thing in the queue @param item its number
    Link GetCause(uint64_t item) const
    {
        return m_causes[item];
    }

    /// @return what leads to when a processor is free @param rank the rank @param cpu its number
    Link& Processor(uint32_t rank, uint8_t cpu)
    {
        return Get(m_ranks[rank].cpus, cpu);
    }

    /// @return what leads to when an interface is free to send @param rank the rank
    /// @param nic its number
    Link& Sender(uint32_t rank, uint8_t nic)
    {
        return Get(m_ranks[rank].senders, nic);
    }

    /// @return what leads to when an interface is free to receive @param rank the rank
    /// @param nic its number
    Link& Receiver(uint32_t rank, uint8_t nic)
    {
        return Get(m_ranks[rank].receivers, nic);
    }

    /// Goes back from a processor that is free.
    /// @param schedule what was run
    /// @param parameters of the model
    /// @param rank the rank
    /// @param cpu number of the processor
    /// @param end when it is free, ns-3 time units
    /// @return the path, from 0 until then
    LogGopsExplanation Explain(const GoalSchedule& schedule,
                               const LogGopsParameters& parameters,
                               uint32_t rank,
                               uint8_t cpu,
                               int64_t end) const;

  private:
    class Walk;

    /// What leads to when a rank's processors and interfaces are free, by their numbers.
    struct Rank
    {
        std::vector<Link> cpus;      ///< processors
        std::vector<Link> senders;   ///< interfaces, to send
        std::vector<Link> receivers; ///< interfaces, to receive
    };

    /// @return an entry, which is added if need be
    static Link& Get(std::vector<Link>& links, uint8_t number);

    std::vector<Step> m_steps;  ///< by number; the first one is none
    std::vector<Link> m_causes; ///< by number of the thing in the queue
    std::vector<Rank> m_ranks;  ///< by rank
};

} // namespace ns3

#endif /* LOG_GOPS_PATH_H */
