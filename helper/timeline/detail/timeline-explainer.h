/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_EXPLAINER_H
#define TIMELINE_EXPLAINER_H

#include "ns3/collective-domain.h"
#include "ns3/latency-interval.h"
#include "ns3/round-explainer.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-fabric.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Explains the slices of a time line: why a worm came, and a member left, when it did.
 *
 * It records a simulation from its beginning on, and keeps that until its end.
 */
class TimelineExplainer : public SimpleRefCount<TimelineExplainer>
{
  public:
    /// Records a fabric's worms from now on. @param fabric the fabric; none is on its way there
    void Watch(Ptr<WormholeFabric> fabric);

    /// Records what hosts and switches do from now on. @param domain the collective domain
    void Watch(Ptr<CollectiveDomain> domain);

    void End(); ///< Forgets the simulation.

    /// Explains a worm that has come. @param fabric its fabric @param worm the worm
    /// @param host name of the host that it has come to
    /// @return what LatencyReport::WriteJson writes; an empty list if it is not recorded
    std::string ExplainWorm(const WormholeFabric& fabric,
                            const Worm& worm,
                            const std::string& host) const;

    /// Explains a member that leaves. @param collective the collective
    /// @param round the member's round, from 1 on @param rank the member
    /// @param entered when it has come @return as ExplainWorm
    std::string ExplainLeave(const Collective& collective,
                             uint64_t round,
                             uint32_t rank,
                             Time entered) const;

  private:
    /// @return what LatencyReport::WriteJson writes
    std::string Print(LatencyIntervals intervals) const;

    std::vector<Ptr<WormholeFabric>> m_fabrics;                ///< whose worms are recorded
    std::vector<std::unique_ptr<RoundExplainer>> m_explainers; ///< by domain
};

} // namespace ns3

#endif /* TIMELINE_EXPLAINER_H */
