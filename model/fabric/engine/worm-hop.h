// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_HOP_H
#define WORM_HOP_H

#include "flit-line.h"

#include "ns3/wormhole-worm.h"

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <deque>
#include <limits>

namespace ns3
{

class WormholeInput;
class WormholeOutput;
class WormholeNodeState;
class WormholePortState;
struct WormHop;

/// Records for reuse, the last returned one first, since it is still in the caches. Records keep
/// their addresses, and the memory that they hold, as long as the pool exists.
template <class RECORD>
class RecordPool
{
  public:
    RECORD* Take() ///< @return a record as it was put back, or a new one
    {
        if (m_spare.empty())
        {
            m_records.emplace_back();
            return &m_records.back();
        }
        const auto record = m_spare.back();
        m_spare.pop_back();
        return record;
    }

    void Put(RECORD* record)
    {
        m_spare.push_back(record);
    }

  private:
    std::deque<RECORD> m_records; ///< all records
    std::vector<RECORD*> m_spare; ///< the unused ones
};

inline void
intrusive_ptr_add_ref(const Worm* worm)
{
    worm->Ref();
}

inline void
intrusive_ptr_release(const Worm* worm)
{
    worm->Unref();
}

/// Flits of a worm that leave a node in step, by one output or by all outputs of a sync tree worm.
///
/// A flit starts when the flits before it and the credits allow it (`earliestStarts`, as far as the
/// next buffers tell), when the flit is here (the hop's `arrivals`), and no earlier than a flit
/// time of the output after the flit before it.
struct WormFlow
{
    uint32_t missing{1}; ///< branches without a grant
    FlitLine::Cursor startsToSend{0};
    FlitLine::Cursor startsToCredit{0}; ///< reader: freeing of slots
    FlitLine::Cursor arrivalsToSend{0}; ///< reader: start of flits
    int64_t nextStart{0};               ///< earliest start of the next flit of `earliestStarts`
    uint64_t sent{0};                   ///< flits whose start is scheduled
    FlitLine earliestStarts;            ///< when flits could start if all were here
};

struct WormBranch
{
    WormholeOutput* output{nullptr};
    WormHop* far{nullptr}; ///< the worm in the next switch's buffer; null at a host
    uint64_t base{0};      ///< flits that had gone through the output before this worm
    WormHop* hop{nullptr};

    union {
        WormBranch* nextRequest{nullptr}; ///< the waiting request behind this one
        int64_t nextDeparture; ///< once granted: a flit time after the last start; not set if the
                               ///< starts of all flits were scheduled at once
    };

    int64_t since{0};   ///< when it requests the output, maybe in the future; once granted, when it
                        ///< got the output
    int32_t number{-1}; ///< input port; -1: made here, or at a sending host
    WormRoute::Stop next{0};
    WormFlow flow; ///< flow of its flits; in the first branch, of all branches that advance in step
};

/// A worm at one node: in an input buffer, in the sending interface, or made by a switch.
///
/// Fields are in order of use, since the cost of a hop is mostly memory.
struct alignas(64) WormHop
{
    static constexpr int64_t NONE = std::numeric_limits<int64_t>::min(); ///< No routeFlit.

    boost::intrusive_ptr<const Worm> worm; ///< the worm; ns-3's Ptr would count even when moved
    const WormRoute* route{nullptr};
    WormholeNodeState* node{nullptr};
    WormholeInput* input{nullptr}; ///< buffer it is in; null if the switch itself sends it
    WormHop* behind{nullptr};      ///< next worm in that buffer
    uint64_t flits{0};             ///< its length from here on; 0: it has left, but is still queued
    WormRoute::Stop stop{0};
    uint16_t flowsLeft{0}; ///< flows whose tail is not scheduled
    bool isCovered{true};  ///< whether its buffer need not tell upstream that flits came late
    bool asked{false};
    bool queued{false};   ///< whether it is being updated, or waits for that
    bool isStream{false}; ///< whether StreamScheduler schedules it
    bool inStep{false};   ///< whether all its branches advance in step, as one flow
    bool fits{false};     ///< whether the buffers at both ends of its channel from here hold all
                          ///< of it; false for tree worms
    FlitLine::Cursor arrivalsToCredit{0}; ///< reader of arrivals: freeing of slots

