// SPDX-License-Identifier: GPL-2.0-only

#include "study-plot.h"

#include "ns3/sample-summary.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-atomic-file.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// Sizes from here on have more digits than gnuplot writes out.
constexpr double LONG = 1e6;

bool
IsInterval(double error)
{
    return error > 0; // not so for NaN
}

bool
IsPowerOfTwo(double number)
{
    return std::exp2(std::round(std::log2(number))) == number;
}

std::vector<StudyPlot::Point>
ListPoints(const std::vector<StudyPlot::Panel>& panels)
{
    return JoinedOf(panels, [](const auto& panel) {
        return JoinedOf(panel.curves, [](const auto& curve) { return curve.points; });
    });
}

/// @return ticks on the axis of group sizes: all sizes, with labels for powers of two, and where
/// there is room for the greatest, halves between powers of two, and others
std::string
SizeTics(const std::set<double>& sizes)
{
    std::set<double> shown;
    const auto show = [&](double size, double room) {
        const auto above = shown.upper_bound(size / room);
        if (above == shown.end() || *above >= size * room)
        {
            shown.insert(size);
        }
    };
    std::copy_if(sizes.begin(), sizes.end(), std::inserter(shown, shown.end()), IsPowerOfTwo);
    if (!sizes.empty())
    {
        show(*sizes.rbegin(), 1.15);
    }
    // Ratio of neighbours whose labels, of four digits, do not touch; as if an axis had 15.
    const auto apart =
        sizes.empty() ? 1 : std::min(1.3, std::pow(*sizes.rbegin() / *sizes.begin(), 1.0 / 15));
    for (const bool halves : {true, false})
    {
        for (const auto size : sizes)
        {
            if (!halves || IsPowerOfTwo(size / 3))
            {
                show(size, apart);
            }
        }
    }
    return WordList::WithCommas(MadeOf(sizes, [&shown](double size) {
        const auto isLong = size >= LONG; // gnuplot would round it
        const auto number = isLong ? std::to_string(std::llround(size)) : StudyPlot::Number(size);
        return shown.count(size) == 0 ? "\"\" " + number + " 1" // a tick without a label
               : isLong               ? GnuplotScript::QuoteTic(number) + " " + number
                                      : number;
    }));
}

/// @return labels for a log axis, in gnuplot's words @param steps digits that are labelled in each
/// decade
std::string
DecimalTics(double least, double greatest, const std::vector<double>& steps)
{
    std::vector<std::string> tics;
    for (auto decade = std::pow(10, std::floor(std::log10(least))); decade <= greatest;
         decade *= 10)
    {
        for (const auto step : steps)
        {
            if (decade * step >= least && decade * step <= greatest)
            {
                tics.push_back(StudyPlot::Number(decade * step));
            }
        }
    }
    return WordList::WithCommas(tics);
}

/// @return point and colour of a line of a series, of which all but the first have hollow points:
/// not all of gnuplot's terminals draw dashes
std::string
StyleOf(std::size_t series, bool isFirst, bool hasPoints)
{
    const std::string style = GnuplotScript::GetStyle(series);
    return !hasPoints ? style.substr(style.find("lc"))
           : isFirst  ? style
                      : "pt " + std::to_string(std::stoul(style.substr(3)) ^ 1U) +
                           style.substr(style.find(" ps"));
}

std::string
WithErrors(const std::string& with, bool hasErrors)
{
    for (const auto& [plain, barred] : {std::pair<std::string, std::string>{"linespoints ", //
                                                                            "yerrorlines "},
                                        {"points ", "yerrorbars "}})
    {
        if (hasErrors && with.compare(0, plain.size(), plain) == 0)
        {
            return barred + with.substr(plain.size());
        }
    }
    return with;
}

} // namespace

std::string
StudyPlot::Number(double value)
{
    std::ostringstream text;
    text << value;
    return std::isfinite(value) ? text.str() : "NaN";
}

std::vector<std::pair<std::string, StudyPlot::Rows>>
StudyPlot::GroupBy(const Rows& rows, const Key& key)
{
    std::vector<std::pair<std::string, Rows>> groups;
    for (const auto& row : rows)
    {
        const auto name = key(row);
        const auto found = FindIn(groups, [&](const auto& group) { return group.first == name; });
        (found != groups.end() ? *found : groups.emplace_back(name, Rows())).second.push_back(row);
    }
    return groups;
}

std::vector<StudyPlot::Point>
StudyPlot::PointsOf(const Rows& rows, const Value& x, const Value& y)
{
    auto points = MadeOf(Where(rows, [&](const auto& row) { return !std::isnan(y(row)); }),
                         [&](const auto& row) { return Point{x(row), y(row)}; });
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return a.x < b.x;
    });
    return points;
}

