/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-options.h"

#include "byte-size.h"

#include "ns3/attribute-text.h"
#include "ns3/exact-time.h"
#include "ns3/file-name.h"
#include "ns3/global-value.h"
#include "ns3/plain-number.h"
#include "ns3/scheduler.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <unistd.h>

namespace ns3
{

namespace
{

/// @return words with commas @param words the words
std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/// @return what is accepted @param least least number @param greatest greatest number
std::string
Range(uint32_t least, uint32_t greatest)
{
    return std::to_string(least) + " to " + std::to_string(greatest);
}

/// @return whether a text is a number from least to greatest @param text the text
/// @param least least number @param greatest greatest number @param number gets the number
bool
ReadWhole(const std::string& text, uint32_t least, uint32_t greatest, uint32_t& number)
{
    const auto last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc() && end == last && number >= least && number <= greatest;
}

/// @return whether ns-3 has a global value @param name its name
bool
IsGlobalValue(const std::string& name)
{
    return std::any_of(GlobalValue::Begin(), GlobalValue::End(), [&](const GlobalValue* value) {
        return value->GetName() == name;
    });
}

} // namespace

ProgramOptions::ProgramOptions(const std::string& sourceFile, const std::string& usage)
    : m_commandLine(sourceFile)
{
    m_commandLine.Usage(usage);
}

void
ProgramOptions::Add(const std::string& name,
                    const std::string& placeholder,
                    const std::string& help,
                    const std::string& defaultValue)
{
    auto& option = m_options[name];
    option.placeholder = placeholder;
    option.value = defaultValue;
    m_commandLine.AddValue(name, help, option.value);
}

void
ProgramOptions::AddSwitch(const std::string& name, const std::string& help)
{
    m_commandLine.AddValue(name, help, m_options[name].toggled);
}

void
ProgramOptions::Parse(int argc, char* argv[])
{
    std::vector<std::string> arguments(argv, argv + argc);
    std::replace(arguments.begin(), arguments.end(), std::string("-h"), std::string("--help"));
    std::for_each(arguments.begin() + 1, arguments.end(), [this](const auto& a) { Check(a); });
    std::map<std::string, std::string> whole;
    for (const auto& entry : m_options)
    {
        whole[entry.first] = entry.second.value;
    }
    m_commandLine.Parse(arguments);
    for (auto& entry : m_options)
    {
        // CommandLine ends a value at its first blank.
        entry.second.value = whole[entry.first];
    }
}

void
ProgramOptions::Check(const std::string& argument)
{
    auto shown = argument;
    std::replace_if(
        shown.begin(),
        shown.end(),
        [](unsigned char c) { return std::iscntrl(c); },
        '?');
    if (shown != argument)
    {
        throw WormholeError("'" + shown +
                            "' has control characters (?); accepted are printable ones");
    }
    const auto begin = std::min<std::size_t>(argument.find_first_not_of('-'), 2);
    if (begin == 0 || begin >= argument.size())
    {
        throw WormholeError("'" + argument +
                            "' is no option; options are given as --name=value, see --help");
    }
    const auto equals = argument.find('=');
    const auto name = argument.substr(begin, equals - begin);
    const auto value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "PrintAttributes")
    {
        CheckPrinted(value);
    }
    if (name == "help" || name.rfind("Print", 0) == 0)
    {
        return;
    }
    if (name == "SchedulerType" &&
        m_options.count("scheduler") + m_options.count("schedulers") == 0)
    {
        CheckScheduler(value);
        return; // ns-3's CommandLine sets it
    }
    if (name.find("::") != std::string::npos)
    {
        CheckAttribute(name, value);
        return;
    }
    const auto found = m_options.find(name);
    if (found == m_options.end())
    {
        std::vector<std::string> known;
        for (const auto& entry : m_options)
        {
            known.push_back("--" + entry.first);
        }
        if (IsGlobalValue(name) && name != "SchedulerType")
        {
            throw WormholeError("there is no option --" + name +
                                "; ns-3's global values are accepted in the environment, as "
                                "NS_GLOBAL_VALUE=" +
                                name + "=" + value);
        }
        throw WormholeError("there is no option --" + name + "; there are " + Join(known) +
                            ", --help, and attributes as --ns3::Class::Attribute=value");
    }
    auto& option = found->second;
    if (option.on)
    {
        throw WormholeError("--" + name + " is given twice, lastly as '" + value +
                            "'; accepted is one");
    }
    option.on = true;
    const bool blank = value.find_first_not_of(" \t\r\n") == std::string::npos;
    if (option.placeholder.empty() ? !value.empty() : blank)
    {
        throw WormholeError(
            option.placeholder.empty()
                ? "--" + name + "=" + value + ": accepted is --" + name + " without a value"
                : "--" + name + " has no value; accepted is --" + name + "=" + option.placeholder);
    }
    if (!value.empty())
    {
        option.value = value;
    }
}

