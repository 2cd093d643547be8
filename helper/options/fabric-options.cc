/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-options.h"

#include "ns3/fabric-file.h"

#include <algorithm>
#include <filesystem>
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

} // namespace

void
FabricOptions::Add(ProgramOptions& options,
                   const std::string& without,
                   const std::string& defaultText)
{
    options.Add("fabric",
                "cluster.json",
                "The fabric, a file (its format: doc/wormhole.rst); without it " + without);
    options.Add("topology",
                "torus:8x8,hosts=2",
                "The fabric, a short text as in doc/regular-topologies.rst; without it " + without,
                defaultText);
}

bool
FabricOptions::Has(const ProgramOptions& options)
{
    return options.Has("fabric") || options.Has("topology");
}

std::string
FabricOptions::GetName(const ProgramOptions& options)
{
    return options.Has("fabric") ? "fabric" : "topology";
}

std::string
FabricOptions::GetText(const ProgramOptions& options)
{
    return options.Has("fabric") ? "file:" + options.Get("fabric") : options.Get("topology");
}

std::shared_ptr<const WormholeTopology>
FabricOptions::Read(const ProgramOptions& options)
{
    options.RefuseTogether("fabric", {"topology"});
    const auto text = GetText(options);
    if (text.empty())
    {
        return nullptr;
    }
    const auto name = GetName(options);
    const auto& value = options.Get(name);
    std::error_code error;
    const bool isFile = std::filesystem::is_regular_file(value, error);
    if (name == "fabric" && !isFile && NamesFamily(value))
    {
        options.Refuse(name, "is no file; accepted is a file of a fabric, or --topology=" + value);
    }
    if (name == "topology" && isFile && value.find(".json") == std::string::npos)
    {
        options.Refuse(name,
                       "is a file; accepted is a text such as torus:8x8,hosts=2, or --fabric=" +
                           value);
    }
    std::shared_ptr<const WormholeTopology> topology;
    options.Check(name, [&] {
        if (name == "topology")
        {
            topology = std::make_shared<const WormholeTopology>(MakeTopology(text));
            return;
        }
        topology = std::make_shared<const WormholeTopology>(
            MakeTopology(ReadFabricFile(value), "file")); // whatever characters its name has
    });
    return topology;
}

} // namespace ns3
