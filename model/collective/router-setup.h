/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTER_SETUP_H
#define ROUTER_SETUP_H

#include "collective.h"

#include "ns3/callback.h"
#include "ns3/collective-unit.h"
#include "ns3/switch-program.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Sets up the routers for a group's tree worms, and frees them: one message from the root to
 * each switch on the worm's way, one start-up after the other (Moh et al., Table 2: the tree is
 * constructed by the root, routers are set up when the group is created).
 */
class RouterSetup : private SwitchProgram
{
  public:
    /// All routers are done.
    typedef Callback<void> DoneCallback;

    /// @param group the group, which must outlive this @param root the root's host @param others
    /// hosts of the other members @param flits length of a message, flits
    RouterSetup(const Collective& group,
                uint32_t root,
                const std::vector<uint32_t>& others,
                uint64_t flits);

    ~RouterSetup() override;

    RouterSetup(const RouterSetup&) = delete;            ///< switches point to it
    RouterSetup& operator=(const RouterSetup&) = delete; ///< switches point to it

    /// Sends the messages. @param type SETUP or RELEASE @param done told when all have arrived
    void Start(CollectiveMessage::Type type, DoneCallback done);

  private:
    // From SwitchProgram: a switch has a message
    void ReceiveAtSwitch(uint32_t fabricSwitch,
                         uint16_t port,
                         const CollectiveMessage& message) override;

    const Collective& m_group;                    ///< the group
    uint32_t m_root;                              ///< the root's host
    uint64_t m_flits;                             ///< length of a message, flits
    std::vector<uint32_t> m_switches;             ///< on the way, in its order
    std::map<uint32_t, Ptr<CollectiveUnit>> m_on; ///< units that wait for a message, by switch
    DoneCallback m_done;                          ///< told when none does
};

} // namespace ns3

#endif /* ROUTER_SETUP_H */
