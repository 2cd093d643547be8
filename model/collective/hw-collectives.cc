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

struct Hw1BarrierTraits
{
    using Kind = Barrier;                           ///< what it is
    static constexpr auto TYPE = "ns3::Hw1Barrier"; ///< its name
    static constexpr auto SETTING = "hw-1";         ///< AddOnNetwork::Setting
};

struct HwAllBarrierTraits
{
    using Kind = Barrier;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllBarrier"; ///< its name
    static constexpr auto SETTING = "hw-all";         ///< AddOnNetwork::Setting
};

struct HwAllBroadcastTraits
{
    using Kind = Broadcast;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllBroadcast"; ///< its name
    static constexpr auto SETTING = "hw-all";           ///< AddOnNetwork::Setting
};

struct HwAllReductionTraits
{
    using Kind = Reduction;                             ///< what it is
    static constexpr auto TYPE = "ns3::HwAllReduction"; ///< its name
    static constexpr auto SETTING = "hw-all";           ///< AddOnNetwork::Setting
};

template <class TRAITS>
class HwCollective : public AddOnCollective<typename TRAITS::Kind>
{
  public:
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

using Hw1Barrier = HwCollective<Hw1BarrierTraits>;
using HwAllBarrier = HwCollective<HwAllBarrierTraits>;
using HwAllBroadcast = HwCollective<HwAllBroadcastTraits>;
using HwAllReduction = HwCollective<HwAllReductionTraits>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Hw1Barrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBarrier);
NS_OBJECT_ENSURE_REGISTERED(HwAllBroadcast);
NS_OBJECT_ENSURE_REGISTERED(HwAllReduction);

} // namespace ns3
