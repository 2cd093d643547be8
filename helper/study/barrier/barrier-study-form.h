/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_FORM_H
#define BARRIER_STUDY_FORM_H

#include "barrier-study-parameters.h"
#include "barrier-study-row.h"

#include "ns3/published-figures.h"
#include "ns3/study-form.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The barrier study as people ask for it: btin-comparison, and barriers in Python.
 */
class BarrierStudyForm : public RowStudyForm<BarrierStudyRow>
{
  public:
    BarrierStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// Takes what traffic there is beside barriers. @param values values of the parameters
    void ReadTraffic(const OptionValues& values);

    /// @return the fabrics to draw @param values numbers of them
    std::vector<BarrierStudyParameters::Fabric> GetDrawnFabrics(const OptionValues& values) const;

    BarrierStudyParameters m_parameters;      ///< what is asked of the study
    std::vector<uint32_t> m_switches;         ///< numbers of switches of the fabrics drawn
    std::vector<uint32_t> m_hosts;            ///< numbers of hosts
    std::vector<uint32_t> m_ports;            ///< ports of a switch
    std::vector<double> m_connectivities;     ///< ratios of ports in use
    std::string m_law;                        ///< how cables are drawn
    std::vector<PublishedFigure> m_published; ///< published figures to draw in
};

} // namespace ns3

#endif /* BARRIER_STUDY_FORM_H */
