/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-usage.h"

#include <ctime>
#include <fstream>
#include <string>
#include <sys/resource.h>

namespace ns3
{

double
ProcessUsage::GetUserSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
}

double
ProcessUsage::GetCpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double
ProcessUsage::GetPeakMiB()
{
    // Linux's own account, since getrusage does not know of ResetPeak.
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
    {
        if (line.rfind("VmHWM:", 0) == 0)
        {
            return std::stod(line.substr(6)) / 1024;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return usage.ru_maxrss / 1048576.0; // bytes there, KiB elsewhere
#else
    return usage.ru_maxrss / 1024.0;
#endif
}

bool
ProcessUsage::ResetPeak()
{
    constexpr auto PEAK = "5"; // proc(5), clear_refs
    std::ofstream file("/proc/self/clear_refs");
    return static_cast<bool>(file << PEAK << std::flush);
}

} // namespace ns3
