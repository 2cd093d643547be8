// SPDX-License-Identifier: GPL-2.0-only

#include "../test-case.h"

#include "ns3/config-store.h"
#include "ns3/config.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-host-software.h"

using namespace ns3;

SUITE("wormhole-config-store", UNIT);

TEST_CASE(ConfigStoreTestCase, "A ConfigStore loads what it saved, as text and as XML")
{
    const auto store = [&](const std::string& mode, const std::string& format) {
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue(mode));
        Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue(format));
        Config::SetDefault("ns3::ConfigStore::Filename",
                           StringValue(CreateTempDirFilename("defaults." + format)));
        {
            ConfigStore().ConfigureDefaults();
        }
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue("None"));
    };
    const std::string delay = "ns3::WormholeSwitch::Delay";
    const std::string interval = "ns3::WormholeFabric::DeadlockCheckInterval";
    for (const std::string format : {"RawText", "Xml"})
    {
        StartAnew();
        Config::SetDefault(delay, StringValue("1234567890123ps"));
        Config::SetDefault("ns3::WormholePort::BufferDepth", UintegerValue(77));
        Config::SetDefault("ns3::HostSoftware::MaxConcurrentSends", UintegerValue(3));
        store("Save", format);
        Config::SetDefault(delay, StringValue("1ns"));
        Config::SetDefault(interval, StringValue("1s"));
        Config::SetDefault("ns3::WormholePort::BufferDepth", UintegerValue(1));
        Config::SetDefault("ns3::HostSoftware::MaxConcurrentSends", UintegerValue(1));
        store("Load", format);
        const auto fabricSwitch = CreateObject<WormholeSwitch>();
        const auto exact = PicoSeconds(1'234'567'890'123);
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetDelay(), exact, "a time in " << format);
        const auto depth = TextOf(fabricSwitch->GetPort(0), "BufferDepth");
        NS_TEST_EXPECT_MSG_EQ(depth, "77", "a number in " << format);
        const Time watch(TextOf(CreateObject<WormholeFabric>(), "DeadlockCheckInterval"));
        NS_TEST_EXPECT_MSG_EQ(watch, MilliSeconds(1), "a default in " << format);
        const auto sends = CreateObject<HostSoftware>()->GetMaxConcurrentSends();
        NS_TEST_EXPECT_MSG_EQ(sends, 3, "a renamed attribute in " << format);
        Config::Reset();
    }
    std::ofstream(CreateTempDirFilename("defaults.RawText"))
        << "default ns3::HostSoftware::Ports \"4\"\n";
    store("Load", "RawText");
    const auto sends = CreateObject<HostSoftware>()->GetMaxConcurrentSends();
    NS_TEST_EXPECT_MSG_EQ(sends, 4, "an attribute by its former name");
    Config::Reset();
}
