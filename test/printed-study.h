/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINTED_STUDY_H
#define PRINTED_STUDY_H

#include "test-tools.h"

#include "ns3/wormhole-study-program.h"

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/// What a study's program printed.
struct PrintedStudy
{
    int status;         ///< its exit status
    std::string csv;    ///< standard output
    std::string errors; ///< standard error
};

/// @param words the program and its arguments @return what it printed
inline PrintedStudy
RunStudy(std::vector<std::string> words)
{
    StartAnew();
    std::vector<char*> arguments;
    for (auto& word : words)
    {
        arguments.push_back(word.data());
    }
    std::ostringstream out;
    std::ostringstream errors;
    const auto oldOut = std::cout.rdbuf(out.rdbuf());
    const auto oldErrors = std::cerr.rdbuf(errors.rdbuf());
    const auto status = WormholeStudyMain(static_cast<int>(arguments.size()), arguments.data());
    std::cout.rdbuf(oldOut);
    std::cerr.rdbuf(oldErrors);
    return {status, out.str(), errors.str()};
}

} // namespace ns3

#endif /* PRINTED_STUDY_H */
