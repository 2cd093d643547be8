// SPDX-License-Identifier: GPL-2.0-only

#include "log-gops.h"

#include "ns3/message-matching.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <array>
#include <memory>
#include <queue>
#include <utility>

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

namespace
{

/// Operations between two calls of progress.
constexpr uint64_t STRIDE = 1U << 18;

/// An operation that could be done, or a message that could be taken.
struct Item
{
    int64_t time;    ///< ns-3 time units, as all times here
    uint64_t number; ///< in the order in which items came
    uint32_t rank;
    uint32_t operation; ///< index of the operation; of a message its send's
    uint32_t from;      ///< of a message, its sender
    bool isMessage;

    bool operator<(const Item& other) const
    {
        return time != other.time ? time > other.time : number > other.number;
    }
};

class Engine
{
  public:
    Engine(const GoalSchedule& schedule, const LogGops::Parameters& parameters, bool isExplained)
        : m_schedule(schedule),
          m_path(schedule.GetNRanks(), isExplained),
          m_parameters(parameters),
          m_ranks(schedule.GetNRanks())
    {
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            auto& state = m_ranks[rank];
            state.waits = std::make_unique<GoalSchedule::Waits>(schedule.At(rank));
            state.able = state.waits->Reset();
            Enqueue(rank);
        }
    }

    void Run(const ProgressListener& progress)
    {
        const auto all = m_schedule.GetNOperations();
        while (!m_items.empty())
        {
            const auto item = m_items.top();
            m_items.pop();
            item.isMessage ? Arrive(item) : Do(item);
            std::sort(m_changed.begin(), m_changed.end());
            m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
            for (const auto rank : m_changed)
            {
                Enqueue(rank);
            }
            m_changed.clear();
            if (progress && m_nDone / STRIDE != m_nTold / STRIDE)
            {
                m_nTold = m_nDone;
                TellProgress(progress, "operations", m_nDone, all);
            }
        }
        CheckEnd(all);
    }

    std::vector<Time> GetEnds() const
    {
        return MadeOf(m_ranks, [](const auto& state) {
            const auto last = std::max_element(state.cpus.begin(), state.cpus.end());
            return TimeStep(last == state.cpus.end() ? 0 : *last);
        });
    }

