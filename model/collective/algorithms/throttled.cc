// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-registry.h"
#include "ns3/event-id.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// Another broadcast whose root is throttled: it begins one no sooner than Gap after the one
/// before, and while fewer than Window of those that it began are outstanding. A root that is held
/// back waits inside the collective.
///
/// That everybody has a broadcast the root learns by acknowledgements, a reduction that every
/// member enters as it leaves the broadcast; a member that is inside the one of a former round
/// enters it later. They are messages like all others: they take the time of hosts and of the
/// network. Without a window there are none.
///
/// Takes three group identifiers, two without a window.
class ThrottledBroadcast : public Broadcast
{
  public:
    static TypeId GetTypeId()
    {
        const CollectiveForm form{DataKind::BROADCAST, false};
        static TypeId tid =
            NewType(form.MakeTypeId("Throttled", Collective::GetFormTypeId(form))
                        .AddConstructor<ThrottledBroadcast>())
                .Add("Inner",
                     "Name of the broadcast that is throttled.",
                     Sets::Text(&ThrottledBroadcast::m_innerName, "tree"))
                .Add("Window",
                     "Maximum number of outstanding broadcasts (begun, but not yet acknowledged "
                     "by all members); 0: any number, without acknowledgements.",
                     Sets::Number(&ThrottledBroadcast::m_window, 1))
                .Add("Gap",
                     "Minimum time between the starts of two broadcasts at the root.",
                     Sets::Duration(&ThrottledBroadcast::m_gap))
                .Add("Acks",
                     "Name of the reduction by which members acknowledge a broadcast, if there is "
                     "a window.",
                     Sets::Text(&ThrottledBroadcast::m_acksName, "tree"))
                .Add("Begin",
                     "The root begins a broadcast; with the time for which the root was held back.",
                     &ThrottledBroadcast::m_beginTrace,
                     "ns3::Collective::DurationTracedCallback");
        return tid;
    }

    bool HasLongMessages() const override
    {
        return true; // what is throttled refuses them if it has none
    }

    void ReceiveAt(uint32_t, Ptr<const Worm>) override
    {
    }

  protected:
    void DoDispose() override
    {
        Broadcast::DoDispose();
        m_inner = m_acks = nullptr;
    }

  private:
    void DoStop() override
    {
        m_end.Cancel();
    }

    void DoCreate() override
    {
        ClearParts();
        m_nBegun = m_nAcknowledged = m_nOwed = 0;
        m_isHeld = m_isReleasing = false;
        m_owed.assign(GetNMembers(), 0);
        m_acks = nullptr;
        m_inner = MakePart("Inner", DataKind::BROADCAST, m_innerName);
        CopyAttributes(*m_inner, {"Operation", "WidthBits", "MessageBytes"});
        if (m_window > 0)
        {
            m_acks = MakePart("Acks", DataKind::REDUCTION, m_acksName);
        }
        try
        {
            CreatePart(m_inner);
            if (m_acks)
            {
                CreatePart(m_acks);
            }
        }
        catch (const WormholeError&)
        {
            m_inner->Dispose();
            m_inner = m_acks = nullptr;
            ClearParts();
            throw;
        }
    }

    void DoEnter(uint32_t rank, uint64_t value) override
    {
        if (rank != GetRoot())
        {
            m_inner->Enter(rank);
            return;
        }
        m_isHeld = true;
        m_value = value;
        m_since = Simulator::Now();
        TryBegin();
    }

    void DoRelease() override
    {
        m_isReleasing = m_nOwed > 0;
        if (!m_isReleasing) // else the last acknowledgement goes on
        {
            ReleaseParts();
        }
    }

    Ptr<Collective> MakePart(const std::string& attribute, DataKind kind, const std::string& name)
    {
        auto part = CollectiveRegistry::Make(kind, name, CollectiveRegistry::Moves::VALUE);
        CollectiveRegistry::CheckSettings(
            name,
            attribute,
            {"Operation", "WidthBits", "GroupIdBits", "MessageBytes", "Root"},
            [&](const auto& setting, const auto& value) {
                return "it beside " + attribute + ", as in throttled[" + setting + "=" + value +
                       "]";
            });
        part->SetAttribute("Root", IntegerValue(GetRoot()));
        CopyAttributes(*part, {"GroupIdBits"});
        AddPart(part);
        return part;
    }

    /// The root begins its broadcast as soon as it may.
    void TryBegin()
    {
        if (!m_isHeld || !m_end.IsExpired() ||
            (m_window > 0 && m_nBegun - m_nAcknowledged >= m_window))
        {
            return;
        }
        const auto now = Simulator::Now();
        if (const auto end = m_lastBegun + m_gap; m_nBegun > 0 && now < end)
        {
            m_end = GetDomain().GetActivities().ScheduleAfter(
                GetDomain().GetActivities().AddNext(LatencyCause::PAUSE, now, end - now),
                end - now,
                &ThrottledBroadcast::TryBegin,
                this);
            return;
        }
        m_isHeld = false;
        m_lastBegun = now;
        ++m_nBegun;
        m_beginTrace(now - m_since);
        m_inner->Enter(GetRoot(), m_value);
    }

    void LeavePart(const Collective& part, uint32_t rank, uint64_t result) override
    {
        if (&part == PeekPointer(m_acks))
        {
            LeaveAcks(rank);
            return;
        }
        if (m_acks)
        {
            ++m_nOwed;
            if (++m_owed[rank] == 1)
            {
                m_acks->Enter(rank);
            }
        }
        Leave(rank, result);
    }

    void LeaveAcks(uint32_t rank)
    {
        --m_nOwed;
        if (--m_owed[rank] > 0)
        {
            m_acks->Enter(rank);
        }
        if (rank == GetRoot())
        {
            ++m_nAcknowledged;
            TryBegin();
        }
        if (m_isReleasing && m_nOwed == 0)
        {
            DoRelease();
        }
    }

    std::string m_innerName;
    std::string m_acksName;
    uint32_t m_window{1};
    Time m_gap;

    Ptr<Collective> m_inner;
    Ptr<Collective> m_acks;       ///< the acknowledgements; null without a window
    std::vector<uint64_t> m_owed; ///< by rank: acknowledgements not given, that under way included
    uint64_t m_nOwed{0};
    bool m_isReleasing{false}; ///< whether it is released when nothing is owed
    bool m_isHeld{false};      ///< whether the root waits to begin
    uint64_t m_value{0};
    Time m_since;
    uint64_t m_nBegun{0};
    uint64_t m_nAcknowledged{0}; ///< those that the root knows to be everywhere
    Time m_lastBegun;            ///< when the last one began
    EventId m_end;

    TracedCallback<Time> m_beginTrace;
};

NS_OBJECT_ENSURE_REGISTERED(ThrottledBroadcast);

} // namespace

} // namespace ns3
