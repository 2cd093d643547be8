/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_PLOT_H
#define STUDY_PLOT_H

#include "ns3/csv-table.h"
#include "ns3/gnuplot-script.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A picture of a study as data: panels of curves over common axes. One function makes what
 * gnuplot needs of it.
 */
struct StudyPlot
{
    /// A point of a curve.
    struct Point
    {
        double x{0};     ///< its place
        double y{0};     ///< its value
        double error{0}; ///< half width of the value's interval; 0 or NaN: it is not drawn
    };

    /// A curve of a panel.
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

    /// A panel.
    struct Panel
    {
        std::string title;         ///< what it is for; empty: it has no title
        std::vector<Curve> curves; ///< its curves

        /// @return whether there is a point to show
        bool HasPoints() const;
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

    /// @return whether there is something to show
    bool IsThere() const;

    /**
     * Writes files for gnuplot, each of which makes a PNG and an SVG.
     * @param plots pictures; those with nothing to show are left out
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot
     * @throws WormholeError if a file can't be written
     */
    static std::vector<std::string> Write(const std::vector<StudyPlot>& plots,
                                          const std::string& directory,
                                          const std::string& prefix);

    /// @param least lower end of a log axis
    /// @param greatest its upper end
    /// @param steps digits that are labelled in each decade
    /// @return labels for it, in gnuplot's words
    static std::string DecimalTics(double least,
                                   double greatest,
                                   const std::vector<double>& steps = {1, 2, 5});

    /// @return a number as gnuplot reads it @param value the number
    static std::string Number(double value);

    /// A number of rows: that of a column, or what a function makes of a row.
    struct Value : public std::function<double(const CsvRow&)>
    {
        /// @param column the column
        Value(const std::string& column);

        /// @param column the column
        Value(const char* column)
            : Value(std::string(column))
        {
        }

        /// @param get the function
        template <typename Get>
        Value(Get get)
            : std::function<double(const CsvRow&)>(get)
        {
        }
    };

    /// A text by which rows are told apart: the value of a column, or what a function makes of a
    /// row.
    struct Key : public std::function<std::string(const CsvRow&)>
    {
        /// @param column the column
        Key(const char* column);

        /// @param get the function
        template <typename Get>
        Key(Get get)
            : std::function<std::string(const CsvRow&)>(get)
        {
        }
    };

    /// Rows of a study.
    using Rows = std::vector<CsvRow>;

    /// @return keys and rows that have them, in the order in which keys come first
    /// @param rows the rows @param key their keys
    static std::vector<std::pair<std::string, Rows>> GroupBy(const Rows& rows, const Key& key);

    /// @return rows in the order of a number @param rows the rows @param number the number
    static Rows SortedBy(Rows rows, const Value& number);

    /// @return some of the rows @param rows the rows @param isWanted says which
    static Rows Where(const Rows& rows, const std::function<bool(const CsvRow&)>& isWanted);

    /// @param rows the rows of a curve
    /// @param x a row's place
    /// @param y its value; rows whose value is NaN are left out
    /// @return the curve's points, in the order of places
    static std::vector<Point> PointsOf(const Rows& rows, const Value& x, const Value& y);

    /// @param rows the rows
    /// @param facet titles of rows' panels
    /// @param series titles of their curves
    /// @param style returns how the curve of a number is drawn
    /// @param x,y what points are, see PointsOf
    /// @return panels with the same curves, both in the order in which titles come first
    static std::vector<Panel> MakePanels(const Rows& rows,
                                         const Key& facet,
                                         const Key& series,
                                         const std::function<std::string(std::size_t)>& style,
                                         const Value& x,
                                         const Value& y);

  private:
    void Write(const std::string& directory) const;

    /// @return commands that draw all panels; their points are written, or added to the script
    std::string DrawPanels(const std::string& directory, GnuplotScript& script) const;

    /// @return name of the file or block of a panel's points
    std::string GetPointsName(std::size_t number) const;

    /// @return commands that draw a panel, and its points
    std::pair<std::string, std::string> DrawCurves(std::size_t number) const;
};

} // namespace ns3

#endif /* STUDY_PLOT_H */
