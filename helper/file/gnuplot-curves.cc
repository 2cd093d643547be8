/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gnuplot-curves.h"

#include "gnuplot-script.h"

#include <sstream>

namespace ns3
{

GnuplotCurves::GnuplotCurves(const std::string& name, bool isBlock)
    : m_file(isBlock ? "$" + name : GnuplotScript::QuoteFile(name))
{
}

void
GnuplotCurves::Add(const std::string& title,
                   const std::string& style,
                   const std::vector<Point>& points,
                   bool hasErrors,
                   const std::string& columns)
{
    std::ostringstream text;
    for (const auto& point : points)
    {
        text << point.x << " " << point.y;
        if (hasErrors)
        {
            text << " " << point.error;
        }
        text << "\n";
    }
    m_points += text.str() + "\n\n"; // which divide blocks
    AddFunction(title,
                style,
                m_file + " index " + std::to_string(m_nBlocks++) +
                    (columns.empty() ? "" : " using " + columns));
}

void
GnuplotCurves::AddFunction(const std::string& title,
                           const std::string& style,
                           const std::string& function)
{
    m_curves += (m_curves.empty() ? "" : ", ") + function +
                (title.empty() ? " notitle" : " title " + GnuplotScript::Quote(title)) + " with " +
                style;
}

std::string
GnuplotCurves::GetPlot() const
{
    return m_curves.empty() ? "" : "plot " + m_curves + "\n";
}

void
GnuplotCurves::WritePoints(std::ostream& os) const
{
    os << m_points;
}

} // namespace ns3
