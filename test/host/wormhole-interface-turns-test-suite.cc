// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include <ctime>
#include <deque>
#include <list>

using namespace ns3;

SUITE("wormhole-interface-turns", UNIT);

namespace
{

struct Message
{
    int64_t time;         ///< when it is handed over, ps
    uint32_t destination; ///< number of the host
    uint64_t bytes;       ///< its length
};

/// When a message's last tail has left, and when all of it has arrived, ps.
struct Outcome
{
    int64_t left{-1};
    int64_t arrived{-1};
};

/// What matters of an interface and its cables, ps and bytes.
struct Setting
{
    uint64_t packet{0};       ///< MaxPacketBytes
    uint64_t header{0};       ///< PacketHeaderBytes
    uint64_t segments{16};    ///< MessageSegments
    int64_t before{0};        ///< InterfaceSendTime
    int64_t gap{0};           ///< MessageGap
    uint64_t rate{0};         ///< InterfaceDataRate, bit/s
    int64_t delay{300};       ///< of interfaces
    int64_t switchDelay{150}; ///< of the switch
    int64_t propagation{20};  ///< of cables
    int64_t flitTime{80};     ///< of the sender's cable
    int64_t farFlitTime{80};  ///< of the receivers' cables, no longer
    uint64_t flitBytes{1};    ///< bytes of a flit
    std::string sharing{"in-turn"};
};

/// S15, worm by worm, as it is written: lists that are searched from the beginning.
class PlainTurns
{
  public:
    PlainTurns(const Setting& setting, const std::vector<Message>& messages)
        : m_setting(setting),
          m_outcomes(messages.size())
    {
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            m_coming.push_back({i, messages[i], Cut(messages[i].bytes)});
        }
        m_coming.sort([](const Waiting& a, const Waiting& b) {
            return a.message.time < b.message.time; // stable
        });
    }

    std::vector<Outcome> Run()
    {
        while (!m_circle.empty() || !m_coming.empty())
        {
            Join(m_circle.empty()
                     ? std::max(m_tail, m_coming.front().message.time + m_setting.delay)
                     : m_tail);
            const auto start = GetStart(m_circle.front().second.front());
            Join(start);
            SendOne(start);
        }
        return m_outcomes;
    }

  private:
    struct Worm
    {
        int64_t flits;
        uint64_t bytes;
    };

    struct Waiting
    {
        std::size_t number;
        Message message;
        std::deque<Worm> worms;
        bool isBegun{false};
    };

    std::deque<Worm> Cut(uint64_t bytes) const
    {
        const auto flits = [this](uint64_t payload) {
            return static_cast<int64_t>((payload + m_setting.header + m_setting.flitBytes - 1) /
                                        m_setting.flitBytes);
        };
        const auto packet = m_setting.packet == 0 ? bytes : m_setting.packet;
        const auto n = (bytes + packet - 1) / packet;
        const auto last = bytes - (n - 1) * packet;
        std::deque<Worm> worms;
        if (n <= m_setting.segments)
        {
            worms.assign(n - 1, {flits(packet), packet});
            worms.push_back({flits(last), last});
            return worms;
        }
        auto rest = static_cast<int64_t>(n - 1) * flits(packet) + flits(last);
        const auto k = static_cast<int64_t>(m_setting.segments);
        for (const auto each = (rest + k - 1) / k; rest > 0; rest -= each)
        {
            worms.push_back({std::min(rest, each), 0});
        }
        for (auto& worm : worms)
        {
            worm.bytes = bytes / worms.size();
        }
        worms.back().bytes += bytes % worms.size();
        return worms;
    }

    void Join(int64_t time)
    {
        while (!m_coming.empty() && m_coming.front().message.time + m_setting.delay <= time)
        {
            const auto to = m_coming.front().message.destination;
            auto queue = FindIn(m_circle, [to](const auto& each) { return each.first == to; });
            if (queue == m_circle.end())
            {
                queue = m_circle.insert(m_circle.end(), {to, {}});
            }
            queue->second.push_back(m_coming.front());
            m_coming.pop_front();
        }
    }

    int64_t GetStart(const Waiting& waiting) const
    {
        const auto start = std::max(m_tail, waiting.message.time + m_setting.delay);
        const auto next =
            waiting.isBegun ? m_byRate : std::max({m_byRate, m_tail + m_setting.before, m_byGap});
        return m_hasSent ? std::max(start, next) : start;
    }

