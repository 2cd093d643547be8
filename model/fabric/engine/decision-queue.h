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

/// Pending decisions on grants, by time.
///
/// A calendar queue (R. Brown, CACM 31(10), 1988): near decisions lie unsorted in slots of equal
/// width, and a slot is sorted when its time has come. Far decisions are in a heap; most are near,
/// and cost a quarter of what they would in a heap alone. Slots become wider if many are far, as
/// behind long worms. If there are few, they are kept in order: most new ones come last.
///
/// Decisions with the same time are made in the order in which they were added.
class DecisionQueue
{
  public:
    struct Decision
    {
        int64_t time;    ///< when, ns-3 time units
        uint64_t number; ///< number of decisions added before it
        WormholeOutput* output;

        bool operator>(const Decision& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    /// @param horizon how far ahead decisions count as near, ns-3 time units, at least 1;
    /// call this only while the queue is empty
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

    /// @return the next decision if it is before a time, else null. It stays in the queue, and the
    /// pointer is valid until the next Push
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
    static constexpr int64_t SLOTS = 64;   ///< number of slots, each with a bit in m_filled
    static constexpr std::size_t FEW = 64; ///< fewer decisions than this are kept in order

    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No index in m_nodes.

    struct Node
    {
        Decision decision;
        uint32_t next; ///< index in m_nodes of the slot's next decision, or NONE
    };

    int64_t GetSlot(int64_t time) const
    {
        return time >> m_shift;
    }

    void Put(const Decision& decision);

    void FitWidth(); ///< Widens slots if many decisions are far, narrows them if many lie in each.

    bool IsFilled(int64_t slot) const
    {
        return m_filled >> (slot % SLOTS) & 1;
    }

    int64_t GetNextSlot() const;
    int64_t GetTimeLater() const;

    /// Makes the decisions of the next filled slot due, if that slot begins before a time.
    /// @return whether any decisions are due
    bool FillDue(int64_t end);

    uint32_t m_shift{0};                   ///< width of a slot: 2 to this power ns-3 time units
    int64_t m_slot{0};                     ///< number of the slot now due, from time 0
    std::vector<Decision> m_due;           ///< decisions of m_slot and before, in order
    std::size_t m_at{0};                   ///< index in m_due of the next decision
    uint64_t m_filled{0};                  ///< which of the next SLOTS - 1 slots have decisions
    std::array<uint32_t, SLOTS> m_slots{}; ///< by slot, index in m_nodes of its first decision
    // All slots share memory, so that few decisions need little of it.
    std::vector<Node> m_nodes; ///< decisions of slots, and free nodes
    uint32_t m_free{NONE};     ///< index of the first free node, or NONE
    std::priority_queue<Decision, std::vector<Decision>, std::greater<>> m_far;
    std::size_t m_size{0};
    uint64_t m_fills{0};        ///< slots that became due since FitWidth
    uint64_t m_filledDue{0};    ///< their decisions, and those added when already due
    uint64_t m_pushedFar{0};    ///< far decisions added since FitWidth
    uint64_t m_pushedBefore{0}; ///< decisions added before FitWidth
    uint64_t m_pushed{0};       ///< decisions added so far
};

class EngineRounds;

/// ns-3's PriorityQueueScheduler, which also lets fabrics decide between events.
///
/// Before it hands out an event, it lets fabrics make all decisions until then, so these need no
/// events of their own. Results are the same with any scheduler. Before the first node, call::
///
///     GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
///
/// It helps only with ns-3's DefaultSimulatorImpl, where only running events schedule events.
/// PeekNext, which that class does not call, knows of events only.
class WormholeScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId();

    ~WormholeScheduler() override
    {
        s_running = s_running == this ? nullptr : s_running;
    }

    /// Asks for an engine's decisions to be made before the next events.
    /// @return whether they will be: not if the running event comes from another scheduler, or if
    /// ns-3's simulator is not the DefaultSimulatorImpl
    static bool Await(EngineRounds& engine);

    static void Forget(EngineRounds& engine);

    /// @return time of the next event, ns-3 time units; a time that never comes if there is no
    /// event. Valid only while engines decide
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
    Scheduler::Event RemoveNext() override; ///< Lets engines decide, and removes the next event.

  private:
    void LetDecide(); ///< Lets engines make all decisions that the next event cannot change.
    void FindNext();  ///< Finds the time of the next event.

    /// Time of the next event, ns-3 time units. Engines ask for it after every decision, and few
    /// decisions schedule an event.
    int64_t m_next{0};
    std::optional<bool> m_alone; ///< whether only running events schedule events; empty: unknown
    std::vector<EngineRounds*> m_waiting; ///< engines with decisions to make, in order of Await
    uint64_t m_eventsRun{UINT64_MAX};     ///< number of events run when engines last decided

    static thread_local WormholeScheduler* s_running; ///< scheduler that handed out the last event
};

} // namespace ns3

#endif /* DECISION_QUEUE_H */
