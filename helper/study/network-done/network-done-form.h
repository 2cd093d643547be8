/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_FORM_H
#define NETWORK_DONE_FORM_H

#include "network-done-plots.h"
#include "network-done-row.h"
#include "network-done-study.h"

#include "ns3/study-form.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of Network-Done as people ask for it: network-done, and network_done in Python.
 */
class NetworkDoneForm : public PooledStudyForm<NetworkDoneStudy, NetworkDoneRow, NetworkDonePlots>
{
  public:
    NetworkDoneForm();

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;
};

} // namespace ns3

#endif /* NETWORK_DONE_FORM_H */
