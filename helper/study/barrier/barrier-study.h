/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_H
#define BARRIER_STUDY_H

#include "barrier-study-run.h"

#include "ns3/study-form.h"
#include "ns3/study-plot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A figure that a paper prints and plots can show: one value for one fabric and group size.
 */
struct PublishedFigure
{
    std::string quantity;   ///< what it is: latency, latency_factor or traffic_factor
    std::string scheme;     ///< whose: btin or multicast; a factor is over btin
    uint32_t switches{0};   ///< number of switches
    uint32_t hosts{0};      ///< number of hosts
    double connectivity{0}; ///< ratio of ports in use
    uint32_t groupSize{0};  ///< number of members
    double value{0};        ///< the value; latencies in us

    /// @return the columns of a file, see data/README.md
    static const CsvTable<PublishedFigure>& GetTable();

    /**
     * Reads those figures of a file that plots can show.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedFigure> Read(const std::string& path);
};

/**
 * @ingroup wormhole
 * @brief What BarrierStudy finds for one fabric, scheme, reduction, timing and group size: a line
 * of CSV.
 *
 * Means are over the study's runs. Of explained latencies it has the parts.
 */
struct BarrierStudyRow : public BarrierFindings
{
    std::string scheme;      ///< btin, multicast, unicast or the name of another barrier
    std::string reduction;   ///< in-switch, simulated, ideal or paper-inferred
    std::string btinTiming;  ///< flits: by flits, as all other messages; paper: btin without
    uint32_t switches{0};    ///< number of switches
    uint32_t hosts{0};       ///< number of hosts
    double connectivity{0};  ///< ratio of ports in use
    std::string law;         ///< how cables were drawn; file: they were given
    uint32_t groupSize{0};   ///< number of members
    uint32_t runs{0};        ///< number of runs
    double latencyUsCi95{0}; ///< half width of the mean's 95 % interval, us; NaN for one run
    std::string leaves;      ///< which leaves count: deepest; empty: all
    double load{0};          ///< load of traffic beside; 0: none
    std::string pattern;     ///< who sends that to whom
    std::string flits;       ///< length of its worms, as WormLength::Parse
    double latencyUs99{0};   ///< latency that 99 % of all barriers of all runs do not exceed, us

    /// @return its columns
    static const CsvTable<BarrierStudyRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Compares barriers in the switches with barriers by messages, over random fabrics and
 *        groups: the evaluation of Moh et al. (2001), for their fabrics or one's own.
 *
 * All members come at one instant, after the group is ready; a barrier's latency is the time from
 * then until the last member has left. Run r uses ns-3's run number r + 1: stream 0 draws the
 * fabric, stream 1 an order of its hosts, whose first n are the group of size n. So a row is the
 * same whatever else is asked for, and on every machine.
 *
 * Schemes, and for each the reductions, that is, how the first phase is looked at:
 *
 * - btin: in-switch. Barrier registers in switches combine and spread.
 * - multicast: every member sends a message to the root, which answers with one tree worm.
 *   simulated is the fabric as it is; ideal lets no message wait for another (see
 *   UncontendedBarrier); paper-inferred adds n t_r / (f k - p / q) to the latency of btin, which
 *   comes near the published figures but is an inference about how they were made, no more. Its
 *   hops are those of ideal.
 * - unicast: every member sends to the root, which answers each. simulated and ideal.
 *
 * Closed form: for btin 2 (t_s + d t_p + (d + 1) t_r) with d = h + 2; for paper-inferred that and
 * the same addition; else UncontendedBarrier::model. One member waits for nobody: all are 0.
 *
 * Messages take flit times, which published latencies leave out. For btin this study does so too,
 * on a second fabric whose flits take 1 ps, unless told otherwise.
 */
class BarrierStudy
{
  public:
    using Progress = StudyForm::Progress; ///< told how far the study is: runs done, and runs in all

    /**
     * @param parameters what is asked for
     * @throws WormholeError if that can't be done, naming the value and what would be accepted
     */
    explicit BarrierStudy(const BarrierStudyParameters& parameters);

    /**
     * Does it, in simulations of its own: the simulator is destroyed before and after.
     * @param progress told after every run
     * @return rows in the order of fabrics, schemes, reductions and group sizes
     * @throws WormholeError if a fabric can't be drawn or simulated
     */
    std::vector<BarrierStudyRow> Run(const Progress& progress = nullptr) const;

  private:
    struct Cell;

    /// @return the rows that there will be for a fabric, without results @param fabric the fabric
    std::vector<BarrierStudyRow> MakeRows(const BarrierStudyParameters::Fabric& fabric) const;

    /**
     * Does the run whose number ns-3's seed manager has.
     * @param fabric what fabric to look at
     * @return the fabric's rows, with what this run found in place of means
     */
    std::vector<BarrierStudyRow> DoRun(const BarrierStudyParameters::Fabric& fabric) const;

    /// @return hosts in the order of joining groups @param graph the fabric of a run
    std::vector<uint32_t> OrderMembers(const FabricGraph& graph) const;

    BarrierStudyParameters m_parameters; ///< what is asked for
};

/**
 * Draws latency; traffic, in message-hops; and by what factor multicast has more of either than
 * btin: a panel for each fabric. A scheme has one colour in all of them, a reduction one kind of
 * line and point. Explained latencies are stacked bars, too.
 * @param rows rows of a study, or of several
 * @param published published figures, drawn in as points where there is a panel for their fabric
 * @return the plots latency, traffic, latency-factor, traffic-factor and causes
 */
std::vector<StudyPlot> MakeBarrierPlots(const std::vector<BarrierStudyRow>& rows,
                                        const std::vector<PublishedFigure>& published);

/// @return the study as people ask for it: btin-comparison, and barriers in Python
std::unique_ptr<StudyForm> MakeBarrierStudy();

} // namespace ns3

#endif /* BARRIER_STUDY_H */
