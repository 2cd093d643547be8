/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The collectives of add-on networks (Hyder and Wood, 1996): one class a network and operation,
// found by the names of their types. They differ in what they ask of the network alone.

#include "add-on-collective.h"

namespace ns3
{

namespace
{

/// A barrier, or AND of one bit, by HW-1.
struct Hw1BarrierTraits
{
    using Kind = Barrier;                           ///< what it is
    static constexpr auto TYPE = "ns3::Hw1Barrier"; ///< its name
    static constexpr auto SETTING = "hw-1";         ///< AddOnNetwork::Setting
};

/// A barrier or all-reduction by HW-All.
struct HwAllBarrierTraits
{
    using Kind = Barrier;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllBarrier"; ///< its name
    static constexpr auto SETTING = "hw-all";         ///< AddOnNetwork::Setting
};

/// A broadcast by HW-All.
struct HwAllBroadcastTraits
{
    using Kind = Broadcast;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllBroadcast"; ///< its name
    static constexpr auto SETTING = "hw-all";           ///< AddOnNetwork::Setting
};

/// A reduction to one member by HW-All.
struct HwAllReductionTraits
{
    using Kind = Reduction;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllReduction"; ///< its name
    static constexpr auto SETTING = "hw-all";           ///< AddOnNetwork::Setting
};

/// A collective of an add-on network. @tparam TRAITS what it is, its name and the network's setting
template <class TRAITS>
class HwCollective : public AddOnCollective<typename TRAITS::Kind>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(TRAITS::TYPE)
                                .template SetParent<AddOnCollective<typename TRAITS::Kind>>()
                                .SetGroupName("Wormhole")
                                .template AddConstructor<HwCollective<TRAITS>>();
        return tid;
    }

  private:
    std::string GetSetting() const override
    {
        return TRAITS::SETTING;
    }
};

/// A barrier of HW-1.
using Hw1Barrier = HwCollective<Hw1BarrierTraits>;
/// A barrier of HW-All.
using HwAllBarrier = HwCollective<HwAllBarrierTraits>;
/// A broadcast of HW-All.
using HwAllBroadcast = HwCollective<HwAllBroadcastTraits>;
/// A reduction of HW-All.
using HwAllReduction = HwCollective<HwAllReductionTraits>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Hw1Barrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBarrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBroadcast);
NS_OBJECT_ENSURE_REGISTERED(HwAllReduction);

} // namespace ns3
