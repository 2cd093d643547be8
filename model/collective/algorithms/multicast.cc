/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers and broadcasts whose root sends one tree worm to all others; switches replicate it.

#include "ns3/boolean.h"
#include "ns3/router-setup.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/tree-worm-header.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <memory>

namespace ns3
{

namespace
{

/**
 * A collective by a tree worm. In a barrier every member first sends to the root (Moh et al. 2001,
 * section 4: "multicast"). If so asked, the root first sets up the routers on the worm's way.
 *
 * @tparam KIND Barrier or Broadcast
 */
template <class KIND>
class MulticastCollective : public SoftwareCollective<KIND>
{
  public:
    static TypeId GetTypeId()
    {
        static const AttributeWords encodings{"HeaderEncoding", TreeWormHeader::GetNames()};
        static TypeId tid =
            SoftwareCollective<KIND>::template MakeTypeId<MulticastCollective>("Multicast")
                .AddAttribute("AddressSize",
                              "Bytes that each destination takes in the header of the tree worm, "
                              "with HeaderEncoding addresses.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&MulticastCollective::m_addressSize),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute(
                    "HeaderEncoding",
                    "How the header of the tree worm tells where it goes: addresses (of each "
                    "destination), bit-string (a bit for each host of the fabric) or path-based (a "
                    "bit for each port of the switches on the way).",
                    StringValue("addresses"),
                    MakeWordAccessor(encodings,
                                     MakeStringAccessor(&MulticastCollective::m_headerEncoding)),
                    MakeWordChecker(encodings))
                .AddAttribute("RouterSetup",
                              "Whether the root sets up the routers on the tree worm's way when "
                              "the group is made, by a message to each, and frees them likewise.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&MulticastCollective::m_setsUpRouters),
                              MakeBooleanChecker())
                .AddAttribute("SetupSize",
                              "Length of a message that sets up or frees a router in bytes.",
                              UintegerValue(8),
                              MakeUintegerAccessor(&MulticastCollective::m_setupSize),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        std::vector<CommunicationSchedule> schedules(request.members);
        auto& root = schedules[request.root];
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            if (rank == request.root)
            {
                continue;
            }
            if constexpr (KIND::THE_KIND == DataKind::BARRIER)
            {
                root.Receive(ScheduleStep::COMBINE, rank);
                schedules[rank].Send(request.root);
            }
            schedules[rank].Receive(ScheduleStep::REPLACE,
                                    request.root,
                                    ScheduleStep::MULTICAST_TAG);
        }
        if (request.members > 1)
        {
            root.Multicast(GetHeaderBytes(request));
        }
        return schedules;
    }

    bool UsesCosts() const override
    {
        return TreeWormHeader::Parse(m_headerEncoding) != TreeWormHeader::ADDRESSES;
    }

  protected:
    void DoDispose() override
    {
        m_routers = nullptr;
        SoftwareCollective<KIND>::DoDispose();
    }

  private:
    /// @return hosts of all members but the root, by rank
    static std::vector<uint32_t> GetOthers(const ScheduleRequest& request)
    {
        auto others = request.hosts;
        others.erase(others.begin() + request.root);
        return others;
    }

    /// @return length of the tree worm's header, bytes
    uint32_t GetHeaderBytes(const ScheduleRequest& request) const
    {
        TreeWormHeader header;
        header.encoding = TreeWormHeader::Parse(m_headerEncoding);
        header.addressBytes = m_addressSize;
        // Addresses need no look at the fabric.
        return request.paths && header.encoding != TreeWormHeader::ADDRESSES
                   ? request.paths->GetHeaderBytes(header,
                                                   request.hosts[request.root],
                                                   GetOthers(request))
                   : header.GetBytesOnOneSwitch(request.members);
    }

    void SetUp(const ScheduleRequest& request) override
    {
        if (!m_setsUpRouters || request.members == 1)
        {
            this->BeReady();
            return;
        }
        m_routers =
            std::make_unique<RouterSetup>(*this,
                                          request.hosts[request.root],
                                          GetOthers(request),
                                          this->GetDomain().GetFabric()->GetFlits(m_setupSize));
        m_routers->Start(CollectiveMessage::SETUP,
                         MakeCallback(&MulticastCollective::RoutersReady, this));
    }

    void TakeDown() override
    {
        if (!m_routers)
        {
            this->BeReleased();
            return;
        }
        m_routers->Start(CollectiveMessage::RELEASE,
                         MakeCallback(&MulticastCollective::RoutersFree, this));
    }

    void RoutersReady()
    {
        this->BeReady();
    }

    void RoutersFree()
    {
        m_routers = nullptr;
        this->BeReleased();
    }

    uint32_t m_addressSize{0};              ///< attribute; bytes
    std::string m_headerEncoding;           ///< attribute
    bool m_setsUpRouters{false};            ///< attribute RouterSetup
    uint32_t m_setupSize{0};                ///< attribute; bytes
    std::unique_ptr<RouterSetup> m_routers; ///< sets up routers; null where nobody does
};

/// Registers the algorithm.
const RegisteredKinds<MulticastCollective, Barrier, Broadcast> g_multicast;

} // namespace

} // namespace ns3
