/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What ns-3's TypeId tells of the module's classes, from which attributes.rst is made.

#include "../test-case.h"

#include "ns3/config.h"
#include "ns3/network-done-barrier.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-module.h"

using namespace ns3;

SUITE("wormhole-type", UNIT);

namespace
{

std::vector<TypeId>
FindTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Wormhole")
        {
            types.push_back(type);
        }
    }
    return types;
}

/// Makes sinks of a traced callback's type. @tparam T the type, a pointer to a function
template <typename T>
struct Sink;

/// @copydoc Sink
template <typename... ARGUMENTS>
struct Sink<void (*)(ARGUMENTS...)>
{
    /// Does nothing. @param arguments what the trace source tells
    static void Take(ARGUMENTS... arguments)
    {
        ((void)arguments, ...);
    }

    static CallbackBase Make()
    {
        return MakeCallback(&Sink::Take);
    }
};

/// @return for the name of every traced callback's type, what makes a sink of it
std::map<std::string, std::function<CallbackBase()>>
MakeSinks()
{
    return {
        {"ns3::AddOnNetwork::CombinedTracedCallback",
         Sink<AddOnNetwork::CombinedTracedCallback>::Make},
        {"ns3::Collective::DurationTracedCallback", Sink<Collective::DurationTracedCallback>::Make},
        {"ns3::Collective::FailedTracedCallback", Sink<Collective::FailedTracedCallback>::Make},
        {"ns3::CollectiveDomain::FailedTracedCallback",
         Sink<CollectiveDomain::FailedTracedCallback>::Make},
        {"ns3::HostSoftware::MessageTracedCallback",
         Sink<HostSoftware::MessageTracedCallback>::Make},
        {"ns3::WormholeFabric::OutageTracedCallback",
         Sink<WormholeFabric::OutageTracedCallback>::Make},
        {"ns3::Collective::MemberTracedCallback", Sink<Collective::MemberTracedCallback>::Make},
        {"ns3::CollectiveApplication::DoneTracedCallback",
         Sink<CollectiveApplication::DoneTracedCallback>::Make},
        {"ns3::CollectiveApplication::StepTracedCallback",
         Sink<CollectiveApplication::StepTracedCallback>::Make},
        {"ns3::CollectiveDomain::JoinedTracedCallback",
         Sink<CollectiveDomain::JoinedTracedCallback>::Make},
        {"ns3::CollectiveDomain::ReceivedTracedCallback",
         Sink<CollectiveDomain::ReceivedTracedCallback>::Make},
        {"ns3::CollectiveDomain::SentTracedCallback",
         Sink<CollectiveDomain::SentTracedCallback>::Make},
        {"ns3::CollectiveUnit::MessageTracedCallback",
         Sink<CollectiveUnit::MessageTracedCallback>::Make},
        {"ns3::CollectiveUnit::WormTracedCallback", Sink<CollectiveUnit::WormTracedCallback>::Make},
        {"ns3::HostSoftware::BusyTracedCallback", Sink<HostSoftware::BusyTracedCallback>::Make},
        {"ns3::InSwitchBarrier::InMemoryTracedCallback",
         Sink<InSwitchBarrier::InMemoryTracedCallback>::Make},
        {"ns3::InSwitchBarrier::RestoredTracedCallback",
         Sink<InSwitchBarrier::RestoredTracedCallback>::Make},
        {"ns3::InSwitchBroadcast::InMemoryTracedCallback",
         Sink<InSwitchBroadcast::InMemoryTracedCallback>::Make},
        {"ns3::InSwitchBroadcast::RestoredTracedCallback",
         Sink<InSwitchBroadcast::RestoredTracedCallback>::Make},
        {"ns3::InSwitchDataAllReduction::AdmissionTracedCallback",
         Sink<InSwitchDataAllReduction::AdmissionTracedCallback>::Make},
        {"ns3::InSwitchDataAllReduction::RefusedTracedCallback",
         Sink<InSwitchDataAllReduction::RefusedTracedCallback>::Make},
        {"ns3::InSwitchDataAllToAll::AdmissionTracedCallback",
         Sink<InSwitchDataAllToAll::AdmissionTracedCallback>::Make},
        {"ns3::InSwitchDataAllToAll::RefusedTracedCallback",
         Sink<InSwitchDataAllToAll::RefusedTracedCallback>::Make},
        {"ns3::InSwitchDataBroadcast::AdmissionTracedCallback",
         Sink<InSwitchDataBroadcast::AdmissionTracedCallback>::Make},
        {"ns3::InSwitchDataBroadcast::RefusedTracedCallback",
         Sink<InSwitchDataBroadcast::RefusedTracedCallback>::Make},
        {"ns3::InSwitchDataGather::AdmissionTracedCallback",
         Sink<InSwitchDataGather::AdmissionTracedCallback>::Make},
        {"ns3::InSwitchDataGather::RefusedTracedCallback",
         Sink<InSwitchDataGather::RefusedTracedCallback>::Make},
        {"ns3::InSwitchDataReduction::AdmissionTracedCallback",
         Sink<InSwitchDataReduction::AdmissionTracedCallback>::Make},
        {"ns3::InSwitchDataReduction::RefusedTracedCallback",
         Sink<InSwitchDataReduction::RefusedTracedCallback>::Make},
        {"ns3::NetworkDoneBarrier::CountedTracedCallback",
         Sink<NetworkDoneBarrier::CountedTracedCallback>::Make},
        {"ns3::NetworkDoneBarrier::ReceivedTracedCallback",
         Sink<NetworkDoneBarrier::ReceivedTracedCallback>::Make},
        {"ns3::NetworkDoneBarrier::SentTracedCallback",
         Sink<NetworkDoneBarrier::SentTracedCallback>::Make},
        {"ns3::Packet::TracedCallback", Sink<Packet::TracedCallback>::Make},
        {"ns3::Worm::TracedCallback", Sink<Worm::TracedCallback>::Make},
        {"ns3::WormholeFabric::DeadlockTracedCallback",
         Sink<WormholeFabric::DeadlockTracedCallback>::Make},
        {"ns3::WormholeFabric::StarvationTracedCallback",
         Sink<WormholeFabric::StarvationTracedCallback>::Make},
        {"ns3::WormholeFabric::LongGroupFrameTracedCallback",
         Sink<WormholeFabric::LongGroupFrameTracedCallback>::Make},
        {"ns3::WormholeFabric::LossTracedCallback", Sink<WormholeFabric::LossTracedCallback>::Make},
        {"ns3::WormholeFabric::CutTracedCallback", Sink<WormholeFabric::CutTracedCallback>::Make},
        {"ns3::WormholeTraffic::DeliveredTracedCallback",
         Sink<WormholeTraffic::DeliveredTracedCallback>::Make},
        {"ns3::WormholeTraffic::GeneratedTracedCallback",
         Sink<WormholeTraffic::GeneratedTracedCallback>::Make},
    };
}

} // namespace

