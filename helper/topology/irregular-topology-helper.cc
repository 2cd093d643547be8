/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "irregular-topology-helper.h"

#include "irregular-topology-draw.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/// @return a ratio as text, four decimals @param value the ratio
std::string
FourDecimals(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.4f", value);
    return text;
}

} // namespace

IrregularTopologyHelper::IrregularTopologyHelper()
    : IrregularTopologyHelper(Parameters())
{
}

IrregularTopologyHelper::IrregularTopologyHelper(const Parameters& parameters)
    : m_parameters(parameters),
      m_random(CreateObject<UniformRandomVariable>())
{
    Check();
}

std::vector<std::string>
IrregularTopologyHelper::GetLawNames()
{
    return {NameOf(Law::RECURSIVE), NameOf(Law::WALK), NameOf(Law::PAIRING)};
}

IrregularTopologyHelper::Law
IrregularTopologyHelper::LawByName(const std::string& name)
{
    for (auto law : {Law::RECURSIVE, Law::WALK, Law::PAIRING})
    {
        if (NameOf(law) == name)
        {
            return law;
        }
    }
    throw WormholeError("law '" + name + "': accepted are recursive, walk and pairing");
}

std::string
IrregularTopologyHelper::NameOf(Law law)
{
    return law == Law::RECURSIVE ? "recursive" : law == Law::WALK ? "walk" : "pairing";
}

int64_t
IrregularTopologyHelper::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint32_t
IrregularTopologyHelper::GetNSwitchLinks() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const auto links = std::llround((f * k * q - p) / 2);
    return links > 0 ? static_cast<uint32_t>(links) : 0;
}

double
IrregularTopologyHelper::GetConnectivity(const FabricGraph& graph)
{
    uint64_t ports = 0;
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        ports += graph.GetNPorts(node);
    }
    return (graph.GetNHosts() + 2.0 * graph.GetNSwitchLinks()) / static_cast<double>(ports);
}

double
IrregularTopologyHelper::GetMinConnectivity() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    return (p + 2.0 * (q - 1.0)) / (1.0 * k * q);
}

void
IrregularTopologyHelper::Check() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const auto text = [](auto value) { return std::to_string(value); };
    if (q == 0 || uint64_t{q} * k > UINT32_MAX / 2)
    {
        throw WormholeError(text(q) + " switches of " + text(k) +
                            " ports: accepted is 1 switch or more, and " + text(UINT32_MAX / 2) +
                            " ports in all at most");
    }
    if (k < 2 || k > UINT16_MAX)
    {
        throw WormholeError(text(k) + " ports a switch: accepted are 2 to " + text(UINT16_MAX));
    }
    const auto slots = q * (k - 1);
    if (p == 0 || p > slots)
    {
        throw WormholeError(text(p) + " hosts on " + text(q) + " switches of " + text(k) +
                            " ports, each of which keeps one: accepted are 1 to " + text(slots));
    }
    CheckConnectivity();
}

void
IrregularTopologyHelper::CheckConnectivity() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const auto text = [](auto value) { return std::to_string(value); };
    const auto what = "connectivity " + FourDecimals(f) + " with " + text(q) + " switches of " +
                      text(k) + " ports and " + text(p) + " hosts";
    const auto least = GetMinConnectivity();
    if (least > 1) // few hosts and k >= 2 leave enough ports, so there are too many hosts
    {
        throw WormholeError(what + ": too few ports are left to join the switches; accepted are " +
                            text(uint64_t{q} * k - 2 * (uint64_t{q} - 1)) + " hosts at most");
    }
    const auto pairs = uint64_t{q} * (q - 1) / 2;
    const auto free = (uint64_t{q} * k - p) / 2;
    const auto most = q == 1 || !parallel ? std::min(pairs, free) : free;
    const auto greatest = std::min(1.0, (p + 2.0 * most) / (1.0 * k * q));
    const auto range = FourDecimals(least) + " to " + FourDecimals(greatest);
    if (!(f > 0 && f <= 1))
    {
        throw WormholeError(
            what + ": a ratio of ports in use is above 0 and 1 at most; accepted: " + range);
    }
    const auto links = GetNSwitchLinks();
    if (links < q - 1)
    {
        throw WormholeError(what + " leaves " + text(links) + " links to join the switches, and " +
                            text(q - 1) + " are needed; least feasible is " + FourDecimals(least));
    }
    if (links > most)
    {
        throw WormholeError(what + " calls for " + text(links) + " links between switches, and " +
                            text(most) + " are possible; accepted: " + range);
    }
}

FabricGraph
IrregularTopologyHelper::Create()
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const FabricGraph sized(q, p, k); // refuses what is too large before it is drawn
    constexpr uint32_t DRAWS = 1000;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        IrregularTopologyDraw draw(m_parameters, GetNSwitchLinks(), *m_random);
        if (draw.Run())
        {
            auto graph = draw.MakeGraph();
            // The papers' figures are of routes that share nothing.
            graph.SetRoutes({"up-down", "first", "first", "", nullptr});
            return graph;
        }
    }
    throw WormholeError(std::to_string(DRAWS) + " draws of " + std::to_string(q) +
                        " switches with law " + NameOf(law) + " and connectivity " +
                        FourDecimals(f) +
                        " got stuck; accepted: a connectivity farther from its "
                        "bounds, or parallel links");
}

} // namespace ns3
