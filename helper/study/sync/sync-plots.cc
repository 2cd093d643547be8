/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-plots.h"

#include "ns3/gnuplot-script.h"
#include "ns3/plain-number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t PANEL_WIDTH = 1100; ///< of a panel, pixels
constexpr uint32_t PANEL_HEIGHT = 420; ///< of a panel, pixels
constexpr double BAR_WIDTH = 0.2;      ///< of a bar, rows being 1 apart
constexpr double ALWAYS = 5000;        ///< dollars from which on the paper has "always"
constexpr double NEVER = 100;          ///< dollars below which it has "never"
/// Where the value of a bar that is cut off ends, over the end of the axis: below the paper's mark.
constexpr double CUT_LABEL = 0.92;
/// What the script of a picture with such bars says; the report looks for it.
constexpr auto CUT_NOTE = "# Bars that are cut off have their value in them.\n";

/// Bars of one hardware.
struct Hardware
{
    const char* name;   ///< its name
    const char* colour; ///< of its bars
    const char* ink;    ///< colour of text on them
};

/// The kinds of hardware compared.
const Hardware HARDWARE[] = {{"none", "#b0b0b0", "black"},
                             {"hw-1", "#56b4e9", "black"},
                             {"hw-all", "#0072b2", "white"},
                             {"in-switch", "#e69f00", "black"}};

/// @return a number for gnuplot @param value the number
std::string
Number(double value)
{
    std::ostringstream text;
    text << value;
    return std::isfinite(value) ? text.str() : "NaN";
}

/// @return a published value for a picture @param text the value
double
ReadPublished(const std::string& text)
{
    return text.empty()       ? std::nan("")
           : text == "never"  ? NEVER
           : text == "always" ? ALWAYS
                              : ParsePlainNumber(text);
}

} // namespace

SyncPlots::SyncPlots(const std::vector<SyncStudyRow>& rows)
    : m_rows(rows)
{
}

bool
SyncPlots::WritePicture(const Picture& picture, const std::string& directory) const
{
    std::vector<SyncStudyRow> rows;
    std::vector<std::string> names;
    std::set<double> delays;
    for (const auto& row : m_rows)
    {
        if (std::find(picture.tables.begin(), picture.tables.end(), row.table) ==
            picture.tables.end())
        {
            continue;
        }
        rows.push_back(row);
        delays.insert(row.delayUs);
        if (std::find(names.begin(), names.end(), row.row) == names.end())
        {
            names.push_back(row.row);
        }
    }
    if (rows.empty())
    {
        return false;
    }
    std::ostringstream drawing;
    std::ostringstream tics;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        tics << (i ? ", " : "") << GnuplotScript::QuoteTic(names[i]) << ' ' << i;
    }
    uint32_t block = 0;
    std::ostringstream data;
    std::string note;
    for (const auto delay : delays)
    {
        drawing << "set title "
                << GnuplotScript::Quote("delay of messages " + Number(delay) + " us") << "\nplot";
        const char* comma = "";
        std::ostringstream marks;
        std::ostringstream labels;
        for (std::size_t h = 0; h < std::size(HARDWARE); ++h)
        {
            bool any = false;
            bool isCut = false;
            const bool isThere = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
                return row.hardware == HARDWARE[h].name;
            });
            if (!isThere)
            {
                continue;
            }
            const auto points = "$data" + std::to_string(block++);
            data << points << " << EOD\n";
            for (const auto& row : rows)
            {
                if (row.delayUs != delay || row.hardware != HARDWARE[h].name)
                {
                    continue;
                }
                any = true;
                isCut = isCut || row.simulated > picture.top;
                const auto place = std::find(names.begin(), names.end(), row.row) - names.begin();
                data << static_cast<double>(place) + (static_cast<double>(h) - 1.5) * BAR_WIDTH
                     << ' ' << Number(row.simulated) << ' ' << Number(row.model) << ' '
                     << Number(ReadPublished(row.published)) << '\n';
            }
            data << (any ? "" : "NaN NaN NaN NaN\n") << "EOD\n";
            drawing << comma << " " << points << " using 1:2 with boxes fs solid noborder lc rgb "
                    << GnuplotScript::Quote(HARDWARE[h].colour) << " title "
                    << GnuplotScript::Quote(std::string(HARDWARE[h].name) + ", simulated");
            if (isCut)
            {
                note = CUT_NOTE;
                labels << ", \\\n  " << points << " using 1:($2 > " << picture.top << " ? "
                       << CUT_LABEL * picture.top
                       << " : NaN):(sprintf(\"%.0f →\", $2)) with labels rotate right font \",9\" "
                       << "tc rgb " << GnuplotScript::Quote(HARDWARE[h].ink) << " notitle";
            }
            const bool first = *comma == 0;
            comma = ", \\\n ";
            marks << ", \\\n  " << points
                  << " using 1:3 with points pt 2 lw 1.5 ps 1.2*unit lc rgb \"#d55e00\" "
                  << (first ? "title \"model\"" : "notitle") << ", \\\n  " << points
                  << " using 1:4 with points pt 12 lw 2 ps 1.8*unit lc rgb \"black\" "
                  << (first ? "title \"paper\"" : "notitle");
        }
        drawing << marks.str() << labels.str() << "\nunset key\n";
    }
    std::ostringstream setup;
    setup << note << data.str() << "set xrange [-0.6:" << static_cast<double>(names.size()) - 0.4
          << "]\n"
          << "set boxwidth " << BAR_WIDTH * 0.9 << "\n"
          << "set xtics (" << tics.str() << ") rotate by 20 right nomirror out scale 0\n"
          << "set ytics nomirror out\nset border 3 lw 1.5 lc rgb \"#404040\"\n"
          << "set grid ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
          << "set ylabel " << GnuplotScript::Quote(picture.label) << "\n"
          << "set yrange [" << picture.bottom << ':'
          << (std::isfinite(picture.top) ? Number(picture.top) : "*") << "]\n"
          << (picture.isLogarithmic ? "set logscale y 10\n" : "");
    GnuplotScript script;
    script.name = picture.name;
    script.width = PANEL_WIDTH;
    script.height = PANEL_HEIGHT * static_cast<uint32_t>(delays.size());
    script.font = 12;
    script.setup = setup.str();
    script.drawing = GnuplotScript::Panels(delays.size(),
                                           1,
                                           "set lmargin 10\nset rmargin 30\n"
                                           "set key outside right top Left reverse\n",
                                           drawing.str());
    script.Write(directory);
    return true;
}

