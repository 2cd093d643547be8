/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_EVENT_FILE_H
#define TRACE_EVENT_FILE_H

#include "gzip-buffer.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-whole-file.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Arguments of an event: a JSON object, member by member.
class TraceEventArguments
{
  public:
    /// Adds a number. @param name its name @param value the number @return this
    TraceEventArguments& Add(const std::string& name, uint64_t value);

    /// Adds a text. @param name its name @param value the text @return this
    TraceEventArguments& Add(const std::string& name, const std::string& value);

    /// Adds a time, in us with all digits. @param name its name, in the end _us
    /// @param value the time @return this
    TraceEventArguments& Add(const std::string& name, Time value);

    /// Adds what is JSON already. @param name its name @param json its value
    void AddJson(const std::string& name, const std::string& json);

    /// @return the JSON object
    std::string ToJson() const
    {
        return "{" + m_members + "}";
    }

  private:
    std::string m_members; ///< all members
};

/**
 * @ingroup wormhole
 * @brief Writes events in Chrome's trace event format (the document "Trace Event Format" by the
 *        Chromium project), as JSON, each when it is told: nothing is kept.
 *
 * Perfetto and chrome://tracing read it. Times are us with six more digits, exact to the ps. A file
 * whose name ends in .gz is compressed.
 */
class TraceEventFile
{
  public:
    /// A row of the picture: a thread in the format's words.
    struct Track
    {
        uint32_t process{0}; ///< number of the group of tracks that it is in
        uint32_t thread{0};  ///< number of the track there
    };

    /// @param path name of the file
    /// @throws WormholeError if it can't be written, or has to be compressed and there is no zlib
    explicit TraceEventFile(const std::string& path);

    /// Names a group of tracks. @param process its number @param name its name @param order its
    /// place among the groups
    void NameProcess(uint32_t process, const std::string& name, uint32_t order);

    /// Names a track. @param track the track @param name its name @param order its place in its
    /// group
    void NameTrack(Track track, const std::string& name, uint32_t order);

    /**
     * Something takes its time. Perfetto rounds ts and dur to ns, each by itself, and takes what
     * reaches into the next slice then off its track. So dur is some 0.5 ns shorter where that
     * would be, and dur_us among the arguments is exact.
     * @param track where
     * @param category what kind of thing
     * @param name its name
     * @param from when it begins
     * @param until when it ends
     * @param arguments further members
     */
    void WriteSlice(Track track,
                    const std::string& category,
                    const std::string& name,
                    Time from,
                    Time until,
                    const TraceEventArguments& arguments);

    /**
     * An arrow from one slice to another.
     * @param category what kind of thing
     * @param from track of its beginning
     * @param fromTime when, within a slice there
     * @param to track of its end
     * @param toTime when
     * @param isWithin whether that is within a slice; else the next one that begins is meant
     */
    void WriteArrow(const std::string& category,
                    Track from,
                    Time fromTime,
                    Track to,
                    Time toTime,
                    bool isWithin);

    /// A number has changed. @param process group of tracks that it belongs to @param name its name
    /// @param unit what is counted @param time when @param value from then on
    void WriteCount(uint32_t process,
                    const std::string& name,
                    const std::string& unit,
                    Time time,
                    uint64_t value);

    /// Writes the end, and gives the file its name. @throws WormholeError if not all could be
    /// written
    void Finish();

    /// @return a time in us with six more digits, such as 12.345678 @param time the time
    static std::string PrintTime(Time time);

  private:
    /// @return how long a slice is that Perfetto does not round to one that ends later
    static Time Shorten(Time from, Time until);

    std::ostream& Begin(char phase, uint32_t process);

    /// Writes a name of a group or track. @param what process_name, thread_name or ..._sort_index
    void WriteMetadata(const std::string& what, Track track, const TraceEventArguments& arguments);

    WholeFile m_file;                   ///< the file
    std::unique_ptr<GzipBuffer> m_gzip; ///< compresses it; may be null
    std::ostream m_os;                  ///< where events go
    uint64_t m_nArrows{0};              ///< arrows so far
    bool m_isEmpty{true};               ///< whether there is no event yet
};

} // namespace ns3

#endif /* TRACE_EVENT_FILE_H */
