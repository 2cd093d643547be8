// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_APPLICATION_HELPER_H
#define COLLECTIVE_APPLICATION_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collective-application.h"
#include "ns3/collective-domain.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Creates the processes of a parallel program, all with the same schedule.
///
/// A process's rank is its index in the list of hosts, in which a host may appear several times.
/// Add steps to the schedule, then call Install.
class CollectiveApplicationHelper
{
  public:
    CollectiveApplicationHelper()
    {
        m_factory.SetTypeId("ns3::CollectiveApplication");
    }

    /// Sets an attribute of every application. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_factory, name, value);
    }

    /// Appends a computation whose time in seconds is a random variable, such as
    /// ns3::NormalRandomVariable[Mean=1e-4|Variance=1e-10|Bound=5e-5]; each process has a variable
    /// of its own; throws a WormholeError if `seconds` does not describe a random variable.
    void AddComputation(const std::string& seconds);

    /// Appends a collective of all processes, perhaps one added before, whose group either does not
    /// exist yet or has exactly the processes that Install creates; throws a WormholeError if it is
    /// null, or if an earlier step enters the collective and no step waits for it.
    void AddCollective(Ptr<Collective> group)
    {
        AddPhase(group,
                 &SplitPhaseOrder::Meet,
                 [group](CollectiveApplication& process, uint32_t rank) {
                     process.AddCollective(group, rank);
                 });
    }

    /// Appends a step in which all processes enter a collective but do not wait; see AddCollective.
    void AddEnter(Ptr<Collective> group)
    {
        AddPhase(group,
                 &SplitPhaseOrder::Enter,
                 [group](CollectiveApplication& process, uint32_t rank) {
                     process.AddEnter(group, rank);
                 });
    }

    /// Appends a step in which all processes wait until they may leave a collective; throws a
    /// WormholeError if it is null or not entered, or if that wait has been added already.
    void AddWait(Ptr<Collective> group)
    {
        AddPhase(group, &SplitPhaseOrder::Wait, [group](CollectiveApplication& process, uint32_t) {
            process.AddWait(group);
        });
    }

    /// Creates the groups, and an application for each process; `hosts` lists the processes' hosts
    /// by rank; throws a WormholeError if there is no step, a collective is entered but not waited
    /// for, or a group is impossible.
    ApplicationContainer Install(Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts) const;

    /// Assigns random streams, from index `stream` on, to applications that Install created, and
    /// returns the number of streams.
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /// Adds a step of the schedule to the process of a rank.
    using Step = std::function<void(CollectiveApplication& application, uint32_t rank)>;

    void AddPhase(Ptr<Collective> group,
                  void (SplitPhaseOrder::*phase)(Ptr<const Collective>),
                  const Step& step);

    ObjectFactory m_factory; ///< creates applications
    std::vector<Step> m_steps;
    std::vector<Ptr<Collective>> m_groups; ///< collectives of the steps, each listed once
    SplitPhaseOrder m_order;               ///< checks the order of the steps
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_HELPER_H */
