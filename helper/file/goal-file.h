// SPDX-License-Identifier: GPL-2.0-only

#ifndef GOAL_FILE_H
#define GOAL_FILE_H

#include "ns3/goal-schedule.h"

#include <ostream>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Reads and writes GOAL schedules (each rank's sends, receives and computations) as text or
///        in the binary format of LogGOPSim and ATLAHS, which begins with the 8-byte number 4223.
///
/// The text consists of `num_ranks N`, followed for each rank by `rank R {`, a line for each
/// operation and dependency, and `}`:
///
///     l1: recv 10b from 0 tag 5 cpu 0 nic 0
///     l2: calc 100 cpu 0
///     l2 requires l1
///
/// Here l2 starts after l1 has ended; with `irequires` in place of `requires`, l2 starts after l1
/// has started. In a receive, -1 stands for any rank or any tag. C++ comments are allowed.
class GoalFile
{
  public:
    /// Reads and checks a schedule of either format; keeps a text's labels if `keepsLabels` is set;
    /// throws a WormholeError that states the file, and the line, byte or rank of the error.
    static GoalSchedule Read(const std::string& path, bool keepsLabels = false);

    /// Reads a text schedule; throws a WormholeError that states `name` and the line of the error.
    static GoalSchedule ReadText(const std::string& text,
                                 const std::string& name,
                                 bool keepsLabels = false);

    /// Reads a binary schedule; throws a WormholeError that states `name` and the byte in error.
    static GoalSchedule ReadBinary(const std::string& bytes, const std::string& name);

    /// Writes a schedule as text.
    static void WriteText(std::ostream& os, const GoalSchedule& schedule);

    /// Writes a schedule's binary form.
    static void WriteBinary(std::ostream& os, const GoalSchedule& schedule);
};

} // namespace ns3

#endif /* GOAL_FILE_H */
