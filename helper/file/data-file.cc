/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-file.h"

#include "ns3/system-path.h"
#include "ns3/wormhole-error.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace ns3
{

std::string
DataFile::FindIfAny(const std::string& name, const std::string& folder)
{
    std::vector<std::filesystem::path> places;
    if (!folder.empty())
    {
        places.emplace_back(std::filesystem::path(folder) / name);
    }
    if (const auto given = std::getenv("WORMHOLE_DATA")) // as the installed command sets it
    {
        places.emplace_back(std::filesystem::path(given) / name);
    }
    // Beside this file, where the compiler was told its whole path, or above the program.
    places.emplace_back(std::filesystem::path(__FILE__).parent_path() / ".." / ".." / "data" /
                        name);
    for (std::filesystem::path above(SystemPath::FindSelfDirectory()); above.has_relative_path();
         above = above.parent_path())
    {
        places.emplace_back(above / "data" / name);
        places.emplace_back(above / "contrib" / "wormhole" / "data" / name);
    }
    for (const auto& path : places)
    {
        std::error_code error; // such as a name that is too long
        if (std::filesystem::exists(path, error))
        {
            return path.lexically_normal().string();
        }
    }
    return "";
}

std::string
DataFile::Find(const std::string& name, const std::string& folder)
{
    const auto path = FindIfAny(name, folder);
    if (path.empty())
    {
        throw WormholeError("no data/" + name + " is near; accepted is a file");
    }
    return path;
}

} // namespace ns3
