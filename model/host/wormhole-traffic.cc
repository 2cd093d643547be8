// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-traffic.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeTraffic");

NS_OBJECT_ENSURE_REGISTERED(WormholeTraffic);

/// The event by which a host makes a worm. One object serves a host for good.
class WormholeTraffic::Arrival : public EventImpl
{
  public:
    Arrival(WormholeTraffic& traffic, uint32_t host)
        : m_traffic(traffic),
          m_host(host)
    {
    }

  private:
    void Notify() override
    {
        m_traffic.Generate(m_host);
    }

    WormholeTraffic& m_traffic; ///< the traffic
    uint32_t m_host;            ///< the sending host
};

TypeId
WormholeTraffic::GetTypeId()
{
    static TypeId tid =
        NewType::Of<WormholeTraffic, Object>("ns3::WormholeTraffic")
            .Add("Load",
                 "Offered load: fraction of time for which a host's worms would use its channel.",
                 Sets::Number(&WormholeTraffic::m_load, 0.1, 0))
            .Add("Arrivals",
                 "When a host generates worms: poisson, at random times; or periodic, at equal "
                 "intervals from a random time on.",
                 Sets::Word({"poisson", "periodic"}, "poisson", &WormholeTraffic::m_arrivals))
            .Add("Generated",
                 "A host generates a worm, and will hand it to its interface; with the worm.",
                 &WormholeTraffic::m_generatedTrace,
                 "ns3::WormholeTraffic::GeneratedTracedCallback")
            .Add("Delivered",
                 "A worm has arrived; with the worm and the time since it was generated.",
                 &WormholeTraffic::m_deliveredTrace,
                 "ns3::WormholeTraffic::DeliveredTracedCallback")
            .Add("Lost",
                 "An outage loses flits of a worm, which will not arrive; once, with the worm.",
                 &WormholeTraffic::m_lostTrace,
                 "ns3::WormholeTraffic::LostTracedCallback");
    return tid;
}

WormholeTraffic::WormholeTraffic()
    : m_length(WormLength::Fixed(1)),
      m_gap(CreateObject<ExponentialRandomVariable>()),
      m_phase(CreateObject<UniformRandomVariable>())
{
}

WormholeTraffic::~WormholeTraffic() = default;

void
WormholeTraffic::DoDispose()
{
    Stop();
    for (const auto& sender : m_senders)
    {
        sender.device->SetReceiver(Worm::RAW, WormholeNetDevice::Receiver());
    }
    m_senders.clear();
    if (m_fabric)
    {
        m_fabric->TraceDisconnectWithoutContext("FlitsLost",
                                                MakeCallback(&WormholeTraffic::NoteLoss, this));
    }
    m_fabric = nullptr;
    m_pattern = nullptr;
    Object::DoDispose();
}

void
WormholeTraffic::Install(Ptr<WormholeFabric> fabric,
                         Ptr<TrafficPattern> pattern,
                         const WormLength& length)
{
    WormholeError::ThrowIf(fabric->GetNHosts() != pattern->GetNHosts(),
                           "traffic between " + std::to_string(pattern->GetNHosts()) +
                               " hosts on a fabric of " + std::to_string(fabric->GetNHosts()) +
                               "; expected a pattern prepared for the fabric's graph");
    WormholeError::ThrowIf(!fabric->GetRouter(),
                           "traffic on a fabric without a router: set one first");
    m_fabric = fabric;
    fabric->TraceConnectWithoutContext("FlitsLost", MakeCallback(&WormholeTraffic::NoteLoss, this));
    m_pattern = pattern;
    m_length = length;
    m_senders.resize(fabric->GetNHosts());
    for (uint32_t host = 0; host < m_senders.size(); ++host)
    {
        m_senders[host].device = fabric->GetHost(host);
        m_senders[host].device->SetHostReceiver(Worm::RAW,
                                                MakeCallback(&WormholeTraffic::Receive, this));
    }
    // The simulation keeps what its events need.
    Simulator::ScheduleDestroy(&WormholeTraffic::Dispose, Ptr<WormholeTraffic>(this));
}

