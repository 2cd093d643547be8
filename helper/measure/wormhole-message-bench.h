/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

/**
 * @ingroup wormhole
 * @brief Messages between two processes, measured as point-to-point benchmarks of MPI do.
 *
 * Messages have all costs of their hosts' software, by send/receive. Receives are posted before
 * messages come. Each measurement runs the simulator until nothing is left to do, so nothing else
 * should be going on in this simulation. Rounds are repeated until one takes as long as that before
 * it, at most MAX_WARM_UP times, before those that count.
 */
class MessageBench
{
  public:
    /// @param domain the fabric's collective domain
    /// @param first number of the first process's host, which sends first
    /// @param second number of the second one's; the same host: another process there
    /// @throws WormholeError as Collective::Create
    MessageBench(Ptr<CollectiveDomain> domain, uint32_t first, uint32_t second);
    ~MessageBench();

    MessageBench(const MessageBench&) = delete;            ///< the simulation knows its processes
    MessageBench& operator=(const MessageBench&) = delete; ///< the simulation knows its processes

    /// A message goes to and fro. Half of the time is the latency.
    /// @param bytes length of the message
    /// @param rounds how many times it does
    /// @return how long that took
    /// @throws WormholeError if a length or number is out of range, or a message does not come
    Time PingPong(uint64_t bytes, uint32_t rounds);

    /// Messages are sent one after the other, without waiting for any; when all have been taken,
    /// the receiver sends ANSWER_BYTES back.
    /// @param bytes length of a message
    /// @param window number of messages
    /// @param rounds how many times they do
    /// @return how long that took
    /// @throws WormholeError as PingPong
    Time Stream(uint64_t bytes, uint32_t window, uint32_t rounds);

    /**
     * As PingPong or Stream, beside traffic, once: see LoadedBench. One round without traffic comes
     * before.
     * @param bytes length of a message
     * @param window number of messages before the answer
     * @param answer length of the answer
     * @param rounds how many times they do
     * @param traffic what there is beside them
     * @return how long each round took
     * @throws WormholeError as PingPong and LoadedBench
     */
    std::vector<Time> MeasureUnderTraffic(uint64_t bytes,
                                          uint32_t window,
                                          uint64_t answer,
                                          uint32_t rounds,
                                          const BackgroundTraffic::Parameters& traffic);

    static constexpr uint32_t ANSWER_BYTES = 4;    ///< length of an answer to a window
    static constexpr uint32_t MAX_WARM_UP = 8;     ///< most rounds before those that count
    static constexpr uint32_t MAX_WINDOW = 65536;  ///< most messages of a window
    static constexpr uint32_t MAX_ROUNDS = 100000; ///< most rounds

  private:
    static void Check(uint64_t bytes, uint32_t window, uint32_t rounds);
    Time Measure(uint64_t bytes, uint32_t window, uint64_t answer, uint32_t rounds);

    Ptr<MessagePair> m_pair; ///< the two processes
};

} // namespace ns3

#endif /* WORMHOLE_MESSAGE_BENCH_H */
