/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-kinds.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Barrier);

TypeId
Barrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Barrier").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(Broadcast);

TypeId
Broadcast::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Broadcast").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(Reduction);

TypeId
Reduction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Reduction").SetParent<Collective>().SetGroupName("Wormhole");
    return tid;
}

} // namespace ns3
