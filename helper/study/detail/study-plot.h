// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_PLOT_H
#define STUDY_PLOT_H

#include "ns3/csv-table.h"
#include "ns3/gnuplot-script.h"
#include "ns3/ordering.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A picture of a study as data: panels of curves over common axes. One function makes what gnuplot
/// needs of it.
struct StudyPlot
{
    struct Point
    {
        double x{0};     ///< its place
        double y{0};     ///< its value
        double error{0}; ///< half width of the value's interval; 0 or NaN: it is not drawn
    };

    struct Curve
    {
        std::string title; ///< its name in the key; empty: it is not there
        /// How it is drawn, in gnuplot's words, as "linespoints lw 2"; sizes may be multiples of
        /// "unit". With intervals lines and points become those with error bars.
        std::string with;
        std::vector<Point> points{}; ///< its points; a curve without any is not drawn
        std::string columns{};  ///< what of its points is drawn, in gnuplot's words; empty: all
        std::string function{}; ///< what is drawn in place of points, in gnuplot's words
    };

    struct Panel
    {
        std::string title;         ///< what it is for; empty: it has no title
        std::vector<Curve> curves; ///< its curves
    };

    /// Where points go.
    enum Data : uint8_t
    {
        IN_SCRIPT, ///< to the script
        IN_FILE,   ///< to a file, NAME.dat
        IN_FILES   ///< to a file for each panel, NAME-1.dat and so on
    };

    std::string name;            ///< of its files, without a prefix and an ending
    std::string xLabel{};        ///< what the axis below shows, with its unit
    std::string yLabel{};        ///< what the axis to the left shows, with its unit
    std::vector<Panel> panels{}; ///< its panels
    std::string axes{};          ///< further commands of gnuplot for all panels, axes
    std::string key{};           ///< command that places the key of the first panel
    bool hasKeys{false};         ///< whether each panel has a key of its own
    uint32_t columns{0};         ///< panels in a row; 0: there is one panel
    uint32_t width{900};         ///< of a panel, pixels
    uint32_t height{640};        ///< of a panel, pixels
    uint32_t font{13};           ///< size, points
    Data data{Data::IN_SCRIPT};  ///< where points go
    std::string drawing{};       ///< gnuplot's commands in place of panels; empty: none

    /// Axes to the left and below, and a light grid, in gnuplot's words.
    static constexpr auto OPEN_AXES = "set border 3 lw 1.5 lc rgb \"#404040\"\n"
                                      "set tics nomirror out\n"
                                      "set grid xtics ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
                                      "set bars 0.6\n";

    /// Has curves be over sizes of groups: sizes on a log2 axis, values on a log axis that fits
    /// all panels, points in files. The panels, two in a row, are there.
    void SetGroupSizeAxes();

    bool IsThere() const
    {
        const auto isDrawn = [](const Curve& curve) {
            return !curve.points.empty() || !curve.function.empty();
        };
        return !drawing.empty() ||
               AnyOf(panels, [&](const auto& panel) { return AnyOf(panel.curves, isDrawn); });
    }

    /// Writes files for gnuplot, each of which makes a PNG and an SVG. @param plots pictures; those
    /// with nothing to show are left out @param directory folder, made if need be
    /// @return names of the files for gnuplot @throws WormholeError if a file can't be written
    static std::vector<std::string> Write(const std::vector<StudyPlot>& plots,
                                          const std::string& directory,
                                          const std::string& prefix);

    /// Has values be on a log axis that fits the curves of all panels: whole decades would leave
    /// half of it empty. @param margin ratio of its ends and of the values next to them
    void SetLogAxis(double margin);

    /// @return a number as gnuplot reads it
    static std::string Number(double value);

    /// A number of rows: that of a column, or what a function makes of a row.
    struct Value : public std::function<double(const CsvRow&)>
    {
        Value(const std::string& column)
            : Value([column](const CsvRow& row) -> double { return row[column]; })
        {
        }

        Value(const char* column)
            : Value(std::string(column))
        {
        }

        template <typename Get>
        Value(Get get)
            : std::function<double(const CsvRow&)>(get)
        {
        }

        Value(std::nullptr_t)
        {
        }
    };

    /// A text by which rows are told apart: of columns, or what a function makes of a row.
    struct Key : public std::function<std::string(const CsvRow&)>
    {
        Key(const char* column)
            : Key(std::vector<std::string>{column})
        {
        }

        Key(const std::vector<std::string>& columns)
            : Key([columns](const CsvRow& row) { return row.GetKey(columns); })
        {
        }

        template <typename Get>
        Key(Get get)
            : std::function<std::string(const CsvRow&)>(get)
        {
        }
    };

    using Rows = std::vector<CsvRow>;

    /// @return keys and rows that have them, in the order in which keys come first
    static std::vector<std::pair<std::string, Rows>> GroupBy(const Rows& rows, const Key& key);

    static Rows SortedBy(Rows rows, const Value& number)
    {
        std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
            return number(a) < number(b);
        });
        return rows;
    }

    static Rows Where(const Rows& rows, const std::function<bool(const CsvRow&)>& isWanted)
    {
        return ThoseOf(rows, isWanted);
    }

    /// @return points of a curve, in the order of places @param y its value; NaN: there is none
    static std::vector<Point> PointsOf(const Rows& rows, const Value& x, const Value& y);

    /// A line of each series of rows.
    struct Line
    {
        Value y;              ///< its values; NaN: it has none
        std::string title{};  ///< what stands in the key behind the series' title
        std::string with{};   ///< in gnuplot's words, as in Curve; its colour follows; empty: usual
        Value error{nullptr}; ///< half widths of intervals of values; null: none
        bool isInKey{true};   ///< whether it has a title
    };

    /// Adds panels of rows, all with the same curves, both in the order in which titles come first.
    /// Of several rows in a place the mean is drawn, with its 95 % interval. @param facet titles of
    /// rows' panels @param series titles of their curves, which have a colour each
    void AddLines(const Rows& rows,
                  const Key& facet,
                  const Key& series,
                  const Value& x,
                  const std::vector<Line>& lines);

    /// Adds points of published figures to the panels of AddLines. @param rows,facet what those are
    /// of @param isOf returns whether a figure is for the panel of a row
    void AddPublished(const Rows& figures,
                      const Rows& rows,
                      const Key& facet,
                      const std::function<bool(const CsvRow& figure, const CsvRow& row)>& isOf,
                      const Value& x,
                      const Key& title);

    /// @return rows with ratios of columns: of the first row of a series in a place over the first
    /// one of others there, and so on; rows without another one are left out
    static Rows Over(const Rows& rows,
                     const Rows& others,
                     const Key& series,
                     const Key& place,
                     const std::vector<std::string>& columns);

    static std::string NoKey(const CsvRow&)
    {
        return "";
    }

  private:
    void Write(const std::string& directory) const;

    /// @return commands that draw all panels; their points are written, or added to the script
    std::string DrawPanels(const std::string& directory, GnuplotScript& script) const;

    std::string GetPointsName(std::size_t number) const
    {
        const auto panel = std::to_string(number + 1);
        return data == Data::IN_SCRIPT  ? "points" + panel
               : data == Data::IN_FILES ? name + "-" + panel + ".dat"
                                        : name + ".dat";
    }

    /// @return commands, and points
    std::pair<std::string, std::string> DrawCurves(std::size_t number) const;
};

} // namespace ns3

#endif /* STUDY_PLOT_H */
