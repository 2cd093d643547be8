// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-host-software.h"

#include "ns3/host-retransmission.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-worm.h"

#include <algorithm>
#include <deque>
#include <sstream>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostSoftware");

/// An interface whose messages share it in turn, worm by worm (rule S15).
///
/// The interface's delay is a pipeline that a message passes once, before its queue gets it. So a
/// worm is chosen when its head may start, worms follow each other at line rate, and messages that
/// come at the instant of a choice take part in it. Each lane has a circle of its own.
class InterfaceTurns : public SimpleRefCount<InterfaceTurns>
{
  public:
    /// A worm of a message.
    struct Part
    {
        Ptr<Worm> worm; ///< the worm
        Time share;     ///< least time from its start to the next worm's, by the byte rate
    };

    struct Message
    {
        uint32_t destination{0};            ///< number of its queue
        uint8_t lane{0};                    ///< lane of its worms' first channel
        uint64_t nWorms{1};                 ///< number of its worms
        Time before;                        ///< least time from the last worm's tail to its first
        Time gap;                           ///< least time from its first worm to another message's
        std::function<Part(uint64_t)> make; ///< makes one of its worms
        std::function<void()> left;         ///< called when its last tail has left; may be empty
    };

    /// Sends a worm, whose head is to ask for the channel now.
    using Send = std::function<void(const Ptr<Worm>& worm)>;

    InterfaceTurns(Time delay, Send send)
        : m_delay(delay),
          m_send(std::move(send))
    {
    }

    /// @param worm a worm that is sent in order @param left called when its tail has left
    void NotifyWhenLeft(const Ptr<const Worm>& worm, std::function<void()> left)
    {
        m_leaving[PeekPointer(worm)] = std::move(left);
    }

    /// A message is handed over now.
    void Add(Message message)
    {
        const auto number = message.lane;
        m_lanes[number].coming.push_back(
            {TimeLimit::Add(Simulator::Now(), m_delay), std::move(message), 0});
        GoOn(number);
    }

    /// A worm's tail has left the interface. @param worm the worm, maybe not sent by this
    void NotifyLeft(const Ptr<const Worm>& worm)
    {
        std::function<void()> left;
        if (const auto found = m_leaving.find(PeekPointer(worm)); found != m_leaving.end())
        {
            left = std::move(found->second);
            m_leaving.erase(found);
        }
        const auto found = std::find_if(m_lanes.begin(), m_lanes.end(), [&](const auto& lane) {
            return lane.second.worm == worm;
        });
        const auto isOurs = found != m_lanes.end();
        const auto number = isOurs ? found->first : uint8_t{0};
        if (isOurs)
        {
            found->second.worm = nullptr;
            found->second.tailLeft = Simulator::Now();
        }
        if (left)
        {
            left();
        }
        if (isOurs)
        {
            GoOn(number);
        }
    }

    /// Forgets all messages.
    void Stop()
    {
        m_lanes.clear();
        m_leaving.clear();
    }

  private:
    /// A message that is being sent, or waits.
    struct Pending
    {
        Time ready;        ///< when it has passed the interface's delay
        Message message;   ///< the message
        uint64_t nSent{0}; ///< worms taken
    };

    using Queue = std::deque<Pending>;

    struct Lane
    {
        Queue coming;                     ///< messages in the interface's delay
        std::map<uint32_t, Queue> queues; ///< by destination, messages with worms to send
        std::deque<Queue*> circle;        ///< queues that have some, in turn
        Ptr<const Worm> worm;             ///< taken last, while its tail has not left
        bool isFirst{true};               ///< whether none was ever taken
        Time tailLeft;                    ///< when the last one's tail left
        Time nextWorm;                    ///< when the byte rate lets the next one start
        Time nextMessage;                 ///< when the gap lets the next message start
        Time wake;                        ///< when there is an event to go on
    };

