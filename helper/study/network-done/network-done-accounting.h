/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_ACCOUNTING_H
#define NETWORK_DONE_ACCOUNTING_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What the study of synchronisation hardware (SyncMachine) has for a Network-Done: without
 *        any simulation of messages, at its own costs of software, on an idle machine.
 *
 * By counters it is one ADD, whatever there is under way; by acknowledgements the time of one more
 * message where there are messages. The inner barrier comes besides.
 */
class NetworkDoneAccounting
{
  public:
    /// @param method name of a network-done barrier @param nodes number of its members, 2 at least
    /// @param communicates share of rounds that there are messages in
    /// @return what the accounting has for a round, us; NaN if it does not know the method's parts:
    /// hw-1, hw-all and algorithms by software are known
    static double GetTimeUs(const std::string& method, uint32_t nodes, double communicates);
};

} // namespace ns3

#endif /* NETWORK_DONE_ACCOUNTING_H */