void
WormholeTraffic::Start()
{
    NS_LOG_FUNCTION(this << m_load << m_arrivals);
    WormholeError::ThrowIf(!(m_load > 0),
                           "WormholeTraffic::Load is " + std::to_string(m_load) +
                               "; expected a number above 0");
    Stop();
    m_fabric->Start();
    m_periodic = m_arrivals == "periodic";
    // So that the times of many worms, up to 30 times as far apart, are ns-3's times, too.
    const auto most = static_cast<double>(std::numeric_limits<int64_t>::max()) / 1e5;
    for (auto& sender : m_senders)
    {
        const auto cable = sender.device->GetPort()->GetChannel();
        const auto tau = static_cast<double>(m_fabric->GetFlitTime(*cable).GetTimeStep());
        sender.meanGap = m_length.GetMean() * tau / m_load;
        std::ostringstream text;
        text << "WormholeTraffic::Load is " << m_load << ", of worms of " << m_length.GetMean()
             << " flits on average, so that a host sends ";
        if (sender.meanGap > most)
        {
            text << "one every " << sender.meanGap / tau << " flit times; expected one every "
                 << most / tau << " at least";
            throw WormholeError(text.str());
        }
        if (sender.meanGap < 1) // and simulated time would stand still
        {
            text << "several in ns-3's unit of time; expected loads up to "
                 << m_length.GetMean() * tau << ", and all above 1 are saturated";
            throw WormholeError(text.str());
        }
    }
    const auto now = Simulator::Now().GetTimeStep();
    for (uint32_t host = 0; host < m_senders.size(); ++host)
    {
        if (m_pattern->IsSilent(host))
        {
            continue;
        }
        auto& sender = m_senders[host];
        sender.arrival = Create<Arrival>(*this, host);
        const auto wait = m_periodic ? m_phase->GetValue(0, sender.meanGap) : DrawGap(sender);
        sender.next = static_cast<double>(now) + wait;
        const auto node = sender.device->GetNode();
        sender.context = node ? node->GetId() : 0;
        Simulator::ScheduleWithContext(sender.context,
                                       TimeStep(std::llround(wait)),
                                       GetPointer(sender.arrival));
    }
}

void
WormholeTraffic::Stop()
{
    for (auto& sender : m_senders)
    {
        if (sender.arrival)
        {
            sender.arrival->Cancel();
            sender.arrival = nullptr;
        }
    }
}

void
WormholeTraffic::Generate(uint32_t host)
{
    auto& sender = m_senders[host];
    const auto to = m_pattern->Draw(host);
    const auto flits = m_length.Draw();
    // A new route is had sooner than an old one out of a large table.
    auto route = m_fabric->GetRouter()->GetRoute(host, to);
    auto worm = Create<TrafficWorm>(host, to, Simulator::Now(), flits, route);
    ++m_counts.generatedWorms;
    m_counts.generatedFlits += flits;
    m_generatedTrace(worm);
    sender.device->SendWorm(worm);
    if (sender.arrival) // else somebody has called Stop
    {
        sender.next += m_periodic ? sender.meanGap : DrawGap(sender);
        const auto wait = std::llround(sender.next) - Simulator::Now().GetTimeStep();
        // The simulator's queue and the sender hold the event; nobody needs its EventId.
        Simulator::ScheduleWithContext(sender.context, TimeStep(wait), GetPointer(sender.arrival));
    }
}

void
WormholeTraffic::Receive(uint32_t, Ptr<const Worm> worm)
{
    const auto ours = dynamic_cast<const TrafficWorm*>(PeekPointer(worm));
    if (!ours)
    {
        return; // a RAW worm of somebody else
    }
    ++m_counts.deliveredWorms;
    m_counts.deliveredFlits += ours->GetFlits();
    m_deliveredTrace(ours, Simulator::Now() - ours->GetGenerated());
}

void
WormholeTraffic::NoteLoss(const WormholeLoss& loss)
{
    const auto ours = dynamic_cast<const TrafficWorm*>(PeekPointer(loss.worm));
    if (ours && m_lost.insert(ours->GetId()).second)
    {
        ++m_counts.lostWorms;
        m_lostTrace(ours);
    }
}

} // namespace ns3
