/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_STUDY_FORM_H
#define RDMA_STUDY_FORM_H

#include "rdma-study-row.h"
#include "rdma-study.h"

#include "ns3/published-barriers.h"
#include "ns3/study-form.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of barriers by remote writes as people ask for it: rdma-barrier, and rdma in
 * Python.
 */
class RdmaStudyForm : public RowStudyForm<RdmaStudyRow>
{
  public:
    RdmaStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;

  private:
    RdmaStudy::Parameters m_parameters;        ///< what is asked of the study
    std::string m_preset;                      ///< cluster whose costs hold
    bool m_isOwn{false};                       ///< whether some cost is one's own
    std::vector<PublishedBarrier> m_published; ///< published figures to draw in
};

} // namespace ns3

#endif /* RDMA_STUDY_FORM_H */
