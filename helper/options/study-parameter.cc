/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-parameter.h"

#include "ns3/word-list.h"

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
        return (isFromZero ? "0 to " : "above 0, up to ") + std::to_string(max);
    case TIME:
        return aboveZero ? "above 0" : "";
    case WORD:
        return WordList::WithOr(words);
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
    return OptionValues::GetPythonName(name, kind == SWITCH);
}

} // namespace ns3
