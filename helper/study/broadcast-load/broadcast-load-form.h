/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_LOAD_FORM_H
#define BROADCAST_LOAD_FORM_H

#include "broadcast-load-plots.h"
#include "broadcast-load-row.h"
#include "broadcast-load-study.h"

#include "ns3/study-form.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of broadcasts beside data traffic as people ask for it: broadcast-load, and
 * broadcast_load in Python.
 */
class BroadcastLoadForm
    : public PooledStudyForm<BroadcastLoadStudy, BroadcastLoadRow, BroadcastLoadPlots>
{
  public:
    BroadcastLoadForm();

  protected:
    void Finish(const OptionValues& values) override;
};

} // namespace ns3

#endif /* BROADCAST_LOAD_FORM_H */
