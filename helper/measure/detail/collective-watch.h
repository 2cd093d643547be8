/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_WATCH_H
#define COLLECTIVE_WATCH_H

#include "ns3/collective.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Has members come to a group's rounds at random times, and checks the laws of its kind:
 * nobody leaves before those whom it must wait for have come, and with the right result.
 */
class CollectiveWatch
{
  public:
    /// @param collective the group's collective, before Create @param kind its kind: barrier,
    /// broadcast or reduction @param rounds how many rounds @param rng random numbers @param latest
    /// most that a member waits before it comes again, ps
    CollectiveWatch(Ptr<Collective> collective,
                    const std::string& kind,
                    uint32_t rounds,
                    Ptr<UniformRandomVariable> rng,
                    uint32_t latest);

    /// @param n number of members @param nHosts number of hosts @param tasks most members of a host
    /// @param rng random numbers
    /// @return hosts of a group's members, in random order
    static std::vector<uint32_t> DrawHosts(uint32_t n,
                                           uint32_t nHosts,
                                           uint32_t tasks,
                                           Ptr<UniformRandomVariable> rng);

    /// @return leavings before those had come whom the member must wait for
    uint32_t GetNEarly() const
    {
        return m_nEarly;
    }

    /// @return results that were wrong
    uint32_t GetNWrong() const
    {
        return m_nWrong;
    }

    /// @return whether everybody has left all rounds
    bool HaveAllLeft() const;

    /// @return the first law that did not hold, in one line, at the end; empty: all held
    std::string GetTrouble() const;

  private:
    /// The group is ready: everybody will come.
    void Ready(Time);
    void Come(uint32_t rank);
    void DoCome(uint32_t rank);
    void Enter(uint32_t rank, uint64_t value);
    void Leave(uint32_t rank, uint64_t result);
    void Note(const std::string& trouble);

    Ptr<Collective> m_collective;     ///< the group's collective
    std::string m_kind;               ///< its kind
    uint32_t m_rounds;                ///< how many rounds
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    uint32_t m_latest;                ///< most that a member waits before it comes again, ps
    uint32_t m_nEarly{0};             ///< leavings before those had come who must have
    uint32_t m_nWrong{0};             ///< results that were wrong
    std::string m_trouble;            ///< the first law that did not hold
    std::vector<uint32_t> m_left;     ///< rounds that each member has left
    std::vector<uint32_t> m_entered;  ///< rounds that each member has entered
    std::vector<uint32_t> m_came;     ///< members that have come, by round
    std::vector<bool> m_rootCame;     ///< whether the root has come, by round
    std::vector<uint64_t> m_results;  ///< what is right, by round
};

} // namespace ns3

#endif /* COLLECTIVE_WATCH_H */
