// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_PROGRESS_H
#define WORMHOLE_PROGRESS_H

#include "wormhole-error.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/// Receives the progress of work, and may end it. (char*: Python's cppyy can't pass std::string.)
/// @param what name of the steps, such as "runs"; empty: the usual name of this work's steps; in
///        work of unknown length (`all` is 0), perhaps a description of the step just completed
/// @param done number of completed steps
/// @param all total number of steps; 0: unknown
/// @return whether to continue
using ProgressListener = std::function<bool(const char* what, uint64_t done, uint64_t all)>;

/// Reports progress to a listener, if any; throws a WormholeError if the listener ends the work.
inline void
TellProgress(const ProgressListener& listener, const char* what, uint64_t done, uint64_t all)
{
    if (listener && !listener(what, done, all))
    {
        throw WormholeError("ended by the listener to its progress, after step " +
                            std::to_string(done));
    }
}

} // namespace ns3

#endif /* WORMHOLE_PROGRESS_H */
