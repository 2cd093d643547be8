// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_TRAFFIC_H
#define WORMHOLE_TRAFFIC_H

#include "wormhole-traffic-pattern.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-outage.h"
#include "ns3/wormhole-worm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief The length of worms in flits: a random variable whose mean is known.
///
/// Lengths are rounded up and are at least 1. Copies of a WormLength share one random variable.
class WormLength
{
  public:
    /// Makes lengths from any random variable.
    /// @param flits draws lengths
    /// @param mean mean of the lengths after rounding up
    /// @throws WormholeError if the mean is below 1
    WormLength(Ptr<RandomVariableStream> flits, double mean);

    /// @return the same length for all worms @param flits the length, at least 1
    static WormLength Fixed(uint64_t flits);

    /// Reads lengths from text: FLITS, uniform:LEAST:GREATEST, geometric:MEAN or
    /// bimodal:SHORT:LONG:RATIO, where RATIO is the fraction of worms of length LONG.
    /// @param text such as 64 or bimodal:8:1024:0.1
    /// @return the lengths
    /// @throws WormholeError if the text has none of these forms, or a length is not from 1 to 1e9
    static WormLength Parse(const std::string& text);

    /// Sets the stream of random numbers.
    /// @param stream number of the stream
    /// @return number of streams used: 1
    int64_t AssignStreams(int64_t stream)
    {
        m_flits->SetStream(stream);
        return 1;
    }

    /// @return a random length
    uint64_t Draw()
    {
        return static_cast<uint64_t>(std::max(1.0, std::ceil(m_flits->GetValue())));
    }

    /// @return mean length
    double GetMean() const
    {
        return m_mean;
    }

    /// @return whether the length is a constant, as Fixed makes it; false for uniform:5:5
    bool IsConstant() const
    {
        return static_cast<bool>(DynamicCast<ConstantRandomVariable>(m_flits));
    }

  private:
    Ptr<RandomVariableStream> m_flits; ///< draws lengths
    double m_mean;                     ///< mean length
};

/// @ingroup wormhole
/// @brief A worm of synthetic traffic, of kind RAW, with its source and the time of its generation.
class TrafficWorm : public Worm
{
  public:
    /// @param source sending host
    /// @param destination receiving host
    /// @param generated when the worm was generated
    /// @param flits length in flits
    /// @param route the worm's route
    TrafficWorm(uint32_t source,
                uint32_t destination,
                Time generated,
                uint64_t flits,
                Ptr<const WormRoute> route)
        : Worm(RAW, nullptr, flits, route),
          m_source(source),
          m_destination(destination),
          m_generated(generated)
    {
    }

    /// @return sending host
    uint32_t GetSource() const
    {
        return m_source;
    }

    /// @return receiving host
    uint32_t GetDestination() const
    {
        return m_destination;
    }

    /// @return when the worm was generated
    Time GetGenerated() const
    {
        return m_generated;
    }

  private:
    uint32_t m_source;      ///< sending host
    uint32_t m_destination; ///< receiving host
    Time m_generated;       ///< when the worm was generated
};

/// @ingroup wormhole
/// @brief Synthetic traffic on a fabric: hosts generate worms, whether or not earlier worms have
///        been delivered.
///
/// Worms that can't be sent yet wait in their interface's unlimited queue. The offered load is the
/// part of time for which a host's worms would occupy its channel: L tau / T, with L flits per worm
/// and T between worms on average, and tau per flit. A fabric can have only one WormholeTraffic.
class WormholeTraffic : public Object
{
  public:
    /// Statistics of the traffic so far.
    struct Counts
    {
        uint64_t generatedWorms{0}; ///< worms generated
        uint64_t generatedFlits{0}; ///< flits of the generated worms
        uint64_t deliveredWorms{0}; ///< worms delivered
        uint64_t deliveredFlits{0}; ///< flits of the delivered worms
        uint64_t lostWorms{0};      ///< worms lost in outages, including worms without a route
    };

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    WormholeTraffic();
    ~WormholeTraffic() override;

