/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "published-figures.h"

#include "ns3/csv-file.h"

#include <algorithm>

namespace ns3
{

const std::vector<std::string>&
PublishedFigure::GetQuantities()
{
    static const std::vector<std::string> quantities{"latency", "latency_factor", "traffic_factor"};
    return quantities;
}

const std::vector<std::string>&
PublishedFigure::GetColumns()
{
    static const std::vector<std::string> columns{"id",
                                                  "quantity",
                                                  "scheme",
                                                  "switches",
                                                  "hosts",
                                                  "connectivity",
                                                  "group_size",
                                                  "value",
                                                  "unit",
                                                  "source",
                                                  "where",
                                                  "reproducible",
                                                  "why"};
    return columns;
}

std::vector<PublishedFigure>
PublishedFigure::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    const auto& quantities = GetQuantities();
    std::vector<PublishedFigure> figures;
    for (std::size_t i = 0; i < file.GetNRows(); ++i)
    {
        const auto& quantity = file.Get(i, "quantity");
        if (file.Get(i, "source") != "paper" ||
            std::find(quantities.begin(), quantities.end(), quantity) == quantities.end())
        {
            continue;
        }
        PublishedFigure figure;
        figure.quantity = quantity;
        figure.scheme = file.Get(i, "scheme");
        figure.switches = file.GetWhole(i, "switches");
        figure.hosts = file.GetWhole(i, "hosts");
        figure.connectivity = file.GetNumber(i, "connectivity");
        figure.groupSize = file.GetWhole(i, "group_size");
        figure.value = file.GetNumber(i, "value");
        figures.push_back(figure);
    }
    return figures;
}

} // namespace ns3
