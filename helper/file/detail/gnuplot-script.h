// SPDX-License-Identifier: GPL-2.0-only

#ifndef GNUPLOT_SCRIPT_H
#define GNUPLOT_SCRIPT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// A gnuplot script that makes one picture, as PNG and as SVG. ns3::Gnuplot writes titles and
/// labels unescaped in double quotes, in which gnuplot executes commands; here they are quoted.
struct GnuplotScript
{
    std::string name;     ///< name of the script and both pictures, without suffix
    uint32_t width{900};  ///< in pixels
    uint32_t height{640}; ///< in pixels
    uint32_t font{13};    ///< size in points; two more in the SVG
    std::string setup;    ///< commands executed once: data blocks, axes
    std::string drawing;  ///< commands for each picture; sizes may be multiples of "unit"

    /// Writes the file name.plt.
    /// @throws WormholeError if it cannot be written, in which case no file is left; or if the name
    ///         is not printable
    void Write(const std::string& directory) const;

    /// Quotes a text so that gnuplot neither executes nor replaces anything in it. All external or
    /// computed text is inserted into scripts by this function or by one of the next two.
    /// @param text a text; unprintable characters become U+FFFD, line ends a blank
    /// @return a gnuplot expression: the text in single quotes, in several parts if the text
    ///         contains single quotes
    static std::string Quote(const std::string& text);

    /// @return the label of a tic, quoted; in such labels gnuplot interprets % as a format
    static std::string QuoteTic(const std::string& text);

    /// @return the name of a file in the script's folder, protected from execution if it begins
    /// with | or <
    static std::string QuoteFile(const std::string& name)
    {
        return Quote("./" + name);
    }

    static std::string PlaceFile(const std::string& directory, const std::string& file);

    /// @return point type and colour of a curve, in gnuplot syntax; they repeat after seven
    static std::string GetStyle(std::size_t curve);
};

class GnuplotProgram
{
  public:
    /// Finds the program: the given path; else the environment variable GNUPLOT; else gnuplot in
    /// PATH.
    /// @throws WormholeError if the given path, here or in the environment, is not a program
    explicit GnuplotProgram(const std::string& path = "");

    bool IsThere() const
    {
        return !m_path.empty();
    }

    /// Executes a script.
    /// @throws WormholeError if it fails, with the first line of its output
    void Run(const std::string& directory, const std::string& file) const;

  private:
    std::string m_path; ///< its path; empty if not found
};

} // namespace ns3

#endif /* GNUPLOT_SCRIPT_H */
