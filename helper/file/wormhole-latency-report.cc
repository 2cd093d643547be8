// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-latency-report.h"

#include "ns3/json-file.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

int64_t
ToPs(int64_t time)
{
    return TimeStep(static_cast<uint64_t>(time)).GetPicoSeconds();
}

/// @return whether intervals of a cause are summed up by place @param cause the cause
bool
IsByPlace(LatencyCause cause)
{
    constexpr LatencyCause CAUSES[] = {LatencyCause::MEMBER_LATE,
                                       LatencyCause::INTERFACE_BUSY,
                                       LatencyCause::OUTPUT,
                                       LatencyCause::TURN,
                                       LatencyCause::BUFFER_QUEUE,
                                       LatencyCause::CREDIT};
    return std::find(std::begin(CAUSES), std::end(CAUSES), cause) != std::end(CAUSES);
}

/// What intervals have in common that are summed up, and when they were.
struct Group
{
    LatencyCause cause;            ///< their cause
    std::string other;             ///< who holds them up
    bool isTraffic;                ///< whether these are worms of the traffic
    int64_t duration{0};           ///< of all together, ps
    std::vector<std::string> at{}; ///< their places, as they come

    std::string Print() const
    {
        constexpr std::size_t SHOWN = 4;
        auto text = Describe(cause) + ": ";
        for (std::size_t i = 0; i < at.size() && i < SHOWN; ++i)
        {
            text += (i > 0 ? ", " : "") + at[i];
        }
        text += at.size() > SHOWN ? ", ..." : "";
        const auto* how = cause == LatencyCause::TURN ? ", behind " : ", held by ";
        return text + (other.empty() ? "" : how + other);
    }
};

bool
IsTraffic(const LatencyInterval& interval)
{
    return dynamic_cast<const TrafficWorm*>(PeekPointer(interval.other)) != nullptr;
}

} // namespace

std::vector<LatencyReport::Row>
LatencyReport::GetRows() const
{
    std::vector<Row> rows;
    for (const auto& interval : m_intervals)
    {
        // At hosts, another is known by its message only.
        const bool isBusy = interval.cause == LatencyCause::INTERFACE_BUSY && !interval.other;
        const bool isInLane = interval.lane != LatencyInterval::NO_LANE;
        rows.push_back({ToPs(interval.from),
                        ToPs(interval.to),
                        GetName(interval.cause),
                        interval.place,
                        isInLane ? std::to_string(interval.lane) : "",
                        interval.worm ? m_describe(*interval.worm) : "",
                        interval.other ? m_describe(*interval.other)
                        : isBusy       ? interval.note
                                       : "",
                        isBusy ? "" : interval.note});
    }
    return rows;
}

std::map<LatencyCause, int64_t>
LatencyReport::GetSums() const
{
    std::map<LatencyCause, int64_t> sums;
    for (const auto& interval : m_intervals)
    {
        sums[interval.cause] += ToPs(interval.to) - ToPs(interval.from);
    }
    return sums;
}

int64_t
LatencyReport::GetHeldByTraffic() const
{
    return SumOf(m_intervals, [](const auto& interval) {
        return IsTraffic(interval) ? ToPs(interval.to) - ToPs(interval.from) : 0;
    });
}

std::string
LatencyReport::ToText(std::size_t lines) const
{
    if (m_intervals.empty())
    {
        return "";
    }
    const auto rows = GetRows();
    std::vector<Group> groups;
    std::string marks;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto& row = rows[i];
        const auto cause = m_intervals[i].cause;
        if (cause == LatencyCause::REGISTER)
        {
            marks += "    register: " + row.place + " " + row.note + "\n";
            continue;
        }
        const auto place = row.place + (row.lane.empty() ? "" : " lane " + row.lane);
        const bool isTraffic = IsTraffic(m_intervals[i]);
        const auto found = FindIn(groups, [&](const Group& group) {
            return group.cause == cause &&
                   (isTraffic ? group.isTraffic : group.other == row.other) &&
                   (!IsByPlace(cause) || group.at.front() == place);
        });
        auto& group = found == groups.end()
                          ? groups.emplace_back(Group{cause, row.other, isTraffic})
                          : *found;
        group.other = group.other == row.other ? row.other : "the traffic";
        group.duration += row.toPs - row.fromPs;
        if (!IsIn(group.at, place))
        {
            group.at.push_back(place);
        }
    }
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return a.duration > b.duration;
    });
    const auto all = rows.back().toPs - rows.front().fromPs;
    std::ostringstream text;
    const auto print = [&](int64_t duration, const std::string& what) {
        text << std::fixed << std::setprecision(1) << std::setw(6)
             << (all > 0 ? 100.0 * static_cast<double>(duration) / static_cast<double>(all) : 100.0)
             << " %" << std::setprecision(6) << std::setw(14) << static_cast<double>(duration) / 1e6
             << " us  " << what << "\n";
    };
    int64_t rest = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        if (i < lines)
        {
            print(groups[i].duration, groups[i].Print());
        }
        else
        {
            rest += groups[i].duration;
        }
    }
    if (groups.size() > lines)
    {
        print(rest, "all else");
    }
    text << marks;
    return text.str();
}

void
LatencyReport::WriteJson(std::ostream& os) const
{
    os << "[";
    const char* comma = "";
    for (const auto& row : GetRows())
    {
        os << comma << "\n   {\"from_ps\": " << row.fromPs << ", \"to_ps\": " << row.toPs
           << ", \"cause\": " << JsonFile::Quote(row.cause)
           << ", \"place\": " << JsonFile::Quote(row.place);
        if (!row.lane.empty())
        {
            os << ", \"lane\": " << row.lane;
        }
        for (const auto& [name, value] : {std::pair{"worm", &row.worm},
                                          std::pair{"other", &row.other},
                                          std::pair{"note", &row.note}})
        {
            if (!value->empty())
            {
                os << ", \"" << name << "\": " << JsonFile::Quote(*value);
            }
        }
        os << "}";
        comma = ",";
    }
    os << "]";
}

} // namespace ns3
