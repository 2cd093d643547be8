// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/gnuplot-script.h"
#include "ns3/ordering.h"
#include "ns3/study-makers.h"
#include "ns3/text-tools.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

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

struct Hardware
{
    const char* name;   ///< its name
    const char* colour; ///< of its bars
    const char* ink;    ///< colour of text on them
};

const Hardware HARDWARE[] = {{"none", "#b0b0b0", "black"},
                             {"hw-1", "#56b4e9", "black"},
                             {"hw-all", "#0072b2", "white"},
                             {"in-switch", "#e69f00", "black"}};

double
ReadPublished(const std::string& text)
{
    return text.empty()       ? std::nan("")
           : text == "never"  ? NEVER
           : text == "always" ? ALWAYS
                              : ParseStrictNumber(text);
}

struct SyncPicture
{
    const char* name;                ///< its name
    std::vector<std::string> tables; ///< tables that it shows
    const char* label;               ///< what the axis of values shows
    double bottom;                   ///< where that axis begins
    double top;                      ///< where it ends; infinite: beyond all values
    bool isLogarithmic;              ///< its scale
};

/// A panel whose bars, marks and values of bars cut off are drawn in this order.
struct BarPanel
{
    std::vector<StudyPlot::Curve> bars;   ///< what is simulated
    std::vector<StudyPlot::Curve> marks;  ///< by the model, and what the paper prints
    std::vector<StudyPlot::Curve> values; ///< of bars that are cut off
};

void
AddBars(BarPanel& panel,
        const StudyPlot::Rows& rows,
        const std::map<std::string, double>& places,
        std::size_t number,
        const SyncPicture& picture)
{
    const auto& hardware = HARDWARE[number];
    StudyPlot::Curve bars{std::string(hardware.name) + ", simulated",
                          "boxes fs solid noborder lc rgb " +
                              GnuplotScript::Quote(hardware.colour)};
    // The first ones stand in the key for all, points or not.
    const std::string shown = panel.marks.empty() ? "NaN" : "";
    const auto mark = [&shown](const std::string& title, const std::string& with) {
        return StudyPlot::Curve{shown.empty() ? "" : title, "points " + with, {}, "", shown};
    };
    auto model = mark("model", "pt 2 lw 2 ps 1.2*unit lc rgb \"#a00000\"");
    auto paper = mark("paper", "pt 12 lw 2 ps 1.8*unit lc rgb \"black\"");
    StudyPlot::Curve values{"",
                            "labels rotate right font \",9\" tc rgb " +
                                GnuplotScript::Quote(hardware.ink)};
    std::ostringstream place;
    place << CUT_LABEL * picture.top;
    values.columns = "1:(" + place.str() + "):(sprintf(\"%.0f →\", $2))";
    for (const auto& row : rows)
    {
        const auto x =
            places.at(row["row"].Text()) + (static_cast<double>(number) - 1.5) * BAR_WIDTH;
        const auto add = [x](StudyPlot::Curve& curve, double value) {
            if (std::isfinite(value))
            {
                curve.points.push_back({x, value});
            }
        };
        add(bars, row["simulated"]);
        add(model, row["model"]);
        add(paper, ReadPublished(row["published"].Text()));
        if (row["simulated"] > picture.top)
        {
            add(values, row["simulated"]);
        }
    }
    panel.bars.push_back(bars);
    panel.marks.push_back(model);
    panel.marks.push_back(paper);
    panel.values.push_back(values);
}

