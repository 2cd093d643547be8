/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/recovery-way.h"

namespace ns3
{

/// Routes stay what they are.
class NoneRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<NoneRecoveryWay>("ns3::NoneRecoveryWay");
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoneRecoveryWay);

} // namespace ns3
