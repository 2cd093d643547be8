/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CHANNEL_RECORD_H
#define WORMHOLE_CHANNEL_RECORD_H

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a run does to each channel of a fabric: worms, flits, how busy it was, and how long
 *        worms waited for it.
 *
 * All worms together are the fabric's worm-hops, all flits its flit-hops, counted when a tail has
 * left.
 */
class ChannelRecord : public SimpleRefCount<ChannelRecord>
{
  public:
    /// One channel: one direction of a cable.
    struct Channel
    {
        FabricGraph::End from; ///< output that it leaves by
        FabricGraph::End to;   ///< where it leads to
        Time flitTime;         ///< time of a flit
        uint64_t worms{0};     ///< worms that have left by it
        uint64_t flits{0};     ///< their flits there, with those of route headers
        Time waiting;          ///< between the requests of their heads and their starts, in sum;
                               ///< of those that chose it among others (S12), too
    };

    /// Begins to record.
    /// @param fabric the fabric, without worms on their way
    /// @param graph its graph
    /// @return the record
    static Ptr<ChannelRecord> Begin(Ptr<WormholeFabric> fabric, const FabricGraph& graph);

    /// Records nothing yet. @param fabric the fabric @param graph its graph
    ChannelRecord(Ptr<WormholeFabric> fabric, const FabricGraph& graph);

    /// @return the channels, by number of the node, then of the port
    const std::vector<Channel>& GetChannels() const
    {
        return m_channels;
    }

    /// @return the ratio of the time since Begin that a channel was busy @param channel one of them
    double GetUtilisation(const Channel& channel) const;

    /// @return worms of all channels
    uint64_t CountWorms() const;

    /// Writes a row for each channel: node, port, to, to_port, worms, flits, utilisation,
    /// waiting_us.
    /// @param os where to
    void WriteCsv(std::ostream& os) const;

  private:
    void Note(uint32_t number, WormholePort::Trace trace, Ptr<const Worm> worm);

    /// A worm with choices (S12) has taken one, and asks for no other channel of the node.
    void Withdraw(FabricGraph::Node node, const Ptr<const Worm>& worm);
    uint64_t GetFlits(const Channel& channel, const Worm& worm) const;

    Ptr<WormholeFabric> m_fabric;    ///< the fabric
    FabricGraph m_graph;             ///< its graph
    Time m_begin;                    ///< when recording began
    std::vector<Channel> m_channels; ///< by number of the node, then of the port
    std::vector<std::unordered_map<const Worm*, Time>> m_requests; ///< by channel, of heads there
};

} // namespace ns3

#endif /* WORMHOLE_CHANNEL_RECORD_H */
