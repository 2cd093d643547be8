// SPDX-License-Identifier: GPL-2.0-only

#include "decision-queue.h"

#include "ns3/engine-rounds.h"
#include "ns3/ordering.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t FILLS = 64; ///< slots after which their width is thought over
constexpr uint64_t NARROW = 8; ///< decisions of a slot that may be twice as wide
constexpr uint64_t WIDE = 64;  ///< those of a slot that is to be narrower

constexpr auto isEarlier = [](const auto& a, const auto& b) { return b > a; };

/// A time that never comes, but that a fabric can add to, ns-3 time units.
constexpr auto END_OF_TIME = std::numeric_limits<int64_t>::max() / 2;

/// Before which time none of the other engines does anything, for each of those that wait. What one
/// decides changes that; while nobody decides, it is known of all by the two that are next.
class TimesOfOthers
{
  public:
    explicit TimesOfOthers(const std::vector<EngineRounds*>& waiting)
    {
        for (const auto engine : waiting)
        {
            if (!engine->HasDecisions())
            {
                continue;
            }
            // What follows from it comes later than it.
            const auto time = engine->GetDecisionTime() + 1;
            if (time < m_first)
            {
                m_second = m_first;
                m_first = time;
                m_next = engine;
            }
            else
            {
                m_second = std::min(m_second, time);
            }
        }
    }

    int64_t Get(const EngineRounds& engine) const
    {
        return &engine == m_next ? m_second : m_first;
    }

  private:
    const EngineRounds* m_next{nullptr};
    int64_t m_first{END_OF_TIME};
    int64_t m_second{END_OF_TIME}; ///< when the one after it has
};

} // namespace

void
DecisionQueue::Put(const Decision& decision)
{
    const auto slot = GetSlot(decision.time);
    if (slot > m_slot && slot - m_slot < SLOTS && !m_filled && m_due.size() - m_at < FEW &&
        (m_far.empty() || slot < GetSlot(m_far.top().time)))
    {
        m_slot = slot;
    }
    if (slot <= m_slot)
    {
        if (m_at == m_due.size() || (m_due.size() == m_due.capacity() && 2 * m_at > m_due.size()))
        {
            m_due.erase(m_due.begin(), m_due.begin() + m_at);
            m_at = 0;
        }
        // Most are later than all that are there.
        auto place = m_due.end();
        while (place != m_due.begin() + m_at && (place - 1)->time > decision.time)
        {
            --place;
        }
        m_due.insert(place, decision);
        m_filledDue += m_due.size() - m_at > FEW;
    }
    else if (slot - m_slot < SLOTS)
    {
        auto& first = m_slots[slot % SLOTS];
        const Node node{decision, IsFilled(slot) ? first : NONE};
        if (m_free == NONE)
        {
            first = static_cast<uint32_t>(m_nodes.size());
            m_nodes.push_back(node);
        }
        else
        {
            first = m_free;
            m_free = m_nodes[first].next;
            m_nodes[first] = node;
        }
        m_filled |= uint64_t{1} << (slot % SLOTS);
    }
    else
    {
        m_far.push(decision);
        ++m_pushedFar;
    }
}

int64_t
DecisionQueue::GetNextSlot() const
{
    auto next = std::numeric_limits<int64_t>::max();
    if (m_filled)
    {
        const auto turn = (m_slot + 1) % SLOTS;
        const auto turned = turn ? m_filled >> turn | m_filled << (SLOTS - turn) : m_filled;
        next = m_slot + 1 + __builtin_ctzll(turned);
    }
    return m_far.empty() ? next : std::min(next, GetSlot(m_far.top().time));
}

int64_t
DecisionQueue::GetTimeLater() const
{
    auto time = m_far.empty() ? std::numeric_limits<int64_t>::max() : m_far.top().time;
    const auto next = GetNextSlot();
    for (auto i = IsFilled(next) ? m_slots[next % SLOTS] : NONE; i != NONE; i = m_nodes[i].next)
    {
        time = std::min(time, m_nodes[i].decision.time);
    }
    return time;
}

void
DecisionQueue::FitWidth()
{
    const auto pushed = m_pushed - m_pushedBefore;
    const bool isNarrow = 16 * m_pushedFar > pushed && m_filledDue < NARROW * FILLS;
    const bool isWide = m_filledDue > WIDE * FILLS && m_shift > 0;
    m_pushedBefore = m_pushed;
    m_pushedFar = 0;
    m_filledDue = 0;
    m_fills = 0;
    if (!isNarrow && !isWide)
    {
        return;
    }
    std::vector<Decision> all(m_due.begin() + static_cast<std::ptrdiff_t>(m_at), m_due.end());
    for (auto slot = m_slot + 1; slot < m_slot + SLOTS; ++slot)
    {
        for (auto i = IsFilled(slot) ? m_slots[slot % SLOTS] : NONE; i != NONE; i = m_nodes[i].next)
        {
            all.push_back(m_nodes[i].decision);
        }
    }
    for (; !m_far.empty(); m_far.pop())
    {
        all.push_back(m_far.top());
    }
    std::sort(all.begin(), all.end(), isEarlier);
    m_due.clear();
    m_at = 0;
    m_nodes.clear();
    m_free = NONE;
    m_filled = 0;
    const auto shift = isNarrow ? m_shift + 1 : m_shift - 1;
    m_slot = (m_slot << m_shift) >> shift;
    m_shift = shift;
    for (const auto& decision : all)
    {
        Put(decision);
    }
}

