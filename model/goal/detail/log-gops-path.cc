/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "log-gops-path.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

/// The way back.
class LogGopsPath::Walk
{
  public:
    Walk(const LogGopsPath& path, const GoalSchedule& schedule, const LogGopsParameters& parameters)
        : m_path(path),
          m_schedule(schedule),
          m_parameters(parameters)
    {
    }

    /// Goes all the way. @return the path, without its rank
    LogGopsExplanation Run(Link link)
    {
        while (link != NOTHING)
        {
            const auto& step = m_path.m_steps[link >> 2];
            GoOver(step, static_cast<Part>(link & 3));
            link = step.before;
        }
        std::reverse(m_found.intervals.begin(), m_found.intervals.end());
        return std::move(m_found);
    }

  private:
    static std::string Place(uint32_t rank,
                             const GoalSchedule::Operation& operation,
                             bool isInterface)
    {
        const auto number = isInterface ? operation.nic : operation.cpu;
        return "rank " + std::to_string(rank) +
               (number == 0 ? "" : (isInterface ? " nic " : " cpu ") + std::to_string(number));
    }

    /// Adds an interval, unless it takes no time.
    void Emit(int64_t from,
              Time duration,
              LatencyCause cause,
              const std::string& place,
              const std::string& note)
    {
        if (duration.IsStrictlyPositive())
        {
            m_found.intervals.push_back({from,
                                         from + duration.GetTimeStep(),
                                         cause,
                                         place,
                                         nullptr,
                                         nullptr,
                                         note + m_waited});
            m_waited.clear();
        }
    }

    void GoOver(const Step& step, Part part)
    {
        const auto& operation = m_schedule.At(step.from).operations[step.operation];
        const auto words = GoalSchedule::Print(operation) +
                           (step.from != step.rank ? " of rank " + std::to_string(step.from) : "");
        const auto place = Place(step.rank, operation, part == INTERFACE);
        const auto beyond = operation.size == 0 ? 0 : operation.size - 1;
        if (part == MATCH)
        {
            m_waited += "; " + words + " waited for this";
        }
        else if (step.kind == CALC)
        {
            m_found.calcNs += operation.size;
            Emit(step.start,
                 TimeStep(NanoSeconds(1).GetTimeStep() * operation.size),
                 LatencyCause::COMPUTE,
                 place,
                 words);
        }
        else if (part == INTERFACE)
        {
            ++m_found.g;
            m_found.G += beyond;
            const auto bytes = m_parameters.G * static_cast<int64_t>(beyond);
            const auto from = step.start + m_parameters.g.GetTimeStep();
            Emit(from, bytes, LatencyCause::BYTE_GAP, place, words);
            Emit(step.start, m_parameters.g, LatencyCause::GAP, place, words);
        }
        else
        {
            GoOverProcessor(step, part == FLIGHT, place, words, static_cast<int64_t>(beyond));
        }
    }

    /// Goes back over the time for which a message keeps a processor busy. @param isFlight whether
    /// its first byte's flight counts, not its further bytes @param beyond bytes beyond the first
    void GoOverProcessor(const Step& step,
                         bool isFlight,
                         const std::string& place,
                         const std::string& words,
                         int64_t beyond)
    {
        ++m_found.o;
        const auto from = step.start + m_parameters.o.GetTimeStep();
        if (isFlight)
        {
            ++m_found.L;
            const auto to = m_schedule.At(step.rank).operations[step.operation].peer;
            Emit(from,
                 m_parameters.L,
                 LatencyCause::IDEAL_NETWORK,
                 "rank " + std::to_string(step.rank) + " to " + std::to_string(to),
                 words);
        }
        else if (step.kind == TAKE && m_parameters.G > m_parameters.O)
        {
            m_found.G += static_cast<uint64_t>(beyond);
            Emit(from, m_parameters.G * beyond, LatencyCause::BYTE_GAP, place, words);
        }
        else
        {
            m_found.O += static_cast<uint64_t>(beyond);
            Emit(from, m_parameters.O * beyond, LatencyCause::BYTE_OVERHEAD, place, words);
        }
        Emit(step.start,
             m_parameters.o,
             step.kind == TAKE ? LatencyCause::RECEIVE_OVERHEAD : LatencyCause::SEND_OVERHEAD,
             place,
             words);
    }

    const LogGopsPath& m_path;
    const GoalSchedule& m_schedule;
    const LogGopsParameters& m_parameters;
    LogGopsExplanation m_found; ///< what was found, the last first
    std::string m_waited;       ///< what to say of the next interval
};

LogGopsPath::LogGopsPath(uint32_t ranks)
    : m_steps(1),
      m_ranks(ranks)
{
}

LogGopsPath::Link
LogGopsPath::Add(const Step& step)
{
    m_steps.push_back(step);
    return Link{m_steps.size() - 1} << 2;
}

void
LogGopsPath::SetCause(uint64_t item, Link link)
{
    if (item >= m_causes.size())
    {
        m_causes.resize(item + 1, NOTHING);
    }
    m_causes[item] = link;
}

LogGopsPath::Link&
LogGopsPath::Get(std::vector<Link>& links, uint8_t number)
{
    if (number >= links.size())
    {
        links.resize(number + std::size_t{1}, NOTHING);
    }
    return links[number];
}

LogGopsExplanation
LogGopsPath::Explain(const GoalSchedule& schedule,
                     const LogGopsParameters& parameters,
                     uint32_t rank,
                     uint8_t cpu,
                     int64_t end) const
{
    const auto& cpus = m_ranks[rank].cpus;
    auto found =
        Walk(*this, schedule, parameters).Run(cpu < cpus.size() ? cpus[cpu] : Link{NOTHING});
    found.rank = rank;
    found.end = TimeStep(static_cast<uint64_t>(end));
    return found;
}

std::string
LogGopsExplanation::Print() const
{
    std::string text;
    const auto add = [&text](uint64_t count, const std::string& what) {
        if (count > 0)
        {
            text += (text.empty() ? "" : " + ") +
                    (count == 1 ? std::string() : std::to_string(count) + " ") + what;
        }
    };
    add(o, "o");
    add(L, "L");
    add(g, "g");
    add(G, "G");
    add(O, "O");
    if (calcNs > 0 || text.empty())
    {
        text += (text.empty() ? "" : " + ") + std::to_string(calcNs) + " ns";
    }
    return text;
}

} // namespace ns3
