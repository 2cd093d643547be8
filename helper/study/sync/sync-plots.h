/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_PLOTS_H
#define SYNC_PLOTS_H

#include "ns3/study-plot.h"

#include <vector>

namespace ns3
{

/// Draws latencies, speedups and break-even prices, a panel for each delay, bars for what is
/// simulated and marks for what is published and modelled; and speedups over what applications'
/// names end with, if that is a number.
/// @param rows rows of the study of synchronisation hardware @return its plots
std::vector<StudyPlot> MakeSyncPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&);

} // namespace ns3

#endif /* SYNC_PLOTS_H */
