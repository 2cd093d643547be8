/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What Python needs to read forwarding tables fast. The loader compiles this in memory, behind
// bridge.h.

#include "ns3/route-table.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace ns3_wormhole
{

/// What ReadEntries has read of a forwarding table.
struct ForwardingEntries
{
    std::size_t bytes{0}; //!< how long that is
    std::size_t lines{0}; //!< how many lines and entries that is
    std::string wrong;    //!< what is wrong with the entry that follows; empty: none follows
};

/// What a LID is that is no host's.
enum ForwardingLid : int32_t
{
    SWITCH_LID = -1,  //!< a switch's
    STRANGE_LID = -2, //!< none that is known
    MET_LID = -3      //!< none that is known, and a table has a port for it
};

/// Reads the entries of a forwarding table up to the first line that is none.
/// @param text whole lines @param size their length @param lids of each of 65536 LIDs the host's
/// number, or ForwardingLid; of strange ones it is set
/// @param row port for each host, RouteTable::NONE for none yet: is set @return what was read
inline ForwardingEntries
ReadEntries(const uint8_t* text, std::size_t size, int32_t* lids, uint16_t* row)
{
    constexpr uint16_t NOT_FORWARDED = 255;
    ForwardingEntries read;
    const auto end = text + size;
    for (auto at = text; end - at > 1 && at[0] == '0' && at[1] == 'x'; ++read.lines)
    {
        const auto lineEnd = static_cast<const uint8_t*>(std::memchr(at, '\n', end - at));
        uint16_t lid;
        uint16_t port;
        if (!ReadEntry(at, lineEnd, lid, port))
        {
            read.wrong = "form";
            break;
        }
        if (port != NOT_FORWARDED && lids[lid] >= 0)
        {
            auto& known = row[lids[lid]];
            if (port == 0 || known != ns3::RouteTable::NONE)
            {
                read.wrong = port == 0 ? "port" : "twice";
                break;
            }
            known = port;
        }
        else if (port != NOT_FORWARDED && lids[lid] == STRANGE_LID)
        {
            lids[lid] = MET_LID;
        }
        at = lineEnd + 1;
        read.bytes = at - text;
    }
    return read;
}

} // namespace ns3_wormhole