    LogGops::Explanation Explain() const
    {
        uint32_t last = 0;
        uint8_t lastCpu = 0;
        int64_t end = 0;
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            const auto& cpus = m_ranks[rank].cpus;
            const auto latest = std::max_element(cpus.begin(), cpus.end());
            if (latest != cpus.end() && *latest > end)
            {
                end = *latest;
                last = rank;
                lastCpu = static_cast<uint8_t>(latest - cpus.begin());
            }
        }
        return m_path.Explain(m_schedule, m_parameters, last, lastCpu, end);
    }

  private:
    struct Interface
    {
        int64_t send{0};
        int64_t receive{0};
    };

    struct RankState
    {
        std::unique_ptr<GoalSchedule::Waits> waits;
        std::vector<uint32_t> able;  ///< operations that may be done, but are not in the queue
        std::vector<int64_t> cpus;   ///< when each processor is free
        std::vector<Interface> nics; ///< by interface
        MessageMatching receives;    ///< posted receives without a message
        MessageMatching messages;    ///< messages that have come without a receive
        uint64_t nDone{0};           ///< operations that have ended
    };

    static uint64_t Beyond(const GoalSchedule::Operation& operation)
    {
        return operation.size == 0 ? 0 : operation.size - 1;
    }

    static int64_t Add(int64_t time, Time more)
    {
        return TimeLimit::Add(TimeStep(time), more).GetTimeStep();
    }

    const GoalSchedule::Operation& Get(uint32_t rank, uint32_t index) const
    {
        return m_schedule.At(rank).operations[index];
    }

    int64_t& Cpu(uint32_t rank, uint8_t cpu)
    {
        auto& cpus = m_ranks[rank].cpus;
        cpus.resize(std::max<std::size_t>(cpus.size(), cpu + 1), 0);
        return cpus[cpu];
    }

    Interface& Nic(uint32_t rank, uint8_t nic)
    {
        auto& nics = m_ranks[rank].nics;
        nics.resize(std::max<std::size_t>(nics.size(), nic + 1));
        return nics[nic];
    }

    /// @return an operation, put off until its processor is free, and a send's interface
    Item WhenFree(Item item)
    {
        const auto& operation = Get(item.rank, item.operation);
        const auto cpu = Cpu(item.rank, operation.cpu);
        const auto nic =
            operation.kind == GoalSchedule::SEND ? Nic(item.rank, operation.nic).send : 0;
        if (const auto time = std::max(cpu, nic); time > item.time)
        {
            item.time = time;
            m_path.SetCause(item.number,
                            nic > cpu
                                ? m_path.GetFree(LogGopsPath::SENDER, item.rank, operation.nic)
                                : m_path.GetFree(LogGopsPath::CPU, item.rank, operation.cpu));
        }
        return item;
    }

    void Enqueue(uint32_t rank)
    {
        auto& able = m_ranks[rank].able;
        const auto& operations = m_schedule.At(rank).operations;
        std::stable_sort(able.begin(), able.end(), [&](uint32_t a, uint32_t b) {
            return operations[a].kind < operations[b].kind;
        });
        for (const auto index : able)
        {
            m_items.push(WhenFree({-1, m_nItems++, rank, index, 0, false}));
        }
        able.clear();
    }

    /// Lets those go on that wait for the start, or end, of an operation.
    void Notify(uint32_t rank, uint32_t index, bool isStart)
    {
        m_ranks[rank].waits->Notify(index, isStart, [&](uint32_t next) {
            m_ranks[rank].able.push_back(next);
            m_changed.push_back(rank);
        });
    }

    void End(uint32_t rank, uint32_t index)
    {
        ++m_ranks[rank].nDone;
        ++m_nDone;
        Notify(rank, index, false);
    }

    void Do(const Item& item)
    {
        const auto& operation = Get(item.rank, item.operation);
        if (operation.kind == GoalSchedule::RECEIVE)
        {
            Receive(item);
            return;
        }
        if (const auto later = WhenFree(item); later.time > item.time)
        {
            m_items.push(later);
            return;
        }
        auto& cpu = Cpu(item.rank, operation.cpu);
        if (operation.kind == GoalSchedule::CALC)
        {
            cpu = Add(item.time, TimeLimit::Multiply(NanoSeconds(1), operation.size));
            m_path.SetFree(LogGopsPath::CPU,
                           item.rank,
                           operation.cpu,
                           Record(item, LogGopsPath::CALC, item.rank));
            Notify(item.rank, item.operation, true);
            End(item.rank, item.operation);
            return;
        }
        Notify(item.rank, item.operation, true);
        const auto beyond = Beyond(operation);
        cpu = Add(Add(item.time, m_parameters.o), TimeLimit::Multiply(m_parameters.O, beyond));
        Nic(item.rank, operation.nic).send =
            Add(Add(item.time, m_parameters.g), TimeLimit::Multiply(m_parameters.G, beyond));
        const auto step = Record(item, LogGopsPath::SEND, item.rank);
        RecordBusy(step, LogGopsPath::SENDER, item.rank, operation);
        m_path.SetCause(m_nItems, LogGopsPath::To(step, LogGopsPath::FLIGHT));
        m_items.push({Add(Add(item.time, m_parameters.o), m_parameters.L),
                      m_nItems++,
                      operation.peer,
                      item.operation,
                      item.rank,
                      true});
        if (operation.size <= m_parameters.S)
        {
            End(item.rank, item.operation);
        }
    }

    /// @param from the sender of a message; else the rank
    LogGopsPath::Link Record(const Item& item, LogGopsPath::Kind kind, uint32_t from)
    {
        return m_path.Add(
            {item.time, m_path.GetCause(item.number), item.rank, from, item.operation, kind});
    }

    /// Records that a message keeps its processor and interface busy.
    void RecordBusy(LogGopsPath::Link step,
                    LogGopsPath::Resource interface,
                    uint32_t rank,
                    const GoalSchedule::Operation& message)
    {
        m_path.SetFree(LogGopsPath::CPU, rank, message.cpu, step);
        m_path.SetFree(interface, rank, message.nic, LogGopsPath::To(step, LogGopsPath::INTERFACE));
    }

    /// Lets what waits for the send of a long message go on.
    void EndLongSend(uint32_t from,
                     uint32_t index,
                     const GoalSchedule::Operation& other,
                     int64_t time,
                     LogGopsPath::Link match)
    {
        End(from, index);
        auto& cpu = Cpu(from, other.cpu);
        auto& nic = Nic(from, other.nic);
        if (time > cpu)
        {
            cpu = time;
            m_path.SetFree(LogGopsPath::CPU, from, other.cpu, match);
        }
        if (time > nic.send)
        {
            nic.send = time;
            m_path.SetFree(LogGopsPath::SENDER, from, other.nic, match);
        }
        m_changed.push_back(from);
    }

    void Receive(const Item& item)
    {
        const auto& operation = Get(item.rank, item.operation);
        auto& state = m_ranks[item.rank];
        Notify(item.rank, item.operation, true);
        if (const auto message = state.messages.MatchReceive(operation.peer, operation.tag))
        {
            // The message's length decides, as in Arrive; a receive may name another.
            if (Get(message->peer, message->operation).size > m_parameters.S)
            {
                auto found = item;
                found.operation = message->operation;
                const auto step = Record(found, LogGopsPath::RECEIVE, message->peer);
                EndLongSend(message->peer,
                            message->operation,
                            operation,
                            item.time,
                            LogGopsPath::To(step, LogGopsPath::MATCH));
            }
            End(item.rank, item.operation);
            return;
        }
        state.receives.Add({operation.peer, operation.tag, item.operation});
    }

    void Arrive(Item item)
    {
        const auto& send = Get(item.from, item.operation);
        auto& cpu = Cpu(item.rank, send.cpu);
        auto& nic = Nic(item.rank, send.nic);
        const auto free = std::max(cpu, nic.receive);
        if (free > item.time)
        {
            item.time = free;
            m_path.SetCause(item.number,
                            nic.receive > cpu
                                ? m_path.GetFree(LogGopsPath::RECEIVER, item.rank, send.nic)
                                : m_path.GetFree(LogGopsPath::CPU, item.rank, send.cpu));
            m_items.push(item);
            return;
        }
        const auto beyond = Beyond(send);
        cpu = Add(Add(item.time, m_parameters.o),
                  std::max(TimeLimit::Multiply(m_parameters.O, beyond),
                           TimeLimit::Multiply(m_parameters.G, beyond)));
        nic.receive =
            Add(Add(item.time, m_parameters.g), TimeLimit::Multiply(m_parameters.G, beyond));
        const auto step = Record(item, LogGopsPath::TAKE, item.from);
        RecordBusy(step, LogGopsPath::RECEIVER, item.rank, send);
        auto& state = m_ranks[item.rank];
        if (const auto receive = state.receives.MatchMessage(item.from, send.tag))
        {
            if (send.size > m_parameters.S)
            {
                EndLongSend(item.from,
                            item.operation,
                            send,
                            item.time,
                            LogGopsPath::To(step, LogGopsPath::MATCH));
            }
            End(item.rank, receive->operation);
            return;
        }
        state.messages.Add({item.from, send.tag, item.operation});
    }

    void CheckEnd(uint64_t all) const
    {
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            if (const auto receive = m_ranks[rank].receives.GetFirst())
            {
                throw WormholeError(m_schedule.PrintRank(rank) + ": '" +
                                    GoalSchedule::Print(Get(rank, receive->operation)) +
                                    "' waits for ever; " + std::to_string(all - m_nDone) + " of " +
                                    std::to_string(all) + " operations are not done");
            }
        }
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            if (const auto message = m_ranks[rank].messages.GetFirst())
            {
                throw WormholeError(m_schedule.PrintRank(message->peer) + ": '" +
                                    GoalSchedule::Print(Get(message->peer, message->operation)) +
                                    "' is never received");
            }
        }
    }

    const GoalSchedule& m_schedule;
    LogGopsPath m_path; ///< what led to what
    const LogGops::Parameters& m_parameters;
    std::vector<RankState> m_ranks;    ///< by rank
    std::priority_queue<Item> m_items; ///< what could be done, the earliest first
    std::vector<uint32_t> m_changed;   ///< ranks that may do more
    uint64_t m_nItems{0};
    uint64_t m_nDone{0}; ///< operations that have ended
    uint64_t m_nTold{0}; ///< the same, when progress was told last
};

} // namespace

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

std::vector<Time>
LogGops::Run(const GoalSchedule& schedule,
             const Parameters& parameters,
             const ProgressListener& progress,
             Explanation* explanation)
{
    schedule.Check();
    Engine engine(schedule, parameters, explanation != nullptr);
    engine.Run(progress);
    if (explanation)
    {
        *explanation = engine.Explain();
    }
    return engine.GetEnds();
}

} // namespace ns3
