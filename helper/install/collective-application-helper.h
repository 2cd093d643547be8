/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_APPLICATION_HELPER_H
#define COLLECTIVE_APPLICATION_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collective-application.h"
#include "ns3/collective-domain.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Creates the processes of a parallel program, all with the same schedule.
 *
 * A process's rank is its index in the list of hosts, in which a host may appear several times. Add
 * steps, then Install.
 */
class CollectiveApplicationHelper
{
  public:
    CollectiveApplicationHelper();

    /// Sets an attribute of every application. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// Appends a computation to the schedule.
    /// @param seconds its duration: a random variable in seconds, such as
    ///        "ns3::NormalRandomVariable[Mean=1e-4|Variance=1e-10|Bound=5e-5]"; each process draws
    ///        its own
    /// @throws WormholeError if it is not a random variable
    void AddComputation(const std::string& seconds);

    /// Appends a collective of all processes to the schedule.
    /// @param group a collective without a group yet, or whose group consists of exactly the
    ///        processes that Install creates; the same object may be added again
    /// @throws WormholeError if it is null, or an earlier step has entered it, without a wait
    void AddCollective(Ptr<Collective> group);

    /// Appends a step in which all processes enter a collective without waiting.
    /// @param group a collective, as for AddCollective
    /// @throws WormholeError if it is null, or an earlier step has entered it, without a wait
    void AddEnter(Ptr<Collective> group);

    /// Appends a step in which all processes wait until they may leave a collective.
    /// @param group a collective that an earlier step enters
    /// @throws WormholeError if it is null or not entered, or the wait has been added already
    void AddWait(Ptr<Collective> group);

    /// Creates the groups, and an application for each process.
    /// @param domain the hosts
    /// @param hosts numbers of the processes' hosts, by rank
    /// @return the applications, by rank
    /// @throws WormholeError if there is no step, a collective entered is not waited for, or a
    ///         group is impossible
    ApplicationContainer Install(Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts) const;

    /// Assigns random streams to applications created by Install.
    /// @param applications the applications
    /// @param stream first stream index
    /// @return number of streams assigned
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /// A step's action on a collective.
    enum class Phase : uint8_t
    {
        NONE,  ///< none: a computation
        BOTH,  ///< enters, and waits
        ENTER, ///< enters
        WAIT,  ///< waits
    };

    /// A step of the schedule.
    struct Step
    {
        Phase phase;
        ObjectFactory seconds; ///< computation: creates the random variable
        Ptr<Collective> group;
    };

    ObjectFactory m_factory; ///< creates applications
    std::vector<Step> m_steps;
    SplitPhaseOrder m_order; ///< checks the order of its steps
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_HELPER_H */
