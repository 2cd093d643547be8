// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-helper.h"

#include "ns3/simulator.h"
#include "ns3/worm-header.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

constexpr uint16_t EXPERIMENTAL = 0x88b5; ///< Ethernet type (IEEE 802) of what is no frame

/// Refuses a name that no file can have, on which ns-3 ends the program. @return the name
const std::string&
Tried(const std::string& name)
{
    const AtomicFile file(name); // thrown away
    return name;
}

void
WriteWorm(Ptr<PcapFileWrapper> file, Ptr<const Worm> worm)
{
    const auto packet = worm->GetPacket();
    if (!packet)
    {
        return; // a worm that says nothing
    }
    if (worm->GetKind() == Worm::FRAME)
    {
        file->Write(Simulator::Now(), packet);
        return;
    }
    const Mac48Address nobody("00:00:00:00:00:00");
    auto copy = packet->Copy();
    copy->AddHeader(WormHeader({nobody, nobody, EXPERIMENTAL}));
    file->Write(Simulator::Now(), copy);
}

} // namespace

void
WormholeHelper::EnablePcapSwitch(const std::string& prefix, Ptr<WormholeSwitch> fabricSwitch)
{
    WormholeError::ThrowIf(!fabricSwitch,
                           "EnablePcapSwitch: no switch is given; expected one such as "
                           "fabric->GetSwitch(0)");
    const auto node = fabricSwitch->GetObject<Node>();
    PcapHelper pcap;
    for (uint32_t number = 0; number < fabricSwitch->GetNPorts(); ++number)
    {
        auto port = fabricSwitch->GetPort(number);
        if (port && port->IsConnected())
        {
            const auto name = prefix + "-" + std::to_string(node ? node->GetId() : 0) + "-" +
                              std::to_string(number) + ".pcap";
            auto file = pcap.CreateFile(Tried(name), std::ios::out, PcapHelper::DLT_EN10MB);
            port->TraceConnectWithoutContext("HeadStart", MakeBoundCallback(&WriteWorm, file));
        }
    }
}

void
WormholeHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> device,
                                   bool promiscuous,
                                   bool explicitFilename)
{
    auto ours = DynamicCast<WormholeNetDevice>(device);
    if (!ours)
    {
        return; // EnablePcapAll comes by here with all devices
    }
    PcapHelper pcap;
    const auto name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    auto file = pcap.CreateFile(Tried(name), std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<WormholeNetDevice>(ours, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
WormholeHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                    std::string prefix,
                                    Ptr<NetDevice> device,
                                    bool explicitFilename)
{
    auto ours = DynamicCast<WormholeNetDevice>(device);
    if (!ours)
    {
        return; // EnableAsciiAll comes by here with all devices
    }
    Packet::EnablePrinting();
    AsciiTraceHelper ascii;
    const auto queue = ours->GetQueue();
    const auto drops = {"MacTxDrop", "MacRxDrop", "PhyRxDrop"};
    if (!stream)
    {
        const auto name = explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device);
        auto file = ascii.CreateFileStream(Tried(name));
        ascii.HookDefaultReceiveSinkWithoutContext<WormholeNetDevice>(ours, "MacRx", file);
        for (const auto drop : drops)
        {
            ascii.HookDefaultDropSinkWithoutContext<WormholeNetDevice>(ours, drop, file);
        }
        if (queue)
        {
            ascii.HookDefaultEnqueueSinkWithoutContext<Queue<Packet>>(queue, "Enqueue", file);
            ascii.HookDefaultDequeueSinkWithoutContext<Queue<Packet>>(queue, "Dequeue", file);
        }
        return;
    }
    // Several devices share the stream, so that every line names its trace source's path.
    const auto path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) + "/DeviceList/" +
                      std::to_string(device->GetIfIndex()) + "/$ns3::WormholeNetDevice/";
    const auto connect = [&](ObjectBase& object, const std::string& name, const auto sink) {
        object.TraceConnect(name.substr(name.find('/') + 1),
                            path + name,
                            MakeBoundCallback(sink, stream));
    };
    connect(*ours, "MacRx", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
    for (const auto drop : drops)
    {
        connect(*ours, drop, &AsciiTraceHelper::DefaultDropSinkWithContext);
    }
    if (queue)
    {
        connect(*queue, "TxQueue/Enqueue", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
        connect(*queue, "TxQueue/Dequeue", &AsciiTraceHelper::DefaultDequeueSinkWithContext);
    }
}

} // namespace ns3