    /// Installs the traffic on a fabric.
    /// @param fabric the fabric, with a router
    /// @param pattern selects destinations; it must have been prepared for the fabric's graph
    /// @param length the worms' lengths
    /// @throws WormholeError if the fabric has no router, or the pattern is for fewer or more hosts
    void Install(Ptr<WormholeFabric> fabric, Ptr<TrafficPattern> pattern, const WormLength& length);

    /// Sets the random streams of worms' times and lengths, after Install; the pattern has its own.
    /// @param stream number of the first stream
    /// @return number of streams used: 2
    int64_t AssignStreams(int64_t stream)
    {
        m_gap->SetStream(stream);
        m_phase->SetStream(stream);
        return 1 + m_length.AssignStreams(stream + 1);
    }

    /// Makes hosts generate worms from now on; call it after Install.
    /// @throws WormholeError if the attribute Load is not above 0, or is far too low or too high
    void Start();

    void Stop(); ///< Ends generation; worms in flight continue.

    /// @return number of hosts that generate worms; call it after Install
    uint32_t GetNSenders() const
    {
        return m_pattern->GetNSenders();
    }

    /// @return whether no host's channel can carry the load: the load is above 1, or it is 1 and
    ///         the worms' times or lengths are random
    bool ExceedsChannels() const
    {
        const bool chance = m_arrivals != "periodic" || !m_length.IsConstant();
        return m_load > 1 || (m_load == 1 && chance);
    }

    /// @return statistics so far
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// Callback of the trace source Generated. @param worm the worm
    typedef void (*GeneratedTracedCallback)(Ptr<const TrafficWorm> worm);

    /// Callback of the trace source Delivered.
    /// @param worm the worm
    /// @param latency time since the worm was generated
    typedef void (*DeliveredTracedCallback)(Ptr<const TrafficWorm> worm, Time latency);

    /// Callback of the trace source Lost. @param worm the worm
    typedef void (*LostTracedCallback)(Ptr<const TrafficWorm> worm);

  protected:
    void DoDispose() override;

  private:
    class Arrival;

    struct Sender
    {
        Ptr<WormholeNetDevice> device; ///< the host's interface
        Ptr<Arrival> arrival;          ///< event that generates a worm, reused for each worm
        double meanGap{0};             ///< mean time between the host's worms, ns-3 time units
        double next{0};                ///< when the host generates its next worm, ns-3 time units
        uint32_t context{0};           ///< ns-3 node id
    };

    void Generate(uint32_t host); ///< Generates a worm.

    /// @return time until the next worm, ns-3 time units
    double DrawGap(const Sender& sender)
    {
        return sender.meanGap * m_gap->GetValue();
    }

    void Receive(uint32_t host, Ptr<const Worm> worm); ///< Receives a worm.
    void NoteLoss(const WormholeLoss& loss);           ///< An outage has lost flits.

    double m_load{0};                     ///< attribute Load
    std::string m_arrivals;               ///< attribute Arrivals
    Ptr<WormholeFabric> m_fabric;         ///< the fabric
    Ptr<TrafficPattern> m_pattern;        ///< selects destinations
    WormLength m_length;                  ///< lengths of worms
    Ptr<ExponentialRandomVariable> m_gap; ///< for Poisson arrivals: gaps of mean 1, to be scaled
    Ptr<UniformRandomVariable> m_phase;   ///< for periodic arrivals: time of a host's first worm
    bool m_periodic{false};               ///< whether arrivals are periodic
    std::vector<Sender> m_senders;        ///< senders by host; silent hosts never send
    Counts m_counts;                      ///< statistics
    std::unordered_set<uint64_t> m_lost;  ///< worms lost in outages

    TracedCallback<Ptr<const TrafficWorm>> m_generatedTrace;       ///< trace source Generated
    TracedCallback<Ptr<const TrafficWorm>, Time> m_deliveredTrace; ///< trace source Delivered
    TracedCallback<Ptr<const TrafficWorm>> m_lostTrace;            ///< trace source Lost
};

} // namespace ns3

#endif /* WORMHOLE_TRAFFIC_H */
