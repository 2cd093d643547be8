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
/// @brief Resources used by this process, for benchmarks.
class ProcessUsage
{
  public:
    /// @return user CPU time so far, seconds
    static double GetUserSeconds();

    /// User and system CPU time; finer than GetUserSeconds, which relies on sampling.
    /// @return CPU time of this process so far, s
    static double GetCpuSeconds();

    /// @return peak memory since the process began or since ResetPeak, MiB (2^20 bytes)
    static double GetPeakMiB();

    /// Restarts GetPeakMiB from the memory in use now.
    /// @return whether this system supports it (Linux does)
    static bool ResetPeak();
};

} // namespace ns3

#endif /* PROCESS_USAGE_H */
