/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reduction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Reduction);

TypeId
Reduction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Reduction").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

bool
Reduction::GetsResult(uint32_t rank) const
{
    return rank == GetRoot();
}

} // namespace ns3
