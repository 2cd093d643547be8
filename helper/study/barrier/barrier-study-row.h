/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_ROW_H
#define BARRIER_STUDY_ROW_H

#include "ns3/latency-parts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What BarrierStudy finds for one fabric, scheme, reduction, timing and group size: a line
 * of CSV.
 *
 * Means are over the study's runs. Of explained latencies it has the parts.
 */
struct BarrierStudyRow : public LatencyParts
{
    std::string scheme;         ///< btin, multicast, unicast or the name of another barrier
    std::string reduction;      ///< in-switch, simulated, ideal or paper-inferred
    std::string btinTiming;     ///< flits: by flits, as all other messages; paper: btin without
    uint32_t switches{0};       ///< number of switches
    uint32_t hosts{0};          ///< number of hosts
    double connectivity{0};     ///< ratio of ports in use
    std::string law;            ///< how cables were drawn; file: they were given
    uint32_t groupSize{0};      ///< number of members
    uint32_t runs{0};           ///< number of runs
    double latencyUsMean{0};    ///< since all came until the last one left, us
    double latencyUsCi95{0};    ///< half width of the mean's 95 % interval, us; NaN for one run
    double latencyUsModel{0};   ///< mean of the closed form, us; NaN: there is none
    double messageHopsMean{0};  ///< links crossed by messages in one barrier
    double flitHopsMean{0};     ///< links crossed by flits in one barrier
    double heightMean{0};       ///< height of the barrier tree, h; 0: the scheme has none
    double edgesMean{0};        ///< edges of the barrier tree, E; 0: the scheme has none
    double startUpsMean{0};     ///< messages that hosts send in one barrier, each for a start-up
    double rootMessagesMean{0}; ///< messages that the root's host sends or takes in one barrier
    double messageBytesMean{0}; ///< length of the longest message, addresses included, bytes
    double setupUsMean{0};      ///< until the group is ready, us
    std::string rootSwitch;     ///< root switch of the barrier tree; empty with several runs
    std::string rootHost;       ///< root host of the barrier tree; empty with several runs
    std::string leaves;      ///< deepest; empty: all leaves count, and what follows is not written
    double leavesMean{0};    ///< leaves of the barrier tree
    double deepestMean{0};   ///< those among them at depth h
    double otherRootMean{0}; ///< part of the groups whose root would be another if all counted
    std::string roundsUs;    ///< latencies of rounds beside traffic, us, as bytes; not written
    double load{0};          ///< load of traffic beside; 0: none, and what follows is not written
    std::string pattern;     ///< who sends that to whom
    std::string flits;       ///< length of its worms, as WormLength::Parse
    double latencyUs99{0};   ///< latency that 99 % of all barriers of all runs do not exceed, us

    /// Keeps latencies of rounds, for Pack. @param latencies of rounds beside traffic, us
    void SetRounds(const std::vector<double>& latencies);

    /// @return latencies of rounds beside traffic, us
    std::vector<double> GetRounds() const;

    /// @return its columns
    static const CsvTable<BarrierStudyRow>& GetTable();
};

} // namespace ns3

#endif /* BARRIER_STUDY_ROW_H */
