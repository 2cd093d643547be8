// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_EXPLAINER_H
#define WORM_EXPLAINER_H

#include "worm-recorder.h"

namespace ns3
{

/// Explains the latency of a worm from the records of a WormRecorder.
///
/// By rules S1 to S13, each start of a flit is determined by one of these: the flit before it on
/// the wire, its own arrival, a credit, or the grant. The explainer goes back from the worm's end
/// to its start, from each event to the one that determined it. It prefers the worm's own events:
/// it names another worm only where this one would have continued without it. So intervals meet end
/// to end, and their sum is the latency.
class WormExplainer
{
  public:
    explicit WormExplainer(const WormRecorder& recorder)
        : m_recorder(recorder)
    {
    }

    /// @param end stop of the worm's route where the worm ends: a host or a switch
    /// @return intervals from when the worm was handed to an interface, or made by a switch, to
    /// when the receiver's software sees the worm, or the switch takes it; none if the worm has not
    /// ended or is not recorded
    LatencyIntervals Explain(uint64_t worm, WormRoute::Stop end) const;

    LatencyIntervals Explain(uint64_t worm, const std::string& place) const;

  private:
    const WormRecorder& m_recorder;
};

} // namespace ns3

#endif /* WORM_EXPLAINER_H */
