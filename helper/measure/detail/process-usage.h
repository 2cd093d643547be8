/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROCESS_USAGE_H
#define PROCESS_USAGE_H

namespace ns3
{

/// @ingroup wormhole
/// @brief What this process has used of the machine, for benchmarks.
class ProcessUsage
{
  public:
    /// @return CPU time in user mode so far, seconds
    static double GetUserSeconds();

    /// Finer than GetUserSeconds, as user and system are told apart by samples.
    /// @return CPU time of this process so far, user and system, s
    static double GetCpuSeconds();

    /// @return greatest memory in use since the process began or since ResetPeak, MiB (2^20 bytes)
    static double GetPeakMiB();

    /// Lets GetPeakMiB count from what is in use now.
    /// @return whether this system can do so (Linux can)
    static bool ResetPeak();
};

} // namespace ns3

#endif /* PROCESS_USAGE_H */
