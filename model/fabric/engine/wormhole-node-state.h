// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_NODE_STATE_H
#define WORMHOLE_NODE_STATE_H

#include "wormhole-buffers.h"

namespace ns3
{

class NetDevice;
class FabricEngine;

/// What joins the ports of one node, and holds both sides of each; hands over what ends here.
///
/// The node and its ports share it, since whoever keeps a port may keep it longer than the node.
class alignas(64) WormholeNodeState : public SimpleRefCount<WormholeNodeState>
{
    struct Due
    {
        int64_t time;
        uint32_t port;        ///< port it came by
        Ptr<const Worm> worm; ///< the worm; null: the sink resumes
    };

    std::vector<Due> m_pending; ///< heap, the first one in front; here since every hop looks at it

  public:
    std::vector<WormholePortState> ports; ///< by number, once the fabric has started
    FabricEngine* engine{nullptr};        ///< the fabric's engine; null without a fabric
    uint32_t context{0};                  ///< ns-3 node id, context of what is handed over
    uint32_t laneNode{0};
    int64_t delay{0};           ///< t_r of the switch or interface
    NetDevice* device{nullptr}; ///< the host's interface that it is; null at a switch
    WormSink* sink{nullptr};    ///< who takes worms that end here; may be null
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

    /// Has the sink resume at a time, after what ends here at that instant and before this node's
    /// outputs are decided on.
    void ResumeAt(int64_t time)
    {
        Add({time, UINT32_MAX, nullptr});
    }

    /// @return whether something is due. It has to be handed over before this node's outputs are
    /// decided on, so that requests the sink makes at an instant take part in it (S5).
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
