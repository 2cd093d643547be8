// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-timeline.h"

#include "ns3/csv-file.h"
#include "ns3/gzip-buffer.h"
#include "ns3/simulator.h"
#include "ns3/timeline-log.h"
#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

constexpr auto NEVER = WormRecorder::NEVER;

/// The use of one lane of an output, in intervals. Times are in ns-3 time units.
class LaneUse
{
  public:
    struct Cell
    {
        int64_t until{0};  ///< its end
        uint64_t flits{0}; ///< flits that started
        int64_t waited{0}; ///< sum of the times for which worms waited
    };

    void AddChange(int64_t time)
    {
        m_changes.insert(time);
    }

    /// @param from when a worm asked @param until when its head started
    /// @param interval length of an interval; 0: from change to change
    void AddWait(int64_t from, int64_t until, int64_t interval)
    {
        while (from < until)
        {
            auto& cell = Find(from, interval);
            const auto end = std::min(cell.until, until);
            cell.waited += end - from;
            from = end;
        }
    }

    void AddFlits(const WormRecorder::Run& run, uint64_t count, int64_t interval)
    {
        for (auto time = run.time; count > 0;)
        {
            auto& cell = Find(time, interval);
            const auto stride = std::max<int64_t>(run.stride, 1);
            const auto its =
                std::min(count, static_cast<uint64_t>((cell.until - time - 1) / stride) + 1);
            cell.flits += its;
            count -= its;
            time += static_cast<int64_t>(its) * stride;
        }
    }

    /// @return the intervals in which anything happened, by their begin
    const std::map<int64_t, Cell>& GetCells() const
    {
        return m_cells;
    }

  private:
    Cell& Find(int64_t time, int64_t interval)
    {
        auto from = interval > 0 ? time - time % interval : time;
        auto until = from + interval;
        if (interval == 0)
        {
            const auto after = m_changes.upper_bound(time);
            from = *std::prev(after);
            until = *after; // the end of the simulation at the latest
        }
        auto& cell = m_cells[from];
        cell.until = until;
        return cell;
    }

    std::set<int64_t> m_changes;
    std::map<int64_t, Cell> m_cells;
};

} // namespace

/// The files, and the fabrics whose worms are to be written.
class WormTables::Tables
{
  public:
    explicit Tables(const Settings& settings)
        : m_interval(settings.interval.GetTimeStep())
    {
        WormholeError::ThrowIf(settings.interval.IsStrictlyNegative(),
                               "an interval of " + ExactTime::Print(settings.interval) +
                                   "; expected 0, which is each change, or more");
        if (!settings.worms.empty())
        {
            m_worms = std::make_unique<GzipFile>(settings.worms);
            m_worms->Get() << "fabric,worm,kind,source,destinations,flits,created_us,injected_us,"
                              "delivered_us,hops,waiting_us,blocked_by,blocked_us,lost_us\n";
        }
        if (!settings.occupancy.empty())
        {
            m_occupancy = std::make_unique<GzipFile>(settings.occupancy);
            m_occupancy->Get()
                << "fabric,from_us,until_us,output,to,lane,flits,waiting,waited_us\n";
        }
    }

    bool HasBegun() const
    {
        return m_nFabrics > 0;
    }

    void Record(Ptr<WormholeFabric> fabric)
    {
        auto recorder = fabric->GetRecorder();
        if (!recorder)
        {
            recorder = Create<WormRecorder>();
            fabric->SetRecorder(recorder);
        }
        m_recorders.emplace_back(++m_nFabrics, fabric, recorder);
    }

    /// Writes what the worms of all fabrics have done, and forgets these.
    void EndSimulation()
    {
        m_end = Simulator::Now().GetTimeStep();
        for (const auto& [number, fabric, recorder] : std::exchange(m_recorders, {}))
        {
            fabric->FindDeadlock(); // the engine records all that has moved by then
            if (m_worms)
            {
                const WormExplainer explainer(*recorder);
                for (uint64_t id = 0; id < recorder->GetNext(); ++id)
                {
                    if (const auto record = recorder->Find(id))
                    {
                        WriteWorm(number, *record, *recorder, explainer);
                    }
                }
            }
            if (m_occupancy)
            {
                WriteOccupancy(number, *recorder);
            }
        }
    }

