// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_EXPLAINER_H
#define WORM_EXPLAINER_H

#include "worm-recorder.h"

namespace ns3
{

/// Explains the latency of a worm from the records of a WormRecorder.
///
/// Each start of a flit is bound by something, by rules S1 to S13: the flit before it on the wire,
/// its own arrival, a credit, the grant. The explainer goes back from the worm's end to its start,
/// each time to what bound it. What the worm itself did comes before what others did: others are
/// named only where the worm would have gone on without them. So intervals meet end to end, and
/// their sum is the latency.
class WormExplainer
{
  public:
    explicit WormExplainer(const WormRecorder& recorder)
        : m_recorder(recorder)
    {
    }

    /// @param end stop of its route where it ends, a host or a switch
    /// @return intervals from when it was handed to an interface, or made by a switch, to when the
    /// receiver's software sees it, or the switch takes it; none if that has not come or is not
    /// recorded
    LatencyIntervals Explain(uint64_t worm, WormRoute::Stop end) const;

    LatencyIntervals Explain(uint64_t worm, const std::string& place) const;

  private:
    const WormRecorder& m_recorder;
};

} // namespace ns3

#endif /* WORM_EXPLAINER_H */
