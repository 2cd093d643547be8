/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_LOAD_PLOTS_H
#define LATENCY_LOAD_PLOTS_H

#include "latency-load-row.h"

#include "ns3/gnuplot-curves.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Pictures of a study of latency against load, by gnuplot: latency, and throughput.
 *
 * Rows that differ in nothing but run and load make one curve; its points are means over runs, at
 * loads that all runs have. With several runs, intervals are those of that mean; with one, they are
 * the run's. Latency ends where some run is not steady; a vertical line stands where saturation was
 * found, on the average of runs, or at the least load that is not steady if it was not looked for.
 */
class LatencyLoadPlots
{
  public:
    /// @param rows what to show
    explicit LatencyLoadPlots(const std::vector<LatencyLoadRow>& rows);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG of each: PREFIXlatency.plt,
     * PREFIXthroughput.plt, and their points.
     * @param directory where to; made if need be
     * @param prefix what names of files begin with
     * @return names of the files for gnuplot, in the directory
     * @throws WormholeError if they can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// What is known of a load.
    struct Point
    {
        double load{0};      ///< offered load
        double accepted{0};  ///< throughput
        bool steady{true};   ///< whether all runs are
        double latency{0};   ///< mean latency, us
        double ci95{0};      ///< half width of its interval, us; NaN: none
        double latency99{0}; ///< latency that 99 % do not exceed, us
    };

    /// A curve.
    struct Curve
    {
        LatencyLoadRow row;        ///< one of its rows
        std::size_t runs{0};       ///< number of runs
        double saturation{0};      ///< where it is saturated; NaN: nowhere
        std::vector<Point> points; ///< its points, by load
        bool searched{true};       ///< whether that load was searched for, rather than met
    };

    /// @return whether two rows are of one curve @param a,b the rows
    static bool AreOfOneCurve(const LatencyLoadRow& a, const LatencyLoadRow& b);

    /// @return a curve @param rows all rows of it
    static Curve MakeCurve(const std::vector<LatencyLoadRow>& rows);

    /// @return a point @param rows all runs' rows of its load
    static Point MakePoint(const std::vector<LatencyLoadRow>& rows);

    /// @return name of a curve: what tells it from others @param curve the curve
    std::string NameOf(const Curve& curve) const;

    /// @return where it is saturated, to stand behind its name @param curve the curve
    static std::string SaturationOf(const Curve& curve);

    /**
     * @param greatest greatest load to mark
     * @param where height of the words, in gnuplot's words
     * @return commands that mark where curves are saturated
     */
    std::string GetMarks(double greatest, const std::string& where) const;

    /// @return what all curves have in common, quoted
    std::string GetTitle() const;

    /// @return whether a column is not the same in all curves @param column member of its rows
    template <typename T>
    bool Differs(T LatencyLoadRow::* column) const;

    /// @return greatest load to show @param margin ratio of it and of what must be seen
    double GetMaxLoad(double margin) const;

    /// Adds latencies. @param plot where to @return commands for its axes
    std::string AddLatencies(GnuplotCurves& plot) const;

    /// Adds throughputs. @param plot where to @return commands for its axes
    std::string AddThroughputs(GnuplotCurves& plot) const;

    /**
     * Writes a plot.
     * @param directory where to
     * @param name name of its files, without extension
     * @param plot the plot
     * @param axes commands for its axes
     */
    static void WritePlot(const std::string& directory,
                          const std::string& name,
                          const GnuplotCurves& plot,
                          const std::string& axes);

    std::vector<Curve> m_curves; ///< all curves
};

} // namespace ns3

#endif /* LATENCY_LOAD_PLOTS_H */