bool
DecisionQueue::FillDue(int64_t end)
{
    if (m_size == 0)
    {
        return false;
    }
    if (m_fills == FILLS || m_filledDue > WIDE * FILLS)
    {
        FitWidth();
        if (m_at < m_due.size())
        {
            return true;
        }
    }
    const auto next = GetNextSlot();
    if (next << m_shift >= end)
    {
        return false;
    }
    m_slot = next;
    m_due.clear();
    m_at = 0;
    for (auto i = IsFilled(next) ? m_slots[next % SLOTS] : NONE; i != NONE;)
    {
        auto& node = m_nodes[i];
        m_due.push_back(node.decision);
        const auto following = node.next;
        node.next = m_free;
        m_free = i;
        i = following;
    }
    m_filled &= ~(uint64_t{1} << (next % SLOTS));
    while (!m_far.empty() && GetSlot(m_far.top().time) == next)
    {
        m_due.push_back(m_far.top());
        m_far.pop();
    }
    if (m_due.size() > 1)
    {
        std::sort(m_due.begin(), m_due.end(), isEarlier);
    }
    ++m_fills;
    m_filledDue += m_due.size();
    return true;
}

NS_OBJECT_ENSURE_REGISTERED(WormholeScheduler);

thread_local WormholeScheduler* WormholeScheduler::s_running = nullptr;

TypeId
WormholeScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WormholeScheduler")
                            .SetParent<PriorityQueueScheduler>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormholeScheduler>();
    return tid;
}

bool
WormholeScheduler::Await(EngineRounds& engine)
{
    const auto scheduler = s_running;
    if (!scheduler)
    {
        return false;
    }
    if (!scheduler->m_alone)
    {
        const auto type = Simulator::GetImplementation()->GetInstanceTypeId();
        scheduler->m_alone = type.GetName() == "ns3::DefaultSimulatorImpl";
    }
    auto& waiting = scheduler->m_waiting;
    if (*scheduler->m_alone && !IsIn(waiting, &engine))
    {
        waiting.push_back(&engine);
    }
    return *scheduler->m_alone;
}

void
WormholeScheduler::Forget(EngineRounds& engine)
{
    if (s_running)
    {
        auto& waiting = s_running->m_waiting;
        waiting.erase(std::remove(waiting.begin(), waiting.end(), &engine), waiting.end());
    }
}

void
WormholeScheduler::FindNext()
{
    m_next = PriorityQueueScheduler::IsEmpty()
                 ? END_OF_TIME
                 : static_cast<int64_t>(PriorityQueueScheduler::PeekNext().key.m_ts);
}

bool
WormholeScheduler::IsEmpty() const
{
    // Who waits may have made its decisions in an event meanwhile.
    return PriorityQueueScheduler::IsEmpty() &&
           NoneOf(m_waiting, [](const EngineRounds* engine) { return engine->HasDecisions(); });
}

Scheduler::Event
WormholeScheduler::RemoveNext()
{
    s_running = this;
    if (!m_waiting.empty())
    {
        const auto eventsRun = Simulator::GetEventCount();
        if (eventsRun == m_eventsRun)
        {
            // The event taken out before did not run: another scheduler gets them all.
            s_running = nullptr;
            for (const auto engine : std::exchange(m_waiting, {}))
            {
                engine->ScheduleDecisions();
            }
        }
        else
        {
            m_eventsRun = eventsRun;
            LetDecide();
        }
    }
    return PriorityQueueScheduler::RemoveNext();
}

void
WormholeScheduler::LetDecide()
{
    // What one decides may have the next event come sooner, or bring it to others.
    FindNext();
    bool any = true;
    while (any)
    {
        any = false;
        TimesOfOthers others(m_waiting);
        for (std::size_t i = 0; i < m_waiting.size(); ++i)
        {
            if (m_waiting[i]->DecideBetweenEvents(*this, others.Get(*m_waiting[i])))
            {
                any = true;
                others = TimesOfOthers(m_waiting);
            }
        }
        any = any && m_waiting.size() > 1;
    }
    m_waiting.erase(
        std::remove_if(m_waiting.begin(),
                       m_waiting.end(),
                       [](const EngineRounds* engine) { return !engine->HasDecisions(); }),
        m_waiting.end());
}

} // namespace ns3
