// SPDX-License-Identifier: GPL-2.0-only

// Small cases of worms, from files and at random, which the fabric must run as the flit oracle
// does.

#include "flit-oracle.h"
#include "fuzz-target.h"
#include "worm-cases.h"

#include <cstring>

namespace ns3
{

namespace
{

/// @param uneven whether cables, switches and buffers are to differ
void
Compare(const WormCase& worms, const std::string& scheduler, bool uneven)
{
    // Flits times channels: what the oracle moves one by one.
    constexpr uint64_t MOST = 20'000;
    uint64_t moves = 0;
    for (const auto& worm : worms.worms)
    {
        if (worm.flits > MOST)
        {
            return;
        }
        moves += worm.flits * worm.route.GetNChannels();
    }
    if (moves > MOST || worms.graph.GetNNodes() > 100)
    {
        return;
    }
    GlobalValue::Bind("SchedulerType", StringValue("ns3::" + scheduler));
    const FabricDelays delays(worms, uneven);
    const auto outcome = ReplayWorms(worms, [&](WormholeFabric& fabric) { delays.Apply(fabric); });
    const auto got = PrintOutcome(worms, outcome);
    const auto wanted = PrintOutcome(worms, MoveFlitByFlit(worms, delays));
    Demand(got == wanted, got + " where the oracle has " + wanted);
    const bool blocked = AnyOf(outcome.worms, [](const auto& worm) { return worm.blocked; });
    Demand(blocked == !outcome.deadlock.empty(), "a deadlock is told if there is one");
}

/// Takes a number out of the input's bytes. @return 0 if nothing is left
template <typename T>
T
Take(std::string& input)
{
    T number = 0;
    const auto size = std::min(sizeof(T), input.size());
    std::memcpy(&number, input.data(), size);
    input.erase(0, size);
    return number;
}

/// A random case. @param input what it is like, then times of its fabric and worms
void
RunRandom(const std::string& input)
{
    auto left = input;
    const auto stream = Take<uint32_t>(left);
    const auto flags = Take<uint8_t>(left);
    RandomCaseOptions options;
    options.multicast = (flags & 3) / 4.0;
    options.treeOfSwitches = flags & 4;
    options.sync = flags & 8;
    options.uneven = flags & 16;
    options.sourceRouted = flags & 128;
    options.rates = stream & 1;
    FixRandomNumbers();
    auto worms = MakeRandomCase(MakeRandom(stream), options);
    if (flags & 32)
    {
        // Times of all magnitudes, up to an hour each.
        const auto magnitude = [&left](int64_t least) {
            const auto number = Take<uint64_t>(left) >> (Take<uint8_t>(left) % 64);
            return static_cast<int64_t>(number % 3'600'000'000'000'000) + least;
        };
        worms.timing.flitTimePs = magnitude(1);
        worms.timing.linkDelayPs = magnitude(1) / 4 + 1; // uneven ones are up to four times as long
        worms.timing.switchDelayPs = magnitude(0) / 2;
        worms.timing.depth = 1 + Take<uint16_t>(left) % 300;
        for (uint32_t host = 0; options.rates && host < worms.graph.GetNHosts(); host += 2)
        {
            CableProperties cable;
            cable.flitTime = TimeStep(magnitude(1));
            cable.delay = TimeStep(magnitude(1) / 4 + 1);
            worms.graph.SetCable(worms.graph.HostAt(host), 0, cable);
        }
    }
    for (auto& worm : worms.worms)
    {
        if (!left.empty())
        {
            worm.flits = 1 + Take<uint8_t>(left);
            worm.timePs = Take<uint32_t>(left) >> (Take<uint8_t>(left) % 32);
        }
    }
    Compare(worms, flags & 64 ? "WormholeScheduler" : "MapScheduler", options.uneven);
}

} // namespace

std::map<std::string, FuzzTarget>
GetWormTargets()
{
    const auto runFile = [](const std::string& input) {
        Compare(ReadWormCase(AsFile(input)), "MapScheduler", false);
    };
    return {{"case", runFile}, {"worms", RunRandom}};
}

} // namespace ns3
