/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GNUPLOT_CURVES_H
#define GNUPLOT_CURVES_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A file of which gnuplot makes one picture, as PNG and as SVG: what all plots share.
struct GnuplotScript
{
    std::string name;     ///< of the file and both pictures, without an ending
    uint32_t width{900};  ///< in pixels
    uint32_t height{640}; ///< in pixels
    uint32_t font{13};    ///< size in points; in the SVG two more
    std::string setup;    ///< commands done once: data blocks, axes
    std::string drawing;  ///< commands done for each picture; sizes may be multiples of "unit"

    /// Writes the file name.plt.
    /// @param directory where to, made if need be
    /// @throws WormholeError if it cannot be written; none is left then, or if the name is not
    /// printable
    void Write(const std::string& directory) const;

    /// Quotes a text, so that gnuplot neither runs nor replaces anything in it. Whatever comes from
    /// outside, and every text that is put together, goes into scripts by this, or by one of the
    /// two below.
    /// @param text a text; what is not printable becomes U+FFFD, ends of lines a blank
    /// @return an expression of gnuplot's: the text in single quotes, in parts where it has such
    static std::string Quote(const std::string& text);

    /// @return the label of a tic, in which gnuplot would take % for a format @param text the label
    static std::string QuoteTic(const std::string& text);

    /// @return the name of a file in the script's folder, which gnuplot would take for a command
    /// where it begins with | or <
    /// @param name the name
    static std::string QuoteFile(const std::string& name)
    {
        return Quote("./" + name);
    }

    /// Makes a directory if need be.
    /// @param directory where a file of a plot comes to
    /// @param file the file's name
    /// @return the path of the file
    static std::string PlaceFile(const std::string& directory, const std::string& file);

    /// Lets several drawings share a picture.
    /// @param rows number of panels in a column
    /// @param columns number of panels in a row
    /// @param margins commands before the first panel
    /// @param panels the panels' commands, row by row
    /// @return commands for all of them, a drawing
    static std::string Panels(std::size_t rows,
                              std::size_t columns,
                              const std::string& margins,
                              const std::string& panels);

    /// @return point and colour of a curve, in gnuplot's words; they repeat after seven
    /// @param curve number of the curve, from 0
    static std::string GetStyle(std::size_t curve);
};

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

    /// Adds a curve.
    /// @param title its name in the key; empty: it is not there
    /// @param style how it is drawn, in gnuplot's words, as "linespoints lw 2"
    /// @param points its points
    /// @param hasErrors whether their errors are written, too
    /// @param columns what is drawn of them, in gnuplot's words; empty: all
    void Add(const std::string& title,
             const std::string& style,
             const std::vector<Point>& points,
             bool hasErrors,
             const std::string& columns = "");

    /// Adds a function.
    /// @param title its name in the key; empty: it is not there
    /// @param style how it is drawn, in gnuplot's words
    /// @param function the function, in gnuplot's words
    void AddFunction(const std::string& title,
                     const std::string& style,
                     const std::string& function);

    /// @return the command that draws all of them; empty if there is none
    std::string GetPlot() const
    {
        return m_curves.empty() ? "" : "plot " + m_curves + "\n";
    }

    /// Writes the points, the content of the file or block. @param os where to
    void WritePoints(std::ostream& os) const
    {
        os << m_points;
    }

  private:
    std::string m_file;    ///< the file of points, or the block, in gnuplot's words
    std::string m_curves;  ///< the curves, in gnuplot's words
    std::string m_points;  ///< content of the file of points
    unsigned m_nBlocks{0}; ///< curves that have points there
};

/// @ingroup wormhole
/// @brief The gnuplot program, which makes pictures of scripts.
class GnuplotProgram
{
  public:
    /// Looks for it: the path given; else the one in the environment variable GNUPLOT; else gnuplot
    /// in a folder of PATH.
    /// @param path where it is, or empty
    /// @throws WormholeError if a path is given, here or in the environment, and is no program
    explicit GnuplotProgram(const std::string& path = "");

    /// @return whether there is one
    bool IsThere() const
    {
        return !m_path.empty();
    }

    /// Has it do what a file says.
    /// @param directory where to do it
    /// @param file name of the file there
    /// @throws WormholeError if it fails, with the first line that it says
    void Run(const std::string& directory, const std::string& file) const;

  private:
    std::string m_path; ///< where it is; empty if there is none
};

} // namespace ns3

#endif /* GNUPLOT_CURVES_H */
