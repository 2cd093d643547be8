// SPDX-License-Identifier: GPL-2.0-only

#ifndef DECISION_QUEUE_H
#define DECISION_QUEUE_H

#include "ns3/priority-queue-scheduler.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3
{

class WormholeOutput;

/// Decisions on grants that are still to be made, by time.
///
/// A calendar queue (R. Brown, CACM 31(10), 1988): near decisions lie unsorted in slots of equal
/// width, and a slot is sorted when its time has come. Far ones are in a heap; most are near, and
/// cost a quarter of what they do in a heap alone. Slots become wider where many are far, as behind
/// long worms. Where there are few decisions, they are kept in order: most are put in behind all.
///
/// Decisions of the same time come in the order in which they were put in.
class DecisionQueue
{
  public:
    struct Decision
    {
        int64_t time;    ///< when, ns-3 time units
        uint64_t number; ///< how many were put in before it
        WormholeOutput* output;

        bool operator>(const Decision& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    /// @param horizon how far ahead decisions are near, ns-3 time units, at least 1; only while
    /// there are none
    void SetHorizon(int64_t horizon)
    {
        for (m_shift = 0; SLOTS << m_shift < horizon; ++m_shift)
        {
        }
    }

    bool IsEmpty() const
    {
        return m_size == 0;
    }

    int64_t GetTime() const
    {
        return m_at < m_due.size() ? m_due[m_at].time : GetTimeLater();
    }

    /// @return the next decision if it is before a time, else null. It stays in the queue, and is
    /// valid until something is put in
    const Decision* NextBefore(int64_t end)
    {
        while (m_at == m_due.size())
        {
            if (!FillDue(end))
            {
                return nullptr;
            }
        }
        return m_due[m_at].time < end ? &m_due[m_at] : nullptr;
    }

    void Push(int64_t time, WormholeOutput* output)
    {
        ++m_size;
        Put({time, m_pushed++, output});
    }

    void Pop()
    {
        ++m_at;
        --m_size;
        constexpr std::size_t AHEAD = 2;
        if (m_at + AHEAD < m_due.size())
        {
            __builtin_prefetch(m_due[m_at + AHEAD].output, 1);
        }
    }

  private:
    static constexpr int64_t SLOTS = 64;   ///< number of slots; a bit each in m_filled
    static constexpr std::size_t FEW = 64; ///< fewer are kept in order

    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No place in m_nodes.

    struct Node
    {
        Decision decision;
        uint32_t next; ///< place in m_nodes of another one of the slot, or NONE
    };

    int64_t GetSlot(int64_t time) const
    {
        return time >> m_shift;
    }

    void Put(const Decision& decision);

    void FitWidth(); ///< Has slots be wider if many are far, narrower if many lie in each.

    bool IsFilled(int64_t slot) const
    {
        return m_filled >> (slot % SLOTS) & 1;
    }

    int64_t GetNextSlot() const;
    int64_t GetTimeLater() const;

    /// Makes the decisions of the next slot that has any those due, unless it is too late.
    /// @return whether there is such a slot that begins before that time
    bool FillDue(int64_t end);

    uint32_t m_shift{0};                   ///< a slot is two to this power ns-3 time units wide
    int64_t m_slot{0};                     ///< slot of those due, since time 0
    std::vector<Decision> m_due;           ///< those of m_slot and before, in order
    std::size_t m_at{0};                   ///< place of the next one
    uint64_t m_filled{0};                  ///< which of the SLOTS - 1 slots after have any
    std::array<uint32_t, SLOTS> m_slots{}; ///< places in m_nodes of a first one of each of these
    // Those of all slots share memory, so that little is in use where there are few.
    std::vector<Node> m_nodes; ///< decisions of slots, and places that are free
    uint32_t m_free{NONE};     ///< one of the latter, the first of a list
    std::priority_queue<Decision, std::vector<Decision>, std::greater<>> m_far;
    std::size_t m_size{0};
    uint64_t m_fills{0};        ///< how many slots became due since the width was thought over
    uint64_t m_filledDue{0};    ///< their decisions, also those that were due from the first
    uint64_t m_pushedFar{0};    ///< how many were put in far since then
    uint64_t m_pushedBefore{0}; ///< how many were ever put in before then
    uint64_t m_pushed{0};       ///< how many were ever put in
};

class EngineRounds;

/// ns-3's PriorityQueueScheduler, which also has fabrics decide between events.
///
/// Before it hands out an event, it has fabrics make all decisions until then, which so take no
/// events of their own. Results are the same with any scheduler. To use it, before the first node::
///
///     GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
///
/// It helps with ns-3's DefaultSimulatorImpl, to which events come from running events alone.
/// PeekNext, which that does not ask, tells of events only.
class WormholeScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId();

    ~WormholeScheduler() override
    {
        s_running = s_running == this ? nullptr : s_running;
    }

    /// Asks for an engine's decisions to be made before the next events.
    /// @return whether they will be. Not if the event at work comes from another scheduler, or if
    /// ns-3's simulator is not the DefaultSimulatorImpl
    static bool Await(EngineRounds& engine);

    static void Forget(EngineRounds& engine);

    /// @return time of the next event, ns-3 time units; without one, a time that never comes. While
    /// engines decide only
    int64_t GetNextTime() const
    {
        return m_next;
    }

    void Insert(const Scheduler::Event& event) override
    {
        m_next = std::min(m_next, static_cast<int64_t>(event.key.m_ts));
        PriorityQueueScheduler::Insert(event);
    }

    void Remove(const Scheduler::Event& event) override
    {
        PriorityQueueScheduler::Remove(event);
        FindNext();
    }

    bool IsEmpty() const override; ///< @return whether there are neither events nor decisions
    Scheduler::Event RemoveNext() override; ///< Has engines decide, and takes out the next event.

  private:
    void LetDecide(); ///< Has engines make all decisions that the next event cannot change.
    void FindNext();  ///< Finds out when the next event comes.

    /// When the next event comes, ns-3 time units. Engines ask after every decision, and few of
    /// these bring an event.
    int64_t m_next{0};
    std::optional<bool> m_alone; ///< whether events come from running events alone; empty: unknown
    std::vector<EngineRounds*> m_waiting; ///< who has decisions to make, in the order of asking
    uint64_t m_eventsRun{UINT64_MAX};     ///< events that had run when engines decided last

    static thread_local WormholeScheduler* s_running; ///< whose event was taken out last
};

} // namespace ns3

#endif /* DECISION_QUEUE_H */
