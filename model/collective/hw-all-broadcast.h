/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HW_ALL_BROADCAST_H
#define HW_ALL_BROADCAST_H

#include "add-on-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A broadcast by an add-on network HW-All (Hyder and Wood, 1996).
 */
class HwAllBroadcast : public AddOnCollective<Broadcast>
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

#endif /* HW_ALL_BROADCAST_H */