void
ProgramOptions::CheckPrinted(const std::string& value)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(value, &type) &&
        !TypeId::LookupByNameFailSafe("ns3::" + value, &type))
    {
        throw WormholeError("--PrintAttributes=" + value +
                            ": there is no such type; see --PrintTypeIds");
    }
}

void
ProgramOptions::CheckScheduler(const std::string& value)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(value, &type) || !type.IsChildOf(Scheduler::GetTypeId()))
    {
        throw WormholeError("--SchedulerType=" + value +
                            ": accepted are schedulers such as ns3::WormholeScheduler");
    }
}

void
ProgramOptions::CheckAttribute(const std::string& name, const std::string& value)
{
    m_attributes.insert(name);
    try
    {
        CheckAttributeText(name, value);
    }
    catch (const WormholeError& error)
    {
        throw WormholeError("--" + std::string(error.what()));
    }
}

bool
ProgramOptions::Has(const std::string& name) const
{
    return m_options.at(name).on;
}

const std::string&
ProgramOptions::Get(const std::string& name) const
{
    return m_options.at(name).value;
}

void
ProgramOptions::Refuse(const std::string& name, const std::string& trouble) const
{
    const bool isSwitch = m_options.at(name).placeholder.empty();
    throw WormholeError("--" + name + (isSwitch ? "" : "=" + Get(name)) + ": " + trouble);
}

void
ProgramOptions::Check(const std::string& name, const std::function<void()>& action) const
{
    try
    {
        action();
    }
    catch (const WormholeError& error)
    {
        Refuse(name, error.what());
    }
}

void
ProgramOptions::RefuseTogether(const std::string& name,
                               const std::vector<std::string>& others) const
{
    for (const auto& other : others)
    {
        if (Has(name) && Has(other))
        {
            Refuse(other, "has no effect with --" + name + "; accepted is one of the two");
        }
    }
}

void
ProgramOptions::RefuseSameFile(const std::vector<std::string>& names) const
{
    std::map<std::string, std::string> options; // by file
    for (const auto& name : names)
    {
        if (!Has(name))
        {
            continue;
        }
        std::error_code error;
        const auto path = std::filesystem::absolute(Get(name), error);
        const auto file = std::filesystem::weakly_canonical(path, error);
        const auto status = std::filesystem::status(file, error);
        if (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status))
        {
            const auto [place, isNew] = options.emplace(file.string(), name);
            if (!isNew)
            {
                Refuse(name, "is the file of --" + place->second + "; accepted is another one");
            }
        }
    }
}

void
ProgramOptions::RefuseAttribute(const std::string& attribute, const std::string& option) const
{
    if (m_attributes.count(attribute) > 0)
    {
        throw WormholeError(
            "--" + attribute + " has no effect; " +
            (option.empty() ? "the program sets it by itself"
                            : "accepted is --" + option + "=" + m_options.at(option).placeholder));
    }
}

const std::vector<std::string>&
ProgramOptions::GetSchedulerNames()
{
    static const std::vector<std::string> names{"Wormhole",
                                                "PriorityQueue",
                                                "Map",
                                                "Heap",
                                                "Calendar"};
    return names;
}

void
ProgramOptions::UseScheduler(const std::string& name)
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::" + name + "Scheduler"));
}

void
ProgramOptions::MakeFolder(const std::string& name) const
{
    Check(name, [&] { FileName::CheckName(Get(name)); });
    std::error_code error;
    std::filesystem::create_directories(Get(name), error);
    if (error)
    {
        Refuse(name, error.message() + "; accepted is a folder that can be made");
    }
    if (access(Get(name).c_str(), W_OK) != 0)
    {
        Refuse(name, std::string(std::strerror(errno)) + "; accepted is a folder to write to");
    }
}

