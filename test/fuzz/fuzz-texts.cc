// SPDX-License-Identifier: GPL-2.0-only

// Readers of short texts: times, attributes, names of algorithms and of topologies, options.

#include "fuzz-target.h"

#include "ns3/collective-helper.h"
#include "ns3/text-tools.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-topology-factory.h"
#include "ns3/wormhole-traffic.h"

#include <cstdlib>

namespace ns3
{

namespace
{

void
ReadTime(const std::string& input)
{
    const auto time = ExactTime::Parse(input);
    Demand(!time.IsStrictlyNegative() && time.GetTimeStep() <= TimeLimit::GetLongest(),
           "a time of an hour at most");
    char* unit = nullptr;
    const auto number = std::strtod(input.c_str(), &unit);
    static const std::map<std::string, double> picoseconds{{"s", 1e12},
                                                           {"ms", 1e9},
                                                           {"us", 1e6},
                                                           {"ns", 1e3},
                                                           {"ps", 1},
                                                           {"fs", 1e-3},
                                                           {"min", 60e12},
                                                           {"h", 3600e12},
                                                           {"d", 86400e12},
                                                           {"y", 365 * 86400e12},
                                                           {"", 0}};
    const auto found = picoseconds.find(unit);
    Demand(found != picoseconds.end(), "a time with a unit");
    const auto wanted = number * found->second;
    const auto got = static_cast<double>(time.GetTimeStep());
    Demand(std::abs(got - wanted) <= 1e-9 * wanted, "the time that the text says");
}

/// @param input which, in the first byte, and its text
void
ReadAttribute(const std::string& input)
{
    if (input.empty())
    {
        return;
    }
    static const auto attributes = [] {
        std::vector<std::pair<TypeId, std::string>> all;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const auto type = TypeId::GetRegistered(i);
            for (std::size_t a = 0; type.GetGroupName() == "Wormhole" && a < type.GetAttributeN();
                 ++a)
            {
                all.emplace_back(type, type.GetAttribute(a).name);
            }
        }
        return all;
    }();
    const auto& [type, name] = attributes[static_cast<uint8_t>(input[0]) % attributes.size()];
    const auto value = input.substr(1);
    CheckAttributeText(type.GetName() + "::" + name, value);
    // ns-3 would end the process if it took what it does not accept.
    if (type.HasConstructor())
    {
        ObjectFactory factory(type.GetName());
        factory.Set(name, StringValue(value));
    }
}

/// @param input its kind, in the first byte, and the name
void
ReadCollective(const std::string& input)
{
    if (input.empty())
    {
        return;
    }
    static const std::vector<std::string> kinds{"barrier", "broadcast", "reduction"};
    const auto& kind = kinds[static_cast<uint8_t>(input[0]) % kinds.size()];
    Demand(CollectiveHelper::MakeCollective(kind, input.substr(1)) != nullptr, "a collective");
}

void
ReadLength(const std::string& input)
{
    try
    {
        const auto bytes = ParseByteSize(input, 1, 1'000'000);
        Demand(bytes >= 1 && bytes <= 1'000'000, "a number of bytes in its range");
    }
    catch (const WormholeError&)
    {
        // perhaps it is a distribution
    }
    auto length = WormLength::Parse(input);
    Demand(length.GetMean() >= 1 && std::isfinite(length.GetMean()), "a mean of one flit at least");
    Demand(length.Draw() >= 1, "a flit at least");
}

bool
IsSmall(const std::string& text)
{
    std::vector<double> numbers;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        if (text[at] >= '0' && text[at] <= '9')
        {
            char* end = nullptr;
            numbers.push_back(std::max(1.0, std::strtod(text.c_str() + at, &end)));
            at = end - text.c_str();
        }
    }
    constexpr double MOST = 4000;
    double product = 1;
    for (const auto a : numbers)
    {
        product *= a;
        for (const auto b : numbers)
        {
            if (a > 1 && text.compare(0, 4, "irre") != 0 && std::pow(a, std::min(b, 64.0)) > MOST)
            {
                return false; // levels of a tree
            }
        }
    }
    return text.compare(0, 4, "irre") == 0
               ? std::all_of(numbers.begin(), numbers.end(), [](auto n) { return n <= 100; })
               : product <= MOST;
}

void
ReadTopology(const std::string& input)
{
    if (input.find("file") != std::string::npos || input.find(".json") != std::string::npos ||
        input.find('/') != std::string::npos || !IsSmall(input))
    {
        return;
    }
    const auto topology = MakeTopology(input);
    topology.graph.Validate();
    const auto nHosts = topology.graph.GetNHosts();
    Demand(nHosts > 0 && topology.router, "a fabric with hosts and routes");
    if (nHosts > 1)
    {
        const auto route = topology.router->GetRoute(0, nHosts - 1);
        auto node = topology.graph.HostAt(0);
        WormRoute::Stop stop = 0;
        for (uint32_t channel = 0; channel < route->GetNChannels(); ++channel)
        {
            const auto branch = *route->At(stop).begin();
            node = topology.graph.Peer(node, branch.port).node;
            Demand(node != FabricGraph::NONE, "a route along cables");
            stop = branch.next;
        }
        Demand(node == topology.graph.HostAt(nHosts - 1), "a route to its host");
    }
}

/// @param input arguments, one a line
void
ReadOptions(const std::string& input)
{
    // ns-3 prints these and ends the process.
    if (input.find("help") != std::string::npos || input.find("-h") != std::string::npos ||
        input.find("Print") != std::string::npos || input.find('\0') != std::string::npos)
    {
        return;
    }
    std::vector<std::string> words{"program"};
    std::istringstream lines(input);
    for (std::string line; std::getline(lines, line);)
    {
        words.push_back(line);
    }
    ProgramOptions options(__FILE__, "usage");
    options.Add("size", "64", "number", "1");
    options.Add("sizes", "64,128", "numbers", "1,2");
    options.Add("bytes", "64kB", "bytes", "1");
    options.Add("time", "1us", "time", "1us");
    options.Add("loads", "0.1", "ratios", "0.1");
    options.Add("word", "one", "word", "one");
    options.AddSwitch("progress", "switch");
    CallWithArguments(words, [&options](int argc, char** argv) { options.Parse(argc, argv); });
    const auto size = options.GetWhole("size", 1, 100);
    Demand(size >= 1 && size <= 100, "a number in its range");
    for (const auto number : options.GetWholes("sizes", 1, 100))
    {
        Demand(number >= 1 && number <= 100, "numbers in their range");
    }
    Demand(options.GetBytes("bytes", 1, 100'000) <= 100'000, "bytes in their range");
    Demand(options.GetTimeAboveZero("time").IsStrictlyPositive(), "a time above 0");
    for (const auto load : options.GetRatios("loads"))
    {
        Demand(load > 0 && load <= 1, "ratios in their range");
    }
    Demand(options.GetWord("word", {"one", "two"}).size() == 3, "a word of the list");
}

} // namespace

std::map<std::string, FuzzTarget>
GetTextTargets()
{
    return {{"time", ReadTime},
            {"attribute", ReadAttribute},
            {"collective", ReadCollective},
            {"length", ReadLength},
            {"topology", ReadTopology},
            {"options", ReadOptions}};
}

} // namespace ns3
