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
    std::optional<uint32_t> port;                  ///< of a cable at that node
    std::pair<std::string, uint32_t> far;          ///< node and port at its other end
    Time from;                                     ///< begin of the first outage
    std::optional<Time> length;                    ///< of an outage; none: for ever
    std::optional<Time> period;                    ///< from one begin to the next; none: one outage
    std::optional<std::pair<Time, Time>> failures; ///< mean times between failures, and to repair
    Time end;                                      ///< no outage of several begins then or later

    /// @param schedule entries with ; between, such as "s1:3-s2:4 at 1ms for 500us; s7 at 2ms"
    /// @throws WormholeError that names the entry and what is expected
    static std::vector<OutageText> Read(const std::string& schedule);
};

/// The outages of a part by one entry, one after the other.
class OutageSequence
{
  public:
    /// @param shortest no random outage is shorter
    OutageSequence(OutageText text, Time shortest, int64_t stream);

    /// @return begin and end of the next outage; an end of Time::Max() is none; null: no more come
    const std::pair<Time, Time>* Get() const
    {
        return m_next ? &*m_next : nullptr;
    }

    void GoOn(); ///< Goes on to the outage after it.

  private:
    Time Draw(Time mean) const
    {
        return TimeStep(static_cast<uint64_t>(mean.GetDouble() * m_random->GetValue()));
    }

    OutageText m_text;
    Time m_shortest;                             ///< no random outage is shorter
    Ptr<ExponentialRandomVariable> m_random;     ///< of mean 1; null: nothing is random
    std::optional<std::pair<Time, Time>> m_next; ///< begin and end; none: no more come
};

} // namespace ns3

#endif /* OUTAGE_TEXT_H */
