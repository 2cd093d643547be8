/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_NAMES_H
#define DATA_NAMES_H

#include "ns3/collective-helper.h"
#include "ns3/data-kind.h"
#include "ns3/group-schedules.h"

#include <string>
#include <vector>

namespace ns3
{

/// @return names of a kind's algorithms of data that are by software
inline std::vector<std::string>
ListSoftwareNames(DataKind kind)
{
    std::vector<std::string> names;
    const auto& kindName = DataKindInvariant::GetName(kind);
    for (const auto& name : CollectiveHelper::GetDataNames(kindName))
    {
        const auto made = CollectiveHelper::MakeData(kindName, name);
        if (dynamic_cast<const ScheduleMaker*>(PeekPointer(made)))
        {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace ns3

#endif /* DATA_NAMES_H */
