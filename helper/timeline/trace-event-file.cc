/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-event-file.h"

#include "ns3/json-file.h"

#include <cmath>

namespace ns3
{

void
TraceEventArguments::AddJson(const std::string& name, const std::string& json)
{
    m_members += (m_members.empty() ? "" : ",") + JsonFile::Quote(name) + ":" + json;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, uint64_t value)
{
    AddJson(name, std::to_string(value));
    return *this;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, const std::string& value)
{
    AddJson(name, JsonFile::Quote(value));
    return *this;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, Time value)
{
    AddJson(name, TraceEventFile::PrintTime(value));
    return *this;
}

TraceEventFile::TraceEventFile(const std::string& path)
    : m_file(path),
      m_os(m_file.Get().rdbuf())
{
    const std::string suffix = ".gz";
    if (path.size() > suffix.size() &&
        path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0)
    {
        m_gzip = std::make_unique<GzipBuffer>(m_file.Get());
        m_os.rdbuf(m_gzip.get());
    }
    m_os << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

std::string
TraceEventFile::PrintTime(Time time)
{
    constexpr int64_t PER_US = 1000000;
    const auto ps = time.GetPicoSeconds();
    const auto digits = std::to_string(ps % PER_US);
    return std::to_string(ps / PER_US) + "." + std::string(6 - digits.size(), '0') + digits;
}

std::ostream&
TraceEventFile::Begin(char phase, uint32_t process)
{
    m_os << (m_isEmpty ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","pid":)" << process;
    m_isEmpty = false;
    return m_os;
}

void
TraceEventFile::WriteMetadata(const std::string& what,
                              Track track,
                              const TraceEventArguments& arguments)
{
    Begin('M', track.process) << R"(,"tid":)" << track.thread << R"(,"name":")" << what
                              << R"(","args":)" << arguments.ToJson() << '}';
}

void
TraceEventFile::NameProcess(uint32_t process, const std::string& name, uint32_t order)
{
    WriteMetadata("process_name", {process, 0}, TraceEventArguments().Add("name", name));
    WriteMetadata("process_sort_index",
                  {process, 0},
                  TraceEventArguments().Add("sort_index", uint64_t{order}));
}

void
TraceEventFile::NameTrack(Track track, const std::string& name, uint32_t order)
{
    WriteMetadata("thread_name", track, TraceEventArguments().Add("name", name));
    WriteMetadata("thread_sort_index",
                  track,
                  TraceEventArguments().Add("sort_index", uint64_t{order}));
}

void
TraceEventFile::WriteSlice(Track track,
                           const std::string& category,
                           const std::string& name,
                           Time from,
                           Time until,
                           const TraceEventArguments& arguments)
{
    const auto exact = until - from;
    const auto shown = Shorten(from, until);
    auto more = arguments;
    if (shown < exact)
    {
        more.Add("dur_us", exact);
    }
    Begin('X', track.process) << R"(,"tid":)" << track.thread << R"(,"ts":)" << PrintTime(from)
                              << R"(,"dur":)" << PrintTime(shown) << R"(,"cat":")" << category
                              << R"(","name":)" << JsonFile::Quote(name) << R"(,"args":)"
                              << more.ToJson() << '}';
}

Time
TraceEventFile::Shorten(Time from, Time until)
{
    // As Perfetto reads and rounds a number of us with six more digits.
    const auto round = [](Time time) {
        constexpr int64_t PER_US = 1000000;
        const auto ps = time.GetPicoSeconds();
        const auto us =
            static_cast<double>(ps / PER_US) + static_cast<double>(ps % PER_US) / PER_US;
        return std::llround(us * 1000.0);
    };
    const auto most = round(until) - round(from);
    return round(until - from) <= most ? until - from : PicoSeconds(most * 1000 + 499);
}

void
TraceEventFile::WriteArrow(const std::string& category,
                           Track from,
                           Time fromTime,
                           Track to,
                           Time toTime,
                           bool isWithin)
{
    ++m_nArrows;
    const auto write = [&](char phase, Track track, Time time) {
        Begin(phase, track.process)
            << R"(,"tid":)" << track.thread << R"(,"ts":)" << PrintTime(time) << R"(,"cat":")"
            << category << R"(","name":")" << category << R"(","id":)" << m_nArrows;
        m_os << (phase == 'f' && isWithin ? R"(,"bp":"e"})" : "}");
    };
    write('s', from, fromTime);
    write('f', to, toTime);
}

void
TraceEventFile::WriteCount(uint32_t process,
                           const std::string& name,
                           const std::string& unit,
                           Time time,
                           uint64_t value)
{
    Begin('C', process) << R"(,"ts":)" << PrintTime(time) << R"(,"name":)" << JsonFile::Quote(name)
                        << R"(,"args":)" << TraceEventArguments().Add(unit, value).ToJson() << '}';
}

void
TraceEventFile::Finish()
{
    m_os << "\n]}\n";
    if (m_gzip)
    {
        m_gzip->Finish();
    }
    if (!m_os)
    {
        m_file.Get().setstate(std::ios::badbit);
    }
    m_file.Finish();
}

} // namespace ns3
