// SPDX-License-Identifier: GPL-2.0-only

#include "file-name.h"

#include "ns3/system-path.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace ns3
{

void
FileName::CheckName(const std::string& path)
{
    WormholeError::ThrowIf(path == "-" || path.find_first_not_of(" \t\r\n") == std::string::npos,
                           "'" + path + "' is no file name: expected the name of a file");
}

void
FileName::CheckOutput(const std::string& path)
{
    CheckName(path);
    std::error_code error;
    WormholeError::ThrowIf(std::filesystem::is_directory(path, error),
                           path + ": is a folder: expected the name of a file");
}

void
FileName::CheckFolder(const std::string& path)
{
    static const std::string ENDINGS =
        " .pdf .png .svg .eps .ps .jpg .gif .plt .gp .dat .csv .json "
        ".xml .txt .gz .tex .html .toml .parquet ";
    CheckName(path);
    const auto name = path.substr(0, path.find_last_not_of('/') + 1);
    auto ending = std::filesystem::path(name).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char letter) {
        return std::tolower(letter);
    });
    std::error_code error;
    WormholeError::ThrowIf(!ending.empty() &&
                               ENDINGS.find(' ' + ending + ' ') != std::string::npos &&
                               !std::filesystem::is_directory(path, error),
                           "'" + path +
                               "' ends as the name of a file: expected the name of a folder"
                               ", as plots");
}

std::string
FileName::Read(const std::string& path)
{
    CheckOutput(path); // no folder either
    std::error_code error;
    WormholeError::ThrowIf(std::filesystem::exists(path, error) &&
                               !std::filesystem::is_regular_file(path, error),
                           path + ": is a device or a pipe, which may have no end: expected the "
                                  "name of a file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    WormholeError::ThrowIf(!file.is_open() || errno != 0,
                           path + ": " + (errno ? std::strerror(errno) : "can't be opened") +
                               ": expected a file that can be read");
    return text.str();
}

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
    WormholeError::ThrowIf(path.empty(), "no data/" + name + " is near; expected a file");
    return path;
}

} // namespace ns3