    void SendOne(int64_t start)
    {
        auto [to, queue] = m_circle.front();
        m_circle.pop_front();
        auto& waiting = queue.front();
        const auto worm = waiting.worms.front();
        waiting.worms.pop_front();
        m_byGap = waiting.isBegun ? m_byGap : start + m_setting.gap;
        waiting.isBegun = true;
        m_hasSent = true;
        m_byRate = start + GetLengthPs(worm.bytes, m_setting.rate);
        m_tail = start + worm.flits * m_setting.flitTime;
        auto& outcome = m_outcomes[waiting.number];
        outcome.left = m_tail;
        // The last flit crosses the switch, whose output is free for it.
        outcome.arrived = m_tail + m_setting.propagation + m_setting.switchDelay +
                          m_setting.farFlitTime + m_setting.propagation + m_setting.delay;
        if (waiting.worms.empty())
        {
            queue.pop_front();
        }
        if (!queue.empty())
        {
            m_circle.emplace_back(to, queue);
        }
    }

    Setting m_setting;
    std::list<Waiting> m_coming;
    std::list<std::pair<uint32_t, std::deque<Waiting>>> m_circle;
    std::vector<Outcome> m_outcomes;
    bool m_hasSent{false};
    int64_t m_tail{0};
    int64_t m_byRate{0};
    int64_t m_byGap{0};
};

/// Sends messages over a star of hosts. @param isAhead whether they are handed over ahead of time
std::vector<Outcome>
SendMessages(const Setting& setting,
             const std::vector<Message>& messages,
             bool isAhead = false,
             WormholeHelper fabrics = {})
{
    StartAnew();
    fabrics.SetFabricAttribute("FlitSize", UintegerValue(setting.flitBytes));
    fabrics.SetFabricAttribute("FlitTime", StringValue(InPs(setting.farFlitTime)));
    fabrics.SetChannelAttribute("Delay", StringValue(InPs(setting.propagation)));
    fabrics.SetSwitchAttribute("Delay", StringValue(InPs(setting.switchDelay)));
    fabrics.SetDeviceAttribute("Delay", StringValue(InPs(setting.delay)));
    const auto last = Greatest(MadeOf(messages, [](auto& each) { return each.destination; }));
    const auto graph = MakeStar(last + 1);
    const auto fabric = fabrics.Install(graph);
    const auto cable = fabric->GetHost(0)->GetPort()->GetChannel();
    cable->SetAttribute("FlitTime", StringValue(InPs(setting.flitTime)));
    const auto domain = WithSoftware({{"Sharing", setting.sharing},
                                      {"MaxPacketBytes", std::to_string(setting.packet)},
                                      {"PacketHeaderBytes", std::to_string(setting.header)},
                                      {"MessageSegments", std::to_string(setting.segments)},
                                      {"InterfaceSendTime", InPs(setting.before)},
                                      {"MessageGap", InPs(setting.gap)},
                                      {"InterfaceDataRate", std::to_string(setting.rate) + "bps"}})
                            .Install(fabric, graph);
    const auto software = domain->GetSoftware(0);
    std::vector<Outcome> outcomes(messages.size());
    const auto now = [] { return Simulator::Now().GetPicoSeconds(); };
    for (uint32_t host = 0; host <= last; ++host)
    {
        const auto take = [&](Ptr<const Worm> worm) {
            outcomes[static_cast<const HostMessageWorm&>(*worm).GetMessage().value].arrived = now();
        };
        fabric->GetHost(host)->SetReceiver(Worm::MESSAGE, CallbackOf(take));
    }
    for (std::size_t i = 0; i < messages.size(); ++i)
    {
        const auto& message = messages[i];
        HostSoftware::Outgoing outgoing{};
        outgoing.message.value = i;
        outgoing.message.bytes = message.bytes;
        outgoing.destination = message.destination;
        outgoing.route = fabric->GetRouter()->GetRoute(0, message.destination);
        outgoing.left = [&outcomes, now, i] { outcomes[i].left = now(); };
        Simulator::Schedule(PicoSeconds(isAhead ? 0 : message.time), [software, outgoing, message] {
            software->HandOverMessage(outgoing, PicoSeconds(message.time));
        });
    }
    Simulator::Run();
    domain->Dispose();
    Simulator::Destroy();
    return outcomes;
}