TEST_CASE(TypeHelpTestCase, "Attributes and trace sources are explained")
{
    // Checks a help text.
    const auto checkHelp = [&](const std::string& where, const std::string& help) {
        NS_TEST_EXPECT_MSG_GT(help.size(), 15, where << " has no help");
        const auto end = help.empty() ? ' ' : help.back();
        NS_TEST_EXPECT_MSG_EQ(end, '.', where << ": '" << help << "' does not end with a stop");
        NS_TEST_EXPECT_MSG_EQ(help.find("  "),
                              std::string::npos,
                              where << ": '" << help << "' has two blanks in a row");
    };
    const auto types = FindTypes();
    NS_TEST_ASSERT_MSG_GT(types.size(), 30, "the module's types");
    std::size_t texts = 0;
    for (const auto& type : types)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i, ++texts)
        {
            const auto attribute = type.GetAttribute(i);
            checkHelp(type.GetName() + "::" + attribute.name, attribute.help);
        }
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i, ++texts)
        {
            const auto trace = type.GetTraceSource(i);
            checkHelp(type.GetName() + "::" + trace.name, trace.help);
        }
    }
    NS_TEST_EXPECT_MSG_GT(texts, 90, "attributes and trace sources");
}

TEST_CASE(TraceSignatureTestCase, "Trace sources take callbacks of the type that they name")
{
    const auto sinks = MakeSinks();
    std::set<std::string> own;
    for (const auto& type : FindTypes())
    {
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const auto trace = type.GetTraceSource(i);
            own.insert(type.GetName() + "::" + trace.name);
            NS_TEST_EXPECT_MSG_EQ(sinks.count(trace.callback),
                                  1,
                                  type.GetName()
                                      << "::" << trace.name << " names " << trace.callback);
        }
    }
    std::set<std::string> connected;
    for (const auto& type : FindTypes())
    {
        if (!type.HasConstructor() || !type.IsChildOf(Object::GetTypeId()))
        {
            continue;
        }
        ObjectFactory factory;
        factory.SetTypeId(type);
        const auto object = factory.Create<Object>();
        for (auto base = type; base.GetGroupName() == "Wormhole"; base = base.GetParent())
        {
            for (std::size_t i = 0; i < base.GetTraceSourceN(); ++i)
            {
                const auto trace = base.GetTraceSource(i);
                // Another type of callback would end the program here.
                const auto isSource =
                    object->TraceConnectWithoutContext(trace.name, sinks.at(trace.callback)());
                NS_TEST_EXPECT_MSG_EQ(isSource, true, base.GetName() << "::" << trace.name);
                connected.insert(base.GetName() + "::" + trace.name);
            }
        }
    }
    for (const auto& name : own)
    {
        NS_TEST_EXPECT_MSG_EQ(connected.count(name), 1, name << " was not connected to");
    }
}

