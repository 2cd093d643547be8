/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_FORM_H
#define NETWORK_DONE_FORM_H

#include "network-done-row.h"
#include "network-done-study.h"

#include "ns3/study-form.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of Network-Done as people ask for it: network-done, and network_done in Python.
 */
class NetworkDoneForm : public RowStudyForm<NetworkDoneRow>
{
  public:
    NetworkDoneForm();

    void Measure(const Progress& progress) override;

    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    NetworkDoneStudy::Parameters m_parameters; ///< what is asked of the study
    std::unique_ptr<NetworkDoneStudy> m_study; ///< the study
};

} // namespace ns3

#endif /* NETWORK_DONE_FORM_H */
