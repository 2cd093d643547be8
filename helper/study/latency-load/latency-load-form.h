/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_LOAD_FORM_H
#define LATENCY_LOAD_FORM_H

#include "latency-load-row.h"
#include "latency-load-study.h"

#include "ns3/study-form.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of latency over load as people ask for it: latency-load, and latency_load in
 * Python.
 */
class LatencyLoadForm : public RowStudyForm<LatencyLoadRow>
{
  public:
    LatencyLoadForm();

    void Measure(const Progress& progress) override;
    void MeasureAndTell(bool isAsked) override;
    std::vector<std::string> GetRemarks() const override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    LatencyLoadStudy::Parameters m_parameters; ///< what is asked of the study
};

} // namespace ns3

#endif /* LATENCY_LOAD_FORM_H */
