/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-simulation.h"

#include "ns3/collective-application.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace ns3
{

namespace
{

using Event = SyncWorkload::Event; //!< short name

/// The processes of a machine, and what they do.
class Processes
{
  public:
    /// @param machine the machine
    explicit Processes(const SyncMachine& machine)
        : m_machine(machine),
          m_nodes(machine.GetParameters().nodes)
    {
        for (uint32_t i = 0; i <= m_nodes; ++i)
        {
            m_processes.push_back(CreateObject<CollectiveApplication>());
            m_processes[i]->TraceConnectWithoutContext("Done",
                                                       MakeCallback(&Processes::Done, this));
        }
    }

    /// All nodes compute. @param seconds how long
    void Compute(double seconds)
    {
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            AddComputation(node, seconds);
        }
    }

    /// All who have a part in an event do it. @param event the event
    void Do(Event event)
    {
        auto found = m_groups.find(event);
        if (found == m_groups.end())
        {
            found = m_groups.emplace(event, m_machine.MakeGroup(event)).first;
        }
        Do(found->second);
    }

    /// The host waits for the nodes, which costs nothing.
    void MeetForNothing()
    {
        if (!m_free.collective)
        {
            m_free = m_machine.MakeFreeGroup();
        }
        Do(m_free);
    }

    /// Runs all. @return what the last one's part took
    Time Run()
    {
        Simulator::Run(); // groups are set up
        const auto start = Simulator::Now();
        for (uint32_t i = 0; i <= m_nodes; ++i)
        {
            m_expected += m_hasSteps[i];
            Simulator::ScheduleNow(&Application::Initialize, m_processes[i]);
        }
        Simulator::Run();
        std::string missing;
        for (auto& entry : m_groups)
        {
            missing += entry.second.domain->ExplainMissing();
        }
        Dispose();
        if (m_nDone != m_expected)
        {
            throw WormholeError("not all processes came to their ends: " + missing);
        }
        return m_end - start;
    }

  private:
    /// Lets go of everything.
    void Dispose()
    {
        for (auto& process : m_processes)
        {
            process->Dispose();
        }
        m_groups.emplace(SyncWorkload::NETWORK_DONE, m_free);
        for (auto& entry : m_groups)
        {
            if (entry.second.collective)
            {
                entry.second.collective->Dispose();
                entry.second.domain->Dispose();
            }
        }
        Simulator::Destroy();
    }

    /// A process computes. @param process the process @param seconds how long
    void AddComputation(uint32_t process, double seconds)
    {
        auto constant = CreateObject<ConstantRandomVariable>();
        constant->SetAttribute("Constant", DoubleValue(seconds));
        m_processes[process]->AddComputation(constant);
        m_hasSteps[process] = true;
    }

    /// All members do a collective. @param group its group
    void Do(const SyncMachine::Group& group)
    {
        const uint32_t first = group.hasHost ? 1 : 0;
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            m_processes[node]->AddCollective(group.collective, node + first);
            m_hasSteps[node] = true;
        }
        if (group.hasHost)
        {
            m_processes[m_nodes]->AddCollective(group.collective, 0);
            m_hasSteps[m_nodes] = true;
            if (group.hostAfter.IsStrictlyPositive())
            {
                AddComputation(m_nodes, group.hostAfter.GetSeconds());
            }
        }
    }

    /// A process has come to its end.
    void Done(uint64_t)
    {
        ++m_nDone;
        m_end = Simulator::Now();
    }

    const SyncMachine& m_machine;                        ///< the machine
    uint32_t m_nodes;                                    ///< number of nodes
    std::vector<Ptr<CollectiveApplication>> m_processes; ///< nodes' and the host's
    std::map<uint32_t, bool> m_hasSteps;                 ///< whether a process has any
    std::map<Event, SyncMachine::Group> m_groups;        ///< groups made so far
    SyncMachine::Group m_free;                           ///< that of MeetForNothing
    uint32_t m_expected{0};                              ///< processes that have steps
    uint32_t m_nDone{0};                                 ///< processes that have come to their ends
    Time m_end;                                          ///< when the last one did
};

} // namespace

SyncSimulation::SyncSimulation(const SyncMachine& machine)
    : m_machine(machine)
{
}

Time
SyncSimulation::RunEvent(Event event) const
{
    Processes processes(m_machine);
    processes.Do(event);
    return processes.Run();
}

double
SyncSimulation::RunWorkload(const SyncWorkload& workload,
                            double computePerSecond,
                            uint32_t supersteps) const
{
    const auto rate = workload.GetSuperstepRate();
    const auto& perSecond = workload.perSecond;
    uint32_t superstep = 0;
    // How many events of a rate there are in the superstep.
    const auto count = [&](double eventRate) {
        return static_cast<uint64_t>(std::floor((superstep + 1) * eventRate / rate + 1e-9) -
                                     std::floor(superstep * eventRate / rate + 1e-9));
    };
    Processes processes(m_machine);
    const auto repeat = [&](Event event, double eventRate) {
        for (auto left = count(eventRate); left > 0; --left)
        {
            processes.Do(event);
        }
    };
    const auto ack = m_machine.GetAckTime().GetSeconds();
    const auto done = perSecond[SyncWorkload::NETWORK_DONE];
    const bool hasHost =
        perSecond[SyncWorkload::BROADCAST] > 0 || perSecond[SyncWorkload::ADD_TO_HOST] > 0;
    for (; superstep < supersteps; ++superstep)
    {
        repeat(SyncWorkload::BROADCAST, perSecond[SyncWorkload::BROADCAST]);
        processes.Compute(computePerSecond / rate);
        if (!m_machine.UsesAcks())
        {
            repeat(SyncWorkload::ADD, done);
        }
        else if (const auto waits = count(done * workload.communicates))
        {
            processes.Compute(ack * static_cast<double>(waits));
        }
        for (const auto event : {SyncWorkload::ADD,
                                 SyncWorkload::AND,
                                 SyncWorkload::MAX,
                                 SyncWorkload::ADD_TO_HOST,
                                 SyncWorkload::BARRIER})
        {
            repeat(event, perSecond[event]);
        }
        if (hasHost)
        {
            processes.MeetForNothing();
        }
    }
    return processes.Run().GetSeconds() * rate / supersteps;
}

} // namespace ns3
