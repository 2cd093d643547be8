// SPDX-License-Identifier: GPL-2.0-only

#ifndef OUTAGE_TEXT_H
#define OUTAGE_TEXT_H

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// An entry of WormholeFabric::OutageSchedule: which part is down, and when.
struct OutageText
{
    std::string text; ///< the entry, for messages
    std::string node; ///< name of a switch, host or end of a cable; or each-cable, each-switch,
                      ///< each-host
    std::optional<uint32_t> port;                  ///< port of a cable at that node
    std::pair<std::string, uint32_t> far;          ///< node and port at its other end
    Time from;                                     ///< start of the first outage
    std::optional<Time> length;                    ///< length of an outage; none: forever
    std::optional<Time> period;                    ///< time between starts; none: one outage
    std::optional<std::pair<Time, Time>> failures; ///< mean times between failures, and to repair
    Time end;                                      ///< none of several outages starts then or later

    /// @param schedule entries separated by ;, such as "s1:3-s2:4 at 1ms for 500us; s7 at 2ms"
    /// @throws WormholeError that names the entry and what is expected
    static std::vector<OutageText> Read(const std::string& schedule);
};

/// The outages of a part by one entry, one after the other.
class OutageSequence
{
  public:
    /// @param shortest minimum length of random outages
    OutageSequence(OutageText text, Time shortest, int64_t stream);

    /// @return start and end of the next outage (Time::Max(): it never ends); null: no more outages
    const std::pair<Time, Time>* Get() const
    {
        return m_next ? &*m_next : nullptr;
    }

    void GoOn(); ///< Advances to the next outage.

  private:
    Time Draw(Time mean) const
    {
        return TimeStep(static_cast<uint64_t>(mean.GetDouble() * m_random->GetValue()));
    }

    OutageText m_text;
    Time m_shortest;                             ///< minimum length of random outages
    Ptr<ExponentialRandomVariable> m_random;     ///< of mean 1; null: nothing is random
    std::optional<std::pair<Time, Time>> m_next; ///< start and end; none: no more outages
};

} // namespace ns3

#endif /* OUTAGE_TEXT_H */
