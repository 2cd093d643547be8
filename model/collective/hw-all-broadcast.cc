/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hw-all-broadcast.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HwAllBroadcast);

TypeId
HwAllBroadcast::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HwAllBroadcast")
                            .SetParent<AddOnCollective<Broadcast>>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<HwAllBroadcast>();
    return tid;
}

std::string
HwAllBroadcast::GetSetting() const
{
    return "hw-all";
}

} // namespace ns3
