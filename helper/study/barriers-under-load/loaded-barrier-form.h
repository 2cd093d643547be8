/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_FORM_H
#define LOADED_BARRIER_FORM_H

#include "loaded-barrier-row.h"
#include "loaded-barrier-study.h"

#include "ns3/study-form.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of barriers beside data traffic as people ask for it: barriers-under-load, and
 * barriers_under_load in Python.
 */
class LoadedBarrierForm : public RowStudyForm<LoadedBarrierRow>
{
  public:
    LoadedBarrierForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;

  private:
    LoadedBarrierStudy::Parameters m_parameters; ///< what is asked of the study
    std::unique_ptr<LoadedBarrierStudy> m_study; ///< the study
};

} // namespace ns3

#endif /* LOADED_BARRIER_FORM_H */
