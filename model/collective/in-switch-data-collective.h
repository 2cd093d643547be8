// SPDX-License-Identifier: GPL-2.0-only

#ifndef IN_SWITCH_DATA_COLLECTIVE_H
#define IN_SWITCH_DATA_COLLECTIVE_H

#include "ns3/wormhole-collective.h"

namespace ns3
{

class SegmentExchange;

/// @ingroup wormhole
/// @brief A data collective in the switches: vectors pass through the group's barrier tree in
///        segments, which the switches' reduction slots combine, copy or forward; see
///        doc/user/in-switch-data.rst.
///
/// Create requests slots from the tree's switches (SlotAdmission). If a switch has too few, the
/// algorithm named by Fallback (if any) serves the group; else the group is refused. A reduction
/// with KeepsOrder needs Fallback. Kinds: ALL_REDUCTION, REDUCTION, BROADCAST, GATHER, ALL_TO_ALL.
class InSwitchData : public Collective
{
  public:
    InSwitchData();
    ~InSwitchData() override;

    /// @return the algorithm that serves the group instead of the switches, with the reason, such
    ///         as "ring: switch s2 has 3 of 16 slots left, too few for Window 8"; or "refused: "
    ///         and the reason, if no algorithm serves the group; empty if the switches serve it
    std::string GetFallback() const override
    {
        return m_refusal.empty() ? ""
                                 : (m_isRefused ? "refused" : m_fallbackName) + ": " + m_refusal;
    }

    /// @return whether the group was refused and no algorithm serves it
    bool IsRefused() const
    {
        return m_isRefused;
    }

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// Callback of the trace source Admission. @param fabricSwitch number of the switch
    /// @param granted,freeSlots whether it grants slots, and how many slots it has left
    typedef void (*AdmissionTracedCallback)(uint32_t fabricSwitch,
                                            bool granted,
                                            uint32_t freeSlots);

    /// Callback of the trace source Refused. @param reason why, such as a switch with too few slots
    typedef void (*RefusedTracedCallback)(std::string reason);

  protected:
    /// @return the TypeId of a kind, with the attributes that all kinds have @param kind the kind
    static TypeId MakeTypeId(DataKind kind);

    void DoDispose() override
    {
        Collective::DoDispose();
        m_fallback = nullptr;
    }

    void DoStop() override;

  private:
    class SlotAdmission;

    void DoCreate() override;

    bool CarriesContents() const override
    {
        return true;
    }

    std::vector<uint8_t> ReadOutput(uint32_t rank) const override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    bool HoldsRegisters() const override
    {
        return GetNMembers() > 1 && m_refusal.empty();
    }

    uint64_t GetRequestBytes() const; ///< @return length of a slot request, bytes
    void RequestSlots();
    void TakeAnswer(uint32_t fabricSwitch, bool granted, uint32_t freeSlots);
    void EndAdmission(bool granted); ///< All slots were granted, or all granted slots returned.
    void OnRefused(); ///< The switches do not serve the group: the fallback does, if there is one.
    void LeaveExchange(uint32_t rank); ///< A member leaves; rank NOBODY: no segment is left.
    void TryGiveBack(); ///< Returns the slots if the group is released and no segment is under way.

    void LeavePart(const Collective&, uint32_t rank, uint64_t) override
    {
        Leave(rank, 0);
    }

    uint32_t m_window{1};
    uint32_t m_headerBytes{1};
    uint32_t m_admissionBytes{1};
    std::string m_fallbackName;

    uint32_t m_segmentBytes{0}; ///< maximum segment length
    std::string m_refusal;
    bool m_isRefused{false};
    bool m_isReleasing{false}; ///< whether the group is being released
    bool m_givesBack{false};   ///< whether the group has begun to return slots
    Ptr<SlotAdmission> m_admission;
    Ptr<SegmentExchange> m_exchange; ///< the members' exchange, once slots are granted
    Ptr<Collective> m_fallback;      ///< the fallback algorithm, if one is set
    SharedBytes m_lonely;            ///< output of a group's only member

    TracedCallback<uint32_t, bool, uint32_t> m_admissionTrace;
    TracedCallback<std::string> m_refusedTrace;
};

/// @ingroup wormhole @brief The class of one kind of InSwitchData.
/// @tparam KIND the kind of collective
template <DataKind KIND>
class InSwitchDataOf : public InSwitchData
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId(KIND).template AddConstructor<InSwitchDataOf>();
        return tid;
    }
};

/// An all-reduction in the switches: they combine vectors up the tree, and copy the result down.
using InSwitchDataAllReduction = InSwitchDataOf<DataKind::ALL_REDUCTION>;
/// A reduction in the switches.
using InSwitchDataReduction = InSwitchDataOf<DataKind::REDUCTION>;
/// A broadcast in the switches.
using InSwitchDataBroadcast = InSwitchDataOf<DataKind::BROADCAST>;
/// A gather in the switches.
using InSwitchDataGather = InSwitchDataOf<DataKind::GATHER>;
/// A total exchange in the switches.
using InSwitchDataAllToAll = InSwitchDataOf<DataKind::ALL_TO_ALL>;

} // namespace ns3

#endif /* IN_SWITCH_DATA_COLLECTIVE_H */
