/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INVARIANT_CHECKER_H
#define INVARIANT_CHECKER_H

#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Has members come to a group's rounds at random times, and checks the invariant of its
/// kind (DataKindInvariant): nobody leaves before those have come whose contributions it must have,
/// and with the right result. Of data, members are given elements of 32 bits, which are added.
class InvariantChecker
{
  public:
    /// @param collective the group's collective, before Create @param rounds how many rounds
    /// @param rng random numbers @param latest most that a member waits before it comes again, ps
    InvariantChecker(Ptr<Collective> collective,
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

    /// @return the first invariant that did not hold, in one line, at the end; empty: all held
    std::string GetTrouble() const;

  private:
    /// The group is ready: everybody will come.
    void Ready(Time);
    void Come(uint32_t rank);
    void DoCome(uint32_t rank);
    void Enter(uint32_t rank, uint64_t value);
    void Leave(uint32_t rank, uint64_t result);
    void Note(const std::string& trouble);

    /// @return the root, if the kind has one
    uint32_t GetRoot() const;

    /// @return whose contributions a member must have of a part when it leaves, in order
    std::vector<uint32_t> GetContributors(uint32_t rank, uint64_t part) const;

    /// @return the value that a member is to leave with, of those who have come to the round
    uint64_t FindResult(uint32_t rank, uint32_t round) const;

    void GiveInput(uint32_t rank) const;
    void CheckOutput(uint32_t rank); ///< Notes if what a member leaves with is wrong.

    Ptr<Collective> m_collective;     ///< the group's collective
    uint32_t m_rounds;                ///< how many rounds
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    uint32_t m_latest;                ///< most that a member waits before it comes again, ps
    uint32_t m_nEarly{0};             ///< leavings before those had come who must have
    uint32_t m_nWrong{0};             ///< results that were wrong
    std::string m_trouble;            ///< the first invariant that did not hold
    std::vector<uint32_t> m_left;     ///< rounds that each member has left
    std::vector<std::vector<uint64_t>> m_values; ///< by rank, what it has come with, by round
};

} // namespace ns3

#endif /* INVARIANT_CHECKER_H */
