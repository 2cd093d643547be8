/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GNUPLOT_CURVES_H
#define GNUPLOT_CURVES_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The curves of a gnuplot drawing, whose points are in a file of their own.
 *
 * ns3::Gnuplot writes titles and labels into double quotes as they are, within which gnuplot runs
 * commands; here they are quoted.
 */
class GnuplotCurves
{
  public:
    /// A point.
    struct Point
    {
        double x{0};     ///< its place
        double y{0};     ///< its value
        double error{0}; ///< half width of the value's interval
    };

    /// @param name name of the file of points, which is in the script's folder, or of the block
    /// @param isBlock whether points are in a block of data of the script
    explicit GnuplotCurves(const std::string& name, bool isBlock = false);

    /**
     * Adds a curve.
     * @param title its name in the key; empty: it is not there
     * @param style how it is drawn, in gnuplot's words, as "linespoints lw 2"
     * @param points its points
     * @param hasErrors whether their errors are written, too
     * @param columns what is drawn of them, in gnuplot's words; empty: all
     */
    void Add(const std::string& title,
             const std::string& style,
             const std::vector<Point>& points,
             bool hasErrors,
             const std::string& columns = "");

    /// Adds a function. @param title its name in the key; empty: it is not there @param style how
    /// it is drawn, in gnuplot's words @param function the function, in gnuplot's words
    void AddFunction(const std::string& title,
                     const std::string& style,
                     const std::string& function);

    /// @return the command that draws all of them; empty if there is none
    std::string GetPlot() const;

    /// Writes the points, the content of the file or block. @param os where to
    void WritePoints(std::ostream& os) const;

  private:
    std::string m_file;    ///< the file of points, or the block, in gnuplot's words
    std::string m_curves;  ///< the curves, in gnuplot's words
    std::string m_points;  ///< content of the file of points
    unsigned m_nBlocks{0}; ///< curves that have points there
};

} // namespace ns3

#endif /* GNUPLOT_CURVES_H */
