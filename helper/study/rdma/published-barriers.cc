/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "published-barriers.h"

#include "ns3/csv-file.h"

namespace ns3
{

const std::vector<std::string>&
PublishedBarrier::GetColumns()
{
    static const std::vector<std::string> columns{"id",
                                                  "quantity",
                                                  "cluster",
                                                  "transport",
                                                  "nodes",
                                                  "tasks_per_node",
                                                  "value",
                                                  "unit",
                                                  "use",
                                                  "where",
                                                  "why"};
    return columns;
}

std::vector<PublishedBarrier>
PublishedBarrier::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<PublishedBarrier> figures;
    for (std::size_t i = 0; i < file.GetNRows(); ++i)
    {
        if (file.Get(i, "quantity") != "latency")
        {
            continue;
        }
        if (file.Get(i, "unit") != "us")
        {
            file.Refuse(i, "unit", "us");
        }
        figures.push_back({file.Get(i, "cluster"),
                           file.Get(i, "transport"),
                           file.GetWhole(i, "nodes"),
                           file.GetWhole(i, "tasks_per_node"),
                           file.GetNumber(i, "value")});
    }
    return figures;
}

} // namespace ns3
