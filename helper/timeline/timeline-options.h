/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_OPTIONS_H
#define TIMELINE_OPTIONS_H

#include "timeline.h"

#include "ns3/program-options.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

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

#endif /* TIMELINE_OPTIONS_H */
