// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-options.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

namespace ns3
{

namespace
{

/// @return whether a text begins with the name of a family of topologies @param text the text
bool
NamesFamily(const std::string& text)
{
    const auto examples = GetTopologyExamples();
    return std::any_of(examples.begin(), examples.end(), [&](const auto& example) {
        const auto family = example.substr(0, example.find(':') + 1);
        return text.compare(0, family.size(), family) == 0;
    });
}

std::shared_ptr<const WormholeTopology>
ReadAny(const OptionValues& options)
{
    options.RefuseTogether("fabric", {"topology"});
    Ptr<RoutingEngine> engine;
    if (options.Has("routing") && !options.Get("routing").empty())
    {
        options.Check("routing", [&] { engine = RoutingEngine::Make(options.Get("routing")); });
    }
    std::shared_ptr<const WormholeTopology> topology;
    const auto keep = [&](WormholeTopology made) {
        topology = std::make_shared<const WormholeTopology>(std::move(made));
    };
    if (const auto given = options.GetTopology())
    {
        topology = given;
        if (engine)
        {
            keep(MakeTopology(given->graph, given->family, engine));
        }
        return topology;
    }
    const auto text = FabricOptions::GetText(options);
    if (text.empty())
    {
        if (engine)
        {
            options.Refuse("routing",
                           "has no effect without a fabric; use it with " +
                               options.Show("topology", "torus:8x8"));
        }
        return nullptr;
    }
    const auto name = FabricOptions::GetName(options);
    const auto& value = options.Get(name);
    std::error_code error;
    const bool isFile = std::filesystem::is_regular_file(value, error);
    options.RefuseIf(name == "fabric" && !isFile && NamesFamily(value),
                     name,
                     "is no file; expected a file of a fabric, or " +
                         options.Show("topology", value));
    options.RefuseIf(name == "topology" && isFile && value.find(".json") == std::string::npos,
                     name,
                     "is a file; expected a text such as torus:8x8,hosts=2, or " +
                         options.Show("fabric", value));
    options.Check(name, [&] {
        // A file, whatever characters its name has.
        keep(name == "topology" ? MakeTopology(text, engine)
                                : MakeTopology(ReadFabricFile(value), "file", engine));
    });
    return topology;
}

} // namespace

std::vector<StudyParameter>
FabricOptions::GetParameters(const std::string& without, const std::string& defaultText)
{
    const auto theDefault = defaultText.empty() ? "" : " (" + defaultText + ")";
    return {"fabric=cluster.json [fabric]: File of the fabric (format: doc/user/fabric-files.rst)",
            "topology=torus:8x8,hosts=2" + theDefault +
                " [raw]: The fabric as a short text (see doc/user/regular-topologies.rst)" +
                (without == defaultText ? "" : "; default: " + without),
            "routing=balanced [raw]: Routing engine for that fabric (see "
            "doc/user/routing-engines.rst); default: the fabric's own routes"};
}

StudyParameter
FabricOptions::GetPlacement(const std::string& law,
                            const std::string& besides,
                            const std::string& alias)
{
    return "placement=random (" + law + ") [list" + (alias.empty() ? "" : " alias " + alias) +
           "]: Where members are: first (the fabric's first hosts), random (random hosts, ranks in "
           "the order of hosts), shuffled (random hosts in random order), best (hosts near each "
           "other; good if nearby ranks communicate), hosts by rank (h0,h5), or a file of hosts" +
           besides;
}

std::vector<StudyParameter>
FabricOptions::GetDelays()
{
    return {"linkDelay=20ns (20ns) [time above 0 raw]: Propagation delay of a cable, t_p",
            "switchDelay=300ns (300ns) [time raw]: Delay of a switch and of an interface, t_r"};
}

void
FabricOptions::Add(ProgramOptions& options,
                   const std::string& without,
                   const std::string& defaultText)
{
    for (const auto& parameter : GetParameters(without, defaultText))
    {
        options.Add(parameter.name, parameter.placeholder, parameter.help, parameter.defaultValue);
    }
}

std::string
FabricOptions::GetText(const OptionValues& options)
{
    return options.Has("fabric") ? (options.GetTopology() ? "" : "file:") + options.Get("fabric")
                                 : options.Get("topology");
}

std::shared_ptr<const WormholeTopology>
FabricOptions::Read(const OptionValues& options)
{
    const auto topology = ReadAny(options);
    const auto taken = topology && topology->router ? topology->router->GetNLanes() : 1;
    const auto asked = topology ? topology->graph.GetProperties().lanes.lanes.value_or(1) : 1;
    if (const auto lanes = std::max<uint32_t>(asked, taken); lanes > 1)
    {
        std::cerr << "wormhole: the routes, " << topology->routing << ", take " << taken
                  << " of the " << lanes << " lanes of each channel" << std::endl;
    }
    return topology;
}

} // namespace ns3
