/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-parameter.h"

#include <cctype>

namespace ns3
{

std::string
StudyParameter::GetAccepted() const
{
    switch (kind)
    {
    case WHOLE:
    case BYTES:
        return std::to_string(min) + " to " + std::to_string(max);
    case RATIO:
        return "above 0, up to " + std::to_string(max);
    case TIME:
        return aboveZero ? "above 0" : "";
    case WORD: {
        std::string list;
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            list += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
        }
        return list;
    }
    case TEXT:
    case FILE:
    case SWITCH:
    case FABRIC:
        break;
    }
    return "";
}

std::string
StudyParameter::GetHelp() const
{
    const auto accepted = GetAccepted();
    std::string text = help;
    if (!unit.empty())
    {
        text += ", " + unit;
    }
    return accepted.empty() ? text : text + " (" + accepted + ")";
}

std::string
StudyParameter::GetPythonName() const
{
    if (kind != SWITCH || !OptionValues::IsNegative(name))
    {
        return OptionValues::GetSnake(name);
    }
    return OptionValues::GetSnake(
        std::string(1, std::tolower(static_cast<unsigned char>(name[2]))) + name.substr(3));
}

} // namespace ns3
