/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-accounting.h"

#include "ns3/collective-helper.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/sync-machine.h"

#include <limits>

namespace ns3
{

namespace
{

/// @return the accounting's hardware for a barrier; empty: it has none
std::string
FindHardware(const std::string& name)
{
    const auto stem = name.substr(0, name.find('['));
    if (stem == "hw-1" || stem == "hw-all")
    {
        return stem;
    }
    // Any algorithm by software is what the accounting calls none: its fastest butterfly.
    return DynamicCast<SoftwareCollective>(CollectiveHelper::MakeBarrier(name)) ? "none" : "";
}

/// @return what the accounting has for a part, us; NaN if it does not know it
double
GetPartUs(const std::string& name, uint32_t nodes, SyncWorkload::Event event)
{
    SyncMachine::Parameters parameters;
    parameters.nodes = nodes;
    parameters.hardware = FindHardware(name);
    return parameters.hardware.empty()
               ? std::numeric_limits<double>::quiet_NaN()
               : SyncMachine(parameters).GetModelTime(event).GetSeconds() * 1e6;
}

} // namespace

double
NetworkDoneAccounting::GetTimeUs(const std::string& method, uint32_t nodes, double communicates)
{
    const auto barrier = CollectiveHelper::MakeBarrier(method);
    const auto get = [&](const std::string& attribute) {
        StringValue value;
        barrier->GetAttribute(attribute, value);
        return value.Get();
    };
    const auto inner = get("Inner");
    const auto innerUs = inner == "none" ? 0 : GetPartUs(inner, nodes, SyncWorkload::BARRIER);
    if (get("Method") == "acks")
    {
        return communicates * SyncMachine({}).GetAckTime().GetSeconds() * 1e6 + innerUs;
    }
    return GetPartUs(get("Reduction"), nodes, SyncWorkload::ADD) + innerUs;
}

} // namespace ns3
