/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TIMELINE_H
#define WORMHOLE_TIMELINE_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-install-observer.h"
#include "ns3/wormhole-program-options.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class TimelineExplainer;
class TimelineLog;
class WormTimeline;

/// @ingroup wormhole
/// @brief Settings of a Timeline.
struct TimelineSettings
{
    std::string path;               ///< name of the file; compressed if it ends in .gz
    Time from{0};                   ///< anything that ends before is omitted
    Time until{Time::Max()};        ///< anything that begins after is omitted
    std::vector<std::string> hosts; ///< names of hosts that are shown; empty: all
    bool explains{false}; ///< whether latencies of worms and members are explained; requires
                          ///< recording until the simulation's end
};

/**
 * @ingroup wormhole
 * @brief Writes a simulation's activities as a timeline in Chrome's trace event format, which
 *        Perfetto, chrome://tracing and `ns3-wormhole timeline` show.
 *
 * It observes all fabrics and collective domains that the helpers install during its lifetime.
 * There is a track for each process, interface, switch output and register; arrows lead from sends
 * to receives, and counters show how many worms wait. Simulations are concatenated on the timeline.
 * The file is written during the simulation; only worms and messages in flight are stored. See
 * doc/user/timeline.rst.
 */
class Timeline : public InstallObserver
{
  public:
    using Settings = TimelineSettings; ///< window, hosts and file

    /// @param settings settings
    /// @throws WormholeError if the file can't be written, the times are not a valid window, or
    ///         another timeline exists
    explicit Timeline(const Settings& settings);

    /// Completes the file, unless Finish has; without any simulation no file is left.
    ~Timeline() override;

    void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) override;
    void ObserveDomain(Ptr<CollectiveDomain> domain) override;

    /// Completes the file; later events are ignored.
    /// @return a hint for the user if it is empty; else empty
    /// @throws WormholeError if not all could be written
    std::string Finish();

  private:
    Ptr<TimelineLog> m_log;                                     ///< the output
    Ptr<TimelineExplainer> m_explainer;                         ///< explains; null: none
    std::map<const WormholeFabric*, Ptr<WormTimeline>> m_worms; ///< by fabric of the simulation
};

/// @ingroup wormhole
/// @brief The options --timeline, --timelineFrom, --timelineUntil and --timelineHosts, common to
///        all programs.
class TimelineOptions
{
  public:
    static const std::vector<std::string>& GetNames(); ///< @return names of the options

    static void Add(ProgramOptions& options); ///< Adds the options. @param options the options

    /// Starts the requested timeline.
    /// @param options the options
    /// @return the timeline; null without --timeline
    /// @throws WormholeError if that is impossible, naming the option
    static std::unique_ptr<Timeline> Begin(const OptionValues& options);

    /// Completes a timeline, and warns on standard error if it is empty.
    /// @param timeline the timeline; null: none
    /// @param program name of the program
    /// @throws WormholeError if not all could be written
    static void Finish(Timeline* timeline, const std::string& program);
};

} // namespace ns3

#endif /* WORMHOLE_TIMELINE_H */
