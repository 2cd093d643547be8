// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_TIMELINE_H
#define WORM_TIMELINE_H

#include "timeline-log.h"

#include "ns3/fabric-graph.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-fabric.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class LaneEngine;

/// Writes a fabric's worms to a timeline: grants of each output, arrivals at each interface, arrows
/// between them, and the number of worms that wait for each output, or lane. It stores only the
/// worms in flight.
class WormTimeline : public SimpleRefCount<WormTimeline>
{
  public:
    /// Observes a fabric. @param explainer may be null
    static Ptr<WormTimeline> Watch(Ptr<TimelineLog> log,
                                   Ptr<WormholeFabric> fabric,
                                   const FabricGraph& graph,
                                   Ptr<TimelineExplainer> explainer);

    /// Observes nothing yet.
    WormTimeline(Ptr<TimelineLog> log, const FabricGraph& graph)
        : m_log(log),
          m_graph(graph)
    {
    }

    /// A worm has ended in a switch. @param isWithin whether a slice there begins or continues now
    void EndAt(const Ptr<const Worm>& worm, const TimelineLog::LazyTrack& track, bool isWithin);

    static std::string NameKind(const Worm& worm);

  private:
    struct Counter
    {
        std::string name;     ///< its name
        uint64_t nWaiting{0}; ///< number of worms that wait
        uint64_t nWritten{0}; ///< that number as last written
        Time changed{0};      ///< time of its last change
    };

    struct Output
    {
        FabricGraph::Node node;
        FabricGraph::End far;          ///< far end of its cable
        Time delay;                    ///< delay of the cable
        WormholePort* port;            ///< its port, which holds this object
        TimelineLog::LazyTrack track;  ///< track of its worms
        std::vector<Counter> counters; ///< counters of waiting worms: one, or one per lane
    };

    struct Leg
    {
        uint32_t output; ///< number of the output
        Time requested;  ///< time of the request
        Time granted;    ///< time of the grant
        Time head;       ///< start of its head
        bool isGranted;  ///< whether it was granted
        int32_t lane;    ///< lane of the grant; -1 if there is only one
    };

    struct Voyage
    {
        Ptr<const Worm> worm;   ///< the worm
        std::string name;       ///< its name
        bool isShown{true};     ///< whether it is shown
        uint32_t nEnds{1};      ///< number of ends not reached yet
        FabricGraph::Node end;  ///< the last of its ends
        bool hasStarted{false}; ///< whether its head has left its root
        uint32_t root{0};       ///< output at its root
        Time started;           ///< when
        std::vector<Leg> legs;  ///< outputs requested and not left
        std::vector<std::pair<FabricGraph::Node, Time>> arrivals; ///< heads that came to hosts
    };

    void AddOutput(FabricGraph::Node node, FabricGraph::Port port, WormholeFabric& fabric);

    uint32_t GetOrder(FabricGraph::Node node) const; ///< @return position of a node on the timeline

    /// Handles an event at an output, or at a host's port.
    void Note(uint32_t output, WormholePort::Trace trace, Ptr<const Worm> worm);

    void Grant(Voyage& voyage, uint32_t output);
    void HeadStart(Voyage& voyage, uint32_t output);
    void TailLeft(Voyage& voyage, uint32_t output);
    void Deliver(const Voyage& voyage, FabricGraph::Node host); ///< Handles the arrival of a tail.
    Voyage& Begin(const Ptr<const Worm>& worm, uint32_t output);
    static Leg& FindLeg(Voyage& voyage, uint32_t output);

    void CountEnd(const Voyage& voyage);
    void WriteLeg(const Voyage& voyage, const Leg& leg, Time until, bool isOver);

    /// Writes the arrival of a worm at a host up to a time, if its head has arrived.
    /// @param passes whether the host relays it (S13)
    /// @return when its head arrived; negative if it did not, or the worm is not shown
    Time WriteArrival(const Voyage& voyage, FabricGraph::Node host, Time until, bool passes);

    /// Writes an arrow from where a worm started.
    void WriteArrow(const Voyage& voyage,
                    const TimelineLog::LazyTrack& to,
                    Time time,
                    bool isWithin)
    {
        const auto& from = m_outputs[voyage.root].track;
        m_log->AddArrow("worm", from, voyage.started, to, time, isWithin);
    }

    static const LaneEngine* FindLanes(const Output& output);

    void Count(Output& output, int change); ///< Changes the number of waiting worms.

    void Set(const Output& output, Counter& counter, uint64_t nWaiting);
    void WriteCount(const Output& output, Counter& counter);

    void End(); ///< Writes what has not ended at the end of the simulation.

    TimelineLog::LazyTrack GetArrivalTrack(FabricGraph::Node host) const;

    Ptr<TimelineLog> m_log;                            ///< the output
    Ptr<TimelineExplainer> m_explainer;                ///< explains worms; null: none
    WormholeFabric* m_fabric{nullptr};                 ///< the fabric, which holds this object
    FabricGraph m_graph;                               ///< the fabric's graph
    std::vector<Output> m_outputs;                     ///< all outputs
    std::unordered_map<const Worm*, Voyage> m_voyages; ///< of worms in flight
};

} // namespace ns3

#endif /* WORM_TIMELINE_H */
