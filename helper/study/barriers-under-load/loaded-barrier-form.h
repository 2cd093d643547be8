/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_FORM_H
#define LOADED_BARRIER_FORM_H

#include "loaded-barrier-plots.h"
#include "loaded-barrier-row.h"
#include "loaded-barrier-study.h"

#include "ns3/study-form.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of barriers beside data traffic as people ask for it: barriers-under-load, and
 * barriers_under_load in Python.
 */
class LoadedBarrierForm
    : public PooledStudyForm<LoadedBarrierStudy, LoadedBarrierRow, LoadedBarrierPlots>
{
  public:
    LoadedBarrierForm();

  protected:
    void Finish(const OptionValues& values) override;
};

} // namespace ns3

#endif /* LOADED_BARRIER_FORM_H */
