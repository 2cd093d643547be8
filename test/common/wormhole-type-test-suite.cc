// SPDX-License-Identifier: GPL-2.0-only

// What ns-3's TypeId tells of the module's classes, from which attributes.rst is made.

#include "../test-case.h"

#include "ns3/config.h"
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
    return ThoseOf(MadeOfNumbers(TypeId::GetRegisteredN(), TypeId::GetRegistered),
                   [](const auto& type) { return type.GetGroupName() == "Wormhole"; });
}

/// Makes sinks of a traced callback's type. @tparam T the type, a pointer to a function
template <typename T>
struct Sink;

template <typename... ARGUMENTS>
struct Sink<void (*)(ARGUMENTS...)>
{
    static void Take(ARGUMENTS... arguments)
    {
        ((void)arguments, ...);
    }

    static CallbackBase Make()
    {
        return MakeCallback(&Sink::Take);
    }
};

#define SINK(TYPE) {"ns3::" #TYPE, Sink<TYPE>::Make}

/// @return for the name of every traced callback's type, what makes a sink of it
std::map<std::string, std::function<CallbackBase()>>
MakeSinks()
{
    return {
        SINK(AddOnNetwork::CombinedTracedCallback),
        SINK(Collective::ChangedTracedCallback),
        SINK(Collective::DurationTracedCallback),
        SINK(Collective::FailedTracedCallback),
        SINK(CollectiveDomain::FailedTracedCallback),
        SINK(HostSoftware::MessageTracedCallback),
        SINK(WormholeFabric::OutageTracedCallback),
        SINK(Collective::MemberTracedCallback),
        SINK(CollectiveApplication::DoneTracedCallback),
        SINK(CollectiveApplication::StepTracedCallback),
        SINK(CollectiveDomain::JoinedTracedCallback),
        SINK(CollectiveDomain::ReceivedTracedCallback),
        SINK(CollectiveDomain::SentTracedCallback),
        SINK(GroupAgreement::AgreedTracedCallback),
        SINK(CollectiveUnit::GroupTracedCallback),
        SINK(CollectiveUnit::MessageTracedCallback),
        SINK(CollectiveUnit::WormTracedCallback),
        SINK(HostSoftware::BusyTracedCallback),
        SINK(InSwitchBarrier::AnsweredTracedCallback),
        SINK(InSwitchBarrier::InMemoryTracedCallback),
        SINK(InSwitchBarrier::RestoredTracedCallback),
        SINK(InSwitchBroadcast::AnsweredTracedCallback),
        SINK(InSwitchBroadcast::InMemoryTracedCallback),
        SINK(InSwitchBroadcast::RestoredTracedCallback),
        SINK(InSwitchDataAllReduction::AdmissionTracedCallback),
        SINK(InSwitchDataAllReduction::RefusedTracedCallback),
        SINK(InSwitchDataAllToAll::AdmissionTracedCallback),
        SINK(InSwitchDataAllToAll::RefusedTracedCallback),
        SINK(InSwitchDataBroadcast::AdmissionTracedCallback),
        SINK(InSwitchDataBroadcast::RefusedTracedCallback),
        SINK(InSwitchDataGather::AdmissionTracedCallback),
        SINK(InSwitchDataGather::RefusedTracedCallback),
        SINK(InSwitchDataReduction::AdmissionTracedCallback),
        SINK(InSwitchDataReduction::RefusedTracedCallback),
        SINK(NetworkDoneBarrier::CountedTracedCallback),
        SINK(NetworkDoneBarrier::ReceivedTracedCallback),
        SINK(NetworkDoneBarrier::SentTracedCallback),
        SINK(Packet::TracedCallback),
        SINK(RouteRecovery::ChangeTracedCallback),
        SINK(RouteRecovery::HostTracedCallback),
        SINK(Worm::TracedCallback),
        // That of ns-3's own channel, which need not be there.
        {"ns3::PointToPointChannel::TxRxAnimationCallback",
         Sink<void (*)(Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time)>::Make},
        SINK(WormholeFabric::DeadlockTracedCallback),
        SINK(WormholeFabric::StarvationTracedCallback),
        SINK(WormholeFabric::LongGroupFrameTracedCallback),
        SINK(WormholeFabric::LossTracedCallback),
        SINK(WormholeFabric::CutTracedCallback),
        SINK(WormholeTraffic::DeliveredTracedCallback),
        SINK(WormholeTraffic::GeneratedTracedCallback),
        SINK(WormholeTraffic::LostTracedCallback),
    };
}

} // namespace

