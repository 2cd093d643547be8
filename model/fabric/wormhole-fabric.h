// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_FABRIC_H
#define WORMHOLE_FABRIC_H

#include "wormhole-channel.h"
#include "wormhole-net-device.h"
#include "wormhole-outage.h"
#include "wormhole-router.h"
#include "wormhole-switch.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/// @defgroup wormhole Wormhole fabrics
///
/// Fabrics of switches and hosts with wormhole or cut-through switching, and collectives in
/// software and in hardware. Rules such as S5 are those of doc/design/timing.rst.

namespace ns3
{

/// @ingroup wormhole @brief What a fabric has done so far.
struct FabricCounts
{
    uint64_t worms{0};               ///< worms started
    uint64_t wormHops{0};            ///< channels that worms took
    uint64_t pendingDestinations{0}; ///< destinations of started worms that are not yet reached
    uint64_t flitsIn{0};  ///< flits started by hosts and switches, without copies made on the way
    uint64_t flitsOut{0}; ///< flits that arrived at hosts or were taken by a switch
    uint64_t flitsDropped{0};    ///< flits of source routes, dropped once they were read (S1b)
    uint64_t flitHops{0};        ///< channels taken, summed over all flits
    uint64_t eventsPending{0};   ///< events of the fabric's engine that are now pending
    uint64_t longestTreeWorm{0}; ///< flits of the longest worm with several destinations
    uint64_t flitsLost{0};       ///< flits lost in outages (S14)
    uint64_t flitsCut{0};        ///< arrived flits of worms whose rest was lost in outages
};

class OutageSequence;
struct OutageText;
struct LaneSettings;
struct LaneStarvation;
class WormRecorder;

/// @ingroup wormhole @brief One fabric: switches, interfaces and cables, with a common flit size.
///
/// A fabric starts with its first worm (or by Start): its cables and most attributes are then
/// fixed. At disposal it checks that no flit disappeared: each flit that entered a buffer has left
/// it, was dropped as a flit of a source route, or is still there.
class WormholeFabric : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    static constexpr uint32_t MAX_LANES = 256; ///< Maximum number of lanes of a channel.

    WormholeFabric();
    ~WormholeFabric() override;

    /// @param fabricSwitch a switch to add @return its number, from 0
    /// @throws WormholeError if the fabric has started
    uint32_t AddSwitch(Ptr<WormholeSwitch> fabricSwitch);

    /// @param device a host's interface to add @return the host's number, counted from 0
    /// @throws WormholeError if the fabric has started
    uint32_t AddHost(Ptr<WormholeNetDevice> device);

    /// Adds a cable with both ends plugged in; throws a WormholeError if the fabric has started.
    void AddChannel(Ptr<WormholeChannel> channel)
    {
        RefuseWhenStarted("cable");
        m_channels.push_back(channel);
    }

    /// Callback that returns, as a line, what the layers above the fabric wait for; empty: nothing.
    typedef Callback<std::string> Explainer;

    /// @param explainer called when a deadlock is reported; its text ends the report
    void SetExplainer(Explainer explainer);

    /// @param router gives interfaces the routes of worms
    void SetRouter(Ptr<WormholeRouter> router);

    /// @return the router that gives interfaces the routes of worms; null if none was set
    Ptr<WormholeRouter> GetRouter() const
    {
        return m_router;
    }

    /// Starts the fabric, and so fixes its times, unless it has already started; the first worm
    /// calls Start, and a program may call it earlier.
    /// @throws WormholeError, without starting, if the flit time is not a whole number of ns-3 time
    ///         units, a buffer is too deep, a port is not of this fabric, or attributes conflict
    void Start();

    /// Throws most errors of Start, so that helpers report mistakes before the first worm.
    void Check() const;

    /// @return whether Start was called, so that cables and most attributes are fixed
    bool HasStarted() const
    {
        return m_started;
    }

    /// Takes a part of the fabric down for a time (rule S14). Outages of one part that overlap or
    /// adjoin are merged. If a switch or host is down, so are all its cables.
    /// @param outage which part, and when; it lasts at least DetectionDelay, and at least the delay
    ///        of each of the part's cables. Once the fabric has started, schedule an outage at
    ///        least GetOutageLead() before it begins. A fabric that starts without an outage can
    ///        have outages later only if the attribute Outages is set
    /// @throws WormholeError if it is scheduled too late (the message states the latest instant) or
    ///         is too short, the part is not in this fabric, or the fabric can't have outages
    void ScheduleOutage(const WormholeOutage& outage);

