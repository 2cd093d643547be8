/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-explainer.h"

#include "ns3/collective.h"
#include "ns3/latency-report.h"
#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"

#include <sstream>
#include <utility>

namespace ns3
{

void
TimelineExplainer::Watch(Ptr<WormholeFabric> fabric)
{
    if (!fabric->GetRecorder())
    {
        fabric->SetRecorder(Create<WormRecorder>());
        m_fabrics.push_back(std::move(fabric));
    }
}

void
TimelineExplainer::Watch(Ptr<CollectiveDomain> domain)
{
    m_explainers.push_back(std::make_unique<RoundExplainer>(std::move(domain)));
}

void
TimelineExplainer::End()
{
    m_explainers.clear();
    for (const auto& fabric : m_fabrics)
    {
        fabric->SetRecorder(nullptr);
    }
    m_fabrics.clear();
}

std::string
TimelineExplainer::ExplainWorm(const WormholeFabric& fabric,
                               const Worm& worm,
                               const std::string& host) const
{
    LatencyIntervals intervals;
    if (const auto recorder = fabric.GetRecorder())
    {
        intervals = WormExplainer(*recorder).Explain(worm.GetId(), host);
    }
    return Print(std::move(intervals));
}

std::string
TimelineExplainer::ExplainLeave(const Collective& collective,
                                uint64_t round,
                                uint32_t rank,
                                Time entered) const
{
    LatencyIntervals intervals;
    for (const auto& explainer : m_explainers)
    {
        if (&explainer->GetDomain() == &collective.GetDomain())
        {
            intervals = explainer->ExplainMember(collective, round, rank, entered.GetTimeStep());
        }
    }
    return Print(std::move(intervals));
}

std::string
TimelineExplainer::Print(LatencyIntervals intervals) const
{
    std::ostringstream text;
    LatencyReport(std::move(intervals), [this](const Worm& worm) {
        return m_explainers.empty() ? "worm " + std::to_string(worm.GetId())
                                    : m_explainers.front()->Describe(worm);
    }).WriteJson(text);
    return text.str();
}

} // namespace ns3