TEST_CASE_WITH(DrawnTurnsTestCase,
               (uint32_t n),
               "In turn: " + std::to_string(n) + " random sets of messages")
{
    auto draw = MakeRandom(15);
    const auto either = [&] { return draw->GetInteger(0, 1) == 1; };
    // Lengths and times of all orders of magnitude.
    const auto drawUpTo = [&](double most) {
        return static_cast<int64_t>(std::exp(draw->GetValue(0, std::log(most))));
    };
    for (uint32_t i = 0; i < n; ++i)
    {
        Setting setting;
        setting.packet = either() ? drawUpTo(10000) : 0;
        setting.header = either() ? draw->GetInteger(0, 64) : 0;
        setting.segments = draw->GetInteger(1, 20);
        setting.before = either() ? drawUpTo(5e6) : 0;
        setting.gap = either() ? drawUpTo(5e6) : 0;
        setting.rate = either() ? 1000000 * drawUpTo(400000) : 0;
        setting.delay = draw->GetInteger(1, 500000);
        setting.flitBytes = either() ? 8 : 1;
        const int64_t slow = draw->GetInteger(40, 2000);
        setting.flitTime = slow;
        setting.farFlitTime = either() ? slow : slow / draw->GetInteger(1, 4);
        std::vector<Message> messages(draw->GetInteger(1, 12));
        const auto longest = either() ? 1e9 : 1e5;
        const int64_t grid = either() ? 1000000 : 1; // so that some come at once
        for (auto& message : messages)
        {
            message.bytes = drawUpTo(longest);
            message.destination = draw->GetInteger(1, 5);
            message.time = either() ? 0 : drawUpTo(1e9) / grid * grid;
        }
        WormholeHelper fabrics; // one that is ready for outages moves flits, so take short messages
        const bool hasOutages = longest < 1e9 && either();
        fabrics.SetFabricAttribute("OutageSchedule", StringValue(hasOutages ? "s0 at 1h" : ""));
        const auto outcomes = SendMessages(setting, messages, either(), fabrics);
        const auto expected = PlainTurns(setting, messages).Run();
        for (std::size_t k = 0; k < messages.size(); ++k)
        {
            const auto what = Text("set ", i, ", message ", k, " of ", messages.size());
            NS_TEST_ASSERT_MSG_EQ(outcomes[k].left, expected[k].left, what << " left");
            NS_TEST_ASSERT_MSG_EQ(outcomes[k].arrived, expected[k].arrived, what << " arrived");
        }
    }
}

std::vector<Message>
ToEach(uint32_t n, uint64_t bytes)
{
    return MadeOf(MakeRange(n), [&](uint32_t i) { return Message{0, i + 1, bytes}; });
}

TEST_CASE(LimitsTestCase, "In turn: closed forms of each limit")
{
    constexpr int64_t N = 5;
    constexpr int64_t BYTES = 4096;
    Setting setting;
    const auto wire = BYTES * setting.flitTime;
    const auto check = [&](const std::string& what, int64_t interval) {
        const auto outcomes = SendMessages(setting, ToEach(N, BYTES));
        for (int64_t k = 0; k < N; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ(outcomes[k].left, setting.delay + k * interval + wire, what << k);
        }
    };
    check("wire ", wire);
    setting.before = 1234567;
    check("messages a second, behind a tail ", wire + setting.before);
    setting.before = 0;
    setting.gap = 2 * wire;
    check("messages a second, between starts ", setting.gap);
    setting.gap = 0;
    setting.rate = 8000000000; // 1 ns a byte
    check("bytes a second ", BYTES * 1000);
    setting.rate = 800000000000; // faster than the wire
    check("bytes a second, more than the wire ", wire);
    // In order, too, the rate holds between starts.
    setting.sharing = "in-order";
    setting.rate = 8000000000;
    check("bytes a second, in order ", BYTES * 1000);

    // One destination: as in order, at line rate, though there is an interface's delay.
    setting = {};
    setting.packet = 1000;
    setting.header = 20;
    const std::vector<Message> one{{0, 1, 50000}, {1000, 1, 7}, {2000, 1, 16001}};
    const auto inTurn = SendMessages(setting, one);
    setting.sharing = "in-order";
    const auto inOrder = SendMessages(setting, one);
    for (std::size_t i = 0; i < one.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(inTurn[i].left, inOrder[i].left, "one destination, left " << i);
        NS_TEST_EXPECT_MSG_EQ(inTurn[i].arrived, inOrder[i].arrived, "one destination " << i);
    }
}