std::vector<std::string>
SyncPlots::Write(const std::string& directory, const std::string& prefix) const
{
    const auto any = std::numeric_limits<double>::infinity();
    const std::vector<Picture> pictures{
        {prefix + "latency", {"1"}, "latency (us)", 1, 1000, true},
        {prefix + "speedup", {"3", "4", "5", "6", "speedups"}, "speedup", 0, any, false},
        {prefix + "break-even",
         {"7"},
         "dollars a node (never: 100, always: 5000)",
         -500,
         5200,
         false}};
    std::vector<std::string> files;
    for (const auto& picture : pictures)
    {
        if (WritePicture(picture, directory))
        {
            files.push_back(picture.name + ".plt");
        }
    }
    if (WriteByNumber(prefix + "by-number", directory))
    {
        files.push_back(prefix + "by-number.plt");
    }
    return files;
}

bool
SyncPlots::WriteByNumber(const std::string& name, const std::string& directory) const
{
    // Speedups by application and delay, then hardware, then the number.
    std::map<std::pair<std::string, double>, std::map<std::string, std::map<double, double>>>
        panels;
    for (const auto& row : m_rows)
    {
        const auto blank = row.row.rfind(' ');
        const auto isNumber =
            blank != std::string::npos && blank + 1 < row.row.size() &&
            row.row.find_first_not_of("0123456789.", blank + 1) == std::string::npos;
        const auto number = isNumber ? ParsePlainNumber(row.row.substr(blank + 1)) : std::nan("");
        if (!std::isnan(number) && row.unit.empty() && std::isfinite(row.simulated))
        {
            panels[{row.row.substr(0, blank), row.delayUs}][row.hardware][number] = row.simulated;
        }
    }
    const auto isSingle = [](const auto& panel) { return panel.second.begin()->second.size() < 2; };
    if (panels.empty() || std::all_of(panels.begin(), panels.end(), isSingle))
    {
        return false;
    }
    std::ostringstream data;
    std::ostringstream drawing;
    uint32_t block = 0;
    for (const auto& [place, lines] : panels)
    {
        const auto title = place.first + ", delay of messages " + Number(place.second) + " us";
        drawing << "set title " << GnuplotScript::Quote(title) << "\nplot";
        const char* comma = "";
        for (const auto& hardware : HARDWARE)
        {
            const auto found = lines.find(hardware.name);
            if (found == lines.end())
            {
                continue;
            }
            const auto points = "$data" + std::to_string(block++);
            data << points << " << EOD\n";
            for (const auto& [number, speedup] : found->second)
            {
                data << number << ' ' << speedup << '\n';
            }
            data << "EOD\n";
            drawing << comma << ' ' << points
                    << " using 1:2 with linespoints lw 2 pt 7 ps 1.2*unit lc rgb "
                    << GnuplotScript::Quote(hardware.colour) << " title "
                    << GnuplotScript::Quote(hardware.name);
            comma = ", \\\n ";
        }
        drawing << '\n';
    }
    GnuplotScript script;
    script.name = name;
    script.height = PANEL_HEIGHT * 2 / 3 * static_cast<uint32_t>(panels.size());
    script.font = 12;
    script.setup = data.str() + "set ytics nomirror out\nset xtics nomirror out\n" +
                   "set border 3 lw 1.5 lc rgb \"#404040\"\n"
                   "set grid lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
                   "set xlabel \"number that the application's name ends with\"\n"
                   "set ylabel \"speedup\"\nset yrange [*:*]\n";
    script.drawing = GnuplotScript::Panels(panels.size(),
                                           1,
                                           "set lmargin 10\nset rmargin 18\n"
                                           "set key outside right top Left reverse\n",
                                           drawing.str());
    script.Write(directory);
    return true;
}

} // namespace ns3
