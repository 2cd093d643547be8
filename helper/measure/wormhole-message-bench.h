// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_MESSAGE_BENCH_H
#define WORMHOLE_MESSAGE_BENCH_H

#include "wormhole-background-traffic.h"

#include "ns3/collective-domain.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class MessagePair;

/// @ingroup wormhole
/// @brief Messages between two processes, measured like MPI's point-to-point benchmarks.
///
/// Messages use send/receive, with all costs of the hosts' software. Receives are posted before
/// messages arrive. Each measurement runs the simulator until no event is left, so nothing else may
/// run in this simulation. PingPong and Stream begin with unmeasured rounds, until two consecutive
/// rounds take the same time or MAX_WARM_UP rounds are done.
class MessageBench
{
  public:
    /// Creates two processes, on the hosts `first` and `second`, which may be the same host; the
    /// process on `first` sends first; throws like Collective::Create.
    MessageBench(Ptr<CollectiveDomain> domain, uint32_t first, uint32_t second);
    ~MessageBench();

    MessageBench(const MessageBench&) = delete;            ///< not copyable
    MessageBench& operator=(const MessageBench&) = delete; ///< not copyable

    /// Sends a message back and forth in each round, and returns all rounds' total time; half of
    /// one round's time is the latency; throws a WormholeError if a length or number is out of
    /// range, or a message does not arrive.
    Time PingPong(uint64_t bytes, uint32_t rounds)
    {
        return Measure(bytes, 1, bytes, rounds);
    }

    /// Sends in each round `window` messages without waiting between them; the receiver answers
    /// them by one message of ANSWER_BYTES; returns the rounds' total time; throws like PingPong.
    Time Stream(uint64_t bytes, uint32_t window, uint32_t rounds)
    {
        return Measure(bytes, window, ANSWER_BYTES, rounds);
    }

    /// Performs one round without traffic, then `rounds` rounds under background traffic; returns
    /// the time of each round under traffic; a round is as in Stream, but its answer has `answer`
    /// bytes; call this once, see LoadedBench; throws like PingPong and LoadedBench.
    std::vector<Time> MeasureUnderTraffic(uint64_t bytes,
                                          uint32_t window,
                                          uint64_t answer,
                                          uint32_t rounds,
                                          const BackgroundTraffic::Parameters& traffic);

    static constexpr uint32_t ANSWER_BYTES = 4;    ///< bytes in an answer to a window
    static constexpr uint32_t MAX_WARM_UP = 8;     ///< maximum number of unmeasured rounds
    static constexpr uint32_t MAX_WINDOW = 65536;  ///< maximum number of messages in a window
    static constexpr uint32_t MAX_ROUNDS = 100000; ///< maximum number of rounds

  private:
    static void Check(uint64_t bytes, uint32_t window, uint32_t rounds);
    Time Measure(uint64_t bytes, uint32_t window, uint64_t answer, uint32_t rounds);

    Ptr<MessagePair> m_pair; ///< the two processes
};

} // namespace ns3

#endif /* WORMHOLE_MESSAGE_BENCH_H */