    bool Finish()
    {
        EndSimulation();
        for (auto* file : {&m_worms, &m_occupancy})
        {
            if (const auto its = std::move(*file))
            {
                its->Finish();
            }
        }
        return m_hasWorms;
    }

  private:
    /// @return whether the head of a worm has started on the channel to a stop of its way
    bool HasStarted(const WormRecorder::Stop& stop) const
    {
        return stop.channel != WormRecorder::NO_CHANNEL && stop.GetStart(0) != NEVER &&
               stop.GetStart(0) <= m_end;
    }

    /// @return when a worm asked for the channel to a stop, and when its head started there or, of
    ///         one that still waits, the simulation ended; equal if it did not wait
    std::pair<int64_t, int64_t> FindWait(const WormRecorder::Record& record,
                                         const WormRecorder::Stop& stop) const
    {
        const auto asked = record.stops[stop.parent].asked;
        const auto start = HasStarted(stop) ? stop.GetStart(0) : m_end;
        const bool waits = stop.channel != WormRecorder::NO_CHANNEL && asked != NEVER &&
                           (HasStarted(stop) || record.lost == NEVER);
        return {waits ? std::min(asked, start) : start, start};
    }

    void WriteWorm(uint32_t fabric,
                   const WormRecorder::Record& record,
                   const WormRecorder& recorder,
                   const WormExplainer& explainer)
    {
        m_hasWorms = true;
        const auto& worm = *record.worm;
        const auto& route = *record.route;
        std::string destinations;
        std::map<uint64_t, int64_t> blockers; // how long each was in the way
        int64_t injected = NEVER;
        int64_t delivered = 0;
        int64_t waited = 0;
        uint32_t hops = 0;
        for (WormRoute::Stop number = 1; number < route.GetNStops(); ++number)
        {
            const auto& stop = record.stops[number];
            const auto [asked, start] = FindWait(record, stop);
            waited += start - asked;
            if (!HasStarted(stop))
            {
                continue; // another choice, or not there yet
            }
            injected = injected == NEVER ? start : std::min(injected, start);
            ++hops;
            if (route.At(number).size() > 0)
            {
                continue;
            }
            destinations +=
                (destinations.empty() ? "" : " ") + recorder.GetChannel(stop.channel).far;
            const auto why = explainer.Explain(worm.GetId(), number);
            const auto isThere = !why.empty() && why.back().to <= m_end && delivered != NEVER;
            delivered = isThere ? std::max(delivered, why.back().to) : NEVER;
            for (const auto& interval : why)
            {
                if (interval.other && interval.other != record.worm)
                {
                    blockers[interval.other->GetId()] += interval.to - interval.from;
                }
            }
        }
        const auto worst =
            std::max_element(blockers.begin(), blockers.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            });
        const auto print = [](int64_t time) {
            return time == NEVER ? "" : CsvFile::PrintUs(TimeStep(static_cast<uint64_t>(time)));
        };
        m_worms->Get() << fabric << ',' << worm.GetId() << ',' << WormTimeline::NameKind(worm)
                       << ',' << CsvFile::Quote(record.root) << ',' << CsvFile::Quote(destinations)
                       << ',' << worm.GetFlits() << ',' << print(record.handedOver) << ','
                       << print(injected) << ',' << print(destinations.empty() ? NEVER : delivered)
                       << ',' << hops << ',' << print(waited) << ',';
        if (worst != blockers.end())
        {
            m_worms->Get() << worst->first;
        }
        m_worms->Get() << ',' << (worst == blockers.end() ? "" : print(worst->second)) << ','
                       << print(record.lost) << '\n';
    }

    template <class CALL>
    void ForEachStop(const WormRecorder& recorder, const CALL& call) const
    {
        for (uint64_t id = 0; id < recorder.GetNext(); ++id)
        {
            const auto record = recorder.Find(id);
            for (const auto& stop : record ? record->stops : std::vector<WormRecorder::Stop>())
            {
                const auto [asked, start] = FindWait(*record, stop);
                if (HasStarted(stop) || asked < start)
                {
                    call(stop, asked, start);
                }
            }
        }
    }

    void WriteOccupancy(uint32_t fabric, const WormRecorder& recorder)
    {
        std::map<std::pair<uint32_t, int16_t>, LaneUse> uses; // by channel and lane
        ForEachStop(recorder, [&](const auto& stop, int64_t asked, int64_t start) {
            m_hasWorms = true;
            auto& use = uses[{stop.channel, stop.lane}];
            for (const auto time : {asked, start, stop.left == NEVER ? m_end : stop.left, m_end})
            {
                use.AddChange(std::min(time, m_end));
            }
        });
        ForEachStop(recorder, [&](const auto& stop, int64_t asked, int64_t start) {
            auto& use = uses[{stop.channel, stop.lane}];
            use.AddWait(asked, start, m_interval);
            for (std::size_t i = 0; i < stop.starts.size(); ++i)
            {
                const auto& run = stop.starts[i];
                const auto next = i + 1 < stop.starts.size() ? stop.starts[i + 1].first
                                                             : std::min(stop.flits, stop.nStarted);
                if (run.time < m_end)
                {
                    const auto stride = std::max<int64_t>(run.stride, 1);
                    const auto byEnd = static_cast<uint64_t>((m_end - run.time - 1) / stride) + 1;
                    use.AddFlits(run, std::min(next - run.first, byEnd), m_interval);
                }
            }
        });
        std::map<std::tuple<int64_t, uint32_t, int16_t>, LaneUse::Cell> rows; // in order of time
        for (const auto& [place, use] : uses)
        {
            for (const auto& [from, cell] : use.GetCells())
            {
                rows[{from, place.first, place.second}] = cell;
            }
        }
        for (const auto& [place, cell] : rows)
        {
            const auto [from, number, lane] = place;
            const auto& channel = recorder.GetChannel(number);
            const auto waited = static_cast<double>(cell.waited);
            m_occupancy->Get() << fabric << ',' << CsvFile::PrintUs(TimeStep(from)) << ','
                               << CsvFile::PrintUs(TimeStep(cell.until)) << ','
                               << CsvFile::Quote(channel.name) << ',' << CsvFile::Quote(channel.far)
                               << ',' << lane << ',' << cell.flits << ','
                               << CsvFile::Fixed(waited / static_cast<double>(cell.until - from), 6)
                               << ',' << CsvFile::PrintUs(TimeStep(cell.waited)) << '\n';
        }
    }

    int64_t m_interval;                    ///< what a row covers; 0: from change to change
    std::unique_ptr<GzipFile> m_worms;     ///< a row for each worm; may be null
    std::unique_ptr<GzipFile> m_occupancy; ///< a row for each output and interval; may be null
    int64_t m_end{0};                      ///< end of the simulation
    uint32_t m_nFabrics{0};                ///< fabrics so far
    bool m_hasWorms{false};                ///< whether there was a worm
    std::vector<std::tuple<uint32_t, Ptr<WormholeFabric>, Ptr<WormRecorder>>> m_recorders;
};

WormTables::WormTables(const Settings& settings)
    : m_tables(std::make_shared<Tables>(settings))
{
    Register();
}

WormTables::~WormTables()
{
    if (!m_tables->HasBegun())
    {
        return; // whatever was refused, it has left files that were there as they are
    }
    try
    {
        Finish();
    }
    catch (const WormholeError&)
    {
        // There is another error already, which is told.
    }
}

void
WormTables::ObserveFabric(Ptr<WormholeFabric> fabric, const FabricGraph&)
{
    m_tables->Record(fabric);
    Simulator::ScheduleDestroy([tables = m_tables] { tables->EndSimulation(); });
}

void
WormTables::ObserveDomain(Ptr<CollectiveDomain>)
{
}

std::string
WormTables::Finish()
{
    Unregister();
    return m_tables->Finish() ? "" : "no worm was sent";
}

} // namespace ns3
