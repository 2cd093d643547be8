/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_STUDY_FORM_H
#define SPLIT_STUDY_FORM_H

#include "split-study-row.h"
#include "split-study.h"

#include "ns3/study-form.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of split-phase barriers as people ask for it: split-barrier, and split_barrier
 *        in Python.
 */
class SplitStudyForm : public RowStudyForm<SplitStudyRow>
{
  public:
    SplitStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;

  private:
    SplitStudy::Parameters m_parameters; ///< what is asked of the study
};

} // namespace ns3

#endif /* SPLIT_STUDY_FORM_H */
