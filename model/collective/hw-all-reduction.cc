/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hw-all-reduction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HwAllReduction);

TypeId
HwAllReduction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HwAllReduction")
                            .SetParent<AddOnCollective<Reduction>>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<HwAllReduction>();
    return tid;
}

std::string
HwAllReduction::GetSetting() const
{
    return "hw-all";
}

} // namespace ns3
