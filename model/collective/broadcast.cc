/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Broadcast);

TypeId
Broadcast::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Broadcast").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

bool
Broadcast::GetsResult(uint32_t) const
{
    return true;
}

} // namespace ns3