void
StudyPlot::AddLines(const Rows& rows,
                    const Key& facet,
                    const Key& series,
                    const Value& x,
                    const std::vector<Line>& lines)
{
    const auto all = GroupBy(rows, series);
    for (const auto& [title, ofPanel] : GroupBy(rows, facet))
    {
        panels.push_back({title, {}});
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            const auto& name = all[i].first;
            const auto some =
                Where(ofPanel, [&](const CsvRow& row) { return series(row) == name; });
            for (const auto& line : lines)
            {
                const auto with = line.with.empty() ? "linespoints lw 2 " : line.with;
                Curve curve{line.isInKey ? name + line.title : "",
                            with + StyleOf(i,
                                           &line == &lines.front(),
                                           with.find("points") != std::string::npos)};
                std::map<double, std::pair<SampleSummary, double>> values; // and errors, by place
                for (const auto& row : some)
                {
                    if (const auto y = line.y(row); !std::isnan(y))
                    {
                        auto& [summary, error] = values[x(row)];
                        summary.Add(y);
                        error = line.error ? line.error(row) : 0;
                    }
                }
                for (const auto& [place, value] : values)
                {
                    const auto mean = value.first.GetHalfWidth95();
                    curve.points.push_back(
                        {place, value.first.GetMean(), std::isnan(mean) ? value.second : mean});
                }
                panels.back().curves.push_back(curve);
            }
        }
    }
}

void
StudyPlot::AddPublished(const Rows& figures,
                        const Rows& rows,
                        const Key& facet,
                        const std::function<bool(const CsvRow&, const CsvRow&)>& isOf,
                        const Value& x,
                        const Key& title)
{
    static const char* const POINTS[] = {"12", "4", "6", "8"};
    const auto facets = GroupBy(rows, facet);
    const auto drawn = Where(figures, [&](const auto& figure) {
        return AnyOf(facets, [&](const auto& each) { return isOf(figure, each.second.front()); });
    });
    std::size_t number = 0;
    for (const auto& [name, ofTitle] : GroupBy(drawn, title))
    {
        const auto with = std::string("points pt ") + POINTS[number++ % std::size(POINTS)] +
                          " lw 2 ps 2.2*unit lc rgb 'black'";
        for (std::size_t i = 0; i < facets.size(); ++i)
        {
            // One without points has its place in the key of the first panel.
            const auto some =
                Where(ofTitle, [&, &row = facets[i].second.front()](const auto& figure) {
                    return isOf(figure, row);
                });
            panels[i].curves.push_back({name, with, PointsOf(some, x, "value")});
        }
    }
}

StudyPlot::Rows
StudyPlot::Over(const Rows& rows,
                const Rows& others,
                const Key& series,
                const Key& place,
                const std::vector<std::string>& columns)
{
    std::map<std::string, Rows> divisors; // by place
    for (const auto& other : others)
    {
        divisors[place(other)].push_back(other);
    }
    Rows ratios;
    std::map<std::string, std::size_t> counts; // by series and place
    for (const auto& row : rows)
    {
        const auto& there = divisors[place(row)];
        const auto number = counts[series(row) + "\n" + place(row)]++;
        if (number < there.size())
        {
            ratios.push_back(row);
            for (const auto& column : columns)
            {
                ratios.back()[column] = row[column] / there[number][column];
            }
        }
    }
    return ratios;
}

void
StudyPlot::SetGroupSizeAxes()
{
    std::set<double> sizes;
    for (const auto& point : ListPoints(panels))
    {
        sizes.insert(point.x);
    }
    if (sizes.empty())
    {
        return;
    }
    axes = "set logscale x 2\nset xrange [" + Number(*sizes.begin() / 1.2) + ":" +
           Number(*sizes.rbegin() * 1.2) + "]\nset xtics (" + SizeTics(sizes) + ")\n";
    SetLogAxis(1.25);
    axes += OPEN_AXES;
    key = "set key top left Left reverse samplen 3 spacing 1.15\n";
    columns = 2;
    width = 760;
    data = Data::IN_FILES;
}

void
StudyPlot::SetLogAxis(double margin)
{
    auto low = std::numeric_limits<double>::max();
    double high = 0;
    for (const auto& point : ListPoints(panels))
    {
        const auto error = IsInterval(point.error) ? point.error : 0;
        low = std::min(low, std::max(point.y / 2, point.y - error));
        high = std::max(high, point.y + error);
    }
    low = (high > 0 ? low : 1) / margin;
    high = (high > 0 ? high : 1) * margin;
    using Steps = std::vector<double>;
    const auto steps = high / low < 5
                           ? Steps{1, 1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}
                       : high / low < 20 ? Steps{1, 1.5, 2, 3, 4, 5, 7}
                                         : Steps{1, 2, 5};
    axes += "set logscale y 10\nset yrange [" + Number(low) + ":" + Number(high) +
            "]\nset ytics (" + DecimalTics(low, high, steps) + ")\n";
}