TEST_CASE(HelperAttributeTestCase, "Helpers refuse attributes that do not exist")
{
    const StringValue time("1us");
    CollectiveHelper collectives;
    Says(ErrorOf([&] { collectives.SetSoftwareAttribute("Startup", time); }),
         "ns3::HostSoftware has no attribute Startup");
    Says(ErrorOf([&] { collectives.SetSoftwareAttribute("StartUp", StringValue("soon")); }),
         "ns3::HostSoftware::StartUp=soon: 'soon' is no time");
    Says(ErrorOf([&] { collectives.SetSoftwareAttribute("StartUp", UintegerValue(3)); }),
         "ns3::HostSoftware::StartUp=3: expected ");
    Says(ErrorOf([&] { collectives.SetUnitAttribute("Register", UintegerValue(3)); }),
         "ns3::CollectiveUnit has no attribute Register");
    Says(ErrorOf([&] { collectives.SetAddOnNetworkAttribute("Time", time); }),
         "ns3::AddOnNetwork has no attribute Time");
    collectives.SetSoftwareAttribute("StartUp", time);
    collectives.SetSoftwareAttribute("StartUp", TimeValue(MicroSeconds(1)));

    CollectiveApplicationHelper applications;
    Says(ErrorOf([&] { applications.SetAttribute("Repeat", UintegerValue(3)); }),
         "ns3::CollectiveApplication has no attribute Repeat");
    WormholeTrafficHelper traffic;
    Says(ErrorOf([&] { traffic.SetAttribute("Load", StringValue("much")); }),
         "ns3::WormholeTraffic::Load=much: expected ");
    Says(ErrorOf([&] { traffic.SetPatternAttribute("Share", DoubleValue(1)); }),
         "ns3::UniformPattern has no attribute Share");

    WormholeHelper fabrics;
    Says(ErrorOf([&] { fabrics.SetFabricAttribute("Rate", StringValue("1Gbps")); }),
         "ns3::WormholeFabric has no attribute Rate");
    Says(ErrorOf([&] { fabrics.SetSwitchAttribute("Depth", UintegerValue(3)); }),
         "ns3::WormholeSwitch has no attribute Depth");
    Says(ErrorOf([&] { fabrics.SetDeviceAttribute("Mtu", StringValue("-1")); }),
         "ns3::WormholeNetDevice::Mtu=-1: expected ");
    for (const std::string made : {"ns3::WormHeader", "ns3::SocketAddressTag", "ns3::NetDevice"})
    {
        Says(ErrorOf([&] { fabrics.SetDeviceAttribute("ReceiveErrorModel", StringValue(made)); }),
             "with a type that can be made"); // no object, no object, and abstract
    }
    Says(ErrorOf([&] { fabrics.SetPortAttribute("Depth", UintegerValue(3)); }),
         "ns3::WormholePort has no attribute Depth");
    Says(ErrorOf([&] { fabrics.SetPortAttribute("BufferDepth", StringValue("deep")); }),
         "ns3::WormholePort::BufferDepth=deep: expected ");
    Says(ErrorOf([&] { fabrics.SetChannelAttribute("Length", time); }),
         "ns3::WormholeChannel has no attribute Length");
    Says(ErrorOf([&] { fabrics.SetQueueAttribute("Size", UintegerValue(3)); }),
         "has no attribute Size");
    Says(ErrorOf([&] { fabrics.SetQueueAttribute("MaxSize", StringValue("3p more")); }),
         "MaxSize=3p more: expected ");
    // ns-3 takes the line's end for the text's end first, and then ends the program.
    Says(ErrorOf([&] { fabrics.SetFabricAttribute("DataRate", StringValue("1Gbps\n")); }),
         "expected a rate such as");
    // ns-3 takes a mere number for bit/s.
    Says(ErrorOf([&] { fabrics.SetFabricAttribute("DataRate", StringValue("100")); }),
         "DataRate=100: expected a rate such as");
    fabrics.SetQueue("");
    Says(ErrorOf([&] { fabrics.SetQueueAttribute("MaxSize", StringValue("3p")); }),
         "there is no queue to have the attribute MaxSize");
}

