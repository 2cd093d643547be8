/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_CHECK_H
#define STUDY_CHECK_H

#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

/// Checks that several studies make of what they are asked.
struct StudyCheck
{
    /// @param isWrong whether a request is refused @param message what is wrong, and accepted
    /// @throws WormholeError with the message, if so
    static void RefuseIf(bool isWrong, const std::string& message)
    {
        if (isWrong)
        {
            throw WormholeError(message);
        }
    }
};

} // namespace ns3

#endif /* STUDY_CHECK_H */
