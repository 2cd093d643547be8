/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-parts-plot.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

/// A part, in the order of BarrierStudyRow::GetParts.
struct Part
{
    const char* title;  ///< in the key
    const char* colour; ///< apart for colour-blind eyes, too (Okabe and Ito's)
};

/// All parts.
const Part PARTS[] = {{"hosts' software", "#0072b2"},
                      {"interfaces", "#56b4e9"},
                      {"wires", "#009e73"},
                      {"switches", "#e69f00"},
                      {"waiting for others", "#d55e00"},
                      {"beside the fabric", "#cc79a7"}};

/// Rows of one scheme.
struct Bars
{
    std::string scheme;                       ///< its name
    std::vector<const BarrierStudyRow*> rows; ///< by group size
};

/// @return rows that are explained, of the first fabric, by scheme @param rows all
std::vector<Bars>
Select(const std::vector<BarrierStudyRow>& rows)
{
    std::vector<Bars> all;
    for (const auto& row : rows)
    {
        const auto& first = rows.front();
        if (row.explained.empty() || std::isnan(row.hostUsMean) || row.groupSize < 2 ||
            row.switches != first.switches || row.hosts != first.hosts || row.law != first.law ||
            row.connectivity != first.connectivity)
        {
            continue;
        }
        const auto name = row.btinTiming == "paper" ? row.scheme + ", no flit times" : row.scheme;
        auto found = std::find_if(all.begin(), all.end(), [&](const Bars& bars) {
            return bars.scheme == name;
        });
        (found == all.end() ? all.emplace_back(Bars{name, {}}) : *found).rows.push_back(&row);
    }
    return all;
}

/// @return whether any of the bars has a part @param all the bars @param part which
bool
HasPart(const std::vector<Bars>& all, std::size_t part)
{
    return std::any_of(all.begin(), all.end(), [&](const Bars& bars) {
        return std::any_of(bars.rows.begin(), bars.rows.end(), [&](const BarrierStudyRow* row) {
            return row->*BarrierStudyRow::GetParts()[part] > 0;
        });
    });
}

} // namespace

std::vector<std::string>
BarrierPartsPlot::Write(const std::vector<BarrierStudyRow>& rows,
                        const std::string& directory,
                        const std::string& prefix)
{
    const auto all = Select(rows);
    if (all.empty())
    {
        return {};
    }
    std::ostringstream setup;
    std::ostringstream drawing;
    uint32_t nBars = 0;
    drawing << "plot ";
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        setup << "$scheme" << i << " << EOD\n";
        for (const auto* row : all[i].rows)
        {
            setup << row->groupSize;
            for (const auto part : BarrierStudyRow::GetParts())
            {
                setup << " " << row->*part;
            }
            setup << "\n";
            ++nBars;
        }
        setup << "EOD\n";
        drawing << (i > 0 ? ", " : "") << "newhistogram \"" << all[i].scheme << "\" at "
                << nBars + i - all[i].rows.size();
        for (std::size_t part = 0; part < std::size(PARTS); ++part)
        {
            if (!HasPart(all, part))
            {
                continue;
            }
            drawing << ", $scheme" << i << " using " << part + 2 << ":xtic(1) lc rgb \""
                    << PARTS[part].colour << "\" "
                    << (i == 0 ? std::string("title \"") + PARTS[part].title + "\"" : "notitle");
        }
    }
    drawing << "\n";
    setup << "set style data histograms\nset style histogram rowstacked title offset 0,-1\n"
          << "set boxwidth 0.8\nset style fill solid 0.95 border rgb \"white\"\n"
          << "set ylabel \"latency (us)\"\nset title \"by scheme and number of members\"\n"
          << "set bmargin 5\nset yrange [0:*]\nset grid ytics\nset xtics scale 0\n"
          << "set key outside right top Left reverse invert\n";
    GnuplotScript script;
    script.name = prefix + "causes";
    script.width = std::max<uint32_t>(700, 260 + 42 * nBars);
    script.height = 480;
    script.setup = setup.str();
    script.drawing = drawing.str();
    script.Write(directory);
    return {script.name + ".plt"};
}

} // namespace ns3
