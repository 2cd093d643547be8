// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_NODE_STATE_H
#define WORMHOLE_NODE_STATE_H

#include "wormhole-buffers.h"

namespace ns3
{

class NetDevice;
class FabricEngine;

/// Joins the ports of one node, holds both sides of each, and hands over worms that end here.
///
/// The node and its ports share this state, since a port may be kept longer than its node.
class alignas(64) WormholeNodeState : public SimpleRefCount<WormholeNodeState>
{
    struct Due
    {
        int64_t time;
        uint32_t port;        ///< port it came by
        Ptr<const Worm> worm; ///< the worm; null: the sink resumes
    };

    std::vector<Due> m_pending; ///< heap, the earliest in front; here since every hop reads it

  public:
    std::vector<WormholePortState> ports; ///< by number, once the fabric has started
    FabricEngine* engine{nullptr};        ///< the fabric's engine; null without a fabric
    uint32_t context{0};                  ///< ns-3 node id, context of what is handed over
    uint32_t laneNode{0};
    int64_t delay{0};           ///< t_r of the switch or interface
    NetDevice* device{nullptr}; ///< the interface, at a host; null at a switch
    WormSink* sink{nullptr};    ///< takes worms that end here; may be null
    std::string name;

    const WormholeOutput* GetOutput(uint32_t port) const
    {
        if (port >= ports.size() || !ports[port].farPorts)
        {
            RefusePort(port);
        }
        return &ports[port];
    }

    [[noreturn]] void RefusePort(uint32_t port) const;

    /// A worm that ends at this switch will be complete at a time, later than now.
    /// @param time when its last flit is ready and it is in front of its buffer
    void DeliverAt(int64_t time, uint32_t port, Ptr<const Worm> worm);

    void Deliver(uint32_t port, Ptr<const Worm> worm);

    /// Calls the sink's Resume at a time, after worms that end here at that instant are handed over
    /// and before this node's outputs are decided on.
    void ResumeAt(int64_t time)
    {
        Add({time, UINT32_MAX, nullptr});
    }

    /// @return whether something is due, which must be handed over before this node's outputs are
    /// decided on: requests that the sink makes at this instant then take part (S5).
    bool HasDue(int64_t now) const
    {
        return !m_pending.empty() && m_pending.front().time <= now;
    }

    void DeliverDue(int64_t now);

  private:
    static bool Later(const Due& a, const Due& b)
    {
        return std::make_pair(a.time, a.port) > std::make_pair(b.time, b.port);
    }

    void Add(Due&& due);
};

} // namespace ns3

#endif /* WORMHOLE_NODE_STATE_H */