StudyPlot
DrawBars(const StudyPlot::Rows& all, const SyncPicture& picture)
{
    StudyPlot plot{picture.name, "", picture.label};
    const auto rows = StudyPlot::Where(all, [&](const auto& row) {
        return IsIn(picture.tables, row["table"].Text());
    });
    std::map<std::string, double> places;
    std::string tics;
    for (const auto& [name, some] : StudyPlot::GroupBy(rows, "row"))
    {
        const auto place = static_cast<double>(places.size());
        tics += (places.empty() ? "" : ", ") + GnuplotScript::QuoteTic(name) + " " +
                StudyPlot::Number(place);
        places[name] = place;
    }
    bool isCut = false;
    for (const auto& [delay, ofDelay] :
         StudyPlot::GroupBy(StudyPlot::SortedBy(rows, "delay_us"), "delay_us"))
    {
        BarPanel bars;
        for (std::size_t h = 0; h < std::size(HARDWARE); ++h)
        {
            const auto isOfHardware = [h](const auto& row) {
                return row["hardware"].Text() == HARDWARE[h].name;
            };
            if (AnyOf(rows, isOfHardware))
            {
                AddBars(bars, StudyPlot::Where(ofDelay, isOfHardware), places, h, picture);
                isCut = isCut || !bars.values.back().points.empty();
            }
        }
        StudyPlot::Panel panel{"delay of messages " +
                                   StudyPlot::Number(ofDelay.front()["delay_us"]) + " us",
                               bars.bars};
        panel.curves.insert(panel.curves.end(), bars.marks.begin(), bars.marks.end());
        panel.curves.insert(panel.curves.end(), bars.values.begin(), bars.values.end());
        plot.panels.push_back(panel);
    }
    std::ostringstream axes;
    axes << (isCut ? CUT_NOTE : "")
         << "set xrange [-0.6:" << static_cast<double>(places.size()) - 0.4 << "]\n"
         << "set boxwidth " << BAR_WIDTH * 0.9 << "\n"
         << "set xtics (" << tics << ") rotate by 20 right nomirror out scale 0\n"
         << "set ytics nomirror out\nset border 3 lw 1.5 lc rgb \"#404040\"\n"
         << "set grid ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
         << "set yrange [" << picture.bottom << ':'
         << (std::isfinite(picture.top) ? StudyPlot::Number(picture.top) : "*") << "]\n"
         << (picture.isLogarithmic ? "set logscale y 10\n" : "");
    plot.axes = axes.str();
    plot.key = "set lmargin 10\nset rmargin 30\nset key outside right top Left reverse\n";
    plot.columns = 1;
    plot.width = PANEL_WIDTH;
    plot.height = PANEL_HEIGHT;
    plot.font = 12;
    return plot;
}

/// @return the number that the name of a row's application ends with; NaN: none
double
GetNumber(const CsvRow& row)
{
    const auto& name = row["row"].Text();
    const auto blank = name.rfind(' ');
    const auto isNumber = blank != std::string::npos && blank + 1 < name.size() &&
                          name.find_first_not_of("0123456789.", blank + 1) == std::string::npos;
    return isNumber ? ParseStrictNumber(name.substr(blank + 1)) : std::nan("");
}

/// @return speedups over the number that names of applications end with, such as "WWT-Appbt 0.15":
/// a panel for each application and delay, a curve for each hardware; nothing if no application has
/// two such numbers
StudyPlot
DrawByNumber(const StudyPlot::Rows& all)
{
    const auto rows = StudyPlot::SortedBy(StudyPlot::Where(all,
                                                           [](const auto& row) {
                                                               return !std::isnan(GetNumber(row)) &&
                                                                      row["unit"].Text().empty();
                                                           }),
                                          "delay_us");
    StudyPlot plot{"by-number", "share of quanta with messages, at the end of the name", "speedup"};
    plot.AddLines(rows,
                  [](const CsvRow& row) {
                      const auto& name = row["row"].Text();
                      return name.substr(0, name.rfind(' ')) + ", delay of messages " +
                             StudyPlot::Number(row["delay_us"]) + " us";
                  },
                  "hardware",
                  GetNumber,
                  {{"simulated"}});
    const auto isSingle = [](const auto& panel) { return panel.curves.front().points.size() < 2; };
    if (AllOf(plot.panels, isSingle))
    {
        plot.panels.clear();
        return plot;
    }
    plot.axes = "set ytics nomirror out\nset xtics nomirror out\nset border 3 lw 1.5 lc rgb "
                "\"#404040\"\nset grid lt 1 lw 0.5 lc rgb \"#d9d9d9\"\nset yrange [*:*]\n";
    plot.key = "set lmargin 12\nset rmargin 18\nset key outside right top Left reverse\n";
    plot.hasKeys = true;
    plot.columns = 1;
    plot.height = PANEL_HEIGHT * 2 / 3;
    plot.font = 12;
    return plot;
}

} // namespace

/// Draws latencies, speedups and break-even prices, a panel for each delay, bars for what is
/// simulated and marks for what is published and modelled; and speedups over what applications'
/// names end with, if that is a number.
std::vector<StudyPlot>
MakeSyncPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    const auto any = std::numeric_limits<double>::infinity();
    std::vector<StudyPlot> plots{
        DrawBars(rows, {"latency", {"1"}, "latency (us)", 1, 1000, true}),
        DrawBars(
            rows,
            {"break-even", {"7"}, "dollars a node (never: 100, always: 5000)", -500, 5200, false}),
        DrawByNumber(rows)};
    if (!plots.back().IsThere())
    {
        // As bars, applications by number would be too many for their names.
        plots.push_back(
            DrawBars(rows,
                     {"speedup", {"3", "4", "5", "6", "speedups"}, "speedup", 0, any, false}));
    }
    return plots;
}

} // namespace ns3
