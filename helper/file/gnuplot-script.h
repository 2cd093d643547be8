/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GNUPLOT_SCRIPT_H
#define GNUPLOT_SCRIPT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A file of which gnuplot makes one picture, as PNG and as SVG: what all plots share.
 */
struct GnuplotScript
{
    std::string name;     ///< of the file and both pictures, without an ending
    uint32_t width{900};  ///< in pixels
    uint32_t height{640}; ///< in pixels
    uint32_t font{13};    ///< size in points; in the SVG two more
    std::string setup;    ///< commands done once: data blocks, axes
    std::string drawing;  ///< commands done for each picture; sizes may be multiples of "unit"

    /**
     * Writes the file name.plt.
     * @param directory where to, made if need be
     * @throws WormholeError if it cannot be written; none is left then, or if the name is not
     *         printable
     */
    void Write(const std::string& directory) const;

    /**
     * Quotes a text, so that gnuplot neither runs nor replaces anything in it. Whatever comes from
     * outside, and every text that is put together, goes into scripts by this, or by one of the two
     * below.
     * @param text a text; what is not printable becomes U+FFFD, ends of lines a blank
     * @return an expression of gnuplot's: the text in single quotes, in parts where it has such
     */
    static std::string Quote(const std::string& text);

    /// @return the label of a tic, in which gnuplot would take % for a format @param text the label
    static std::string QuoteTic(const std::string& text);

    /// @return the name of a file in the script's folder, which gnuplot would take for a command
    /// where it begins with | or < @param name the name
    static std::string QuoteFile(const std::string& name);

    /**
     * Makes a directory if need be.
     * @param directory where a file of a plot comes to
     * @param file the file's name
     * @return the path of the file
     */
    static std::string PlaceFile(const std::string& directory, const std::string& file);

    /**
     * Lets several drawings share a picture.
     * @param rows number of panels in a column
     * @param columns number of panels in a row
     * @param margins commands before the first panel
     * @param panels the panels' commands, row by row
     * @return commands for all of them, a drawing
     */
    static std::string Panels(std::size_t rows,
                              std::size_t columns,
                              const std::string& margins,
                              const std::string& panels);

    /// @return point and colour of a curve, in gnuplot's words; they repeat after seven
    /// @param curve number of the curve, from 0
    static std::string GetStyle(std::size_t curve);
};

} // namespace ns3

#endif /* GNUPLOT_SCRIPT_H */