    /// @param part as WormholeOutage::part
    /// @return how long in advance an outage of the part must be scheduled at run time: the largest
    ///         sum of flit time and delay, tau + p, of any of the part's cables
    /// @throws WormholeError if the part is not in this fabric
    Time GetOutageLead(Ptr<Object> part) const;

    /// Lists the cables that are down while a part is down: for a switch or host, all its cables.
    std::set<Ptr<WormholeChannel>> GetCables(Ptr<Object> part) const;

    /// Gives a part's name: for a cable its ends, as "s1:3 to s2:4"; else the node's name.
    std::string GetPartName(Ptr<Object> part) const;

    /// Forgets the hosts' addresses; called when one of them has changed.
    void ForgetAddresses()
    {
        m_hostOf.clear();
    }

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// Gives a switch; like GetHost, throws a WormholeError if the number does not exist.
    Ptr<WormholeSwitch> GetSwitch(uint32_t number) const;
    Ptr<WormholeNetDevice> GetHost(uint32_t number) const; ///< Gives a host's interface.

    /// Gives a port of a node; hosts are numbered after all switches, as in a FabricGraph.
    Ptr<WormholePort> GetPort(uint32_t node, uint32_t port) const
    {
        return node < GetNSwitches() ? GetSwitch(node)->GetPort(port)
                                     : GetHost(node - GetNSwitches())->GetPort();
    }

    /// Gives the segment, that is, the fabric as protocols see it: the first call makes the
    /// segment, which keeps the fabric alive until the simulation ends.
    /// @return a channel to which all hosts' interfaces belong
    Ptr<WormholeSegment> GetSegment();

    /// @return flit time tau of channels that have no flit time of their own
    Time GetFlitTime() const
    {
        return m_started ? m_tau : ReadFlitTime();
    }

    /// @return flit time tau of a cable @param channel a cable of this fabric
    Time GetFlitTime(const WormholeChannel& channel) const;

    /// @return length in flits of a worm @param bytes its length in bytes, header included
    uint64_t GetFlits(uint64_t bytes) const
    {
        return (bytes + m_flitSize - 1) / m_flitSize;
    }

    /// @return length of a worm in bytes @param flits its length in flits
    uint64_t GetBytes(uint64_t flits) const
    {
        return flits * m_flitSize;
    }

    /// @param route a route from a host @param flits length in flits of a message's worm
    /// @return the lane that the worm takes on the route's first channel (S11)
    uint8_t GetFirstLane(const WormRoute& route, uint64_t flits) const
    {
        const bool hasOwn =
            m_maxPriorityMessageBytes > 0 && flits <= GetFlits(m_maxPriorityMessageBytes);
        return static_cast<uint8_t>(route.GetLane(route.At(0)[0].next) + (hasOwn ? m_lanes : 0));
    }

    /// @return maximum length of a worm in bytes: if Grant is worm (S11), every worm must fit the
    ///         lanes' buffers of all switches; UINT64_MAX for other values of Grant
    uint64_t GetMaxWormBytes() const;

    /// @return number of flits of a source route (attribute RouteHeader) in front of a worm on a
    ///         channel; 0 for a tree worm. The fabric must have started
    /// @param route the worm's route @param stop index of the route's stop where the channel begins
    uint64_t GetRouteFlits(const WormRoute& route, WormRoute::Stop stop = 0) const;

    /// @param from sending host @param to a host's address; any other address means all other hosts
    /// @return the route; null if `to` is the sender's own address, or there is no other host
    Ptr<const WormRoute> GetFrameRoute(uint32_t from, Mac48Address to);

    /// Tells whether GetFrameRoute would find a route.
    bool HasFrameRoute(uint32_t from, Mac48Address to)
    {
        return GetNHosts() > 1 && (to.IsBroadcast() || to.IsGroup() || FindHost(to) != from);
    }

    /// Records the worms that start from now on, see WormExplainer.
    /// @param recorder takes the records; null: ends recording
    /// @throws WormholeError if worms are in flight and `recorder` is not null
    void SetRecorder(Ptr<WormRecorder> recorder);