    void GoOn(uint8_t number)
    {
        auto& lane = m_lanes[number];
        const auto now = Simulator::Now();
        for (; !lane.coming.empty() && lane.coming.front().ready <= now; lane.coming.pop_front())
        {
            auto& queue = lane.queues[lane.coming.front().message.destination];
            if (queue.empty())
            {
                lane.circle.push_back(&queue);
            }
            queue.push_back(std::move(lane.coming.front()));
        }
        if (lane.worm || (lane.circle.empty() && lane.coming.empty()))
        {
            return; // until its tail has left, or another message comes
        }
        auto next = now;
        if (lane.circle.empty())
        {
            next = lane.coming.front().ready;
        }
        else if (!lane.isFirst)
        {
            const auto& first = lane.circle.front()->front();
            next = std::max(next, lane.nextWorm);
            if (first.nSent == 0)
            {
                next = std::max(
                    {next, lane.nextMessage, TimeLimit::Add(lane.tailLeft, first.message.before)});
            }
        }
        if (next <= now)
        {
            Take(lane);
        }
        else if (lane.wake <= now)
        {
            // What comes until then goes behind what is first now.
            lane.wake = next;
            Simulator::Schedule(next - now,
                                &InterfaceTurns::GoOn,
                                Ptr<InterfaceTurns>(this),
                                number);
        }
    }

    void Take(Lane& lane)
    {
        const auto now = Simulator::Now();
        auto& queue = *lane.circle.front();
        lane.circle.pop_front();
        auto& pending = queue.front();
        const auto part = pending.message.make(pending.nSent);
        lane.isFirst = false;
        lane.worm = part.worm;
        lane.nextWorm = TimeLimit::Add(now, part.share);
        if (pending.nSent == 0)
        {
            lane.nextMessage = TimeLimit::Add(now, pending.message.gap);
        }
        if (++pending.nSent == pending.message.nWorms)
        {
            if (pending.message.left)
            {
                NotifyWhenLeft(part.worm, std::move(pending.message.left));
            }
            queue.pop_front();
        }
        if (!queue.empty())
        {
            lane.circle.push_back(&queue);
        }
        m_send(part.worm);
    }

    /// By worm, what to call when its tail has left.
    std::unordered_map<const Worm*, std::function<void()>> m_leaving;

    Time m_delay;                    ///< the interface's delay
    Send m_send;                     ///< sends worms
    std::map<uint8_t, Lane> m_lanes; ///< by number
};

/// The worms that a message is cut into: its packets; or, if these are more than a limit, so
/// many worms of equal length that stand for them (S15), each with its share of their headers.
class MessagePackets
{
  public:
    /// What attributes of HostSoftware say.
    struct Settings
    {
        uint32_t maxBytes;    ///< longest part of a message in a packet; 0: what lanes hold
        uint32_t headerBytes; ///< what each packet is longer by
        uint32_t maxWorms;    ///< how many worms stand for all packets; 0: each packet is a worm
    };

    /// Most worms that a message may be cut into.
    static constexpr uint64_t MAX = 1U << 20;

    /// @param fabric the fabric that they cross; null: it is gone
    /// @param addressBytes what the addresses of a tree worm add to each packet
    /// @throws WormholeError if there are more than MAX, or a lane's buffer does not hold one
    MessagePackets(const Settings& settings,
                   Ptr<const WormholeFabric> fabric,
                   uint64_t bytes,
                   uint32_t addressBytes)
        : m_fabric(std::move(fabric)),
          m_bytes(bytes),
          m_headerBytes(uint64_t{settings.headerBytes} + addressBytes),
          m_share(settings.maxBytes)
    {
        if (m_share == 0)
        {
            const auto most = m_fabric ? m_fabric->GetMaxWormBytes() : UINT64_MAX;
            if (most <= m_headerBytes)
            {
                throw WormholeError(
                    "a packet of a message has " + std::to_string(m_headerBytes) +
                    " bytes besides its share, but a lane's buffer holds " + std::to_string(most) +
                    " bytes; with WormholeFabric::Grant = worm it must hold all of it: "
                    "expected a deeper WormholePort::BufferDepth");
            }
            m_share = most - m_headerBytes;
        }
        m_n = bytes == 0 ? 1 : bytes / m_share + (bytes % m_share > 0);
        if (m_fabric)
        {
            m_flits = m_fabric->GetFlits(std::min(bytes, m_share) + m_headerBytes);
            m_lastFlits = m_fabric->GetFlits(GetBytes(m_n - 1) + m_headerBytes);
        }
        if (m_fabric && settings.maxWorms > 0 && m_n > settings.maxWorms)
        {
            const auto all = GetFlits();
            const auto held = m_fabric->GetMaxWormBytes();
            m_flits = std::min(all / settings.maxWorms + (all % settings.maxWorms > 0),
                               held < UINT64_MAX ? m_fabric->GetFlits(held) : held);
            m_n = all / m_flits + (all % m_flits > 0);
            m_lastFlits = all - (m_n - 1) * m_flits;
            m_share = bytes / m_n;
        }
        if (m_n > MAX)
        {
            const std::string reason = settings.maxBytes > 0 ? "HostSoftware::MaxPacketBytes"
                                                             : "what a lane's buffer holds";
            throw WormholeError("a message of " + std::to_string(bytes) + " bytes makes " +
                                std::to_string(m_n) + " packets of " + std::to_string(m_share) +
                                " bytes (" + reason + "); expected at most " + std::to_string(MAX));
        }
    }