TEST_CASE(LanesTestCase, "In turn with lanes: worms fit the buffers, a circle a lane")
{
    auto fabrics = WithFabric({{"Grant", "worm"}, {"MaxPriorityMessageBytes", "64"}}, 200);
    Setting setting;
    setting.segments = 2; // of 50,000 bytes each, which no buffer holds
    const std::vector<Message> four{{0, 1, 100000}, {0, 1, 100000}, {100, 1, 64}, {100, 1, 65}};
    const auto outcomes = SendMessages(setting, four, false, fabrics);
    NS_TEST_EXPECT_MSG_GT(outcomes[0].arrived, 100000 * setting.flitTime, "long");
    NS_TEST_EXPECT_MSG_GT(outcomes[1].arrived, outcomes[0].arrived, "behind it");
    NS_TEST_EXPECT_MSG_GT(outcomes[3].arrived, outcomes[1].arrived, "behind both");
    NS_TEST_EXPECT_MSG_LT(outcomes[2].left, 1000 * setting.flitTime, "in a lane of its own");
}

TEST_CASE(FairnessTestCase, "Messages to five hosts end together, at five times one's")
{
    Setting setting;
    setting.packet = 4096;
    constexpr uint64_t BYTES = 512 << 20;
    const auto alone = SendMessages(setting, ToEach(1, BYTES)).front().left;
    for (const auto& outcome : SendMessages(setting, ToEach(5, BYTES)))
    {
        const auto ratio = static_cast<double>(outcome.left) / alone;
        NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 5 - 2.0 / 16, 2.01 / 16, "within a segment of each");
    }
    setting.sharing = "in-order";
    setting.packet = 0; // a worm each
    const auto first = SendMessages(setting, ToEach(5, BYTES)).front().left;
    NS_TEST_EXPECT_MSG_EQ(first, alone, "the first of those in order waits for none");
}

/// @return when members leave a broadcast, ps @param unexplained grows by what is not explained
std::vector<int64_t>
CrossBroadcast(const std::map<std::string, std::string>& software,
               const std::string& name,
               uint32_t hosts,
               bool isIdeal = false,
               Time* unexplained = nullptr)
{
    StartAnew();
    auto helper = WithSoftware(software);
    const auto graph = MakeStar(hosts);
    const auto domain = isIdeal ? helper.InstallIdeal(hosts, MicroSeconds(1))
                                : helper.Install(WormholeHelper().Install(graph), graph);
    auto collective = CollectiveHelper::MakeCollective("broadcast", name);
    collective->Create(domain, MakeRange(hosts));
    std::unique_ptr<RoundExplainer> explainer;
    if (unexplained)
    {
        explainer = std::make_unique<RoundExplainer>(domain);
    }
    const auto left = CrossOnce(collective);
    if (unexplained)
    {
        const auto path = explainer->Explain(*collective, 1);
        *unexplained += TimeStep(SumOf(path, LatencyCause::UNEXPLAINED));
        explainer = nullptr;
    }
    domain->Dispose();
    return left;
}

TEST_CASE(LongBroadcastTestCase, "A broadcast of 512 MiB on 32 hosts takes a second of CPU at most")
{
    const auto begin = std::clock();
    const auto left = CrossBroadcast({{"Sharing", "in-turn"}, {"MaxPacketBytes", "4096"}},
                                     "tree[Tree=binomial|MessageBytes=536870912]",
                                     32);
    const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    NS_TEST_EXPECT_MSG_EQ(left.size(), 32, "all leave");
    NS_TEST_EXPECT_MSG_LT(seconds, 1, "CPU");
}

