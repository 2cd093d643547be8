/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_FABRIC_H
#define STUDY_FABRIC_H

#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-topology-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The fabric of a study and its hosts' software, which each measurement has anew.
 */
struct StudyFabric
{
    std::shared_ptr<const WormholeTopology> topology; ///< its graph and routes
    WormholeHelper fabrics;                           ///< builds it
    CollectiveHelper software;                        ///< gives its hosts their software

    /// @return a new fabric with its routes, and its hosts
    Ptr<CollectiveDomain> Install() const;

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return topology ? topology->graph.GetNFirstInterfaces() : 0;
    }

    /// @return all hosts of a domain @param domain the domain
    static std::vector<uint32_t> GetAllHosts(const CollectiveDomain& domain);

    /// @return how long a message occupies a channel and both its hosts' software, at most
    /// @param domain the fabric's @param bytes length of the message
    static Time GetMessageTime(const CollectiveDomain& domain, uint32_t bytes);

    /// @param members number of members of a group of its hosts
    /// @throws WormholeError if there are none, or more than hosts
    void CheckMembers(uint32_t members) const;
};

/**
 * @ingroup wormhole
 * @brief Checks that several studies make of what they are asked.
 */
struct StudyCheck
{
    /// @param isWrong whether a request is refused @param message what is wrong, and accepted
    /// @throws WormholeError with the message, if so
    static void RefuseIf(bool isWrong, const std::string& message);

    /// @param names names of barriers @throws WormholeError for the first one that is none
    static void Barriers(const std::vector<std::string>& names);
};

} // namespace ns3

#endif /* STUDY_FABRIC_H */
