// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-program-options.h"

#include "ns3/file-name.h"
#include "ns3/global-value.h"
#include "ns3/ordering.h"
#include "ns3/printable-text.h"
#include "ns3/recovery-way.h"
#include "ns3/scheduler.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-machine-file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t COLUMNS = 80; ///< width of a terminal, characters

/// Breaks lines at blanks. A line that goes on is indented as its beginning is; below the text
/// of its second column if it has two, which two blanks part; and below nothing else if it is a
/// command, which two blanks precede.
/// @return lines of at most COLUMNS, except for words that are longer; each ends with a newline
std::string
Wrap(const std::string& text, std::size_t indent = 0)
{
    constexpr std::size_t COMMAND = 10; // blanks before what goes on with a command
    std::string wrapped;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const auto own = std::min(line.find_first_not_of(' '), line.size());
        std::string margin(indent + own, ' ');
        line.erase(0, own);
        const auto gap = line.find("  ");
        const auto column = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
        const auto further = column != std::string::npos ? column : own == 2 ? COMMAND : 0;
        while (margin.size() + line.size() > COLUMNS)
        {
            auto end = line.rfind(' ', COLUMNS - margin.size());
            if (end == std::string::npos)
            {
                end = line.find(' '); // a long word has a line of its own
            }
            if (end == std::string::npos)
            {
                break;
            }
            wrapped += margin + line.substr(0, end) + "\n";
            line.erase(0, line.find_first_not_of(' ', end));
            margin.resize(indent + own + further, ' ');
        }
        wrapped += (line.empty() ? "" : margin) + line + "\n";
    }
    return wrapped;
}

/// @return both, the text in a column of its own
std::string
FormatOption(const std::string& head, const std::string& text)
{
    constexpr std::size_t TEXT_COLUMN = 26;
    const auto body = Wrap(text, TEXT_COLUMN);
    const auto begin = "  " + head;
    return begin.size() + 2 > TEXT_COLUMN ? begin + "\n" + body : begin + body.substr(begin.size());
}

/// @return the full name of what --PrintAttributes names @param value the name of a type, with
/// or without ns3::
std::string
FindType(const std::string& value)
{
    TypeId type;
    WormholeError::ThrowIf(!TypeId::LookupByNameFailSafe(value, &type) &&
                               !TypeId::LookupByNameFailSafe("ns3::" + value, &type),
                           "--PrintAttributes=" + value +
                               ": there is no such type; see --PrintTypeIds");
    return type.GetName();
}

/// Loads a library, whose types are registered then. @param path its file
void
LoadPlugin(const std::string& path)
{
    WormholeError::ThrowIf(path.empty(), "--plugin=: expected the file of a shared library");
    // A name without a folder would be looked for where the system has its libraries.
    if (!dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_GLOBAL))
    {
        throw WormholeError("--plugin=" + path + ": " + dlerror() +
                            "; expected a shared library that is compiled with what 'ns3-wormhole "
                            "cxxflags' prints");
    }
}

void
CheckGroup(const std::string& value)
{
    const auto isOfGroup = [&](uint32_t i) {
        return TypeId::GetRegistered(i).GetGroupName() == value;
    };
    WormholeError::ThrowIf(value.empty() ||
                               NoneOf(NumbersBelow(TypeId::GetRegisteredN()), isOfGroup),
                           "--PrintGroup=" + value + ": there is no such group; see --PrintGroups");
}

void
CheckScheduler(const std::string& value)
{
    TypeId type;
    WormholeError::ThrowIf(
        !TypeId::LookupByNameFailSafe(value, &type) || !type.IsChildOf(Scheduler::GetTypeId()),
        "--SchedulerType=" + value + ": expected schedulers such as ns3::WormholeScheduler");
}

} // namespace

ProgramOptions::ProgramOptions(const std::string& sourceFile, const std::string& usage)
    : m_commandLine(sourceFile),
      m_name(std::filesystem::path(sourceFile).stem().string()),
      m_usage(usage)
{
    m_commandLine.Usage(usage);
    Declare("machine", "FILE");
}

void
ProgramOptions::Add(const std::string& name,
                    const std::string& placeholder,
                    const std::string& help,
                    const std::string& defaultValue)
{
    Declare(name, placeholder, defaultValue);
    m_help += FormatOption("--" + name + "=" + placeholder,
                           help + (defaultValue.empty() ? "" : " [" + defaultValue + "]"));
}

void
ProgramOptions::Add(const StudyParameter& parameter)
{
    if (parameter.kind == StudyParameter::SWITCH)
    {
        AddSwitch(parameter.name, parameter.GetHelp());
    }
    else
    {
        Add(parameter.name, parameter.placeholder, parameter.GetHelp(), parameter.defaultValue);
    }
    if (!parameter.alias.empty())
    {
        AddAlias(parameter.name, parameter.alias);
    }
}

