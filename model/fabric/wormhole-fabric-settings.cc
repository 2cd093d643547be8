// SPDX-License-Identifier: GPL-2.0-only

// What a fabric's attributes say of flit times and of lanes (rule S11).

#include "wormhole-fabric.h"

#include "ns3/fabric-engine.h"
#include "ns3/log.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <limits>
#include <numeric>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeFabricLanes");

namespace
{

[[noreturn]] void
Refuse(const std::string& what)
{
    throw WormholeError("ns3::WormholeFabric::" + what);
}

/// @return least size of a flit that takes a whole number of time units at all rates, bytes; 0 if
/// no flit does
uint64_t
GetMinFlitSize(const std::vector<DataRate>& rates)
{
    constexpr uint64_t MOST = std::numeric_limits<uint32_t>::max();
    uint64_t size = 1;
    for (const auto& rate : rates)
    {
        const auto bytes = rate.GetBitRate() ? ExactTime::GetMinBytes(rate) : 0;
        if (bytes == 0 || bytes > MOST || size / std::gcd(size, bytes) > MOST / bytes)
        {
            return 0;
        }
        size = std::lcm(size, bytes);
    }
    return size;
}

/// @param rates all data rates of the fabric, for the message, which names flit sizes that would do
Time
FlitTimeOf(uint32_t flitSize,
           DataRate rate,
           const std::string& where,
           const std::vector<DataRate>& rates)
{
    try
    {
        return ExactTime::Transmission(8ULL * flitSize, rate);
    }
    catch (const WormholeError& error)
    {
        const auto bytes = GetMinFlitSize(rates);
        const auto cure = bytes > 0 && flitSize % bytes != 0
                              ? "; also a FlitSize of " + std::to_string(bytes) +
                                    " bytes, or a multiple of it, is accepted"
                              : "";
        throw WormholeError("a flit's time (WormholeFabric::FlitSize at " + where +
                            "): " + error.what() + cure);
    }
}

} // namespace

Time
WormholeFabric::ReadFlitTime() const
{
    return m_flitTime.IsZero() ? FlitTimeOf(m_flitSize, m_dataRate, "DataRate", GetDataRates())
                               : m_flitTime;
}

Time
WormholeFabric::ReadFlitTime(const WormholeChannel& channel) const
{
    if (!channel.GetFlitTime().IsZero())
    {
        return channel.GetFlitTime();
    }
    return FlitTimeOf(m_flitSize,
                      channel.GetDataRate(),
                      "WormholeChannel::DataRate of the cable at " + channel.GetPort(0)->GetName(),
                      GetDataRates());
}

std::vector<DataRate>
WormholeFabric::GetDataRates() const
{
    std::set<uint64_t> rates;
    if (m_flitTime.IsZero())
    {
        rates.insert(m_dataRate.GetBitRate());
    }
    for (const auto& channel : m_channels)
    {
        if (channel->GetFlitTime().IsZero() && channel->GetDataRate().GetBitRate() > 0)
        {
            rates.insert(channel->GetDataRate().GetBitRate());
        }
    }
    return {rates.begin(), rates.end()};
}

std::vector<int64_t>
WormholeFabric::ReadFlitTimes() const
{
    const auto common = ReadFlitTime().GetTimeStep();
    return MadeOf(m_channels, [&](const auto& channel) {
        return channel->HasOwnFlitTime() ? ReadFlitTime(*channel).GetTimeStep() : common;
    });
}

