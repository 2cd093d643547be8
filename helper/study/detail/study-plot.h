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

/// A picture of a study as data: panels of curves over common axes. Write converts it to scripts
/// and data for gnuplot.
struct StudyPlot
{
    struct Point
    {
        double x{0};     ///< its place on the x axis
        double y{0};     ///< its value
        double error{0}; ///< half width of the value's interval; 0 or NaN: no interval is drawn
    };

    struct Curve
    {
        std::string title; ///< its name in the key; empty: not in the key
        /// The style of the curve in gnuplot's syntax, such as "linespoints lw 2"; sizes may be
        /// multiples of "unit". If its points have intervals, error bars are drawn, too.
        std::string with;
        std::vector<Point> points{}; ///< its points; a curve without points is not drawn
        std::string columns{};       ///< gnuplot's columns to draw; empty: all
        std::string function{};      ///< function drawn in place of points, in gnuplot's syntax
    };

    struct Panel
    {
        std::string title;         ///< its title; empty: none
        std::vector<Curve> curves; ///< its curves
    };

    /// Where the points are written.
    enum Data : uint8_t
    {
        IN_SCRIPT, ///< to the script
        IN_FILE,   ///< to a file, NAME.dat
        IN_FILES   ///< to a file for each panel, NAME-1.dat and so on
    };

    std::string name;            ///< name of its files, without prefix and suffix
    std::string xLabel{};        ///< label of the x axis, with its unit
    std::string yLabel{};        ///< label of the y axis, with its unit
    std::vector<Panel> panels{}; ///< its panels
    std::string axes{};          ///< further gnuplot commands for all panels, such as axes
    std::string key{};           ///< command that places the key of the first panel
    bool hasKeys{false};         ///< whether each panel has its own key
    uint32_t columns{0};         ///< number of panels in a row; 0: there is only one panel
    uint32_t width{900};         ///< width of a panel, pixels
    uint32_t height{640};        ///< height of a panel, pixels
    uint32_t font{13};           ///< font size, points
    Data data{Data::IN_SCRIPT};  ///< where the points are written
    std::string drawing{};       ///< gnuplot's commands in place of panels; empty: none

    /// Axes on the left and at the bottom, and a light grid, as gnuplot commands.
    static constexpr auto OPEN_AXES = "set border 3 lw 1.5 lc rgb \"#404040\"\n"
                                      "set tics nomirror out\n"
                                      "set grid xtics ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
                                      "set bars 0.6\n";

    /// Makes the x axis one of group sizes, with a log2 scale, and the y axis a log axis that fits
    /// all panels, two in a row, and sends points to files. The panels must exist.
    void SetGroupSizeAxes();

    bool IsThere() const
    {
        const auto isDrawn = [](const Curve& curve) {
            return !curve.points.empty() || !curve.function.empty();
        };
        return !drawing.empty() ||
               AnyOf(panels, [&](const auto& panel) { return AnyOf(panel.curves, isDrawn); });
    }

    /// Writes scripts for gnuplot, each of which makes a PNG and an SVG. @param plots pictures;
    /// empty ones are omitted @param directory folder, created if necessary
    /// @return names of the scripts @throws WormholeError if a file can't be written
    static std::vector<std::string> Write(const std::vector<StudyPlot>& plots,
                                          const std::string& directory,
                                          const std::string& prefix);

    /// Makes the y axis a log axis that fits the curves of all panels; with whole decades, half of
    /// it might be empty. @param margin ratio between each end and the value nearest to it
    void SetLogAxis(double margin);

    /// @return a number in gnuplot's syntax
    static std::string Number(double value);

    /// A number that each row has: that of a column, or the result of a function of the row.
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

    /// A text by which rows are grouped: of columns, or the result of a function of the row.
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

    /// @return keys, each with its rows, in the order in which keys first appear
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

    /// @return points of a curve, in the order of x @param y value of a row; NaN: no point
    static std::vector<Point> PointsOf(const Rows& rows, const Value& x, const Value& y);

    /// A line that each series of rows has.
    struct Line
    {
        Value y;              ///< values of its rows; NaN: none
        std::string title{};  ///< text that follows the series' title in the key
        std::string with{};   ///< style as in Curve, without its colour; empty: the default
        Value error{nullptr}; ///< half widths of its values' intervals; null: none
        bool isInKey{true};   ///< whether the line is in the key
    };

    /// Adds panels of rows, all with the same curves; both are in the order in which titles first
    /// appear. Several rows at one x are drawn as their mean, with its 95 % interval. @param facet
    /// title of a row's panel @param series title of its curve, each of which has its own colour
    void AddLines(const Rows& rows,
                  const Key& facet,
                  const Key& series,
                  const Value& x,
                  const std::vector<Line>& lines);

    /// Adds published figures as points to the panels of AddLines. @param rows,facet as given to
    /// AddLines @param isOf returns whether a figure belongs to the panel of a row
    void AddPublished(const Rows& figures,
                      const Rows& rows,
                      const Key& facet,
                      const std::function<bool(const CsvRow& figure, const CsvRow& row)>& isOf,
                      const Value& x,
                      const Key& title);

    /// @return rows with ratios of columns: the first row of a series at a place is divided by the
    /// first of the other rows at that place, and so on; rows without such a divisor are omitted
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

    /// @return commands that draw all panels; it writes the points or adds them to the script
    std::string DrawPanels(const std::string& directory, GnuplotScript& script) const;

    std::string GetPointsName(std::size_t number) const
    {
        const auto panel = std::to_string(number + 1);
        return data == Data::IN_SCRIPT  ? "points" + panel
               : data == Data::IN_FILES ? name + "-" + panel + ".dat"
                                        : name + ".dat";
    }

    /// @return commands, and the text of the points
    std::pair<std::string, std::string> DrawCurves(std::size_t number) const;
};

} // namespace ns3

#endif /* STUDY_PLOT_H */
