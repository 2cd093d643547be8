// SPDX-License-Identifier: GPL-2.0-only

// libFuzzer's entry: wormhole-fuzz --target=NAME [its own options] [corpus]. See tools/fuzz.py.

#include "fuzz-target.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace ns3
{

void
Demand(bool holds, const std::string& what)
{
    if (!holds)
    {
        std::cerr << "accepted, but wrong: " << what << std::endl;
        std::abort();
    }
}

std::string
AsFile(const std::string& text)
{
    static const auto path = "/dev/shm/wormhole-fuzz." + std::to_string(getpid());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path;
}

} // namespace ns3

namespace
{

ns3::FuzzTarget g_target; //!< what the inputs are given to
bool g_isText{false};     //!< whether it reads short texts

} // namespace

/// Takes the target's name out of the command line.
extern "C" int
LLVMFuzzerInitialize(int* argc, char*** argv)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    auto targets = ns3::GetFileTargets();
    targets.merge(ns3::GetTextTargets());
    targets.merge(ns3::GetWormTargets());
    const std::string option = "--target=";
    for (int i = 1; i < *argc; ++i)
    {
        const std::string argument = (*argv)[i];
        if (argument == "--list")
        {
            for (const auto& [name, target] : targets)
            {
                std::cout << name << '\n';
            }
            std::exit(0);
        }
        if (argument.compare(0, option.size(), option) == 0)
        {
            const auto found = targets.find(argument.substr(option.size()));
            g_isText = ns3::GetTextTargets().count(argument.substr(option.size())) > 0;
            g_target = found == targets.end() ? nullptr : found->second;
        }
    }
    if (!g_target)
    {
        std::cerr << "wormhole-fuzz: expected --list, or --target= with a name of that list\n";
        std::exit(1);
    }
    return 0;
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try
    {
        g_target(std::string(reinterpret_cast<const char*>(data), size));
    }
    catch (const ns3::WormholeError& error)
    {
        const std::string message = error.what();
        // A text is shown as it was given; programs refuse such ones before.
        const bool lines = g_isText && std::memchr(data, '\n', size);
        ns3::Demand(!message.empty() && (lines || message.find('\n') == std::string::npos),
                    "a message of one line: " + message);
    }
    return 0;
}