void
ProgramOptions::AddSwitch(const std::string& name, const std::string& help)
{
    Declare(name, "");
    m_help += FormatOption("--" + name, help);
}

std::string
ProgramOptions::GetHelp() const
{
    auto help =
        Wrap(m_usage) + "\nOptions (in any spelling, such as --fromCsv, --from-csv):\n" + m_help;
    const std::vector<std::pair<std::string, std::string>> others{
        {"--machine=FILE",
         "Defaults of attributes: a TOML file, or the name of a machine, such as edr-infiniband; "
         "'ns3-wormhole machine' lists these names and shows the values in effect"},
        {"--attribute=NAME=VALUE",
         "An attribute's default, as Class::Attribute=value; may be given more than once"},
        {"--ns3::Class::Attribute=value", "The same, in ns-3's form"},
        {"--outage='PART at TIME [for TIME]'",
         "An outage of a part of the fabric, such as 's1:3-s2:4 at 1ms for 500us'; may be given "
         "more than once, see WormholeFabric::OutageSchedule"},
        {"--recovery=WAY",
         "How routes change in outages: " + WordList::WithCommas(RecoveryWay::GetNames()) +
             "; default: no change, as with none"},
        {"--plugin=FILE",
         "A shared library of your own, compiled with what 'ns3-wormhole cxxflags' prints, whose "
         "algorithms and routing engines become available by name; may be given more than once"},
        {"--PrintAttributes=TYPE", "Prints the attributes of a type, such as WormholePort"},
        {"--PrintTypeIds, --PrintGroups, --PrintGroup=GROUP", "Print types and their groups"},
        {"--PrintGlobals, --PrintVersion", "Print ns-3's global values, and its version"},
        {"--help", "Prints this help"}};
    for (const auto& [head, text] : others)
    {
        help += FormatOption(head, text);
    }
    return help;
}

void
ProgramOptions::Parse(int argc, char* argv[])
{
    const std::string plugin = "plugin=";
    std::vector<std::string> given;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const auto name = argument.find_first_not_of('-');
        if ((name == 1 || name == 2) && argument.compare(name, plugin.size(), plugin) == 0)
        {
            LoadPlugin(argument.substr(name + plugin.size())); // first: others may name its types
        }
        else
        {
            given.push_back(argument);
        }
    }
    std::vector<std::string> left{argc > 0 ? argv[0] : ""};
    for (const auto& argument : given)
    {
        if (argument == "-h" || argument == "--help" || argument == "--PrintHelp")
        {
            std::cout << m_name << " [OPTIONS]\n\n" << GetHelp() << std::flush;
            std::exit(0);
        }
        const auto rest = Take(argument);
        if (!rest.empty())
        {
            left.push_back(rest);
        }
    }
    if (Has("machine"))
    {
        Check("machine", [this] {
            const auto machine = MachineFile::Read(Get("machine"));
            machine.SetDefaults();
            for (const auto& entry : machine.GetEntries())
            {
                RecordMachineDefault(entry.attribute, entry.value, machine.GetLocation(entry));
            }
        });
    }
    if (!m_outages.empty())
    {
        const std::string schedule = "ns3::WormholeFabric::OutageSchedule";
        CheckAttribute("outage=", schedule, m_outages);
        left.push_back("--" + schedule + "=" + m_outages);
    }
    m_commandLine.Parse(left); // sets attributes, after the machine
}

