/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-parts.h"

#include "ns3/gnuplot-curves.h"
#include "ns3/wormhole-latency-cause.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

void
LatencyParts::Set(double us)
{
    for (const auto part : GetParts())
    {
        this->*part = us;
    }
    trafficUsMean = us;
}

void
LatencyParts::Add(const LatencyReport& report, std::size_t rounds)
{
    const auto ofMean = 1e6 * static_cast<double>(rounds);
    for (const auto& [cause, time] : report.GetSums())
    {
        this->*GetParts()[static_cast<std::size_t>(GetGroup(cause))] +=
            static_cast<double>(time) / ofMean;
    }
    trafficUsMean += static_cast<double>(report.GetHeldByTraffic()) / ofMean;
}

namespace
{

/// A part, in the order of LatencyParts::GetParts.
struct Part
{
    const char* title;  ///< in the key
    const char* colour; ///< apart for colour-blind eyes, too (Okabe and Ito's)
};

/// All parts; behind them what of the waiting is for traffic.
constexpr Part PARTS[] = {{"hosts' software", "#0072b2"},
                          {"interfaces", "#56b4e9"},
                          {"wires", "#009e73"},
                          {"switches", "#e69f00"},
                          {"waiting for others", "#d55e00"},
                          {"beside the fabric", "#cc79a7"},
                          {"waiting for the traffic", "#7f2f00"}};

/// Sizes of the parts.
using Sizes = std::array<double, std::size(PARTS)>;

/// @return how large parts are in a bar, us
Sizes
GetSizes(const LatencyParts& parts)
{
    Sizes sizes{};
    for (std::size_t part = 0; part < LatencyParts::GetParts().size(); ++part)
    {
        const auto member = LatencyParts::GetParts()[part];
        sizes[part] = parts.*member;
        if (member == &LatencyParts::waitingUsMean)
        {
            sizes[part] -= parts.trafficUsMean;
        }
    }
    sizes.back() = parts.trafficUsMean;
    return sizes;
}

bool
HasPart(const std::vector<LatencyPartsPlot::Bars>& all, std::size_t part)
{
    return std::any_of(all.begin(), all.end(), [part](const auto& bars) {
        return std::any_of(bars.rows.begin(), bars.rows.end(), [part](const auto& row) {
            return GetSizes(*row.second)[part] > 0;
        });
    });
}

} // namespace

StudyPlot
LatencyPartsPlot::Draw(const std::vector<Bars>& all, const std::string& title)
{
    StudyPlot plot{"causes"};
    if (all.empty())
    {
        return plot;
    }
    std::ostringstream setup;
    std::ostringstream drawing;
    std::ostringstream tics;
    uint32_t nBars = 0;
    drawing << "plot ";
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        setup << "$scheme" << i << " << EOD\n";
        const auto place = nBars + i; // of its first bar
        for (const auto& [label, parts] : all[i].rows)
        {
            tics << (nBars > 0 ? ", " : "") << GnuplotScript::QuoteTic(label) << ' ' << nBars + i;
            setup << nBars + i;
            for (const auto size : GetSizes(*parts))
            {
                setup << " " << size;
            }
            setup << "\n";
            ++nBars;
        }
        setup << "EOD\n";
        drawing << (i > 0 ? ", " : "") << "newhistogram " << GnuplotScript::Quote(all[i].title)
                << " at " << place;
        for (std::size_t part = 0; part < std::size(PARTS); ++part)
        {
            if (!HasPart(all, part))
            {
                continue;
            }
            drawing << ", $scheme" << i << " using " << part + 2 << " lc rgb "
                    << GnuplotScript::Quote(PARTS[part].colour) << " "
                    << (i == 0 ? "title " + GnuplotScript::Quote(PARTS[part].title) : "notitle");
        }
    }
    drawing << "\n";
    setup << "set style data histograms\nset style histogram rowstacked title offset 0,-2\n"
          << "set boxwidth 0.8\nset style fill solid 0.95 border rgb \"white\"\n"
          << "set ylabel \"latency (us)\"\nset title " << GnuplotScript::Quote(title) << "\n"
          << "set bmargin 7\nset yrange [0:*]\nset grid ytics\n"
          << "set xtics (" << tics.str() << ") rotate by 90 right scale 0\n"
          << "set key outside right top Left reverse invert\n";
    plot.axes = setup.str();
    plot.drawing = drawing.str();
    plot.width = std::max<uint32_t>(700, 260 + 42 * nBars);
    plot.height = 480;
    return plot;
}

} // namespace ns3
