// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-file.h"
#include "ns3/ordering.h"
#include "ns3/study-makers.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// Make the studies, in the order of the papers, others after them.
StudyMaker* const MAKERS[] = {MakeBarrierStudy,
                              MakeLatencyLoadStudy,
                              MakeTreeStudy,
                              MakeRdmaStudy,
                              MakeSmpStudy,
                              MakeSyncStudy,
                              MakeSplitStudy,
                              MakeBroadcastLoadStudy,
                              MakeLoadedBarrierStudy,
                              MakeNetworkDoneStudy};

bool
IsInPython(const StudyParameter& parameter)
{
    return parameter.use == StudyParameter::MEASURE || parameter.use == StudyParameter::BOTH;
}

/// Names of kinds of parameters, for Python, in the order of StudyParameter::Kind.
const char* const KINDS[] =
    {"whole", "ratio", "time", "bytes", "word", "text", "file", "switch", "fabric"};

} // namespace

std::vector<std::string>
StudyRegistry::GetNames()
{
    return MadeOf(MAKERS, [](const auto make) { return make()->GetDescription().python; });
}

std::unique_ptr<StudyDefinition>
StudyRegistry::Make(const std::string& name)
{
    for (const auto make : MAKERS)
    {
        auto form = make();
        if (form->GetDescription().python == name || form->GetDescription().program == name)
        {
            return form;
        }
    }
    throw WormholeError("there is no study '" + name + "'; there are " +
                        WordList::WithCommas(GetNames()) + NearestName::Hint(name, GetNames()));
}

void
StudyRegistry::PrintJson(std::ostream& os)
{
    os << "[";
    const char* comma = "";
    for (const auto make : MAKERS)
    {
        os << comma;
        PrintJson(os, *make());
        comma = ",\n";
    }
    os << "]\n";
}

void
StudyRegistry::PrintJson(std::ostream& os, const StudyDefinition& form)
{
    const auto quote = JsonFile::Quote;
    const auto& description = form.GetDescription();
    os << "{\"name\": " << quote(description.python)
       << ", \"program\": " << quote(description.program)
       << ",\n \"summary\": " << quote(description.summary)
       << ",\n \"rows\": " << quote(description.rows)
       << ", \"jobs\": " << (description.hasJobs ? "true" : "false") << ",\n \"parameters\": [";
    const char* comma = "\n";
    for (const auto& parameter : form.GetParameters())
    {
        if (!IsInPython(parameter))
        {
            continue;
        }
        os << comma << "  {\"name\": " << quote(parameter.GetPythonName())
           << ", \"option\": " << quote(parameter.name) << ", \"alias\": " << quote(parameter.alias)
           << ", \"kind\": " << quote(KINDS[parameter.kind])
           << ", \"list\": " << (parameter.isList ? "true" : "false")
           << ", \"default\": " << quote(parameter.defaultValue)
           << ",\n   \"help\": " << quote(parameter.GetHelp()) << "}";
        comma = ",\n";
    }
    os << "],\n \"columns\": [";
    comma = "\n";
    for (const auto& column : form.GetTable().GetColumns())
    {
        os << comma << "  {\"name\": " << quote(column.name) << ", \"unit\": " << quote(column.unit)
           << ", \"help\": " << quote(column.doc) << "}";
        comma = ",\n";
    }
    os << "]}";
}

void
StudyRegistry::PrintRst(std::ostream& os)
{
    os << ".. Printed by print-attributes --studies=rst; do not edit.\n";
    for (const auto make : MAKERS)
    {
        PrintRst(os, *make());
    }
}

void
StudyRegistry::PrintRst(std::ostream& os, const StudyDefinition& form)
{
    const auto& description = form.GetDescription();
    os << "\n"
       << description.program << "\n"
       << std::string(description.program.size(), '~') << "\n\n"
       << description.summary << " In Python: ``ns3_wormhole.studies." << description.python
       << "``.\n\n.. list-table::\n   :header-rows: 1\n   :widths: 20 20 20 40\n\n"
       << "   * - Option\n     - In Python\n     - Default\n     - Meaning\n";
    const auto cell = [&](const std::string& text) {
        os << "     -" << (text.empty() ? "" : " ``" + text + "``") << "\n";
    };
    for (const auto& parameter : form.GetParameters())
    {
        os << "   * - ``--" << parameter.name << "``\n";
        cell(IsInPython(parameter) ? parameter.GetPythonName() : "");
        cell(parameter.defaultValue);
        os << "     - " << parameter.GetHelp() << "\n";
    }
    os << "\nColumns: " << description.rows << ".\n\n.. list-table::\n   :header-rows: 1\n"
       << "   :widths: 30 10 60\n\n   * - Column\n     - Unit\n     - Meaning\n";
    for (const auto& column : form.GetTable().GetColumns())
    {
        os << "   * - ``" << column.name << "``\n";
        cell(column.unit);
        os << "     - " << column.doc << "\n";
    }
}

} // namespace ns3