    Ptr<WormRecorder> GetRecorder() const; ///< @return the recorder of worms; null if none
    const FabricCounts& GetCounts() const; ///< @return what the fabric has done so far

    /// Looks for worms that wait for each other forever, whatever else arrives.
    /// @return these worms, and the cycle among them that closed first; empty if there are none
    Deadlock FindDeadlock();

    /// @return FindDeadlock's result in one line, with the Explainer's text; empty if no deadlock
    std::string ExplainDeadlock()
    {
        const auto deadlock = FindDeadlock();
        return deadlock ? Explain(deadlock) : "";
    }

    /// Callback of the trace source Deadlock.
    /// @param report the worms that wait for each other, in the words of ExplainDeadlock
    typedef void (*DeadlockTracedCallback)(const std::string& report);

    /// Callback of the trace source Starvation. @param worm the worm that waits
    /// @param output,lane what that worm requests @param granted worm that gets the output instead
    /// @param wait how long the waiting worm has waited
    typedef void (*StarvationTracedCallback)(Ptr<const Worm> worm,
                                             Ptr<WormholePort> output,
                                             uint8_t lane,
                                             Ptr<const Worm> granted,
                                             Time wait);

    /// Callback of the trace source LongGroupFrame. @param host the sender @param flits length of
    ///        the frame @param depth capacity, in flits, of the smallest buffer of a switch; 0 with
    ///        Replication=sync, where two group frames may block each other at any depth
    typedef void (*LongGroupFrameTracedCallback)(uint32_t host, uint64_t flits, uint32_t depth);

    /// Callback of the trace source FlitsLost. @param loss what is lost, where and why
    typedef void (*LossTracedCallback)(const WormholeLoss& loss);

    /// Callback of the trace source Outage. @param outage which part, and when
    typedef void (*OutageTracedCallback)(const WormholeOutage& outage);

    /// Callback of the trace source WormCut. @param cut the worm, and where it was cut
    typedef void (*CutTracedCallback)(const WormholeCut& cut);

    /// Notes that a host is about to send a frame, with its length in flits and its route.
    void NotifyFrame(uint32_t host, uint64_t flits, const WormRoute& route)
    {
        if (flits > m_minDepth && route.GetNDestinations() > 1)
        {
            const auto depth = static_cast<uint32_t>(m_minDepth);
            m_minDepth = UINT64_MAX;
            m_longGroupFrameTrace(host, flits, depth);
        }
    }

  protected:
    void DoDispose() override;

  private:
    void RefuseWhenStarted(const std::string& what) const;
    void StartParts();
    LaneSettings ReadLanes() const;
    std::vector<int32_t> ReadPriorities() const;

    /// Calls ReportStarvation at the time, now or later, at which a worm has waited too long.
    void OnStarvation(const LaneStarvation& starvation);
    void ReportStarvation(const LaneStarvation& starvation);

    bool HasOutages() const
    {
        return m_tellsOutages || !m_outages.empty() || !m_outageSchedule.empty();
    }

    /// @return parts and their outages, as the attribute OutageSchedule states
    /// @throws WormholeError if these outages are impossible
    std::vector<std::pair<Ptr<Object>, OutageSequence>> ReadOutageSchedule() const;

    std::vector<Ptr<Object>> FindParts(const OutageText& entry) const;

    void StartOutages(const LaneSettings& lanes); ///< Tells the engine about outages.
    void CheckOutages() const;                    ///< Throws for attributes that exclude outages.
    std::vector<Ptr<WormholePort>> GetPorts(Ptr<Object> part) const;
    void CheckOutage(const WormholeOutage& outage) const;
    void AddOutage(const WormholeOutage& outage);

    /// Adds some of a part's outages now and others later, so that many outages take little memory.
    void AddOutages(Ptr<Object> part, std::shared_ptr<OutageSequence> outages);

    /// Notifies a port's host of an outage; does nothing if the port is a switch's.
    void TellHost(const WormholePort& port, const WormholeOutage& outage) const;

    uint8_t AddFlitTime(int64_t tau);
    void RefuseStrangePorts() const; ///< Throws if a cable leads out of the fabric.
    void CancelStart();              ///< Undoes a StartParts, even an incomplete one.

