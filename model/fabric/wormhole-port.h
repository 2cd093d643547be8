// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_PORT_H
#define WORMHOLE_PORT_H

#include "wormhole-worm.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

class FlitTimes;
class WormholeChannel;
class WormholePortState;

/// @ingroup wormhole
/// @brief One end of a cable: an input buffer and an output with its arbiter and credits.
///
/// A port belongs to a switch or to a host's interface. FabricEngine operates the input and the
/// output (WormholePortState); the port has their attributes and trace sources. A trace source
/// fires at the time of the event that it reports; unconnected sources cost nothing. Connect trace
/// sources before the first worm is sent.
///
/// A port may be kept longer than its node, its cable and its fabric: GetName still works then.
class WormholePort : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Maximum depth of any buffer, flits.
    static constexpr uint32_t MAX_DEPTH = (uint32_t{1} << 28) - 1;

    WormholePort();
    ~WormholePort() override;

    /// @param node switch or interface of the port @param number the port's number there
    void SetNode(Ptr<WormholeNodeState> node, uint32_t number);

    /// @return number of the port at its switch or interface
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return node and port, such as "s3:4"; "a port of no node" before SetNode
    std::string GetName() const;

    /// @return whether the fabric has started: then the port's attributes can't be set any more
    bool HasStarted() const;

    /// @return whether a cable is plugged in
    bool IsConnected() const
    {
        return m_far;
    }

    Ptr<WormholeChannel> GetChannel() const; ///< @return the cable, null if there is none

    /// Throws a WormholeError if this port already has a cable, or belongs to no node.
    void CheckFree() const;

    /// Plugs a cable into this port, with the port `far` at the cable's other end.
    void Plug(Ptr<WormholeChannel> channel, WormholePort& far);

    /// Prepares the output, using both ends' attributes. @param times the fabric's flit times
    /// @param pace the cable's flit time, as index in `times` @param least minimum depth, in flits,
    /// of the far buffer if its BufferDepth is 0 @throws WormholeError if that buffer is too deep
    void Start(uint8_t pace, const FlitTimes& times, uint64_t least);

    /// @return depth, in flits, of the buffer at the far end @param tau the cable's flit time, in
    /// ns-3 time units @param least as for Start @throws WormholeError if it exceeds MAX_DEPTH
    uint32_t GetFarDepth(int64_t tau, uint64_t least) const;

    void CancelStart(); ///< Undoes Start, so that attributes can be set again.

    /// @return lane in which the output was last granted to a worm; 0 if there is only one lane;
    ///         in a TailLeft callback, this may be the next worm's lane, granted at that instant
    uint8_t GetLane() const;

    /// @return switch or interface of the port; null before SetNode
    WormholeNodeState* GetNode() const;

    WormholePortState& GetState() const; ///< @return state of both sides; valid after Start

    /// The trace sources.
    enum Trace : uint8_t
    {
        REQUEST,    ///< trace source Request
        GRANT,      ///< trace source Grant
        HEAD_START, ///< trace source HeadStart
        TAIL_LEFT,  ///< trace source TailLeft
        DELIVERED,  ///< trace source Delivered
        N_TRACES    ///< number of trace sources
    };

    /// Fires a trace source, if connected, at `time`: now or later, in ns-3 time units.
    void Notify(Trace trace, const Ptr<const Worm>& worm, int64_t time)
    {
        if (m_traces)
        {
            FireLater((*m_traces)[trace], worm, time);
        }
    }

  protected:
    void DoDispose() override;

  private:
    typedef TracedCallback<Ptr<const Worm>> WormTrace; ///< A trace source that reports worms.

    WormTrace& Listen(Trace trace); ///< @return a trace source, made on first connection
    void FireLater(const WormTrace& trace, const Ptr<const Worm>& worm, int64_t time);

    int64_t GetCovering(int64_t tau) const;

    uint32_t m_bufferDepth{0}; ///< attribute BufferDepth, flits; 0: covers the cable's round trip
    uint32_t m_number{0};
    Ptr<WormholeNodeState> m_node; ///< switch or interface of the port
    WormholePort* m_far{nullptr};  ///< port at the cable's other end; null once destroyed
    Ptr<WormholeChannel> m_channel;

    /// The trace sources; null until one is connected: a fabric may have millions of ports.
    std::unique_ptr<std::array<WormTrace, N_TRACES>> m_traces;
};

} // namespace ns3

#endif /* WORMHOLE_PORT_H */
