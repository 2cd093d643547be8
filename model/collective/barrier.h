/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_H
#define BARRIER_H

#include "collective-domain.h"

#include "ns3/barrier-tree.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier of a group of hosts, which also reduces one value of each member.
 *
 * Every member enters with a value and leaves with all members' values combined. Nobody leaves
 * before everybody came, and everybody leaves; a member that has left may enter the next round at
 * once. Members are known by their rank, the index in the list given to Create. The root is the
 * root host of the group's barrier tree, whatever the algorithm, so that algorithms compare.
 */
class Barrier : public Object, public CollectiveClient
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Makes the group. Algorithms that must set something up in the fabric start to do so; the
     * trace source Ready fires when that is done.
     * @param domain the fabric's collective domain
     * @param hosts numbers of the member hosts, each once
     * @throws WormholeError if the group cannot be, naming the member, switch or number
     */
    void Create(Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts);

    /**
     * A member comes to the barrier.
     * @param rank the member
     * @param value its value, of at most WidthBits bits
     * @throws WormholeError if the group is not ready, the member is inside already, or the value
     *         is too wide
     */
    void Enter(uint32_t rank, uint64_t value = 0);

    /**
     * Ends the group. What it holds in the fabric is given back by messages; the trace source
     * Released fires when that is done.
     * @throws WormholeError if a member is inside
     */
    void Release();

    /// @return whether members may enter
    bool IsReady() const;

    /// @return number of members
    uint32_t GetNMembers() const;

    /// @return number of a member's host @param rank the member
    uint32_t GetHost(uint32_t rank) const;

    /// @return rank of the root
    uint32_t GetRoot() const;

    /// @return the group's barrier tree
    const BarrierTree& GetTree() const;

    /// @return group identifier
    uint16_t GetGroup() const;

    /// @return all fields of a message together, in bytes: type, group and value
    uint32_t GetMessageBytes() const;

    /// @return length of a message in flits @param extraBytes bytes beyond GetMessageBytes
    uint64_t GetMessageFlits(uint32_t extraBytes = 0) const;

    std::string ExplainMissing() const override;

    /**
     * Callback of the trace sources Enter and Leave.
     * @param rank the member
     * @param value its value, or the result
     */
    typedef void (*MemberTracedCallback)(uint32_t rank, uint64_t value);

    /**
     * Callback of the trace sources Ready and Released.
     * @param duration since Create or Release
     */
    typedef void (*DurationTracedCallback)(Time duration);

  protected:
    void DoDispose() override;

    /// A member leaves. @param rank the member @param result all values combined
    void Leave(uint32_t rank, uint64_t result);

    /// The group is ready.
    void BeReady();

    /// The group has given everything back.
    void BeReleased();

    /// @return the fabric's collective domain
    CollectiveDomain& GetDomain() const;

    /// @return software of a member's host @param rank the member
    HostSoftware& GetSoftware(uint32_t rank) const;

    /// @return a member's rank @param host number of its host
    uint32_t GetRank(uint32_t host) const;

    /// @return both values combined @param a a value @param b another value
    uint64_t CombineValues(uint64_t a, uint64_t b) const;

    /// @return how values are combined
    CollectiveOperation GetOperation() const;

    /// @return width of values in bits
    uint32_t GetWidthBits() const;

  private:
    /// What the algorithm does when the group is made; it calls BeReady.
    virtual void DoCreate() = 0;
    /// What it does when a member comes. @param rank the member @param value its value
    virtual void DoEnter(uint32_t rank, uint64_t value) = 0;
    /// What it does at the end; it calls BeReleased.
    virtual void DoRelease() = 0;

    /// State of the group.
    enum State
    {
        NONE,     ///< before Create
        CREATING, ///< being set up
        READY,    ///< in use
        RELEASED, ///< being or having been given back
    };

    std::string m_operationName;     ///< attribute
    uint32_t m_widthBits{1};         ///< attribute
    uint32_t m_groupIdBits{8};       ///< attribute

    State m_state{NONE};             ///< state of the group
    Ptr<CollectiveDomain> m_domain;  ///< the fabric's collective domain
    std::vector<uint32_t> m_hosts;   ///< by rank
    std::vector<std::pair<uint32_t, uint32_t>> m_ranks; ///< hosts, increasing, and their ranks
    std::vector<bool> m_inside;      ///< by rank
    uint32_t m_nInside{0};           ///< number of members inside
    std::unique_ptr<const BarrierTree> m_tree; ///< the barrier tree, once made
    uint32_t m_root{0};              ///< rank of the root
    uint16_t m_group{0};             ///< group identifier
    CollectiveOperation m_operation{CollectiveOperation::AND}; ///< how values are combined
    Time m_since;                    ///< of Create or Release

    TracedCallback<uint32_t, uint64_t> m_enterTrace; ///< trace source Enter
    TracedCallback<uint32_t, uint64_t> m_leaveTrace; ///< trace source Leave
    TracedCallback<Time> m_readyTrace;               ///< trace source Ready
    TracedCallback<Time> m_releasedTrace;            ///< trace source Released
};

} // namespace ns3

#endif /* BARRIER_H */
