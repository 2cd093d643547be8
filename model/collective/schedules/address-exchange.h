/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADDRESS_EXCHANGE_H
#define ADDRESS_EXCHANGE_H

#include "ns3/communication-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How members of a group exchange the addresses of their buffers, after Gupta et al. (2002),
 *        sections 4.1 and 6.2. Pure.
 *
 * Each member registers one buffer with its interface and sends its start address to all others, by
 * explicit messages. The paper does not specify the pattern: directly, each to all others,
 * beginning with the next rank, in n - 1 messages; or by dissemination, where step k sends all
 * known addresses to the member 2^k ranks further on, in ceil(log2 n) messages of growing length.
 */
class AddressExchange
{
  public:
    /// Length of an address and its memory handle, of 32 bits each.
    static constexpr uint32_t ADDRESS_BYTES = 8;

    /// No exchange: addresses are known in advance.
    static constexpr const char* NONE = "none";

    /// @return the exchange methods: none, direct or dissemination
    static const std::vector<std::string>& GetNames();

    /// @param name direct or dissemination @param members number of members
    /// @return every member's schedule, by rank; the values of the messages are irrelevant
    static std::vector<CommunicationSchedule> MakeSchedules(const std::string& name,
                                                            uint32_t members);
};

} // namespace ns3

#endif /* ADDRESS_EXCHANGE_H */