    FlitLine arrivals;        ///< when its flits are ready at this node; without routeFlit
    uint64_t pathCapacity{0}; ///< flits that the buffers on its route hold, up to this node's

    uint64_t credited{0}; ///< flits whose credit is returned
    boost::container::small_vector<WormBranch, 1>
        branches; ///< outputs it takes; none where it ends
    /// Earliest time at which the slot of the next flit to be credited is free, as far as arrivals
    /// and the slowest output tell; only if isCovered is false.
    int64_t nextFreed{0};
    /// S1b: when the first flit, whose last route byte is read and which goes no further, is ready;
    /// once the worm has asked, the time of this request
    int64_t routeFlit{NONE};

    Ptr<const Worm> GetWorm() const
    {
        return Ptr<const Worm>(worm.get());
    }

    bool DropsFlit() const
    {
        return routeFlit != NONE;
    }

    uint64_t GetNArrivals() const
    {
        return arrivals.GetEnd() + DropsFlit();
    }

    uint64_t GetNFreed() const ///< @return flits whose slots are free
    {
        return credited + (DropsFlit() && asked);
    }

    std::size_t GetNFlows() const
    {
        return inStep ? 1 : branches.size();
    }

    std::size_t GetFlowSize() const
    {
        return inStep ? branches.size() : 1;
    }

    /// @return whether it matters to the worm, which is in front of its buffer and has asked, that
    /// more of its flits are known to arrive
    bool CanUseArrivals() const;

    /// Drops the runs that all readers of its lines have passed, if there are many, so that memory
    /// does not grow with the worm's length. @param returnsCredits whether these lines determine
    /// when slots are freed
    void DropReadRuns(bool returnsCredits);
};

/// The records of worms at nodes, with the flits of their routes (S1b).
class WormHops
{
  public:
    /// @param sync whether tree worms advance on all branches together (S9)
    /// @param routeBytes bytes of a worm's route that a flit holds (S1b); 0: worms bring no route
    void Configure(bool sync, uint32_t routeBytes)
    {
        m_sync = sync;
        m_routeBytes = routeBytes;
    }

    bool BringRoutes() const
    {
        return m_routeBytes > 0;
    }

    /// S1b: a unicast worm brings a byte for each switch that is to send it on.
    /// @return number of flits that these bytes take on the channel from a stop; 0 for tree worms
    uint64_t GetRouteFlits(const WormRoute& route, WormRoute::Stop stop) const
    {
        if (m_routeBytes == 0 || route.GetNDestinations() > 1)
        {
            return 0;
        }
        const uint64_t switches = route.GetNChannels() - 1 - stop;
        return (switches + m_routeBytes - 1) / m_routeBytes;
    }

    /// @throws WormholeError if the route leaves by a port without a cable
    WormHop* Make(boost::intrusive_ptr<const Worm> worm,
                  const WormRoute* route,
                  uint64_t flits,
                  WormRoute::Stop stop,
                  WormholeNodeState* node,
                  WormholePortState* ports,
                  uint32_t nPorts);

    void Put(WormHop* hop)
    {
        m_hops.Put(hop);
    }

    /// S1b: makes a worm a flit shorter where its switch reads the last byte of its first flit.
    void FindRouteFlit(WormHop& hop, int64_t time) const
    {
        // The flits behind the first one are full of route bytes; it holds the rest.
        if (hop.flits > hop.worm->GetFlits() &&
            (hop.worm->GetRoute()->GetNChannels() - 1 - hop.stop) % m_routeBytes == 0)
        {
            --hop.flits;
            hop.routeFlit = time;
        }
    }

  private:
    bool m_sync{false};
    uint32_t m_routeBytes{0}; ///< route bytes in a flit; 0: worms bring no route
    RecordPool<WormHop> m_hops;
};

} // namespace ns3

#endif /* WORM_HOP_H */
