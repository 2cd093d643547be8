/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_SIZE_PLOT_H
#define GROUP_SIZE_PLOT_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A picture with one or more panels that show something over group size, by gnuplot.
 *
 * Group size is on a log2 axis, values are on a log axis. All panels have the same axes, so that
 * they compare, and one key, in the first. All have the same list of series; one may be empty.
 */
struct GroupSizePlot
{
    /// A point.
    struct Point
    {
        double size{0};  ///< group size
        double value{0}; ///< value, above 0
        double ci95{0};  ///< half width of its 95 % interval; 0 or NaN: none is drawn
    };

    /// A line of a panel.
    struct Series
    {
        std::string title; ///< its name in the key
        /// Line, point and colour in gnuplot's words; point sizes are times the variable unit.
        std::string style;
        bool joined{true};         ///< whether a line joins its points
        std::vector<Point> points; ///< its points, by increasing group size
    };

    /// A panel.
    struct Panel
    {
        std::string title;          ///< what it is for
        std::vector<Series> series; ///< its lines

        /// @return whether there is a point to show
        bool HasPoints() const;
    };

    std::string name;                              ///< name of its files, without an extension
    std::string valueLabel;                        ///< what the axis of values shows, with its unit
    std::vector<Panel> panels;                     ///< its panels, each with a point at least
    std::string sizeLabel{"group size (members)"}; ///< what the axis of sizes shows

    /**
     * Writes what gnuplot needs to make a PNG and an SVG with the plot's name: a file of commands,
     * NAME.plt, and one of points for each panel, NAME-1.dat and so on.
     * @param directory where to
     * @throws WormholeError if they can't be written
     */
    void Write(const std::string& directory) const;
};

} // namespace ns3

#endif /* GROUP_SIZE_PLOT_H */