std::pair<std::string, std::string>
StudyPlot::DrawCurves(std::size_t number) const
{
    const auto file = data == Data::IN_SCRIPT ? "$" + GetPointsName(number)
                                              : GnuplotScript::QuoteFile(GetPointsName(number));
    std::string commands;
    std::ostringstream text;
    uint32_t nBlocks = 0;
    const auto draw =
        [&](const std::string& what, const std::string& title, const std::string& with) {
            commands += (commands.empty() ? "plot " : ", ") + what +
                        (title.empty() ? " notitle" : " title " + GnuplotScript::Quote(title)) +
                        " with " + with;
        };
    const auto& curves = panels[number].curves;
    for (const auto& curve : curves)
    {
        const auto hasErrors =
            curve.with.compare(0, 4, "yerr") == 0 ||
            AnyOf(curve.points, [](const auto& p) { return IsInterval(p.error); });
        for (const auto& point : curve.points)
        {
            text << point.x << " " << point.y;
            if (hasErrors)
            {
                text << " " << (IsInterval(point.error) ? point.error : 0);
            }
            text << "\n";
        }
        if (!curve.points.empty())
        {
            text << "\n\n"; // which divide blocks
            draw(file + " index " + std::to_string(nBlocks++) +
                     (curve.columns.empty() ? "" : " using " + curve.columns),
                 curve.title,
                 WithErrors(curve.with, hasErrors));
        }
        else if (!curve.function.empty())
        {
            draw(curve.function, curve.title, curve.with);
        }
    }
    for (std::size_t i = 0; number == 0 && !hasKeys && i < curves.size(); ++i)
    {
        const auto isElsewhere = AnyOf(panels, [i](const auto& panel) {
            return i < panel.curves.size() && !panel.curves[i].points.empty();
        });
        if (isElsewhere && !curves[i].title.empty() && curves[i].points.empty() &&
            curves[i].function.empty())
        {
            // Draws nothing, but has its place in the key: its point, without a line.
            const auto& with = curves[i].with;
            const auto hasLine = with.compare(0, 11, "linespoints") == 0;
            draw("NaN", curves[i].title, hasLine ? with.substr(5) : with);
        }
    }
    return {commands.empty() ? "" : commands + "\n", text.str()};
}

std::string
StudyPlot::DrawPanels(const std::string& directory, GnuplotScript& script) const
{
    std::ostringstream text;
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        const auto [curves, points] = DrawCurves(i);
        if (data == Data::IN_SCRIPT)
        {
            script.setup += "$" + GetPointsName(i) + " << EOD\n" + points + "EOD\n";
        }
        else
        {
            AtomicFile file(GnuplotScript::PlaceFile(directory, GetPointsName(i)));
            file.Get() << points;
            file.Finish();
        }
        text << (panels[i].title.empty()
                     ? ""
                     : "set title " + GnuplotScript::Quote(panels[i].title) + "\n")
             << (curves.empty() ? "set multiplot next\n" : curves)
             << (i == 0 && columns > 0 && !hasKeys ? "unset key\n" : "");
    }
    return text.str();
}

void
StudyPlot::Write(const std::string& directory) const
{
    GnuplotScript script;
    script.name = name;
    script.font = font;
    const auto inRow = std::max<std::size_t>(1, std::min<std::size_t>(columns, panels.size()));
    const auto rows = std::max<std::size_t>(1, (panels.size() + inRow - 1) / inRow);
    script.width = width * static_cast<uint32_t>(inRow);
    script.height = height * static_cast<uint32_t>(rows);
    script.setup = axes;
    for (const auto& [axis, label] : {std::make_pair("x", xLabel), std::make_pair("y", yLabel)})
    {
        script.setup += label.empty() ? ""
                                      : std::string("set ") + axis + "label " +
                                            GnuplotScript::Quote(label) + "\n";
    }
    const auto all = DrawPanels(directory, script);
    const auto layout = std::to_string(rows) + "," + std::to_string(inRow) + "\n";
    script.drawing = !drawing.empty() ? drawing
                     : columns > 0
                         ? "set multiplot layout " + layout + key + all + "unset multiplot\n"
                         : key + all;
    script.Write(directory);
}

std::vector<std::string>
StudyPlot::Write(const std::vector<StudyPlot>& plots,
                 const std::string& directory,
                 const std::string& prefix)
{
    std::vector<std::string> files;
    for (auto plot : plots)
    {
        if (plot.IsThere())
        {
            plot.name = prefix + plot.name;
            plot.Write(directory);
            files.push_back(plot.name + ".plt");
        }
    }
    return files;
}

} // namespace ns3
