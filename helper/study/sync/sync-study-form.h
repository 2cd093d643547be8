/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_STUDY_FORM_H
#define SYNC_STUDY_FORM_H

#include "sync-study-row.h"
#include "sync-study.h"

#include "ns3/study-form.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of synchronisation hardware as people ask for it: sync-hardware, and
 * sync_hardware in Python.
 */
class SyncStudyForm : public RowStudyForm<SyncStudyRow>
{
  public:
    SyncStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> GetRemarks() const override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;

  private:
    SyncStudy::Parameters m_parameters; ///< what is asked of the study
};

} // namespace ns3

#endif /* SYNC_STUDY_FORM_H */
