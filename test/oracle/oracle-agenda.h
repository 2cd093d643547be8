/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORACLE_AGENDA_H
#define ORACLE_AGENDA_H

#include "ns3/worm-replay.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/// @brief The time of a machine that moves the flits of a case one by one: what happens when.
///
/// Everything of an instant happens, and is asked for, granted and moved until nothing is left,
/// before the next one comes.
/// @tparam PLACE how a channel, or a lane of one, is named
template <typename PLACE>
class OracleAgenda
{
  public:
    explicit OracleAgenda(const WormCase& worms)
        : m_case(worms),
          m_outcome()
    {
        m_outcome.worms.resize(worms.worms.size());
        for (std::size_t w = 0; w < worms.worms.size(); ++w)
        {
            m_agenda[worms.worms[w].timePs - worms.hostDelayPs].push_back({INJECT, w, 0, {}});
        }
    }

    virtual ~OracleAgenda() = default;

    /// Runs until nothing is left to do. @return the times
    ReplayOutcome Run()
    {
        while (!m_agenda.empty())
        {
            const auto now = m_now = m_agenda.begin()->first;
            do
            {
                while (!m_agenda.empty() && m_agenda.begin()->first == now)
                {
                    const auto news = std::move(m_agenda.begin()->second);
                    m_agenda.erase(m_agenda.begin());
                    for (const auto& item : news)
                    {
                        Happen(item);
                    }
                }
                AskAll(now);
                GrantAll();
            } while (MoveAll(now));
        }
        for (std::size_t w = 0; w < m_outcome.worms.size(); ++w)
        {
            m_outcome.worms[w].blocked =
                m_outcome.worms[w].delivered.size() < m_case.worms[w].route.GetNDestinations();
        }
        return m_outcome;
    }

  protected:
    /// What can happen at a time.
    enum What
    {
        INJECT, ///< a worm is handed to its host's queue
        ENTER,  ///< the first flit of a worm takes a slot of a buffer
        READY,  ///< a flit has come through the switch's pipeline
        CREDIT, ///< a slot of the buffer beyond a channel is free
        TAIL,   ///< a tail has left by a channel
        PASS,   ///< a worm that its host passes on is put into the host's queue
        IDLE    ///< a channel can take its next flit
    };

    /// Something that happens.
    struct News
    {
        What what;            ///< what
        std::size_t worm;     ///< worm that it happens to
        WormRoute::Stop stop; ///< at this stop of its route
        PLACE place;          ///< channel, or lane of it
    };

    const WormCase& m_case;                        ///< what to run
    ReplayOutcome m_outcome;                       ///< what happened
    std::map<int64_t, std::vector<News>> m_agenda; ///< what will happen, by time
    int64_t m_now{0};                              ///< present time

  private:
    /// Something happens.
    virtual void Happen(const News& news) = 0;

    /// Has all heads ask that can.
    virtual void AskAll(int64_t now) = 0;

    /// Grants what can be granted.
    virtual void GrantAll() = 0;

    /// Starts the flits that can start. @return whether there was any
    virtual bool MoveAll(int64_t now) = 0;
};

} // namespace ns3

#endif /* ORACLE_AGENDA_H */