TEST_CASE(FormerAttributeTestCase, "Attributes by their former names")
{
    struct Former
    {
        std::string type;
        std::string former;
        std::string present;
        std::string value; ///< not the default
    };

    const std::vector<Former> all{
        {"ns3::HostSoftware", "Ports", "MaxConcurrentSends", "3"},
        {"ns3::AddOnNetwork", "Setting", "Type", "hw-1"},
        {"ns3::WormholeFabric", "SynchronisationBytes", "MaxPriorityMessageBytes", "64"},
    };
    for (const auto& [type, former, present, value] : all)
    {
        // Reads an attribute as text.
        const auto read = [&](Ptr<Object> object, const std::string& name) {
            StringValue text;
            object->GetAttribute(name, text);
            return text.Get();
        };
        ObjectFactory factory(type);
        const auto usual = read(factory.Create<Object>(), present);
        NS_TEST_EXPECT_MSG_NE(usual, value, present << ": the default");

        // When it is made, by either name.
        for (const auto& name : {former, present})
        {
            ObjectFactory given(type);
            SetFactoryAttribute(given, name, StringValue(value));
            const auto object = given.Create<Object>();
            NS_TEST_EXPECT_MSG_EQ(read(object, present), value, name << " is set");
            NS_TEST_EXPECT_MSG_EQ(read(object, former), value, former << " is read");

            CheckAttributeText(type + "::" + name, value);
            Config::SetDefault(type + "::" + name, StringValue(value));
            NS_TEST_EXPECT_MSG_EQ(read(factory.Create<Object>(), present),
                                  value,
                                  name << ": default");
            Config::Reset();
        }

        // Later.
        const auto object = factory.Create<Object>();
        object->SetAttribute(former, StringValue(value));
        NS_TEST_EXPECT_MSG_EQ(read(object, present), value, former << " is set later");
        object->SetAttribute(former, StringValue(usual));
        NS_TEST_EXPECT_MSG_EQ(read(object, present), usual, former << " is set to the default");
        Says(ErrorOf([&, &type = type, &former = former] {
                 CheckAttributeText(type + "::" + former, "some");
             }),
             "::" + former + "=some: expected ");

        const auto names = ListAttributeNames(TypeId::LookupByName(type));
        NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), former),
                              0,
                              former << " listed");
        NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), present), 1, present);
    }
}