    uint64_t GetN() const
    {
        return m_n;
    }

    uint64_t GetFlits(uint64_t worm) const
    {
        return worm + 1 < m_n ? m_flits : m_lastFlits;
    }

    /// @return length of all together, flits
    uint64_t GetFlits() const
    {
        return (m_n - 1) * m_flits + m_lastFlits;
    }

    /// @return bytes of the message in a worm
    uint64_t GetBytes(uint64_t worm) const
    {
        return worm + 1 < m_n ? m_share : m_bytes - (m_n - 1) * m_share;
    }

  private:
    Ptr<const WormholeFabric> m_fabric; ///< the fabric
    uint64_t m_bytes;                   ///< length of the message
    uint64_t m_headerBytes;             ///< what each packet is longer by, addresses included
    uint64_t m_share;                   ///< bytes of the message in each worm but the last
    uint64_t m_n;                       ///< how many worms there are
    uint64_t m_flits{0};                ///< length of each worm but the last
    uint64_t m_lastFlits{0};            ///< length of that
};

HostSoftware::HostSoftware() = default;

HostSoftware::~HostSoftware() = default;

void
HostSoftware::DoDispose()
{
    for (std::size_t i = 0; i < m_turns.size(); ++i)
    {
        if (m_turns[i])
        {
            m_turns[i]->Stop();
            const auto left = MakeCallback(&HostSoftware::NotifyLeft, this);
            const auto& device = GetDevice(static_cast<uint32_t>(i));
            device->GetPort()->TraceDisconnectWithoutContext("TailLeft", left);
            device->TraceDisconnectWithoutContext("NotSent", left);
        }
    }
    m_turns.clear();
    m_reliability.reset();
    m_gaveUp = nullptr;
    SetFirst(nullptr);
    if (m_adapter)
    {
        m_adapter->Dispose();
        m_adapter = nullptr;
    }
    m_later.clear();
    m_nextLater.Cancel();
    m_nextLater = EventId(); // which holds this object
    m_sendJitter = nullptr;
    m_receiveJitter = nullptr;
    Object::DoDispose();
}

void
HostSoftware::Install(Ptr<WormholeNetDevice> device)
{
    SetFirst(device);
    device->AggregateObject(this);
}

HostSoftware&
HostSoftware::GetAdapter()
{
    if (!m_adapter)
    {
        // Nothing but what is set here costs it anything, whatever the defaults of hosts are.
        m_adapter = Ptr<HostSoftware>(new HostSoftware, false);
        m_adapter->m_sendOverhead = m_adapter->m_receiveOverhead = m_adapterMessageTime;
        m_adapter->m_stepTime = m_adapterStepTime;
        m_adapter->m_name = GetProcessName(0) + " adapter";
        m_adapter->SetActivities(Ptr<ActivityRecorder>(&GetActivities()));
    }
    return *m_adapter;
}

std::string
HostSoftware::GetProcessName(uint32_t task) const
{
    std::string name = m_name.empty() ? "h" + std::to_string(m_number) : m_name;
    if (const auto& device = GetDevice())
    {
        const auto port = device->GetPort()->GetName();
        name = port.substr(0, port.rfind(':'));
    }
    return task == 0 ? name : name + "." + std::to_string(task);
}

Time
HostSoftware::Send(Ptr<Worm> worm)
{
    NS_LOG_FUNCTION(this << worm->GetFlits());
    const auto wait = OccupySend(GetBytes(*worm));
    const ActivityRecorder::Scope scope(GetActivities(), GetLastActivity());
    HandOver(std::move(worm), Simulator::Now() + wait);
    return wait;
}

