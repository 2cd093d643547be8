/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_LOAD_FORM_H
#define BROADCAST_LOAD_FORM_H

#include "broadcast-load-row.h"
#include "broadcast-load-study.h"

#include "ns3/study-form.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of broadcasts beside data traffic as people ask for it: broadcast-load, and
 * broadcast_load in Python.
 */
class BroadcastLoadForm : public RowStudyForm<BroadcastLoadRow>
{
  public:
    BroadcastLoadForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;

  private:
    BroadcastLoadStudy::Parameters m_parameters; ///< what is asked of the study
    std::unique_ptr<BroadcastLoadStudy> m_study; ///< the study
};

} // namespace ns3

#endif /* BROADCAST_LOAD_FORM_H */
