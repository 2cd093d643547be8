/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-size-plot.h"

#include "study-plot.h"

#include <algorithm>

namespace ns3
{

bool
GroupSizePlot::Panel::HasPoints() const
{
    return std::any_of(series.begin(), series.end(), [](const auto& one) {
        return !one.points.empty();
    });
}

void
GroupSizePlot::Write(const std::string& directory) const
{
    StudyPlot plot{name, sizeLabel, valueLabel};
    for (const auto& panel : panels)
    {
        StudyPlot::Panel drawn{panel.title, {}};
        for (const auto& one : panel.series)
        {
            StudyPlot::Curve curve{one.title,
                                   (one.joined ? "linespoints " : "points ") + one.style};
            for (const auto& point : one.points)
            {
                curve.points.push_back({point.size, point.value, point.ci95});
            }
            drawn.curves.push_back(curve);
        }
        plot.panels.push_back(drawn);
    }
    plot.SetGroupSizeAxes();
    StudyPlot::Write({plot}, directory, "");
}

} // namespace ns3
