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
/// Add the steps (computations and collectives), then call Install. A process's rank is its index
/// in Install's list of hosts, in which a host appears once for each of its processes.
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

    /// Appends a computation; `seconds` describes the random variable of its time in seconds, such
    /// as ns3::NormalRandomVariable[Mean=1e-4|Variance=1e-10|Bound=5e-5]; each process has its own
    /// variable; throws a WormholeError if `seconds` does not describe a random variable.
    void AddComputation(const std::string& seconds);

    /// Appends a step that performs a collective; several steps may perform the same one; a group
    /// that exists already must consist of exactly the processes that Install creates; throws a
    /// WormholeError if `group` is null, or if earlier steps entered it but did not wait for it.
    void AddCollective(Ptr<Collective> group)
    {
        AddPhase(group,
                 &SplitPhaseOrder::Meet,
                 [group](CollectiveApplication& process, uint32_t rank) {
                     process.AddCollective(group, rank);
                 });
    }

    /// Appends a step in which all processes enter a collective and go on; see AddCollective.
    void AddEnter(Ptr<Collective> group)
    {
        AddPhase(group,
                 &SplitPhaseOrder::Enter,
                 [group](CollectiveApplication& process, uint32_t rank) {
                     process.AddEnter(group, rank);
                 });
    }

    /// Appends a step in which all processes wait until they may leave a collective; throws a
    /// WormholeError if `group` is null, or was not entered since the last step that waited for it.
    void AddWait(Ptr<Collective> group)
    {
        AddPhase(group, &SplitPhaseOrder::Wait, [group](CollectiveApplication& process, uint32_t) {
            process.AddWait(group);
        });
    }

    /// Creates the groups that do not exist yet, and an application for each process; `hosts` lists
    /// the processes' hosts by rank; throws a WormholeError if there is no step, if a collective is
    /// entered but not waited for, or if a group cannot be created.
    ApplicationContainer Install(Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts) const;

    /// Assigns random streams, from index `stream` on, to applications that Install created, and
    /// returns how many streams it assigned.
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /// Adds one step to the schedule of the process that has the given rank.
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
