// SPDX-License-Identifier: GPL-2.0-only

#include "gnuplot-script.h"

#include "ns3/printable-text.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

bool
IsProgram(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string
ShellWord(const std::string& text)
{
    return "'" + boost::replace_all_copy(text, "'", "'\\''") + "'";
}

} // namespace

std::string
GnuplotScript::PlaceFile(const std::string& directory, const std::string& file)
{
    std::error_code error;
    std::filesystem::create_directories(directory, error); // else writing will tell
    return directory + "/" + file;
}

std::string
GnuplotScript::Quote(const std::string& text)
{
    std::string quoted = "'";
    for (const auto letter : text)
    {
        // A doubled quote ends the text where it begins with it, or another follows (gnuplot 6.0):
        // a quote is a text of its own between two parts. An end of a line would end the command.
        quoted += letter == '\'' ? R"('."'".')" : std::string(1, letter == '\n' ? ' ' : letter);
    }
    return PrintableText::Replace(quoted + "'");
}

std::string
GnuplotScript::QuoteTic(const std::string& text)
{
    return Quote(boost::replace_all_copy(text, "%", "%%"));
}

void
GnuplotScript::Write(const std::string& directory) const
{
    WormholeError::ThrowIf(!PrintableText::IsPrintable(name),
                           "plot '" + PrintableText::Replace(name, "?") + "': expected " +
                               PrintableText::ACCEPTED);
    const auto size = " size " + std::to_string(width) + "," + std::to_string(height);
    const auto points = std::to_string(font) + "\"\n";
    AtomicFile file(PlaceFile(directory, name + ".plt"));
    file.Get() << "# gnuplot makes " << name << ".png and " << name << ".svg of this.\n"
               << "set encoding utf8\n"
               << setup << "if (strstrt(GPVAL_TERMINALS, \"pngcairo\") > 0) {\n"
               << "  set terminal pngcairo noenhanced" << size
               << " background rgb \"white\" font \"Sans," << points << "} else {\n"
               << "  set terminal png truecolor noenhanced" << size << " font \"DejaVuSans,"
               << points << "}\n"
               << "unit = 1\n"
               << "set output " << QuoteFile(name + ".png") << "\n"
               << drawing << "set output\n"
               << "set terminal svg noenhanced" << size
               << " dynamic background rgb \"white\" font \"sans-serif," << std::to_string(font + 2)
               << "\"\n"
               << "unit = 0.6\n"
               << "set output " << QuoteFile(name + ".svg") << "\n"
               << drawing << "set output\n";
    file.Finish();
}

std::string
GnuplotScript::GetStyle(std::size_t curve)
{
    // Colours that colour-blind eyes can tell apart, too (Okabe and Ito's, and three of Tol's).
    // Those that come again have other marks, and dashes.
    static const char* const COLOURS[] = {"#d55e00",
                                          "#0072b2",
                                          "#009e73",
                                          "#cc79a7",
                                          "#e69f00",
                                          "#56b4e9",
                                          "#404040",
                                          "#882255",
                                          "#999933",
                                          "#332288"};
    static const char* const MARKS[] = {"pt 5 ps 1.1*unit",
                                        "pt 7 ps 1.1*unit",
                                        "pt 9 ps 1.3*unit",
                                        "pt 11 ps 1.3*unit",
                                        "pt 13 ps 1.4*unit",
                                        "pt 4 ps 1.3*unit",
                                        "pt 6 ps 1.3*unit"};
    const auto again = curve / std::size(COLOURS);
    return std::string(MARKS[(curve + again) % std::size(MARKS)]) + " lc rgb \"" +
           COLOURS[curve % std::size(COLOURS)] + "\"" + (again > 0 ? " dt 2" : "");
}

GnuplotProgram::GnuplotProgram(const std::string& path)
    : m_path(path)
{
    const auto variable = std::getenv("GNUPLOT");
    if (m_path.empty() && variable)
    {
        m_path = variable;
    }
    if (!m_path.empty())
    {
        WormholeError::ThrowIf(!IsProgram(m_path),
                               "gnuplot '" + m_path +
                                   "' is no program; expected the path of "
                                   "one, or nothing to look for it in PATH");
        m_path = std::filesystem::absolute(m_path).string();
        return;
    }
    const auto folders = std::getenv("PATH");
    const std::string list = folders ? folders : "";
    for (std::size_t at = 0; at < list.size() && m_path.empty();)
    {
        const auto colon = std::min(list.find(':', at), list.size());
        const auto candidate = list.substr(at, colon - at) + "/gnuplot";
        m_path = IsProgram(candidate) ? std::filesystem::absolute(candidate).string() : "";
        at = colon + 1;
    }
}

void
GnuplotProgram::Run(const std::string& directory, const std::string& file) const
{
    // Whole paths: cd and gnuplot take what begins with - for an option.
    const auto command = "cd " + ShellWord(std::filesystem::absolute(directory).string()) + " && " +
                         ShellWord(m_path) + " " + ShellWord("./" + file) + " 2>&1";
    std::string said;
    int status = -1;
    if (const auto pipe = popen(command.c_str(), "r"))
    {
        char text[256];
        while (std::fgets(text, sizeof(text), pipe))
        {
            said += text;
        }
        status = pclose(pipe);
    }
    if (status != 0)
    {
        const auto begin = said.find_first_not_of(" \n");
        throw WormholeError(m_path + " failed on " + directory + "/" + file + ": " +
                            (begin == std::string::npos
                                 ? "it said nothing"
                                 : said.substr(begin, said.find('\n', begin) - begin)));
    }
}

} // namespace ns3
