/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hw-all-barrier.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HwAllBarrier);

TypeId
HwAllBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HwAllBarrier")
                            .SetParent<AddOnCollective<Barrier>>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<HwAllBarrier>();
    return tid;
}

std::string
HwAllBarrier::GetSetting() const
{
    return "hw-all";
}

} // namespace ns3
