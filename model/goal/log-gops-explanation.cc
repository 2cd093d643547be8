/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "log-gops-explanation.h"

namespace ns3
{

std::string
LogGopsExplanation::Print() const
{
    std::string text;
    const auto add = [&text](uint64_t count, const std::string& what) {
        if (count > 0)
        {
            text += (text.empty() ? "" : " + ") +
                    (count == 1 ? std::string() : std::to_string(count) + " ") + what;
        }
    };
    add(o, "o");
    add(L, "L");
    add(g, "g");
    add(G, "G");
    add(O, "O");
    if (calcNs > 0 || text.empty())
    {
        text += (text.empty() ? "" : " + ") + std::to_string(calcNs) + " ns";
    }
    return text;
}

} // namespace ns3
