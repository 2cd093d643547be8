/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gnuplot-script.h"

#include "wormhole-whole-file.h"

#include "ns3/printable-text.h"
#include "ns3/wormhole-error.h"

#include <filesystem>
#include <iterator>
#include <system_error>

namespace ns3
{

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
    std::string label;
    for (const auto letter : text)
    {
        label += letter == '%' ? "%%" : std::string(1, letter);
    }
    return Quote(label);
}

std::string
GnuplotScript::QuoteFile(const std::string& name)
{
    return Quote("./" + name);
}

void
GnuplotScript::Write(const std::string& directory) const
{
    if (!PrintableText::IsPrintable(name))
    {
        throw WormholeError("plot '" + PrintableText::Replace(name, "?") + "': accepted is " +
                            PrintableText::ACCEPTED);
    }
    const auto size = " size " + std::to_string(width) + "," + std::to_string(height);
    const auto points = std::to_string(font) + "\"\n";
    WholeFile file(PlaceFile(directory, name + ".plt"));
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
GnuplotScript::Panels(std::size_t rows,
                      std::size_t columns,
                      const std::string& margins,
                      const std::string& panels)
{
    return "set multiplot layout " + std::to_string(rows) + "," + std::to_string(columns) + "\n" +
           margins + panels + "unset multiplot\n";
}

std::string
GnuplotScript::GetStyle(std::size_t curve)
{
    // Colours that colour-blind eyes can tell apart, too (Okabe and Ito's).
    static const char* const STYLES[] = {"pt 5 ps 1.1*unit lc rgb \"#d55e00\"",
                                         "pt 7 ps 1.1*unit lc rgb \"#0072b2\"",
                                         "pt 9 ps 1.3*unit lc rgb \"#009e73\"",
                                         "pt 11 ps 1.3*unit lc rgb \"#cc79a7\"",
                                         "pt 13 ps 1.4*unit lc rgb \"#e69f00\"",
                                         "pt 4 ps 1.3*unit lc rgb \"#56b4e9\"",
                                         "pt 6 ps 1.3*unit lc rgb \"#404040\""};
    return STYLES[curve % std::size(STYLES)];
}

} // namespace ns3