    /// @return least depth, in flits, that the attribute Buffers requires if BufferDepth is 0
    uint64_t GetMinDepth() const;

    Time ReadFlitTime() const; ///< @return flit time of channels that have none of their own
    Time ReadFlitTime(const WormholeChannel& channel) const;
    std::vector<int64_t> ReadFlitTimes() const;

    /// @return the data rates from which flit times derive, in ascending order
    std::vector<DataRate> GetDataRates() const;

    /// @return the host with an address; the number of hosts if there is none
    uint32_t FindHost(Mac48Address address);

    std::string Explain(const Deadlock& deadlock) const
    {
        const auto above = m_explainer.IsNull() ? std::string() : m_explainer();
        return deadlock.Print() + (above.empty() ? "" : "; " + above);
    }

    void OnNoProgress(); ///< Called when the engine finds nothing that could move.

    /// Looks for a deadlock while other worms may still move.
    void OnWatch()
    {
        if (!m_deadlocked)
        {
            ReportDeadlock();
        }
    }

    void ReportDeadlock();
    void ScheduleReport(Time delay); ///< Schedules ReportDeadlock.
    void CheckConservation() const;  ///< Fails if a flit was lost or appeared.

    Time m_flitTime;        ///< attribute FlitTime; 0: FlitSize over DataRate
    uint32_t m_flitSize{1}; ///< attribute, bytes
    DataRate m_dataRate;
    bool m_isSync{false};            ///< attribute Replication
    bool m_hasRouteHeaders{false};   ///< attribute RouteHeader
    bool m_buffersHoldFrames{false}; ///< attribute Buffers
    uint32_t m_lanes{1};
    std::string m_priorities;
    std::string m_grant;
    InTransit m_inTransit{InTransit::NONE};
    uint32_t m_maxPriorityMessageBytes{0};
    Time m_starvationTime;
    bool m_throw{true};
    Time m_watchInterval;
    uint32_t m_watchEvents{0};

    bool m_started{false};
    Time m_tau; ///< flit time of channels that have none of their own, once started
    bool m_deadlocked{false};
    Time m_firstReport; ///< when the first deadlock was reported, if any
    /// Longest frame, in flits, for which LongGroupFrame does not fire; it fires once.
    uint64_t m_minDepth{UINT64_MAX};
    std::vector<uint64_t> m_reported;             ///< blocked worms of the last report
    EventId m_report;                             ///< pending call of ReportDeadlock
    std::unique_ptr<FabricEngine> m_engine;       ///< moves the worms
    Ptr<WormholeRouter> m_router;                 ///< gives interfaces the routes
    Explainer m_explainer;                        ///< asked when a deadlock is reported
    std::vector<Ptr<WormholeSwitch>> m_switches;  ///< by number
    std::vector<Ptr<WormholeNetDevice>> m_hosts;  ///< by number
    std::vector<Ptr<WormholeChannel>> m_channels; ///< in order of adding
    std::vector<Ptr<WormholePort>> m_ports;       ///< both ends of all cables, once started
    Ptr<WormholeSegment> m_segment;               ///< as protocols see the fabric, once asked for
    std::map<Mac48Address, uint32_t> m_hostOf;    ///< hosts by address, once a frame is sent
    TracedCallback<const std::string&> m_deadlockTrace;
    TracedCallback<Ptr<const Worm>, Ptr<WormholePort>, uint8_t, Ptr<const Worm>, Time>
        m_starvationTrace;
    TracedCallback<uint32_t, uint64_t, uint32_t> m_longGroupFrameTrace;
    std::vector<Ptr<WormholeNodeState>> m_nodeStates; ///< engine states of nodes, after disposal
    bool m_tellsOutages{false};
    Time m_detection;
    std::string m_outageSchedule;
    int64_t m_outageStream{0};
    std::vector<WormholeOutage> m_outages;               ///< outages scheduled before the start
    TracedCallback<const WormholeOutage&> m_outageTrace; ///< trace source Outage
    TracedCallback<const WormholeLoss&> m_lossTrace;     ///< trace source FlitsLost
    TracedCallback<const WormholeCut&> m_cutTrace;
};

} // namespace ns3

#endif /* WORMHOLE_FABRIC_H */
