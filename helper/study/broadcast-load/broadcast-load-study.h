/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_LOAD_STUDY_H
#define BROADCAST_LOAD_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-fabric.h"
#include "ns3/study-form.h"
#include "ns3/study-plot.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of broadcasts beside data traffic tells of one window, gap and load: a row of
 *        its CSV.
 */
struct BroadcastLoadRow
{
    std::string broadcast;    ///< what is throttled
    uint32_t broadcasters{0}; ///< groups that broadcast at the same time
    uint32_t window{0};       ///< broadcasts of each that may be outstanding; 0: any number
    double gapUs{0};          ///< least time between two of them, us
    double load{0};           ///< offered load of the data traffic, 0 for none
    double timeUs{0};         ///< time per broadcast of a group, us
    double latencyUs{0};      ///< mean time of a broadcast from its beginning to all members, us
    double heldUs{0};         ///< mean time that roots were held back, us
    uint64_t outstanding{0};  ///< the most broadcasts of a group begun and not at all members
    double trafficUs{0};      ///< mean latency of the data traffic meanwhile, us; NaN if none

    /// @return its columns
    static const CsvTable<BroadcastLoadRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Broadcasts one after the other, throttled or not, beside data traffic: the situation of
 *        the data-parallel codes of Hyder and Wood (1996), section 4.3.
 *
 * All hosts of a fabric are members of one group or several, whose roots are spread over the hosts.
 * Every member enters the next broadcast of each group as soon as it leaves one, so that only the
 * throttle holds a root back. Meanwhile all hosts make data worms, which cost no software. The
 * first quarter of each group's broadcasts is not measured. Data worms count if they are made after
 * that, and arrive before the last broadcast is over.
 */
class BroadcastLoadStudy
{
  public:
    /// What is asked.
    struct Parameters : public StudyFabric
    {
        std::vector<std::string> broadcasts; ///< names of broadcasts to throttle
        std::vector<uint32_t> windows;       ///< windows; 0: none
        std::vector<Time> gaps;              ///< gaps
        std::vector<double> loads;           ///< offered loads of the data traffic, besides none
        std::string acks{"tree"};            ///< reduction that acknowledges
        std::string pattern;                 ///< who sends data to whom
        std::string flits{"64"};             ///< length of data worms, as WormLength::Parse
        uint32_t broadcasters{1};            ///< number of groups
        uint32_t rounds{64};                 ///< number of broadcasts of each
        uint32_t bytes{0};                   ///< length of a broadcast's message; 0: its fields
        uint32_t seed{1};                    ///< seed of random numbers
    };

    using Progress = StudyForm::Progress; ///< told how many runs of how many are done

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, or a broadcast or pattern can't be
    explicit BroadcastLoadStudy(const Parameters& parameters);

    /// Runs all: by broadcast, load, gap and window.
    /// @param jobs worker processes, see WorkerPool @param progress is told how far it is, if it is
    /// there
    /// @return rows of the CSV
    std::vector<BroadcastLoadRow> Run(uint32_t jobs, const Progress& progress) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/// Draws times over the window, which is the last where there is none; a curve for each broadcast,
/// gap and load.
/// @param rows rows of a study
/// @return the plots time, latency and traffic
std::vector<StudyPlot> MakeBroadcastLoadPlots(const std::vector<BroadcastLoadRow>& rows);

/// @return the study as people ask for it: broadcast-load, and broadcast_load in Python
std::unique_ptr<StudyForm> MakeBroadcastLoadStudy();

} // namespace ns3

#endif /* BROADCAST_LOAD_STUDY_H */
