/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "published-trees.h"

#include "ns3/csv-file.h"

namespace ns3
{

const std::vector<std::string>&
PublishedTree::GetColumns()
{
    static const std::vector<std::string> columns{"id",
                                                  "quantity",
                                                  "tree",
                                                  "s_us",
                                                  "r_us",
                                                  "processes",
                                                  "time_us",
                                                  "value",
                                                  "unit",
                                                  "source",
                                                  "where",
                                                  "reproducible",
                                                  "why"};
    return columns;
}

std::vector<PublishedTree>
PublishedTree::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<PublishedTree> figures;
    for (std::size_t i = 0; i < file.GetNRows(); ++i)
    {
        if (file.Get(i, "quantity") != "finish" || file.Get(i, "source") != "measured")
        {
            continue;
        }
        if (file.Get(i, "unit") != "us")
        {
            file.Refuse(i, "unit", "us");
        }
        figures.push_back({file.Get(i, "tree"),
                           file.GetNumber(i, "s_us"),
                           file.GetNumber(i, "r_us"),
                           file.GetWhole(i, "processes"),
                           file.GetNumber(i, "value")});
    }
    return figures;
}

} // namespace ns3
