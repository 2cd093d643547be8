/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hw-1-barrier.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Hw1Barrier);

TypeId
Hw1Barrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Hw1Barrier")
                            .SetParent<AddOnCollective<Barrier>>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<Hw1Barrier>();
    return tid;
}

std::string
Hw1Barrier::GetSetting() const
{
    return "hw-1";
}

} // namespace ns3
