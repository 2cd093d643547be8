// SPDX-License-Identifier: GPL-2.0-only

#ifndef GOAL_PROGRAM_H
#define GOAL_PROGRAM_H

#include "ns3/goal-schedule.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

class GoalRun;

/// A parallel program (a job) that follows a GOAL schedule, over the fabric or an ideal network.
///
/// Every rank is a member; it enters to begin, and leaves when all its operations have ended. Sends
/// and receives cost as much as in collectives (HostSoftware), including handshakes of long
/// messages; a receive matches the first message of its rank and tag, and a message matches the
/// first such receive. Calculations, and the software costs of messages, occupy their processor,
/// one after the other in the order in which they became ready. Processor 0 of a rank is its
/// member's process; further ones are other processes of the same host.
class GoalProgram : public Collective
{
  public:
    static TypeId GetTypeId();

    GoalProgram();
    ~GoalProgram() override;

    /// Sets the schedule; before Create.
    void SetSchedule(std::shared_ptr<const GoalSchedule> schedule)
    {
        m_schedule = std::move(schedule);
    }

    bool GetsResult(uint32_t) const override
    {
        return false;
    }

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;
    uint64_t GetNDone() const; ///< @return operations of all ranks that have ended in this round

    /// @return what the first unfinished rank waits for, in one line; empty if all have finished
    std::string ExplainWait() const;

  protected:
    void DoDispose() override;

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    HostSoftware::Transport m_transport{HostSoftware::Transport::SEND_RECEIVE};
    bool m_usesInterface{false}; ///< whether ranks of one host use it
    std::shared_ptr<const GoalSchedule> m_schedule;
    Ptr<GoalRun> m_run; ///< runs the schedule
};

} // namespace ns3

#endif /* GOAL_PROGRAM_H */
