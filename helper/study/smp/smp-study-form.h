/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_STUDY_FORM_H
#define SMP_STUDY_FORM_H

#include "smp-plots.h"
#include "smp-study-row.h"
#include "smp-study.h"

#include "ns3/study-form.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of broadcasts on clusters of SMPs as people ask for it: smp-broadcast, and
 * smp_broadcast in Python.
 */
class SmpStudyForm : public PooledStudyForm<SmpStudy, SmpStudyRow, SmpPlots>
{
  public:
    SmpStudyForm();

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// @return the job @param values the values @param allHosts number of the fabric's hosts
    JobPlacement::Parameters GetJob(const OptionValues& values, uint32_t allHosts) const;

    /// @return numbers of hosts that take part where none are asked for
    std::vector<uint32_t> GetSizes() const;

    JobPlacement::Parameters m_job; ///< a job of one's own, and where it is
    std::string m_case;             ///< a case of the paper
    std::string m_dataRate;         ///< rate of every channel
    uint32_t m_flitBytes{0};        ///< size of a flit
};

} // namespace ns3

#endif /* SMP_STUDY_FORM_H */
