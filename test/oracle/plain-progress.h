/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_PROGRESS_H
#define PLAIN_PROGRESS_H

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole-tests
 * @brief A plain machine whose members compute, enter a barrier by dissemination, compute, and
 *        wait for it: from one instant at which something ends to the next, what each processor
 *        does is looked at anew. Nothing is known ahead of time.
 */
struct PlainProgress
{
    /// Who does what a member that computes owes to the barrier.
    enum Who
    {
        IN_CALL,
        INTERRUPT,
        INDEPENDENT
    };

    /// What a member does.
    struct Member
    {
        std::vector<int64_t> before;  ///< computations before it enters, ns
        std::vector<int64_t> between; ///< computations until it waits, ns
    };

    Who who{IN_CALL};            ///< who makes progress
    int64_t sendNs{0};           ///< a send
    int64_t flightNs{0};         ///< from its end until the message has come
    int64_t takeNs{0};           ///< taking a message
    int64_t unexpectedNs{0};     ///< more, if it came before it was waited for
    int64_t interruptNs{0};      ///< more, if it interrupts a computation
    uint32_t rounds{1};          ///< how often all of it is done
    std::vector<Member> members; ///< what members do

    /// Whether a message came to a member at the very instant at which something that it did ended.
    /// Which of the two is first is nobody's rule.
    mutable bool hasTie{false};

    /// @return when the members' steps end, ns
    std::vector<std::vector<int64_t>> Run() const;

  private:
    /// State of a member.
    struct State
    {
        std::vector<std::pair<char, int64_t>> steps; ///< c(ompute), e(nter), w(ait)
        std::size_t next{0};                         ///< step that is next or under way
        bool begun{false};                           ///< whether it is under way
        int64_t toCompute{0};                        ///< what is left of a computation
        bool computes{false};                        ///< whether it computes
        char doing{' '};                             ///< for the barrier: s(end), t(ake), nothing
        int64_t toDo{0};                             ///< what is left of that
        uint32_t round{0};                           ///< rounds entered
        uint32_t phase{0};                           ///< step of the barrier
        bool sent{false};                            ///< whether its message is sent
        int64_t posted{0};                           ///< when it was
        bool inside{false};                          ///< whether it has not left
        std::map<std::pair<uint32_t, uint32_t>, int64_t> arrived; ///< by round and step
    };

    /// Goes on with a member at an instant. @return whether something has changed @param state the
    /// member @param now the instant @param phases number of steps of the barrier @param ends when
    /// its steps have ended
    bool Go(State& state, int64_t now, uint32_t phases, std::vector<int64_t>& ends) const;
};

} // namespace ns3

#endif /* PLAIN_PROGRESS_H */