TEST_CASE(TypeHelpTestCase, "Attributes and trace sources are explained")
{
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
            const auto name = type.GetName() + "::" + trace.name;
            own.insert(name);
            const auto isKnown = sinks.count(trace.callback) > 0;
            NS_TEST_EXPECT_MSG_EQ(isKnown, true, name << " names " << trace.callback);
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
    Refuses([&] { collectives.SetSoftwareAttribute("Startup", time); },
            "ns3::HostSoftware has no attribute Startup");
    Refuses([&] { collectives.SetSoftwareAttribute("StartUp", StringValue("soon")); },
            "ns3::HostSoftware::StartUp=soon: 'soon' is no time");
    Refuses([&] { collectives.SetSoftwareAttribute("StartUp", UintegerValue(3)); },
            "ns3::HostSoftware::StartUp=3: expected ");
    Refuses([&] { collectives.SetUnitAttribute("Register", UintegerValue(3)); },
            "ns3::CollectiveUnit has no attribute Register");
    Refuses([&] { collectives.SetAddOnNetworkAttribute("Time", time); },
            "ns3::AddOnNetwork has no attribute Time");
    collectives.SetSoftwareAttribute("StartUp", time);
    collectives.SetSoftwareAttribute("StartUp", TimeValue(MicroSeconds(1)));

    CollectiveApplicationHelper applications;
    Refuses([&] { applications.SetAttribute("Repeat", UintegerValue(3)); },
            "ns3::CollectiveApplication has no attribute Repeat");
    WormholeTrafficHelper traffic;
    Refuses([&] { traffic.SetAttribute("Load", StringValue("much")); },
            "ns3::WormholeTraffic::Load=much: expected ");
    Refuses([&] { traffic.SetPatternAttribute("Share", DoubleValue(1)); },
            "ns3::UniformPattern has no attribute Share");

    WormholeHelper fabrics;
    Refuses([&] { fabrics.SetFabricAttribute("Rate", StringValue("1Gbps")); },
            "ns3::WormholeFabric has no attribute Rate");
    Refuses([&] { fabrics.SetSwitchAttribute("Depth", UintegerValue(3)); },
            "ns3::WormholeSwitch has no attribute Depth");
    Refuses([&] { fabrics.SetDeviceAttribute("Mtu", StringValue("-1")); },
            "ns3::WormholeNetDevice::Mtu=-1: expected ");
    for (const std::string made : {"ns3::WormHeader", "ns3::SocketAddressTag", "ns3::NetDevice"})
    {
        Refuses([&] { fabrics.SetDeviceAttribute("ReceiveErrorModel", StringValue(made)); },
                "with a type that can be made"); // no object, no object, and abstract
    }
    Refuses([&] { fabrics.SetPortAttribute("Depth", UintegerValue(3)); },
            "ns3::WormholePort has no attribute Depth");
    Refuses([&] { fabrics.SetPortAttribute("BufferDepth", StringValue("deep")); },
            "ns3::WormholePort::BufferDepth=deep: expected ");
    Refuses([&] { fabrics.SetChannelAttribute("Length", time); },
            "ns3::WormholeChannel has no attribute Length");
    Refuses([&] { fabrics.SetQueueAttribute("Size", UintegerValue(3)); }, "has no attribute Size");
    Refuses([&] { fabrics.SetQueueAttribute("MaxSize", StringValue("3p more")); },
            "MaxSize=3p more: expected ");
    // ns-3 takes the line's end for the text's end first, and then ends the program.
    Refuses([&] { fabrics.SetFabricAttribute("DataRate", StringValue("1Gbps\n")); },
            "expected a rate such as");
    // ns-3 takes a mere number for bit/s.
    Refuses([&] { fabrics.SetFabricAttribute("DataRate", StringValue("100")); },
            "DataRate=100: expected a rate such as");
    fabrics.SetQueue("");
    Refuses([&] { fabrics.SetQueueAttribute("MaxSize", StringValue("3p")); },
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
        ObjectFactory factory(type);
        const auto usual = TextOf(factory.Create<Object>(), present);
        NS_TEST_EXPECT_MSG_NE(usual, value, present << ": the default");

        // When it is made, by either name.
        for (const auto& name : {former, present})
        {
            ObjectFactory given(type);
            SetFactoryAttribute(given, name, StringValue(value));
            const auto object = given.Create<Object>();
            NS_TEST_EXPECT_MSG_EQ(TextOf(object, present), value, name << " is set");
            NS_TEST_EXPECT_MSG_EQ(TextOf(object, former), value, former << " is read");

            CheckAttributeText(type + "::" + name, value);
            Config::SetDefault(type + "::" + name, StringValue(value));
            const auto now = TextOf(factory.Create<Object>(), present);
            NS_TEST_EXPECT_MSG_EQ(now, value, name << ": default");
            Config::Reset();
        }

        // Later.
        const auto object = factory.Create<Object>();
        object->SetAttribute(former, StringValue(value));
        NS_TEST_EXPECT_MSG_EQ(TextOf(object, present), value, former << " is set later");
        object->SetAttribute(former, StringValue(usual));
        NS_TEST_EXPECT_MSG_EQ(TextOf(object, present), usual, former << " is set to the default");
        Refuses([name = type + "::" + former] { CheckAttributeText(name, "some"); },
                "::" + former + "=some: expected ");

        const auto names = ListAttributeNames(TypeId::LookupByName(type));
        const auto nFormer = std::count(names.begin(), names.end(), former);
        NS_TEST_EXPECT_MSG_EQ(nFormer, 0, former << " listed");
        NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), present), 1, present);
    }
}
