// SPDX-License-Identifier: GPL-2.0-only

// Prints the module's attributes and trace sources as reStructuredText; or the parameters of its
// studies, for Python and the documentation. A build calls it.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <algorithm>
#include <iostream>
#include <vector>

using namespace ns3;

/// Prints a table's row, its first cell as code. @param name first cell @param texts the others
static void
PrintRow(const std::string& name, const std::vector<std::string>& texts)
{
    std::cout << "   * - ``" << name << "``\n";
    for (const auto& text : texts)
    {
        std::cout << (text.empty() ? "     -" : "     - ") << text << "\n";
    }
}

/// Prints a table's head. @param widths its columns' widths @param titles their titles
static void
PrintHead(const std::string& widths, const std::vector<std::string>& titles)
{
    std::cout << "\n.. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n   * - "
              << titles.front() << "\n";
    for (std::size_t i = 1; i < titles.size(); ++i)
    {
        std::cout << "     - " << titles[i] << "\n";
    }
}

static void
PrintTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Wormhole" && type.GetAttributeN() + type.GetTraceSourceN() > 0)
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });

    std::cout << ".. Printed by print-attributes; do not edit.\n";
    for (const auto& type : types)
    {
        const std::string name = type.GetName().substr(std::string("ns3::").size());
        std::cout << "\n" << name << "\n" << std::string(name.size(), '~') << "\n";
        if (type.GetAttributeN() > 0)
        {
            PrintHead("20 20 60", {"Attribute", "Default", "Meaning"});
        }
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if (attribute.supportLevel != TypeId::SupportLevel::SUPPORTED)
            {
                continue; // a former name
            }
            const auto value = attribute.initialValue->SerializeToString(attribute.checker);
            const bool shown = attribute.flags & TypeId::ATTR_CONSTRUCT && !value.empty();
            PrintRow(attribute.name, {shown ? "``" + value + "``" : "", attribute.help});
        }
        if (type.GetTraceSourceN() > 0)
        {
            PrintHead("20 35 45", {"Trace source", "Callback", "Fires when"});
        }
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const auto trace = type.GetTraceSource(i);
            PrintRow(trace.name, {"``" + trace.callback + "``", trace.help});
        }
    }
}

int
main(int argc, char* argv[])
{
    try
    {
        ProgramOptions options(__FILE__,
                               "Prints the attributes and trace sources of the wormhole module as "
                               "reStructuredText, or the parameters of its studies.");
        options.Add("studies",
                    "json",
                    "Print parameters of studies, in place of attributes: json (for Python) or rst "
                    "(for the documentation)");
        options.Parse(argc, argv);
        if (!options.Has("studies"))
        {
            PrintTypes();
        }
        else if (options.GetWord("studies", {"json", "rst"}) == "json")
        {
            StudyRegistry::PrintJson(std::cout);
        }
        else
        {
            StudyRegistry::PrintRst(std::cout);
        }
    }
    catch (...)
    {
        return OptionProgram::PrintError("print-attributes");
    }
    return 0;
}
