// SPDX-License-Identifier: GPL-2.0-only

#include "sync-workload.h"

#include "ns3/json-file.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

constexpr double MOST_PER_SECOND = 1e6; ///< highest rate that a file may have
constexpr double MOST_SPEEDUP = 1e6;    ///< highest speedup
constexpr double LEAST_SPEEDUP = 1e-3;  ///< lowest speedup
constexpr double MOST_DELAY_US = 1e6;   ///< longest delay of messages
constexpr double LEAST_DELAY_US = 1e-3; ///< shortest delay of messages

void
ReadRates(const JsonValue& value, SyncWorkload& workload)
{
    const auto& keys = SyncWorkload::GetEventKeys();
    value.CheckKeys({}, keys);
    for (std::size_t event = 0; event < keys.size(); ++event)
    {
        if (value.Has(keys[event]))
        {
            workload.perSecond[event] = value.Get(keys[event]).GetReal(0, MOST_PER_SECOND);
        }
    }
    value.RefuseIf(workload.GetSuperstepRate() <= 0,
                   "has no rate above 0",
                   "an object with one rate above 0 at least, in events per second of a run with "
                   "the reference hardware and no delay");
}

SyncWorkload
ReadWorkload(const JsonValue& value)
{
    value.CheckKeys({"name", "reference", "perSecond"},
                    {"speedup",
                     "application",
                     "table",
                     "communicates",
                     "delayed",
                     "messageDelays",
                     "weight",
                     "comment"});
    SyncWorkload workload;
    workload.name = value.Get("name").GetName("is no name");
    workload.application =
        value.Has("application") ? value.Get("application").GetName("is no name") : workload.name;
    workload.reference = value.Get("reference").GetString();
    static const std::vector<std::string> references{"none", "hw-1", "hw-all"};
    value.Get("reference")
        .RefuseIf(std::find(references.begin(), references.end(), workload.reference) ==
                      references.end(),
                  "is no reference hardware",
                  "none, hw-1 or hw-all");
    const auto read = [&](const char* key, double least, double most, double& number) {
        number = value.Has(key) ? value.Get(key).GetReal(least, most) : number;
    };
    read("speedup", LEAST_SPEEDUP, MOST_SPEEDUP, workload.speedup);
    if (value.Has("delayed") && !value.Has("speedup"))
    {
        value.Get("delayed").RefuseKey("is without 'speedup', which its own is compared with",
                                       "both, or messageDelays");
    }
    ReadRates(value.Get("perSecond"), workload);
    if (value.Has("table"))
    {
        workload.table = static_cast<uint32_t>(value.Get("table").GetUnsigned(3, 6));
    }
    read("communicates", 0, 1, workload.communicates);
    read("weight", 0, MOST_PER_SECOND, workload.weight);
    if (value.Has("delayed") && value.Has("messageDelays"))
    {
        value.Get("messageDelays").RefuseKey("is beside 'delayed'", "one of both");
    }
    read("messageDelays", 0, MOST_PER_SECOND, workload.messageDelays);
    if (value.Has("delayed"))
    {
        const auto delayed = value.Get("delayed");
        delayed.CheckKeys({"delayUs", "speedup"});
        workload.delayUs = delayed.Get("delayUs").GetReal(LEAST_DELAY_US, MOST_DELAY_US);
        workload.delayedSpeedup = delayed.Get("speedup").GetReal(LEAST_SPEEDUP, MOST_SPEEDUP);
    }
    return workload;
}

} // namespace

const std::vector<std::string>&
SyncWorkload::GetEventKeys()
{
    static const std::vector<std::string>
        keys{"barrier", "and", "add", "max", "addToHost", "broadcast", "networkDone"};
    return keys;
}

double
SyncWorkload::GetSuperstepRate() const
{
    const auto most =
        std::max({perSecond[BARRIER], perSecond[AND], perSecond[ADD], perSecond[NETWORK_DONE]});
    if (most > 0)
    {
        return most;
    }
    return *std::max_element(perSecond.begin(), perSecond.end());
}

std::vector<SyncWorkload>
SyncWorkload::Read(const std::string& path)
{
    const JsonFile file(path);
    const auto root = file.GetRoot();
    root.CheckKeys({"workloads"}, {"comment"});
    std::vector<SyncWorkload> workloads;
    std::set<std::string> names;
    for (const auto& item : root.Get("workloads").GetItems())
    {
        workloads.push_back(ReadWorkload(item));
        item.Get("name").RefuseIf(!names.insert(workloads.back().name).second,
                                  "is there twice",
                                  "another name for each workload");
    }
    root.Get("workloads").RefuseIf(workloads.empty(), "is empty", "one workload at least");
    return workloads;
}

} // namespace ns3
