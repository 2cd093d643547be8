/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Barrier);

TypeId
Barrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Barrier").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

bool
Barrier::GetsResult(uint32_t) const
{
    return true;
}

} // namespace ns3
