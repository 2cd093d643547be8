// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOG_GOPS_PATH_H
#define LOG_GOPS_PATH_H

#include "ns3/log-gops-explanation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
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

    static constexpr Link NOTHING = 0; ///< the start, which has no cause

    enum Part : uint8_t
    {
        PROCESSOR = 0,
        INTERFACE = 1,
        FLIGHT = 2, ///< the flight of the message's first byte
        MATCH = 3,  ///< the wait of a long message's sender, when it began
    };

    enum Kind : uint8_t ///< of steps
    {
        CALC,
        SEND,
        TAKE,    ///< receiving a message
        RECEIVE, ///< a receive matches a long message; takes no time
    };

    struct Step
    {
        int64_t start; ///< ns-3 time units
        Link before;
        uint32_t rank;
        uint32_t from;      ///< TAKE, RECEIVE: the sender; else the rank
        uint32_t operation; ///< index of its operation; TAKE, RECEIVE: of the sender's send
        Kind kind;
    };

    /// What a step keeps busy: processors and interfaces, by their numbers.
    enum Resource : uint8_t
    {
        CPU,
        SENDER,
        RECEIVER,
    };

    /// @param isRecorded whether anything is; if not, all links are NOTHING
    LogGopsPath(uint32_t ranks, bool isRecorded)
        : m_isRecorded(isRecorded),
          m_steps(1),
          m_ranks(isRecorded ? ranks : 0)
    {
    }

    /// @return the end of the step's processor
    Link Add(const Step& step)
    {
        if (!m_isRecorded)
        {
            return NOTHING;
        }
        m_steps.push_back(step);
        return Link{m_steps.size() - 1} << 2;
    }

    /// @return the end of another part of a step
    static Link To(Link link, Part part)
    {
        return link == NOTHING ? NOTHING : link | part;
    }

    void SetCause(uint64_t item, Link link)
    {
        if (m_isRecorded)
        {
            At(m_causes, item) = link;
        }
    }

    Link GetCause(uint64_t item) const
    {
        return m_isRecorded ? m_causes[item] : NOTHING;
    }

    /// Sets what has a rank's processor or interface become free.
    void SetFree(Resource resource, uint32_t rank, uint8_t number, Link link)
    {
        if (m_isRecorded)
        {
            At(m_ranks[rank][resource], number) = link;
        }
    }

    Link GetFree(Resource resource, uint32_t rank, uint8_t number) const
    {
        const auto none = !m_isRecorded || number >= m_ranks[rank][resource].size();
        return none ? NOTHING : m_ranks[rank][resource][number];
    }

    /// Follows the links back from the time at which a processor becomes free.
    /// @param end when it becomes free, ns-3 time units
    /// @return the path, from 0 to that time
    LogGopsExplanation Explain(const GoalSchedule& schedule,
                               const LogGopsParameters& parameters,
                               uint32_t rank,
                               uint8_t cpu,
                               int64_t end) const
    {
        auto found = Walk{*this, schedule, parameters}.Run(GetFree(CPU, rank, cpu));
        found.rank = rank;
        found.end = TimeStep(static_cast<uint64_t>(end));
        return found;
    }

  private:
    struct Walk
    {
        const LogGopsPath& path;
        const GoalSchedule& schedule;
        const LogGopsParameters& parameters;
        LogGopsExplanation found{}; ///< what was found, the last first
        std::string waited{};       ///< what to say of the next interval

        LogGopsExplanation Run(Link link)
        {
            while (link != NOTHING)
            {
                const auto& step = path.m_steps[link >> 2];
                GoOver(step, static_cast<Part>(link & 3));
                link = step.before;
            }
            std::reverse(found.intervals.begin(), found.intervals.end());
            return std::move(found);
        }

        static std::string Place(uint32_t rank,
                                 const GoalSchedule::Operation& operation,
                                 bool isInterface)
        {
            const auto number = isInterface ? operation.nic : operation.cpu;
            return "rank " + std::to_string(rank) +
                   (number == 0 ? "" : (isInterface ? " nic " : " cpu ") + std::to_string(number));
        }

        void Emit(int64_t from,
                  Time duration,
                  LatencyCause cause,
                  const std::string& place,
                  const std::string& note)
        {
            if (duration.IsStrictlyPositive())
            {
                found.intervals.push_back({from,
                                           from + duration.GetTimeStep(),
                                           cause,
                                           place,
                                           nullptr,
                                           nullptr,
                                           note + waited});
                waited.clear();
            }
        }

        void GoOver(const Step& step, Part part)
        {
            const auto& operation = schedule.At(step.from).operations[step.operation];
            const auto words =
                GoalSchedule::Print(operation) +
                (step.from != step.rank ? " of rank " + std::to_string(step.from) : "");
            const auto place = Place(step.rank, operation, part == INTERFACE);
            const auto beyond = operation.size == 0 ? 0 : operation.size - 1;
            if (part == MATCH)
            {
                waited += "; " + words + " waited for this";
            }
            else if (step.kind == CALC)
            {
                found.calcNs += operation.size;
                Emit(step.start,
                     TimeStep(NanoSeconds(1).GetTimeStep() * operation.size),
                     LatencyCause::COMPUTE,
                     place,
                     words);
            }
            else if (part == INTERFACE)
            {
                ++found.g;
                found.G += beyond;
                const auto bytes = parameters.G * static_cast<int64_t>(beyond);
                const auto from = step.start + parameters.g.GetTimeStep();
                Emit(from, bytes, LatencyCause::BYTE_GAP, place, words);
                Emit(step.start, parameters.g, LatencyCause::GAP, place, words);
            }
            else
            {
                GoOverProcessor(step, part == FLIGHT, place, words, static_cast<int64_t>(beyond));
            }
        }

        /// Goes back over the time for which a message keeps a processor busy. @param isFlight
        /// whether its first byte's flight counts @param beyond further bytes
        void GoOverProcessor(const Step& step,
                             bool isFlight,
                             const std::string& place,
                             const std::string& words,
                             int64_t beyond)
        {
            ++found.o;
            const auto from = step.start + parameters.o.GetTimeStep();
            if (isFlight)
            {
                ++found.L;
                const auto to = schedule.At(step.rank).operations[step.operation].peer;
                Emit(from,
                     parameters.L,
                     LatencyCause::IDEAL_NETWORK,
                     "rank " + std::to_string(step.rank) + " to " + std::to_string(to),
                     words);
            }
            else if (step.kind == TAKE && parameters.G > parameters.O)
            {
                found.G += static_cast<uint64_t>(beyond);
                Emit(from, parameters.G * beyond, LatencyCause::BYTE_GAP, place, words);
            }
            else
            {
                found.O += static_cast<uint64_t>(beyond);
                Emit(from, parameters.O * beyond, LatencyCause::BYTE_OVERHEAD, place, words);
            }
            Emit(step.start,
                 parameters.o,
                 step.kind == TAKE ? LatencyCause::RECEIVE_OVERHEAD : LatencyCause::SEND_OVERHEAD,
                 place,
                 words);
        }
    };

    static Link& At(std::vector<Link>& links, std::size_t number)
    {
        links.resize(std::max(links.size(), number + 1), NOTHING);
        return links[number];
    }

    bool m_isRecorded;
    std::vector<Step> m_steps;  ///< by number; the first one is unused
    std::vector<Link> m_causes; ///< by number of the queued item
    /// By rank and resource, the causes of their becoming free.
    std::vector<std::array<std::vector<Link>, 3>> m_ranks;
};

} // namespace ns3

#endif /* LOG_GOPS_PATH_H */
