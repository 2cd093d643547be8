/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_PROGRESS_H
#define PLAIN_PROGRESS_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{

/// @brief A plain machine whose members compute, enter a barrier by dissemination, compute, and
///        wait for it: from one instant at which something ends to the next, what each processor
///        does is looked at anew. Nothing is known ahead of time.
struct PlainProgress
{
    /// Who does what a member that computes owes to the barrier.
    enum Who
    {
        IN_CALL,
        INTERRUPT,
        INDEPENDENT
    };

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
    std::vector<std::vector<int64_t>> Run() const
    {
        hasTie = false;
        const auto n = static_cast<uint32_t>(members.size());
        uint32_t phases = 0;
        while (1U << phases < n)
        {
            ++phases;
        }
        std::vector<State> states(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            auto& steps = states[rank].steps;
            for (uint32_t round = 0; round < rounds; ++round)
            {
                for (const auto length : members[rank].before)
                {
                    steps.emplace_back('c', length);
                }
                steps.emplace_back('e', 0);
                for (const auto length : members[rank].between)
                {
                    steps.emplace_back('c', length);
                }
                steps.emplace_back('w', 0);
            }
        }

        struct Message
        {
            int64_t left;   ///< what is left of its flight
            uint32_t to;    ///< receiver
            uint32_t round; ///< round
            uint32_t phase; ///< step of the barrier
        };

        std::vector<Message> messages;
        std::vector<std::vector<int64_t>> ends(n);
        int64_t now = 0;
        while (true)
        {
            for (auto& message : messages)
            {
                if (message.left == 0)
                {
                    auto& to = states[message.to];
                    to.arrived[{message.round, message.phase}] = now;
                    hasTie = hasTie || (to.computes && to.toCompute == 0) ||
                             (to.doing != ' ' && to.toDo == 0);
                }
            }
            messages.erase(std::remove_if(messages.begin(),
                                          messages.end(),
                                          [](const auto& message) { return message.left == 0; }),
                           messages.end());
            auto step = std::numeric_limits<int64_t>::max();
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                auto& state = states[rank];
                if (state.doing == 's' && state.toDo == 0)
                {
                    messages.push_back(
                        {flightNs, (rank + (1U << state.phase)) % n, state.round, state.phase});
                    state.sent = true;
                    state.posted = now;
                    state.doing = ' ';
                }
                else if (state.doing == 't' && state.toDo == 0)
                {
                    ++state.phase;
                    state.sent = false;
                    state.doing = ' ';
                }
                while (Go(state, now, phases, ends[rank]))
                {
                }
                if (state.doing != ' ')
                {
                    step = std::min(step, state.toDo);
                }
                if (state.computes && (who != INTERRUPT || state.doing == ' '))
                {
                    step = std::min(step, state.toCompute);
                }
            }
            for (const auto& message : messages)
            {
                step = std::min(step, message.left);
            }
            if (step == std::numeric_limits<int64_t>::max())
            {
                return ends;
            }
            now += step;
            for (auto& state : states)
            {
                const bool isBusy = state.doing != ' ';
                state.toDo -= isBusy ? step : 0;
                state.toCompute -= state.computes && (who != INTERRUPT || !isBusy) ? step : 0;
            }
            for (auto& message : messages)
            {
                message.left -= step;
            }
        }
    }

  private:
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

    /// Goes on with a member at an instant. @return whether something has changed @param phases
    /// number of steps of the barrier @param ends when its steps have ended
    bool Go(State& state, int64_t now, uint32_t phases, std::vector<int64_t>& ends) const
    {
        // The barrier: what is next of it begins, if whoever does it is free.
        const bool mayBegin =
            state.inside && state.doing == ' ' && (who != IN_CALL || !state.computes);
        if (mayBegin && state.phase == phases)
        {
            state.inside = false;
            return true;
        }
        if (mayBegin && !state.sent)
        {
            state.doing = 's';
            state.toDo = sendNs;
            return true;
        }
        const auto found = state.arrived.find({state.round, state.phase});
        if (mayBegin && found != state.arrived.end())
        {
            state.doing = 't';
            state.toDo = takeNs + (found->second < state.posted ? unexpectedNs : 0);
            // A message that comes to one who is at it already interrupts nothing more.
            if (who == INTERRUPT && state.computes && found->second == now && state.posted < now)
            {
                state.toDo += interruptNs;
            }
            return true;
        }

        // The program.
        const auto end = [&] {
            ends.push_back(now);
            ++state.next;
            state.begun = false;
            return true;
        };
        if (state.computes && state.toCompute == 0 && (who != INTERRUPT || state.doing == ' '))
        {
            state.computes = false;
            return end();
        }
        if (state.next == state.steps.size() || state.computes)
        {
            return false;
        }
        const bool isFree = who == INDEPENDENT || state.doing == ' ';
        const auto& [what, length] = state.steps[state.next];
        if (what == 'c' && isFree)
        {
            state.computes = true;
            state.toCompute = length;
            return true;
        }
        if (what == 'e' && !state.begun)
        {
            state.begun = state.inside = true;
            ++state.round;
            state.phase = 0;
            state.sent = false;
            return true;
        }
        if ((what == 'e' && isFree) || (what == 'w' && !state.inside))
        {
            return end();
        }
        return false;
    }
};

} // namespace ns3

#endif /* PLAIN_PROGRESS_H */
