/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HW_ALL_BARRIER_H
#define HW_ALL_BARRIER_H

#include "add-on-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier or all-reduction by an add-on network HW-All (Hyder and Wood, 1996).
 */
class HwAllBarrier : public AddOnCollective<Barrier>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    std::string GetSetting() const override;
};

} // namespace ns3

#endif /* HW_ALL_BARRIER_H */