std::vector<std::string>
ProgramOptions::Split(const std::string& name) const
{
    std::vector<std::string> entries;
    const auto& value = Get(name);
    if (value.empty())
    {
        return entries;
    }
    entries.emplace_back();
    int depth = 0; // of brackets, which may hold commas of their own
    for (const char letter : value)
    {
        depth += (letter == '[') - (letter == ']');
        if (letter == ',' && depth <= 0)
        {
            entries.emplace_back();
        }
        else
        {
            entries.back() += letter;
        }
    }
    if (std::any_of(entries.begin(), entries.end(), [](const auto& one) { return one.empty(); }))
    {
        Refuse(name, "an entry is empty; accepted is a list with commas, without spaces");
    }
    return entries;
}

std::string
ProgramOptions::GetWord(const std::string& name, const std::vector<std::string>& words) const
{
    if (std::find(words.begin(), words.end(), Get(name)) == words.end())
    {
        Refuse(name, "accepted are " + Join(words));
    }
    return Get(name);
}

std::vector<std::string>
ProgramOptions::GetWords(const std::string& name, const std::vector<std::string>& words) const
{
    const auto entries = Split(name);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    {
        if (!words.empty() && std::find(words.begin(), words.end(), *entry) == words.end())
        {
            Refuse(name, "there is no '" + *entry + "'; accepted are " + Join(words));
        }
        if (std::find(entries.begin(), entry, *entry) != entry)
        {
            Refuse(name, "'" + *entry + "' is there twice; accepted is each once");
        }
    }
    return entries;
}

uint32_t
ProgramOptions::GetWhole(const std::string& name, uint32_t least, uint32_t greatest) const
{
    uint32_t number = 0;
    if (!ReadWhole(Get(name), least, greatest, number))
    {
        Refuse(name, "accepted is a whole number from " + Range(least, greatest));
    }
    return number;
}

std::vector<uint32_t>
ProgramOptions::GetWholes(const std::string& name, uint32_t least, uint32_t greatest) const
{
    std::vector<uint32_t> numbers;
    for (const auto& entry : Split(name))
    {
        numbers.emplace_back();
        if (!ReadWhole(entry, least, greatest, numbers.back()))
        {
            Refuse(name,
                   "'" + entry + "' is not accepted; accepted are whole numbers from " +
                       Range(least, greatest) + ", with commas");
        }
    }
    return numbers;
}

uint32_t
ProgramOptions::GetBytes(const std::string& name, uint32_t least, uint32_t greatest) const
{
    uint32_t bytes = 0;
    Check(name, [&] { bytes = ParseByteSize(Get(name), least, greatest); });
    return bytes;
}

std::vector<uint32_t>
ProgramOptions::GetByteSizes(const std::string& name, uint32_t least, uint32_t greatest) const
{
    std::vector<uint32_t> sizes;
    for (const auto& entry : Split(name))
    {
        Check(name, [&] { sizes.push_back(ParseByteSize(entry, least, greatest)); });
        if (std::count(sizes.begin(), sizes.end(), sizes.back()) > 1)
        {
            Refuse(name,
                   "'" + entry + "' is " + std::to_string(sizes.back()) +
                       " bytes, which is there twice; accepted is each once");
        }
    }
    return sizes;
}

std::vector<double>
ProgramOptions::GetRatios(const std::string& name, uint32_t greatest) const
{
    std::vector<double> ratios;
    for (const auto& entry : Split(name))
    {
        ratios.push_back(ParsePlainNumber(entry));
        if (!(ratios.back() > 0 && ratios.back() <= greatest))
        {
            Refuse(name,
                   "'" + entry + "' is not accepted; accepted are numbers above 0, up to " +
                       std::to_string(greatest) + ", with commas");
        }
    }
    return ratios;
}

Time
ProgramOptions::GetTime(const std::string& name) const
{
    return ReadTime(name, Get(name));
}

std::vector<Time>
ProgramOptions::GetTimes(const std::string& name) const
{
    std::vector<Time> times;
    for (const auto& entry : Split(name))
    {
        times.push_back(ReadTime(name, entry));
    }
    return times;
}

Time
ProgramOptions::ReadTime(const std::string& name, const std::string& text) const
{
    try
    {
        return ExactTime::Parse(text);
    }
    catch (const WormholeError& error)
    {
        Refuse(name, error.what());
    }
}

Time
ProgramOptions::GetTimeAboveZero(const std::string& name) const
{
    const auto time = GetTime(name);
    if (time.IsZero())
    {
        Refuse(name, "'" + Get(name) + "' is not accepted; accepted is a time above 0");
    }
    return time;
}

} // namespace ns3
