// SPDX-License-Identifier: GPL-2.0-only

#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "../test-tools.h"

namespace ns3
{

/// @ingroup wormhole-tests
/// What a fuzzer's input is given to: it returns if the input is accepted and makes sense, throws a
/// WormholeError if it is refused, and ends the process with Demand if it is accepted though it
/// makes none.
using FuzzTarget = void (*)(const std::string& input);

std::map<std::string, FuzzTarget> GetFileTargets();

std::map<std::string, FuzzTarget> GetTextTargets();

std::map<std::string, FuzzTarget> GetWormTargets();

/// Ends the process unless a condition holds.
void Demand(bool holds, const std::string& what);

/// @return path of a file of this process that holds a text
std::string AsFile(const std::string& text);

} // namespace ns3

#endif /* FUZZ_TARGET_H */
