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
/// @brief What a Timeline writes.
struct TimelineSettings
{
    std::string path;               ///< name of the file; with .gz in the end it is compressed
    Time from{0};                   ///< what ends before is left out
    Time until{Time::Max()};        ///< what begins after is left out
    std::vector<std::string> hosts; ///< names of hosts that are shown; empty: all
    bool explains{false};           ///< whether it tells why worms and members took so long;
                                    ///< then it keeps what happens until the simulation's end
};

/**
 * @ingroup wormhole
 * @brief Writes what happens in simulations as a time line, in Chrome's trace event format, which
 *        Perfetto, chrome://tracing and `ns3-wormhole timeline` show.
 *
 * It watches all fabrics and collective domains that the helpers install while it is there, and
 * those that it is told of. There is a track for each process, interface, output of a switch and
 * register; arrows lead from sends to receives, and numbers tell how many worms wait. Simulations
 * follow each other on the time line. The file is written as the simulation goes; what is kept is
 * what is on its way. See doc/user/timeline.rst.
 */
class Timeline : public InstallObserver
{
  public:
    using Settings = TimelineSettings; ///< what is written

    /// @param settings what is written
    /// @throws WormholeError if the file can't be written, the times are no window, or there is
    /// another time line
    explicit Timeline(const Settings& settings);

    /// Ends the file, if Finish has not; without any simulation there is none.
    ~Timeline() override;

    void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) override;
    void ObserveDomain(Ptr<CollectiveDomain> domain) override;

    /// Ends the file; what comes later is ignored.
    /// @return what to tell somebody who finds nothing in it; empty: there is something
    /// @throws WormholeError if not all could be written
    std::string Finish();

  private:
    Ptr<TimelineLog> m_log;                                     ///< where to write
    Ptr<TimelineExplainer> m_explainer;                         ///< explains; null: nobody asks
    std::map<const WormholeFabric*, Ptr<WormTimeline>> m_worms; ///< by fabric of the simulation
};

/// @ingroup wormhole
/// @brief The options --timeline, --timelineFrom, --timelineUntil and --timelineHosts of a program,
/// the same in all of them.
class TimelineOptions
{
  public:
    static const std::vector<std::string>& GetNames(); ///< @return names of the options

    static void Add(ProgramOptions& options); ///< Adds the options. @param options where to

    /// Begins the time line that is asked for.
    /// @param options the options
    /// @return the time line; null without --timeline
    /// @throws WormholeError if it can't be, naming the option
    static std::unique_ptr<Timeline> Begin(const OptionValues& options);

    /// Ends a time line, and says on standard error if there is nothing in it.
    /// @param timeline the time line; null: there is none
    /// @param program name of the program
    /// @throws WormholeError if not all could be written
    static void Finish(Timeline* timeline, const std::string& program);
};

} // namespace ns3

#endif /* WORMHOLE_TIMELINE_H */
