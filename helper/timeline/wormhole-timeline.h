// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_TIMELINE_H
#define WORMHOLE_TIMELINE_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
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

/// @ingroup wormhole @brief Settings of a Timeline.
struct TimelineSettings
{
    std::string path;               ///< file name; if it ends in .gz, the file is compressed
    Time from{0};                   ///< start of the time shown: what ends before it is omitted
    Time until{Time::Max()};        ///< end of the time shown: what begins after it is omitted
    std::vector<std::string> hosts; ///< names of hosts that are shown; empty: all
    bool explains{false};           ///< whether to explain latencies of worms and members; if so,
                                    ///< all events are kept in memory until the simulation ends
};

/// @ingroup wormhole
/// @brief Writes a simulation's activities as a timeline in Chrome's trace event format, which
///        Perfetto, chrome://tracing and `ns3-wormhole timeline` show.
///
/// A Timeline observes all fabrics and collective domains that helpers install in its lifetime.
/// Each process, interface, switch output and register has a track; arrows lead from sends to
/// receives, and counters show how many worms wait. Several simulations are shown consecutively.
/// The file is written during the simulation: memory holds only worms and messages in flight,
/// unless latencies are explained. See doc/user/timeline.rst.
class Timeline : public InstallObserver
{
  public:
    using Settings = TimelineSettings; ///< window, hosts and file

    /// Begins the file; throws a WormholeError if the file can't be written, if `until` is not
    /// after `from`, or if another Timeline exists.
    explicit Timeline(const Settings& settings);

    /// Completes the file, unless Finish has done so; discards it if there was no simulation.
    ~Timeline() override;

    void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) override;
    void ObserveDomain(Ptr<CollectiveDomain> domain) override;

    std::string Finish() override;

  private:
    Ptr<TimelineLog> m_log;                                     ///< the output
    Ptr<TimelineExplainer> m_explainer;                         ///< explains latencies; or null
    std::map<const WormholeFabric*, Ptr<WormTimeline>> m_worms; ///< by fabric of the simulation
};

/// @ingroup wormhole @brief Settings of WormTables: the files' names, and the time that rows cover.
struct WormTableSettings
{
    std::string worms;     ///< file with a row for each worm; gzipped if named *.gz; empty: none
    std::string occupancy; ///< file with outputs' use over time; gzipped if named *.gz; empty: none
    Time interval{0};      ///< time that a row of `occupancy` covers; 0: until the next change
};

/// @ingroup wormhole
/// @brief Writes the worms of a simulation as CSV: a file with a row for each worm, and a file with
///        a row for each output, lane and interval in which flits started or worms waited.
///
/// WormTables observes all fabrics that the helpers install during its lifetime, and writes when a
/// simulation ends: until then all worms are kept in memory, about 2 kB each. For the columns see
/// doc/user/timeline.rst.
class WormTables : public InstallObserver
{
  public:
    using Settings = WormTableSettings; ///< files, and the interval of rows

    /// Begins the files; throws a WormholeError if a file can't be written.
    explicit WormTables(const Settings& settings);
    ~WormTables() override;

    void ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph) override;
    void ObserveDomain(Ptr<CollectiveDomain> domain) override;
    std::string Finish() override;

  private:
    class Tables;

    const std::shared_ptr<Tables> m_tables; ///< the files, and their contents
};

/// @ingroup wormhole
/// @brief The options for recording simulations (OptionProgram::hasTimeline): --timeline,
///        --wormsCsv, --occupancyCsv and related options.
class TimelineOptions
{
  public:
    /// Recorders, by the option that requests them.
    using Recorders = std::map<std::string, std::unique_ptr<InstallObserver>>;

    static const std::vector<std::string>& GetNames(); ///< @return names of the recording options

    static void Add(ProgramOptions& options); ///< Adds the recording options.

    /// Starts the recorders that the options request, and returns them; throws a WormholeError that
    /// names the option if a recorder can't start.
    static Recorders Begin(const OptionValues& options);

    /// Completes the files; warns on standard error of each recorder that recorded nothing, in a
    /// line that begins with `program`; throws a WormholeError if not all output could be written.
    static void Finish(const Recorders& recorders, const std::string& program);
};

} // namespace ns3

#endif /* WORMHOLE_TIMELINE_H */