void
HostSoftware::HandOver(Ptr<Worm> worm, Time time, uint32_t interface)
{
    auto& activities = GetActivities();
    const auto wait = time - Simulator::Now();
    if (wait.IsStrictlyPositive() && (IsInTurn() || !PassesAtOnce(Direction::SENT)))
    {
        // Other messages may ask for the interface until then.
        activities.Schedule(wait,
                            &HostSoftware::HandOver,
                            Ptr<HostSoftware>(this),
                            std::move(worm),
                            time,
                            interface);
        return;
    }
    auto cause = activities.GetCurrent();
    if (IsInTurn())
    {
        const auto bytes = GetBytes(*worm);
        AddInTurn({{}, 0, worm->GetRoute(), interface, HostMessage::ANYONE, {}, cause},
                  bytes,
                  worm->GetFlits(),
                  1,
                  [=](uint64_t) { return std::make_pair(worm, bytes); });
        return;
    }
    const auto passes = PassInterface(Direction::SENT, *worm, cause, interface);
    Launch(std::move(worm), wait + passes, interface, cause);
}

void
HostSoftware::HandOverMessage(Outgoing outgoing, Time time)
{
    NS_LOG_FUNCTION(this << outgoing.message << time);
    if (m_retransmits && !outgoing.message.isNumbered && !outgoing.message.IsHeartbeat())
    {
        GetRetransmission().Send(std::move(outgoing), time);
        return;
    }
    const auto now = Simulator::Now();
    const auto packets = Cut(outgoing.message.bytes, outgoing.addressBytes);
    const bool isAlone = m_lastAlone <= now || m_lastAlone == time;
    if (m_later.empty() && isAlone && packets.GetN() == 1 && !IsInTurn() && !outgoing.left &&
        !outgoing.message.isNumbered)
    {
        // The fabric knows best when the only one that waits is due: other hosts' may be as well.
        m_lastAlone = time;
        HandOver(Create<HostMessageWorm>(outgoing.message, packets.GetFlits(0), outgoing.route),
                 time,
                 outgoing.interface);
        return;
    }
    outgoing.cause = GetActivities().GetCurrent();
    const auto added = m_later.emplace_hint(m_later.upper_bound(time), time, std::move(outgoing));
    if (added == m_later.begin())
    {
        m_nextLater.Cancel();
        m_nextLater =
            Simulator::Schedule(time - now, &HostSoftware::HandOverNext, Ptr<HostSoftware>(this));
    }
}

HostRetransmission&
HostSoftware::GetRetransmission()
{
    if (!m_reliability)
    {
        m_reliability = std::make_unique<HostRetransmission>(*this);
    }
    return *m_reliability;
}

void
HostSoftware::Acknowledge(const Ptr<const Worm>& worm,
                          const std::function<void(const Ptr<const Worm>&)>& take)
{
    GetRetransmission().Receive(worm, take);
}

void
HostSoftware::HandOverNext()
{
    m_nextLater = EventId();
    const auto now = Simulator::Now();
    while (!m_later.empty() && m_later.begin()->first <= now)
    {
        HandOverNow(m_later.extract(m_later.begin()).mapped());
    }
    if (!m_later.empty())
    {
        m_nextLater = Simulator::Schedule(m_later.begin()->first - now,
                                          &HostSoftware::HandOverNext,
                                          Ptr<HostSoftware>(this));
    }
}

void
HostSoftware::HandOverNow(const Outgoing& outgoing)
{
    if (!GetDevice()->GetFabric())
    {
        return; // which is gone
    }
    const auto packets = Cut(outgoing.message.bytes, outgoing.addressBytes);
    const auto n = packets.GetN();
    const auto cut = n > 1 || outgoing.message.isNumbered
                         ? Create<PacketAssembly>(n, outgoing.transmission)
                         : nullptr;
    const auto make = [=, message = outgoing.message, route = outgoing.route](uint64_t number) {
        const auto flits = packets.GetFlits(number);
        const Ptr<Worm> worm = cut ? Ptr<Worm>(Create<HostPacketWorm>(message, flits, route, cut))
                                   : Ptr<Worm>(Create<HostMessageWorm>(message, flits, route));
        return std::make_pair(worm, packets.GetBytes(number));
    };
    if (IsInTurn())
    {
        AddInTurn(outgoing, outgoing.message.bytes, packets.GetFlits(0), n, make);
        return;
    }
    auto cause = outgoing.cause;
    Time wait;
    for (uint64_t number = 0; number < n; ++number)
    {
        const auto worm = make(number).first;
        if (number == 0)
        {
            wait = PassInterface(Direction::SENT, *worm, cause, outgoing.interface);
        }
        if (number + 1 == n && outgoing.left)
        {
            WatchInterface(outgoing.interface).NotifyWhenLeft(worm, outgoing.left);
        }
        Launch(worm, wait, outgoing.interface, cause);
    }
}

