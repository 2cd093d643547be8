/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRESS_WATCH_H
#define PROGRESS_WATCH_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Ends the simulation if nothing that is waited for happens for some time: what beside
 *        traffic that never ends would go on for ever.
 */
class ProgressWatch
{
  public:
    /**
     * Begins to look at once, for as long as it lives.
     * @param last returns when something that is waited for happened last
     * @param limit how long nothing may
     */
    ProgressWatch(std::function<Time()> last, Time limit);

    /// Looks no longer.
    ~ProgressWatch();

    ProgressWatch(const ProgressWatch&) = delete;            ///< events hold its address
    ProgressWatch& operator=(const ProgressWatch&) = delete; ///< events hold its address

  private:
    /// Looks whether something has happened.
    void Look();

    std::function<Time()> m_last; ///< when something happened last
    Time m_limit;                 ///< how long nothing may
    EventId m_event;              ///< looks
};

} // namespace ns3

#endif /* PROGRESS_WATCH_H */
