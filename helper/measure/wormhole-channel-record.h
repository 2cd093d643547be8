// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_CHANNEL_RECORD_H
#define WORMHOLE_CHANNEL_RECORD_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Records a run's use of each channel of a fabric: worms, flits, utilisation, and how long
///        worms waited for the channel.
///
/// A channel counts a worm and the worm's flits when the tail has left. The sums over all channels
/// are the fabric's worm-hops and flit-hops: passages of one worm, or one flit, over one channel.
class ChannelRecord : public SimpleRefCount<ChannelRecord>
{
  public:
    /// One channel: one direction of a cable.
    struct Channel
    {
        FabricGraph::End from; ///< sending output
        FabricGraph::End to;   ///< receiving input
        Time flitTime;         ///< time per flit
        uint64_t worms{0};     ///< number of worms that the channel has carried
        uint64_t flits{0};     ///< flits of the carried worms, including route headers
        Time waiting{};   ///< sum over worms of the time from the head's request to its start; a
                          ///< worm with route choices (S12) counts only at the channel it took
        uint64_t lost{0}; ///< flits lost on the channel in outages (rule S14)
        std::vector<std::pair<Time, Time>> down{}; ///< known outages of the cable: start, end
    };

    /// Starts recording a fabric, which was built from the graph and has no worms in flight.
    static Ptr<ChannelRecord> Begin(Ptr<WormholeFabric> fabric, const FabricGraph& graph);

    /// Makes a recorder that records nothing; Begin makes one that records.
    ChannelRecord(Ptr<WormholeFabric> fabric, const FabricGraph& graph)
        : m_fabric(fabric),
          m_graph(graph),
          m_begin(Simulator::Now())
    {
    }

    /// @return the channels, ordered by node number, then by port number
    const std::vector<Channel>& GetChannels() const
    {
        return m_channels;
    }

    /// Gives a channel's utilisation: (flits counted) * (time per flit) / (time since Begin).
    double GetUtilisation(const Channel& channel) const
    {
        const auto all = Simulator::Now() - m_begin;
        return all.IsStrictlyPositive() ? static_cast<double>(channel.flits) *
                                              channel.flitTime.GetDouble() / all.GetDouble()
                                        : 0;
    }

    /// @return number of worm-hops: the sum of all channels' worms
    uint64_t CountWorms() const;

    /// Gives the mean time that worms have waited for each channel since the last call, or Begin.
    CollectiveDomain::ChannelWait TakeWaits();

    /// Tells how long a channel was down since Begin.
    Time GetDownTime(const Channel& channel) const;

    /// Writes a row for each channel: node, port, to, to_port, worms, flits, utilisation,
    /// waiting_us; if there are outages, also lost and down_us.
    void WriteCsv(std::ostream& os) const;

  private:
    void NoteOutage(const WormholeOutage& outage);
    void NoteLoss(const WormholeLoss& loss);
    void Note(uint32_t number, WormholePort::Trace trace, Ptr<const Worm> worm);

    /// Called when a worm with route choices (rule S12) starts on an output; drops its requests.
    void Withdraw(FabricGraph::Node node, const Ptr<const Worm>& worm);
    uint64_t GetFlits(const Channel& channel, const Worm& worm) const;

    Ptr<WormholeFabric> m_fabric;             ///< the fabric
    FabricGraph m_graph;                      ///< its graph
    Time m_begin;                             ///< start of recording
    std::vector<Channel> m_channels;          ///< channels by node number, then by port number
    std::vector<Ptr<WormholePort>> m_outputs; ///< output of each channel
    bool m_hasOutages{false};                 ///< whether there are outages
    std::vector<std::unordered_map<uint64_t, Time>>
        m_requests; ///< request times of heads, by channel and worm
    std::vector<std::pair<uint64_t, Time>> m_before; ///< worms and waits at the last TakeWaits
};

} // namespace ns3

#endif /* WORMHOLE_CHANNEL_RECORD_H */