void
HostSoftware::AddInTurn(const Outgoing& outgoing,
                        uint64_t bytes,
                        uint64_t flits,
                        uint64_t nWorms,
                        std::function<std::pair<Ptr<Worm>, uint64_t>(uint64_t)> make)
{
    InterfaceTurns::Message message;
    message.destination = outgoing.destination;
    message.lane = GetDevice()->GetFabric()->GetFirstLane(*outgoing.route, flits);
    message.nWorms = nWorms;
    message.before = m_interfaceSendTime.At(bytes);
    message.gap = m_messageGap.At(bytes);
    message.left = outgoing.left;
    message.make = [this,
                    make = std::move(make),
                    handedOver = Simulator::Now(),
                    cause = outgoing.cause,
                    interface = outgoing.interface](uint64_t number) {
        const auto [worm, carried] = make(number);
        if (auto& activities = GetActivities(); activities.IsRecording())
        {
            // Its delay comes last, as of worms in order.
            const auto ready = Simulator::Now() - GetDevice(interface)->GetDelay();
            const ActivityRecorder::Scope scope(activities, cause);
            activities.Launch(PeekPointer(worm),
                              activities.AddNext(LatencyCause::INTERFACE_BUSY,
                                                 handedOver,
                                                 ready - handedOver,
                                                 GetProcessName(0)),
                              ready.GetTimeStep());
        }
        return InterfaceTurns::Part{worm,
                                    ExactTime::RoundTransmission(carried, m_interfaceDataRate)};
    };
    WatchInterface(outgoing.interface).Add(std::move(message));
}

InterfaceTurns&
HostSoftware::WatchInterface(uint32_t interface)
{
    m_turns.resize(std::max<std::size_t>(m_turns.size(), GetNInterfaces()));
    auto& turns = m_turns[interface];
    if (!turns)
    {
        const auto device = GetDevice(interface);
        turns = Create<InterfaceTurns>(device->GetDelay(), [device](const Ptr<Worm>& worm) {
            device->SendReadyWorm(worm);
        });
        const auto left = MakeCallback(&HostSoftware::NotifyLeft, this);
        device->GetPort()->TraceConnectWithoutContext("TailLeft", left);
        device->TraceConnectWithoutContext("NotSent", left);
    }
    return *turns;
}

void
HostSoftware::NotifyLeft(Ptr<const Worm> worm)
{
    for (std::size_t i = 0; i < m_turns.size(); ++i)
    {
        if (const auto turns = m_turns[i]) // a copy: whoever is told may dispose
        {
            turns->NotifyLeft(worm);
        }
    }
}

void
HostSoftware::Launch(Ptr<Worm> worm,
                     Time wait,
                     uint32_t interface,
                     ActivityRecorder::Id cause) const
{
    if (GetActivities().IsRecording())
    {
        GetActivities().Launch(PeekPointer(worm), cause, (Simulator::Now() + wait).GetTimeStep());
    }
    if (wait.IsZero())
    {
        GetDevice(interface)->SendWorm(std::move(worm));
    }
    else
    {
        GetDevice(interface)->SendWormLater(std::move(worm), wait);
    }
}

uint64_t
HostSoftware::GetFlits(uint64_t bytes, uint32_t addressBytes) const
{
    return Cut(bytes, addressBytes).GetFlits();
}

MessagePackets
HostSoftware::Cut(uint64_t bytes, uint32_t addressBytes) const
{
    return {{m_maxPacketBytes, m_packetHeaderBytes, IsInTurn() ? m_messageSegments : 0},
            GetDevice()->GetFabric(),
            bytes,
            addressBytes};
}

uint64_t
HostSoftware::GetBytes(const Worm& worm) const
{
    return worm.GetKind() == Worm::MESSAGE
               ? static_cast<const HostMessageWorm&>(worm).GetMessage().bytes
               : GetDevice()->GetFabric()->GetBytes(worm.GetFlits());
}

std::string
HostSoftware::Describe(const HostMessage& message) const
{
    std::ostringstream text;
    const auto name = GetActivities().GetGroupName(message.group);
    text << name << (name.empty() ? "" : ", ") << message;
    return text.str();
}

std::string
HostSoftware::Describe(const Worm& worm) const
{
    return worm.GetKind() == Worm::MESSAGE
               ? Describe(static_cast<const HostMessageWorm&>(worm).GetMessage())
               : "a message of a switch's collective unit";
}

} // namespace ns3