LaneSettings
WormholeFabric::ReadLanes() const
{
    const auto wants = [this](const std::string& grant,
                              bool isSet,
                              const std::string& what,
                              const std::string& otherwise) {
        if (isSet && m_grant != grant)
        {
            Refuse(what + ", but Grant is " + m_grant + "; expected " + otherwise +
                   ", or Grant = " + grant);
        }
    };
    const auto bytes = std::to_string(m_maxPriorityMessageBytes);
    wants("worm", m_lanes > 1, "Lanes is " + std::to_string(m_lanes), "one lane");
    wants("flit", m_isSync, "Replication is sync", "async");
    wants("flit", m_hasRouteHeaders, "RouteHeader is source", "none");
    wants("worm", m_maxPriorityMessageBytes > 0, "MaxPriorityMessageBytes is " + bytes, "0");
    wants("flit",
          m_inTransit != InTransit::NONE,
          "InTransit is " + NameInTransit(m_inTransit),
          "none");
    LaneSettings settings;
    settings.priorities = ReadPriorities();
    settings.nRouteLanes = m_lanes;
    if (m_maxPriorityMessageBytes > 0)
    {
        if (2 * m_lanes > MAX_LANES)
        {
            Refuse("Lanes is " + std::to_string(m_lanes) +
                   ", with as many more by MaxPriorityMessageBytes; expected " +
                   std::to_string(MAX_LANES) + " in all");
        }
        settings.longestOwnFlits = GetFlits(m_maxPriorityMessageBytes);
        for (uint32_t lane = 0; lane < m_lanes; ++lane)
        {
            constexpr int32_t ABOVE = UINT8_MAX + 1;
            settings.priorities.push_back(ABOVE + settings.priorities[lane]);
        }
    }
    if (!m_starvationTime.IsZero())
    {
        settings.patience = m_starvationTime.GetTimeStep();
    }
    return settings;
}

std::vector<int32_t>
WormholeFabric::ReadPriorities() const
{
    if (m_priorities.empty())
    {
        return std::vector<int32_t>(m_lanes, 0);
    }
    std::vector<int32_t> priorities;
    std::istringstream text(m_priorities + ",");
    for (std::string word; std::getline(text, word, ',');)
    {
        constexpr std::size_t DIGITS = 3;
        const bool isNumber = !word.empty() && word.size() <= DIGITS &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        priorities.push_back(isNumber ? std::stoi(word) : UINT8_MAX + 1);
        if (priorities.back() > UINT8_MAX)
        {
            Refuse("Priorities: '" + word +
                   "' is not accepted; expected whole numbers from 0 "
                   "to 255 with commas between");
        }
    }
    if (priorities.size() != m_lanes)
    {
        Refuse("Priorities names " + std::to_string(priorities.size()) + " lanes, but Lanes is " +
               std::to_string(m_lanes) + "; expected one priority for each, or none at all");
    }
    return priorities;
}

uint64_t
WormholeFabric::GetMaxWormBytes() const
{
    if (m_grant != "worm")
    {
        return UINT64_MAX;
    }
    if (const auto lanes = m_engine->GetLanes())
    {
        return lanes->GetMinDepth() * m_flitSize;
    }
    if (!m_started)
    {
        Check(); // which reads the delays that depths depend on
    }
    const auto taus = ReadFlitTimes();
    uint64_t depth = UINT32_MAX;
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        for (const auto end : {0, 1})
        {
            if (!m_channels[i]->GetPort(1 - end)->GetNode()->device) // hosts take all (S7)
            {
                const auto port = m_channels[i]->GetPort(end);
                depth = std::min<uint64_t>(depth, port->GetFarDepth(taus[i], GetMinDepth()));
            }
        }
    }
    return depth * m_flitSize;
}

void
WormholeFabric::OnStarvation(const LaneStarvation& starvation)
{
    const auto wait = starvation.time - Simulator::Now().GetTimeStep();
    if (wait == 0)
    {
        ReportStarvation(starvation);
    }
    else
    {
        Simulator::Schedule(TimeStep(wait),
                            &WormholeFabric::ReportStarvation,
                            Ptr<WormholeFabric>(this),
                            starvation);
    }
}

void
WormholeFabric::ReportStarvation(const LaneStarvation& starvation)
{
    const auto wait = TimeStep(starvation.time - starvation.since);
    NS_LOG_WARN("worm " << starvation.worm->GetId() << " has waited " << wait.As(Time::US)
                        << " for lane " << +starvation.lane << " of " << starvation.port->GetName()
                        << ", which is granted to worm " << starvation.granted->GetId()
                        << " instead");
    m_starvationTrace(starvation.worm, starvation.port, starvation.lane, starvation.granted, wait);
}

void
WormholeFabric::SetRecorder(Ptr<WormRecorder> recorder)
{
    WormholeError::ThrowIf(recorder && m_engine->GetRounds().counts.pendingDestinations > 0,
                           "worms are to be recorded, but some are on their way: expected a "
                           "recorder that is set before or after");
    m_engine->GetRounds().observer.SetRecorder(std::move(recorder));
}

Ptr<WormRecorder>
WormholeFabric::GetRecorder() const
{
    return m_engine->GetRounds().observer.GetRecorder();
}

} // namespace ns3
