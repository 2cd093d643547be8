// SPDX-License-Identifier: GPL-2.0-only

// Readers of files: what is expected what was written, and can be written and read again.

#include "fuzz-target.h"

#include "ns3/csv-file.h"
#include "ns3/json-file.h"
#include "ns3/sync-workload.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-machine-file.h"
#include "ns3/wormhole-topology-factory.h"

namespace ns3
{

namespace
{

std::string
Describe(const FabricGraph& graph)
{
    std::ostringstream text;
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        text << JsonFile::Quote(graph.GetName(node));
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto end = graph.Peer(node, static_cast<FabricGraph::Port>(port));
            text << ' ' << end.node << ':' << end.port;
        }
        text << '\n';
    }
    return text.str();
}

void
ReadFabric(const std::string& input)
{
    const auto path = AsFile(input);
    const auto graph = ReadFabricFile(path);
    graph.Validate();
    Demand(graph.GetNHosts() > 0 && graph.GetNSwitches() > 0, "a fabric with hosts and switches");
    WriteFabricFile(graph, path);
    Demand(Describe(ReadFabricFile(path)) == Describe(graph), "a fabric that is read as written");
}

void
Visit(const JsonValue& value)
{
    Demand(value.GetLine() > 0 && !value.GetPath().empty(), "a value with a place");
    // What a value is, it tells by refusing what it is not.
    const auto is = [](auto read) { return ErrorOf(read).empty(); };
    const bool object = is([&] { value.GetMembers(); });
    const bool array = is([&] { value.GetItems(); });
    const bool text = is([&] { value.GetString(); });
    const bool integer = is([&] { value.GetInteger(INT64_MIN, INT64_MAX); });
    const bool real = is([&] { value.GetReal(-1e300, 1e300); });
    Demand(object + array + text + (integer || real) <= 1, "a value of one kind");
    if (integer && real)
    {
        const auto exact = static_cast<double>(value.GetInteger(INT64_MIN, INT64_MAX));
        Demand(exact == value.GetReal(-1e300, 1e300), "a number that is what it is");
    }
    for (const auto& inner : object  ? value.GetMembers()
                             : array ? value.GetItems()
                                     : std::vector<JsonValue>())
    {
        Visit(inner);
    }
}

void
ReadWorkloads(const std::string& input)
{
    const auto workloads = SyncWorkload::Read(AsFile(input));
    Demand(!workloads.empty(), "one application at least");
    for (const auto& workload : workloads)
    {
        const auto rate = workload.GetSuperstepRate();
        Demand(std::isfinite(rate) && rate >= 0, "a rate that can be");
    }
}

void
ReadMachine(const std::string& input)
{
    const auto machine = MachineFile::Read(AsFile(input));
    Demand(!machine.GetName().empty(), "a name");
    for (const auto& entry : machine.GetEntries())
    {
        CheckAttributeText(entry.attribute, entry.value);
        Demand(entry.line > 0, "a line");
    }
}

/// @return digits without zeros before them
std::string
Trim(const std::string& digits)
{
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

void
ReadCsv(const std::string& input)
{
    const CsvFile file(AsFile(input), {"name", "n", "x"}, {"y"});
    for (std::size_t row = 0; row < file.GetNRows(); ++row)
    {
        const auto x = file.GetNumber(row, "x");
        Demand(std::isfinite(x) || file.Get(row, "x") == "nan", "a number");
        Demand(std::to_string(file.GetWhole(row, "n")) == Trim(file.Get(row, "n")), "a number");
    }
}

} // namespace

std::map<std::string, FuzzTarget>
GetFileTargets()
{
    return {{"fabric", ReadFabric},
            {"json", [](const std::string& input) { Visit(JsonFile(AsFile(input)).GetRoot()); }},
            {"workload", ReadWorkloads},
            {"csv", ReadCsv},
            {"machine", ReadMachine}};
}

} // namespace ns3
