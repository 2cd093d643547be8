// SPDX-License-Identifier: GPL-2.0-only

#ifndef INVARIANT_CHECKER_H
#define INVARIANT_CHECKER_H

#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// Makes members enter a group's rounds at random times, and checks the invariant of its kind
/// (DataKindInvariant): a member leaves only after those whose contributions it must have have
/// entered, and with the correct result. For data, members are given 32-bit elements, which are
/// summed. After each change of members it begins anew, with as many rounds.
class InvariantChecker
{
  public:
    /// @param latest maximum wait of a member before it enters again, ps
    InvariantChecker(Ptr<Collective> collective,
                     uint32_t rounds,
                     Ptr<UniformRandomVariable> rng,
                     uint32_t latest);

    /// @param tasks maximum number of members per host
    /// @return hosts of a group's members, in random order
    static std::vector<uint32_t> DrawHosts(uint32_t n,
                                           uint32_t nHosts,
                                           uint32_t tasks,
                                           Ptr<UniformRandomVariable> rng);

    /// @return the first premature departure or wrong result; empty if there was none
    const std::string& GetWrong() const
    {
        return m_trouble;
    }

    /// @return the first violation, in one line; empty if there was none
    std::string GetTrouble() const;

  private:
    void Ready(Time);
    void Come(uint32_t rank);
    void DoCome(uint32_t rank, uint32_t change);

    void Enter(uint32_t rank, uint64_t value)
    {
        m_values[rank].push_back(value);
    }

    void Leave(uint32_t rank, uint64_t result);
    void Note(const std::string& trouble);

    uint32_t GetRoot() const
    {
        return DataKindInvariant::HasRoot(m_collective->GetKind()) ? m_collective->GetRoot() : 0;
    }

    /// @return the ranks whose contributions to a part a member must have when it leaves, in order
    std::vector<uint32_t> GetContributors(uint32_t rank, uint64_t part) const;

    /// @return the value that a member must leave with, of those that entered the round
    uint64_t FindResult(uint32_t rank, uint32_t round) const;

    void GiveInput(uint32_t rank) const;
    void CheckOutput(uint32_t rank); ///< Checks a member's output.

    Ptr<Collective> m_collective;
    uint32_t m_rounds; ///< number of rounds
    Ptr<UniformRandomVariable> m_rng;
    uint32_t m_latest;            ///< maximum wait of a member before it enters again, ps
    uint32_t m_nChanges{0};       ///< how often the group has become ready
    std::string m_trouble;        ///< the first violation
    std::vector<uint32_t> m_left; ///< rounds that each member has left
    std::vector<std::vector<uint64_t>>
        m_values; ///< by rank, the values that it entered with, by round
};

} // namespace ns3

#endif /* INVARIANT_CHECKER_H */
