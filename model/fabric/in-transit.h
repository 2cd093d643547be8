/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_TRANSIT_H
#define IN_TRANSIT_H

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Whether hosts pass worms on whose route goes on beyond them, and how (rule S13).
enum class InTransit : uint8_t
{
    NONE,       ///< "none": they don't
    WHOLE,      ///< "whole": a worm goes on when all of it is there
    AS_IT_COMES ///< "as-it-comes": a worm goes on when its head is there
};

/// @ingroup wormhole
/// @return the word for it
/// @param mode how hosts pass worms on
inline std::string
NameInTransit(InTransit mode)
{
    return mode == InTransit::NONE ? "none" : mode == InTransit::WHOLE ? "whole" : "as-it-comes";
}

/// @ingroup wormhole
/// @return what a word means, which is one of these
/// @param word the word
inline InTransit
ReadInTransit(const std::string& word)
{
    return word == "none"    ? InTransit::NONE
           : word == "whole" ? InTransit::WHOLE
                             : InTransit::AS_IT_COMES;
}

} // namespace ns3

#endif /* IN_TRANSIT_H */
