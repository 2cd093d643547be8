/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_FABRIC_H
#define STUDY_FABRIC_H

#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/nstime.h"
#include "ns3/table-study.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-topology-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A study on a fabric, which each measurement has anew with its hosts' software.
 */
class FabricStudy : public TableStudy
{
  public:
    using TableStudy::TableStudy;

    static std::vector<uint32_t> GetFirstHosts(uint32_t n);

  protected:
    /// Adds startUp and receive, what a message costs software.
    /// @param startUp time of its sender without the option
    void AddMessageCosts(const std::string& startUp, const std::string& receive);

    /// Takes the fabric, delays, and values of parameters that stand for attributes of
    /// HostSoftware, which its hosts' software gets.
    /// @param values values of all parameters
    void ReadFabric(const OptionValues& values);

    /// @return a new fabric with its routes, and its hosts
    Ptr<CollectiveDomain> Install() const;

    uint32_t GetNHosts() const
    {
        return m_topology->graph.GetNFirstInterfaces();
    }

    /// @return how long a message occupies a channel and both its hosts' software, at most
    /// @param bytes length of the message
    static Time GetMessageTime(const CollectiveDomain& domain, uint32_t bytes);

    std::shared_ptr<const WormholeTopology> m_topology; ///< its graph and routes
    WormholeHelper m_fabrics;                           ///< builds it
    CollectiveHelper m_software;                        ///< gives its hosts their software
};

/// A fabric that is given, or drawn anew in each run.
struct StudyGraph
{
    static constexpr int64_t STREAM = 0; ///< stream of random numbers that draws it

    IrregularTopologyHelper::Parameters drawn; ///< drawn in each run, unless one is given
    std::shared_ptr<const FabricGraph> given;  ///< the fabric of all runs; null: drawn

    /// @return options that draw one
    static const std::vector<std::string>& GetOptions();

    /// @return that of the run whose number ns-3's seed manager has
    FabricGraph Make() const;
};

/**
 * Checks that several studies make of what they are asked.
 */
struct StudyCheck
{
    /// @param isWrong whether a request is refused @param message what is wrong, and accepted
    /// @throws WormholeError with the message, if so
    static void RefuseIf(bool isWrong, const std::string& message);

    /// @throws WormholeError for the first one that is none
    static void Barriers(const std::vector<std::string>& names);
};

} // namespace ns3

#endif /* STUDY_FABRIC_H */