std::string
ProgramOptions::Take(const std::string& argument)
{
    WormholeError::ThrowIf(!PrintableText::IsPrintable(argument),
                           "'" + PrintableText::Replace(argument, "?") +
                               "' has control characters or others that are not printable (?); "
                               "expected " +
                               PrintableText::ACCEPTED);
    const auto begin = std::min<std::size_t>(argument.find_first_not_of('-'), 2);
    WormholeError::ThrowIf(begin == 0 || begin >= argument.size(),
                           "'" + argument +
                               "' is no option; options are given as --name=value, see --help");
    const auto equals = argument.find('=');
    const auto name = argument.substr(begin, equals - begin);
    const auto value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "PrintAttributes")
    {
        return "--PrintAttributes=" + FindType(value);
    }
    if (name == "PrintGroup")
    {
        CheckGroup(value);
        return argument;
    }
    if (name == "PrintTypeIds" || name == "PrintGroups" || name == "PrintGlobals" ||
        name == "PrintVersion")
    {
        WormholeError::ThrowIf(equals != std::string::npos,
                               "--" + name + "=" + value + ": expected --" + name +
                                   " without a value");
        return "--" + name;
    }
    if (name == "SchedulerType" && Find("scheduler").empty() && Find("schedulers").empty())
    {
        CheckScheduler(value);
        return argument; // ns-3's CommandLine sets it
    }
    if (name == "outage")
    {
        m_outages += (m_outages.empty() ? "" : "; ") + value;
        return "";
    }
    if (name == "recovery")
    {
        RecoveryWay::Make(value);
        return "--ns3::RouteRecovery::Way=" + value;
    }
    if (name == "attribute")
    {
        const auto end = value.find('=');
        WormholeError::ThrowIf(end == std::string::npos || end == 0,
                               "--attribute=" + value +
                                   ": expected an attribute, as "
                                   "--attribute=WormholePort::BufferDepth=56");
        const auto inside = value.substr(0, 5) == "ns3::";
        const auto attribute = (inside ? "" : "ns3::") + value.substr(0, end);
        CheckAttribute("attribute=", attribute, value.substr(end + 1));
        return "--" + attribute + value.substr(end);
    }
    if (name.find("::") != std::string::npos)
    {
        CheckAttribute("", name, value);
        return argument;
    }
    if (Find(name).empty())
    {
        RefuseArgument(name, value);
    }
    Set(name, value);
    return "";
}

void
ProgramOptions::RefuseArgument(const std::string& name, const std::string& value) const
{
    const auto isGlobal =
        std::any_of(GlobalValue::Begin(), GlobalValue::End(), [&](const GlobalValue* each) {
            return each->GetName() == name;
        });
    WormholeError::ThrowIf(isGlobal && name != "SchedulerType",
                           "there is no option --" + name +
                               "; ns-3's global values are accepted in the environment, as "
                               "NS_GLOBAL_VALUE=" +
                               name + "=" + value);
    RefuseUnknown(name,
                  ", --help, and attributes as --ns3::Class::Attribute=value or "
                  "--attribute=Class::Attribute=value");
}

void
ProgramOptions::CheckAttribute(const std::string& option,
                               const std::string& name,
                               const std::string& value)
{
    NoteAttribute(name);
    try
    {
        CheckAttributeText(name, value);
    }
    catch (const WormholeError& error)
    {
        throw WormholeError("--" + option + error.what());
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
    Check(name, [&] { FileName::CheckFolder(Get(name)); });
    std::error_code error;
    std::filesystem::create_directories(Get(name), error);
    RefuseIf(bool(error), name, error.message() + "; expected a folder that can be made");
    if (access(Get(name).c_str(), W_OK) != 0)
    {
        Refuse(name, std::string(std::strerror(errno)) + "; expected a folder to write to");
    }
}

void
ProgramOptions::CheckFile(const std::string& name, const std::string& rest) const
{
    Check(name, [&] { AtomicFile(Get(name) + rest); });
}

ProgressLine::ProgressLine()
    : m_isTerminal(isatty(STDERR_FILENO))
{
    const auto show = [this](const std::string& what, uint64_t done, uint64_t all) {
        const auto total = all > 0 ? " of " + std::to_string(all) : "";
        const bool isOver = done == all;
        Show(isOver ? "" : "routes: " + std::to_string(done) + total + " " + what,
             isOver ? "\r" : "");
        return true;
    };
    m_before = RoutingProgress::SetListener(m_isTerminal ? ProgressListener(show) : nullptr);
}

ProgressLine::~ProgressLine()
{
    RoutingProgress::SetListener(std::move(m_before));
    if (m_width > 0)
    {
        std::fputc('\n', stderr); // a message follows
    }
}

ProgressListener
ProgressLine::GetListener(const std::string& program, bool isAsked)
{
    if (!isAsked && !m_isTerminal)
    {
        return {};
    }
    using Clock = std::chrono::steady_clock;
    return [this, program, start = Clock::now()](const std::string& what,
                                                 uint64_t done,
                                                 uint64_t all) {
        std::ostringstream text;
        text << program << ": ";
        if (all > 0)
        {
            const std::chrono::duration<double> spent = Clock::now() - start;
            text << done << " of " << all << " " << what << ", " << std::fixed
                 << std::setprecision(0) << spent.count() / done * (all - done) << " s left";
        }
        else
        {
            text << what;
        }
        Show(text.str(), m_isTerminal && done < all ? "" : "\n");
        return true;
    };
}

void
ProgressLine::Show(const std::string& text, const std::string& end)
{
    const std::string rest(m_width - std::min(m_width, text.size()), ' ');
    std::fputs(((m_isTerminal ? "\r" : "") + text + rest + end).c_str(), stderr);
    m_width = end.empty() ? text.size() : 0;
}

} // namespace ns3
