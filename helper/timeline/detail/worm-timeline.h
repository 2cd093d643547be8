/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

/**
 * @ingroup wormhole
 * @brief Writes a fabric's worms to a time line: what each output is granted to, what comes to each
 *        interface, arrows between them, and how many worms wait for each output, or lane of one.
 *
 * It keeps no more than the worms that are on their way.
 */
class WormTimeline : public SimpleRefCount<WormTimeline>
{
  public:
    /// Watches a fabric. @param log where to write @param fabric the fabric @param graph its graph
    /// @param explainer explains its worms; null: nobody asks @return what watches it
    static Ptr<WormTimeline> Watch(Ptr<TimelineLog> log,
                                   Ptr<WormholeFabric> fabric,
                                   const FabricGraph& graph,
                                   Ptr<TimelineExplainer> explainer);

    /// Watches nothing yet. @param log where to write @param graph the fabric's graph
    WormTimeline(Ptr<TimelineLog> log, const FabricGraph& graph);

    /// A worm has ended in a switch. @param worm the worm @param track what has taken it
    /// @param isWithin whether a slice there begins or goes on now
    void EndAt(const Ptr<const Worm>& worm, const TimelineLog::LazyTrack& track, bool isWithin);

    /// @return name of what a worm is, such as "reduction" @param worm the worm
    static std::string NameKind(const Worm& worm);

  private:
    struct Counter
    {
        std::string name;     ///< its name
        uint64_t nWaiting{0}; ///< worms that wait
        uint64_t nWritten{0}; ///< of them, as last written
        Time changed{0};      ///< when that number changed
    };

    struct Output
    {
        FabricGraph::Node node;        ///< its node
        FabricGraph::End far;          ///< where its cable leads to
        Time delay;                    ///< of the cable
        WormholePort* port{nullptr};   ///< its port, which holds this
        TimelineLog::LazyTrack track;  ///< where its worms are drawn
        std::vector<Counter> counters; ///< of those that wait, one, or one a lane
    };

    struct Leg
    {
        uint32_t output; ///< number of the output
        Time requested;  ///< when it asked for it
        Time granted;    ///< when it was granted it
        Time head;       ///< when its head started
        bool isGranted;  ///< whether it was
        int32_t lane;    ///< lane in which it was; -1 where there is but one
    };

    struct Voyage
    {
        Ptr<const Worm> worm;   ///< the worm
        std::string name;       ///< its name
        bool isShown{true};     ///< whether it is to be written
        uint32_t nEnds{1};      ///< ends that it has not come to
        FabricGraph::Node end;  ///< the last of its ends
        bool hasStarted{false}; ///< whether its head has started at its root
        uint32_t root{0};       ///< output that it started at
        Time started;           ///< when
        std::vector<Leg> legs;  ///< outputs that it asked for and has not left
        std::vector<std::pair<FabricGraph::Node, Time>> arrivals; ///< heads that came to hosts
    };

    void AddOutput(FabricGraph::Node node, FabricGraph::Port port, WormholeFabric& fabric);

    uint32_t GetOrder(FabricGraph::Node node) const; ///< @return place of a node on the time line

    /// Something happens at an output, or at a host's port.
    void Note(uint32_t output, WormholePort::Trace trace, Ptr<const Worm> worm);

    void Grant(Voyage& voyage, uint32_t output);
    void HeadStart(Voyage& voyage, uint32_t output);
    void TailLeft(Voyage& voyage, uint32_t output);
    void Deliver(const Voyage& voyage, FabricGraph::Node host); ///< A tail has arrived.
    Voyage& Begin(const Ptr<const Worm>& worm, uint32_t output);
    static Leg& FindLeg(Voyage& voyage, uint32_t output);

    void CountEnd(const Voyage& voyage);
    void WriteLeg(const Voyage& voyage, const Leg& leg, Time until, bool isOver);

    /// Writes a worm that has come to a host, if its head has, until a time.
    /// @param passes whether the host passes it on (S13)
    /// @return when its head came; a negative time: not at all, or it is not shown
    Time WriteArrival(const Voyage& voyage, FabricGraph::Node host, Time until, bool passes);
    static const LaneEngine* FindLanes(const Output& output);

    void Count(Output& output, int change); ///< The number of worms that wait changes now.

    void Set(const Output& output, Counter& counter, uint64_t nWaiting);
    void WriteCount(const Output& output, Counter& counter);

    void End(); ///< Writes what is not over at the simulation's end.

    TimelineLog::LazyTrack GetArrivalTrack(FabricGraph::Node host) const;

    Ptr<TimelineLog> m_log;                            ///< where to write
    Ptr<TimelineExplainer> m_explainer;                ///< explains worms; null: nobody asks
    WormholeFabric* m_fabric{nullptr};                 ///< the fabric, which holds this
    FabricGraph m_graph;                               ///< the fabric's graph
    std::vector<Output> m_outputs;                     ///< all outputs
    std::unordered_map<const Worm*, Voyage> m_voyages; ///< of worms on their way
};

} // namespace ns3

#endif /* WORM_TIMELINE_H */