TEST_CASE(SendReturnTestCase, "Sends return when copied, left or received")
{
    const std::string one = "tree[Tree=sequential|MessageBytes=8000]";
    for (const auto& [isIdeal, sharing] :
         Combine<bool, std::string>({true, false}, {"in-order", "in-turn"}))
    {
        auto software = Attributes("StartUp=2us|ReceiveOverhead=3us|Latency=0:0,8000:5us|"
                                   "InterfaceDataRate=8Gbps");
        software["Sharing"] = sharing;
        const auto cross = [&, isIdeal = isIdeal](const std::string& returns,
                                                  Time* unexplained = nullptr) {
            software["SendReturn"] = returns;
            return CrossBroadcast(software, one, 2, isIdeal, unexplained);
        };
        const auto copied = cross("copied");
        const auto what = sharing + (isIdeal ? ", ideal" : ", fabric");
        NS_TEST_EXPECT_MSG_EQ(copied[0], 2000000, what << ": copied");
        Time unexplained;
        const auto left = cross("left", &unexplained);
        NS_TEST_EXPECT_MSG_EQ(unexplained, Time(0), what << ": all explained");
        NS_TEST_EXPECT_MSG_EQ(left[1], copied[1], what << ": its receiver does not care");
        if (isIdeal)
        {
            NS_TEST_EXPECT_MSG_EQ(left[0], 7000000, what << ": left after its latency");
            NS_TEST_EXPECT_MSG_EQ(left[1], 11000000, what << ": latency on an ideal network");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(left[0], 7000000, what << ": left");
            NS_TEST_EXPECT_MSG_LT(left[0], left[1] - 3000000, what << ": left");
        }
        const auto received = cross("received", &unexplained);
        NS_TEST_EXPECT_MSG_EQ(unexplained, Time(0), what << ": all explained");
        NS_TEST_EXPECT_MSG_EQ(received[1], copied[1], what << ": its receiver does not care");
        NS_TEST_EXPECT_MSG_EQ(received[0], received[1], what << ": received");
        NS_TEST_EXPECT_MSG_EQ(cross("0:copied,8001:received")[0], copied[0], what << ": below");
        NS_TEST_EXPECT_MSG_EQ(cross("0:copied,8000:received")[0], received[0], what << ": from");
    }
}

TEST_CASE(HandshakeReturnTestCase, "Sends after a handshake return as others do")
{
    const auto cross = [](const std::string& returns) {
        return CrossBroadcast(
            Attributes("StartUp=2us|ReceiveOverhead=3us|EagerLimit=100|SendReturn=" + returns),
            "tree[Tree=sequential|MessageBytes=8000]",
            3);
    };
    const auto copied = cross("copied");
    const auto left = cross("left");
    const auto received = cross("received");
    NS_TEST_EXPECT_MSG_GT(left[0], copied[0], "left");
    NS_TEST_EXPECT_MSG_GT(received[0], left[0], "received");
    NS_TEST_EXPECT_MSG_EQ(received[0], std::max(received[1], received[2]), "by all");
}

TEST_CASE(MemoryTestCase, "Processes of a host share its memory's bandwidth")
{
    auto software = CreateObject<HostSoftware>();
    // The first rate is 1 ns a byte.
    SetAll(software, "CombineDataRate=8Gbps|CopyTime=0:1us,1000:2us|MemoryDataRate=16Gbps");
    for (uint32_t task = 0; task < 5; ++task)
    {
        software->AddTask(task);
    }
    const auto combine = [&](uint32_t task, uint64_t bytes) {
        return software->Occupy(task, Time(0), software->GetCombineCosts(bytes)).GetPicoSeconds();
    };
    NS_TEST_EXPECT_MSG_EQ(combine(0, 4000), 4000000, "as fast as one can");
    NS_TEST_EXPECT_MSG_EQ(combine(1, 4000), 4000000, "two have half of the memory's rate each");
    NS_TEST_EXPECT_MSG_EQ(combine(2, 4000), 6000000, "a third one waits");
    NS_TEST_EXPECT_MSG_EQ(combine(3, 4000), 8000000, "all at the memory's rate");
    const auto copy = software->Occupy(4, MicroSeconds(20), software->GetCopyCosts(500));
    NS_TEST_EXPECT_MSG_EQ(copy.GetPicoSeconds(), 21500000, "by its table once the memory is free");
}

ADD_CASES()
{
    AddQuick<DrawnTurnsTestCase>(70);
    AddExtensive<DrawnTurnsTestCase>(2000);
}

} // namespace
