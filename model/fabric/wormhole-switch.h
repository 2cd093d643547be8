// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_SWITCH_H
#define WORMHOLE_SWITCH_H

#include "wormhole-port.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class FabricEngine;

/// @ingroup wormhole
/// @brief A wormhole switch: ports joined by a crossbar, each output with its own arbiter.
///
/// It is aggregated to an ns3::Node. GetPort makes ports. Worms that end in the switch go to its
/// collective unit (CollectiveUnit); without one, they are refused.
class WormholeSwitch : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    WormholeSwitch();
    ~WormholeSwitch() override;

    /// @param number a port number @return the port, made on first use
    Ptr<WormholePort> GetPort(uint32_t number);

    /// @return the highest port number in use, plus 1
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    void SetName(const std::string& name); ///< @param name name for messages and traces
    const std::string& GetName() const;    ///< @return name for messages and traces

    /// @return whether the fabric has started, so that attributes are fixed
    bool HasStarted() const;

    /// @return the switch delay t_r: the time from a flit's arrival until the flit can leave
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @param sink the switch's collective unit, which takes worms that end here and must call
    ///        SetSink(nullptr) if it is destroyed before the switch; null: such worms are refused
    void SetSink(WormSink* sink);

    bool HasSink() const; ///< @return whether the switch can take worms that end in it

    /// Starts a worm made by the switch now: it goes first among requests of the same time (S5).
    /// @param worm the worm; stop 0 of its route is this switch
    /// @throws WormholeError if the switch is not in a fabric that has started
    void Originate(Ptr<Worm> worm);

    /// Readies the switch for its first worm. @param engine the fabric's engine
    void Start(FabricEngine& engine);

    void CancelStart(); ///< Undoes Start, so that attributes can be set again.

    /// @return the state that the engine keeps of the switch; this state may outlive the switch
    Ptr<WormholeNodeState> GetNodeState() const;

    void ReadAttributes(); ///< Reads the attributes that Start uses, to check them before Start.

  protected:
    void DoDispose() override;

  private:
    Time m_delay;
    Ptr<WormholeNodeState> m_nodeState;     ///< joins the ports
    std::vector<Ptr<WormholePort>> m_ports; ///< by number; null where there is no cable
};

} // namespace ns3

#endif /* WORMHOLE_SWITCH_H */
