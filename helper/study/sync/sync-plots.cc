/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-plots.h"

#include "ns3/whole-file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

constexpr int PANEL_WIDTH = 1100; ///< of a panel, pixels
constexpr int PANEL_HEIGHT = 420; ///< of a panel, pixels
constexpr double BAR_WIDTH = 0.2; ///< of a bar, rows being 1 apart
constexpr double ALWAYS = 5000;   ///< dollars from which on the paper has "always"
constexpr double NEVER = 100;     ///< dollars below which it has "never"

/// Bars of one hardware.
struct Hardware
{
    const char* name;   ///< its name
    const char* colour; ///< of its bars
};

/// The kinds of hardware compared.
const Hardware HARDWARE[] = {{"none", "#b0b0b0"},
                             {"hw-1", "#56b4e9"},
                             {"hw-all", "#0072b2"},
                             {"in-switch", "#e69f00"}};

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
                              : std::stod(text);
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
        tics << (i ? ", " : "") << '"' << names[i] << "\" " << i;
    }
    uint32_t block = 0;
    std::ostringstream data;
    for (const auto delay : delays)
    {
        drawing << "set title \"delay of messages " << delay << " us\"\nplot";
        const char* comma = "";
        std::ostringstream marks;
        for (std::size_t h = 0; h < std::size(HARDWARE); ++h)
        {
            bool any = false;
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
                const auto place = std::find(names.begin(), names.end(), row.row) - names.begin();
                data << static_cast<double>(place) + (static_cast<double>(h) - 1.5) * BAR_WIDTH
                     << ' ' << Number(row.simulated) << ' ' << Number(row.model) << ' '
                     << Number(ReadPublished(row.published)) << '\n';
            }
            data << (any ? "" : "NaN NaN NaN NaN\n") << "EOD\n";
            drawing << comma << " " << points << " using 1:2 with boxes fs solid noborder lc rgb \""
                    << HARDWARE[h].colour << "\" title \"" << HARDWARE[h].name << ", simulated\"";
            const bool first = *comma == 0;
            comma = ", \\\n ";
            marks << ", \\\n  " << points
                  << " using 1:3 with points pt 2 lw 1.5 ps 1.2*unit lc rgb \"#d55e00\" "
                  << (first ? "title \"model\"" : "notitle") << ", \\\n  " << points
                  << " using 1:4 with points pt 12 lw 2 ps 1.8*unit lc rgb \"black\" "
                  << (first ? "title \"paper\"" : "notitle");
        }
        drawing << marks.str() << "\nunset key\n";
    }
    const auto size = " size " + std::to_string(PANEL_WIDTH) + "," +
                      std::to_string(PANEL_HEIGHT * static_cast<int>(delays.size()));
    const auto panels =
        "set multiplot layout " + std::to_string(delays.size()) +
        ",1\nset lmargin 10\nset rmargin 30\nset key outside right top Left reverse\n" +
        drawing.str() + "unset multiplot\nset output\n";
    WholeFile file(directory + "/" + picture.name + ".plt");
    auto& os = file.Get();
    os << "# gnuplot makes " << picture.name << ".png and " << picture.name << ".svg of this.\n"
       << "set encoding utf8\n"
       << data.str() << "set xrange [-0.6:" << static_cast<double>(names.size()) - 0.4 << "]\n"
       << "set boxwidth " << BAR_WIDTH * 0.9 << "\n"
       << "set xtics (" << tics.str() << ") rotate by 20 right nomirror out scale 0\n"
       << "set ytics nomirror out\nset border 3 lw 1.5 lc rgb \"#404040\"\n"
       << "set grid ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
       << "set ylabel \"" << picture.label << "\"\n"
       << picture.axis << "if (strstrt(GPVAL_TERMINALS, \"pngcairo\") > 0) {\n"
       << "  set terminal pngcairo" << size << " background rgb \"white\" font \"Sans,12\"\n"
       << "} else {\n"
       << "  set terminal png truecolor" << size << " font \"DejaVuSans,12\"\n"
       << "}\n"
       << "unit = 1\nset output \"" << picture.name << ".png\"\n"
       << panels << "set terminal svg" << size
       << " dynamic background rgb \"white\" font \"sans-serif,14\"\n"
       << "unit = 0.6\nset output \"" << picture.name << ".svg\"\n"
       << panels;
    file.Finish();
    return true;
}

std::vector<std::string>
SyncPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::error_code error;
    std::filesystem::create_directories(directory, error); // else writing will tell
    const std::vector<Picture> pictures{
        {prefix + "latency", {"1"}, "latency (us)", "set logscale y 10\nset yrange [1:1000]\n"},
        {prefix + "speedup", {"3", "4", "5", "6", "speedups"}, "speedup", "set yrange [0:*]\n"},
        {prefix + "break-even",
         {"7"},
         "dollars a node (never: 100, always: 5000)",
         "set yrange [-500:5200]\n"}};
    std::vector<std::string> files;
    for (const auto& picture : pictures)
    {
        if (WritePicture(picture, directory))
        {
            files.push_back(picture.name + ".plt");
        }
    }
    return files;
}

} // namespace ns3
