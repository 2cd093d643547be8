// SPDX-License-Identifier: GPL-2.0-only

#ifndef SYNC_WORKLOAD_H
#define SYNC_WORKLOAD_H

#include "ns3/json-file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// A parallel application in a study of synchronisation hardware (Hyder and Wood, 1996, Table 2):
/// how often it synchronises, and how fast it is with its reference hardware.
///
/// It is bulk-synchronous: processes compute and synchronise by turns. Rates are events per second,
/// each event of all nodes together, of a run without delay of messages, with the reference
/// hardware: hw-1, hw-all, or none, which means software alone. A run with other hardware has the
/// same events in more or less time, and thus other rates.
struct SyncWorkload
{
    enum Event : uint8_t
    {
        BARRIER,      ///< a barrier of the nodes
        AND,          ///< AND of one bit, to all nodes
        ADD,          ///< ADD of 32 bits, to all nodes
        MAX,          ///< MAX of 64 bits, to all nodes
        ADD_TO_HOST,  ///< ADD of 32 bits from all nodes to the host
        BROADCAST,    ///< a broadcast from the host to all nodes
        NETWORK_DONE, ///< a wait until all messages between nodes have arrived
    };

    static constexpr std::size_t EVENTS = 7; ///< number of kinds of events

    std::string name;                       ///< its name
    std::string application;                ///< application whose input it is; by default the name
    uint32_t table{0};                      ///< number of the paper's table; 0: none
    std::string reference{"hw-all"};        ///< hardware of the rates and the speedup
    double speedup{0};                      ///< speedup over one processor, no delay; 0: unknown
    std::array<double, EVENTS> perSecond{}; ///< rates of events
    double communicates{1};                 ///< share of NETWORK_DONE events that wait for messages
    double delayUs{0};                      ///< delay of messages in the run of delayedSpeedup, us
    double delayedSpeedup{0};               ///< speedup with that delay; 0: not known
    double messageDelays{0};                ///< messages per second that nodes wait for in turn
    double weight{1};                       ///< weight of its application in aggregates

    /// @return keys of events in files, in order
    static const std::vector<std::string>& GetEventKeys()
    {
        static const std::vector<std::string>
            keys{"barrier", "and", "add", "max", "addToHost", "broadcast", "networkDone"};
        return keys;
    }

    /// @return supersteps per second: how often all nodes wait for each other
    double GetSuperstepRate() const
    {
        const auto most =
            std::max({perSecond[BARRIER], perSecond[AND], perSecond[ADD], perSecond[NETWORK_DONE]});
        return most > 0 ? most : *std::max_element(perSecond.begin(), perSecond.end());
    }

    /// Reads workloads of a JSON file, see doc/studies/sync-hardware.rst.
    /// @throws WormholeError for any mistake, in one line with file, line, place and value
    static std::vector<SyncWorkload> Read(const std::string& path)
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

  private:
    static constexpr double MOST_PER_SECOND = 1e6; ///< highest rate that a file may have
    static constexpr double MOST_SPEEDUP = 1e6;    ///< highest speedup
    static constexpr double LEAST_SPEEDUP = 1e-3;  ///< lowest speedup
    static constexpr double MOST_DELAY_US = 1e6;   ///< longest delay of messages
    static constexpr double LEAST_DELAY_US = 1e-3; ///< shortest delay of messages

    static void ReadRates(const JsonValue& value, SyncWorkload& workload)
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
        value.RefuseIf(
            workload.GetSuperstepRate() <= 0,
            "has no rate above 0",
            "an object with one rate above 0 at least, in events per second of a run with "
            "the reference hardware and no delay");
    }

    static SyncWorkload ReadWorkload(const JsonValue& value)
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
        workload.application = value.Has("application")
                                   ? value.Get("application").GetName("is no name")
                                   : workload.name;
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
};

} // namespace ns3

#endif /* SYNC_WORKLOAD_H */
