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
 * @brief Makes the processes of a parallel program that all follow one schedule.
 *
 * Processes are known by their rank in the list of their hosts, in which a host may be named
 * several times. Add steps, then Install.
 */
class CollectiveApplicationHelper
{
  public:
    CollectiveApplicationHelper();

    /// Sets an attribute of every application. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// Adds a computation to the schedule.
    /// @param seconds how long it takes: a random variable of seconds, such as
    /// "ns3::NormalRandomVariable[Mean=1e-4|Variance=1e-10|Bound=5e-5]"; each process draws its own
    /// @throws WormholeError if that is no random variable
    void AddComputation(const std::string& seconds);

    /// Adds a collective of all processes to the schedule.
    /// @param group a collective without a group yet, or with one of just the processes that
    /// Install makes; the same object may be added again
    /// @throws WormholeError if it is null, or a step before has entered it that none has waited
    /// for
    void AddCollective(Ptr<Collective> group);

    /// Adds to the schedule that all processes enter a collective, and go on.
    /// @param group a collective, as for AddCollective
    /// @throws WormholeError if it is null, or a step before has entered it that none has waited
    /// for
    void AddEnter(Ptr<Collective> group);

    /// Adds to the schedule that all processes wait until they may leave a collective.
    /// @param group a collective that a step before enters
    /// @throws WormholeError if it is null, or entered by none, or a step since has waited for it
    void AddWait(Ptr<Collective> group);

    /// Makes the groups and an application for each process.
    /// @param domain the hosts
    /// @param hosts numbers of the processes' hosts, by rank
    /// @return the applications, by rank
    /// @throws WormholeError if there is no step, a collective entered is not waited for, or a
    /// group cannot be
    ApplicationContainer Install(Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts) const;

    /// Fixes the streams of the random numbers of applications made by Install.
    /// @param applications the applications
    /// @param stream first stream to use
    /// @return number of streams used
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /// What a step does with a collective.
    enum class Phase : uint8_t
    {
        NONE,  ///< nothing: it is a computation
        BOTH,  ///< enters, and waits
        ENTER, ///< enters
        WAIT,  ///< waits
    };

    /// A step of the schedule.
    struct Step
    {
        Phase phase;           ///< what it does
        ObjectFactory seconds; ///< computation: makes the random variable
        Ptr<Collective> group; ///< collective
    };

    ObjectFactory m_factory;   ///< makes applications
    std::vector<Step> m_steps; ///< the schedule
    SplitPhaseOrder m_order;   ///< checks the order of its steps
};

} // namespace ns3

#endif /* COLLECTIVE_APPLICATION_HELPER_H */
