// SPDX-License-Identifier: GPL-2.0-only

// GOAL schedules: their files, and when they end, beside a plain reference and closed forms.

#include "../jobs-case.h"

#include "ns3/goal-conversion.h"
#include "ns3/goal-program.h"

#include <list>

using namespace ns3;

SUITE("wormhole-goal", UNIT);

namespace
{

/// A plain LogGOPS machine: all that could be done lies in a list, of which the earliest is looked
/// for each time; messages and receives are matched in lists.
class PlainMachine
{
  public:
    PlainMachine(const GoalSchedule& schedule, const LogGops::Parameters& parameters)
        : m_schedule(schedule),
          m_model(parameters),
          m_cpus(schedule.GetNRanks(), std::vector<Time>(4)),
          m_sends(m_cpus),
          m_receives(m_cpus),
          m_posted(schedule.GetNRanks()),
          m_came(schedule.GetNRanks()),
          m_missing(schedule.GetNRanks())
    {
    }

    std::vector<Time> Run()
    {
        for (uint32_t rank = 0; rank < m_schedule.GetNRanks(); ++rank)
        {
            m_missing[rank].assign(m_schedule.At(rank).operations.size(), 0);
            for (const auto& dependency : m_schedule.At(rank).dependencies)
            {
                ++m_missing[rank][dependency.after];
            }
            for (uint32_t i = 0; i < m_missing[rank].size(); ++i)
            {
                if (m_missing[rank][i] == 0)
                {
                    m_free.push_back({rank, i});
                }
            }
            PutFree();
        }
        while (!m_things.empty())
        {
            auto next = std::min_element(m_things.begin(), m_things.end(), [](auto& a, auto& b) {
                return std::make_pair(a.time, a.count) < std::make_pair(b.time, b.count);
            });
            const auto thing = *next;
            m_things.erase(next);
            Handle(thing);
            PutFree();
        }
        return MadeOf(m_cpus, [](const auto& cpus) { return Greatest(cpus); });
    }

  private:
    struct Thing
    {
        Time time;      ///< when
        uint64_t count; ///< in order of coming
        uint32_t rank;  ///< where
        uint32_t index; ///< operation; of a message its send's
        int64_t from;   ///< sender of a message; -1: an operation
    };

    struct Waiting
    {
        uint32_t peer;  ///< rank at the other end
        uint32_t tag;   ///< tag
        uint32_t index; ///< operation
    };

    const GoalSchedule::Operation& Op(uint32_t rank, uint32_t index) const
    {
        return m_schedule.At(rank).operations[index];
    }

    void Release(uint32_t rank, uint32_t index, bool isOnStart)
    {
        for (const auto& dependency : m_schedule.At(rank).dependencies)
        {
            if (dependency.before == index && dependency.isOnStart == isOnStart &&
                --m_missing[rank][dependency.after] == 0)
            {
                m_free.push_back({rank, dependency.after});
            }
        }
    }

    void PutFree()
    {
        std::stable_sort(m_free.begin(), m_free.end(), [this](auto& a, auto& b) {
            return std::make_pair(a.first, int{Op(a.first, a.second).kind}) <
                   std::make_pair(b.first, int{Op(b.first, b.second).kind});
        });
        for (const auto& [rank, index] : m_free)
        {
            const auto& op = Op(rank, index);
            auto time = m_cpus[rank][op.cpu];
            if (op.kind == GoalSchedule::SEND)
            {
                time = std::max(time, m_sends[rank][op.nic]);
            }
            m_things.push_back({time, m_count++, rank, index, -1});
        }
        m_free.clear();
    }

    /// Takes the first that fits out of a list. @return whether there is one
    static bool Find(std::list<Waiting>& list, uint32_t peer, uint32_t tag, Waiting& found)
    {
        const auto any = GoalSchedule::ANY;
        const auto first = FindIn(list, [&](const Waiting& each) {
            return (peer == any || each.peer == any || each.peer == peer) &&
                   (tag == any || each.tag == any || each.tag == tag);
        });
        const bool isThere = first != list.end();
        if (isThere)
        {
            found = *first;
            list.erase(first);
        }
        return isThere;
    }

    void EndLong(uint32_t from, uint32_t index, const GoalSchedule::Operation& op, Time time)
    {
        Release(from, index, false);
        m_cpus[from][op.cpu] = std::max(m_cpus[from][op.cpu], time);
        m_sends[from][op.nic] = std::max(m_sends[from][op.nic], time);
    }

    void Handle(Thing thing)
    {
        if (thing.from >= 0)
        {
            HandleMessage(thing);
            return;
        }
        const auto& op = Op(thing.rank, thing.index);
        auto& cpu = m_cpus[thing.rank][op.cpu];
        auto& nic = m_sends[thing.rank][op.nic];
        Waiting found{};
        if (op.kind == GoalSchedule::RECEIVE)
        {
            Release(thing.rank, thing.index, true);
            if (!Find(m_came[thing.rank], op.peer, op.tag, found))
            {
                m_posted[thing.rank].push_back({op.peer, op.tag, thing.index});
                return;
            }
            if (Op(found.peer, found.index).size > m_model.S)
            {
                EndLong(found.peer, found.index, op, thing.time);
            }
            Release(thing.rank, thing.index, false);
            return;
        }
        const auto ready = op.kind == GoalSchedule::SEND ? std::max(cpu, nic) : cpu;
        if (ready > thing.time)
        {
            thing.time = ready;
            m_things.push_back(thing);
            return;
        }
        const auto rest = op.size > 0 ? static_cast<int64_t>(op.size) - 1 : 0;
        Release(thing.rank, thing.index, true);
        if (op.kind == GoalSchedule::CALC)
        {
            cpu = thing.time + NanoSeconds(op.size);
            Release(thing.rank, thing.index, false);
            return;
        }
        cpu = thing.time + m_model.o + rest * m_model.O;
        nic = thing.time + m_model.g + rest * m_model.G;
        const auto arrival = thing.time + m_model.o + m_model.L;
        m_things.push_back({arrival, m_count++, op.peer, thing.index, thing.rank});
        if (op.size <= m_model.S)
        {
            Release(thing.rank, thing.index, false);
        }
    }

    void HandleMessage(Thing thing)
    {
        const auto from = static_cast<uint32_t>(thing.from);
        const auto& op = Op(from, thing.index);
        auto& cpu = m_cpus[thing.rank][op.cpu];
        auto& nic = m_receives[thing.rank][op.nic];
        if (std::max(cpu, nic) > thing.time)
        {
            thing.time = std::max(cpu, nic);
            m_things.push_back(thing);
            return;
        }
        const auto rest = op.size > 0 ? static_cast<int64_t>(op.size) - 1 : 0;
        cpu = thing.time + m_model.o + rest * std::max(m_model.O, m_model.G);
        nic = thing.time + m_model.g + rest * m_model.G;
        Waiting found{};
        if (!Find(m_posted[thing.rank], from, op.tag, found))
        {
            m_came[thing.rank].push_back({from, op.tag, thing.index});
            return;
        }
        if (op.size > m_model.S)
        {
            EndLong(from, thing.index, op, thing.time);
        }
        Release(thing.rank, found.index, false);
    }

    const GoalSchedule& m_schedule;                    ///< what ranks do
    LogGops::Parameters m_model;                       ///< of the model
    std::vector<std::vector<Time>> m_cpus;             ///< when processors are free
    std::vector<std::vector<Time>> m_sends;            ///< when interfaces are, to send
    std::vector<std::vector<Time>> m_receives;         ///< and to receive
    std::vector<std::list<Waiting>> m_posted;          ///< receives
    std::vector<std::list<Waiting>> m_came;            ///< messages
    std::vector<std::vector<uint32_t>> m_missing;      ///< by rank and operation
    std::vector<Thing> m_things;                       ///< what could be done
    std::vector<std::pair<uint32_t, uint32_t>> m_free; ///< rank and operation
    uint64_t m_count{0};                               ///< things so far
};

TEST_CASE(GoalReferenceTestCase,
          "GOAL on the ideal network: random schedules equal a plain machine")
{
    uint32_t nRun{0}; // schedules that ended
    const auto rng = MakeRandom(1);
    for (uint32_t run = 0; run < 400; ++run)
    {
        const auto ranks = rng->GetInteger(2, run < 380 ? 12 : 200);
        const auto schedule = DrawGoal(rng, ranks, rng->GetInteger(1, 4 * ranks));
        LogGops::Parameters parameters;
        parameters.L = NanoSeconds(rng->GetInteger(0, 3000));
        parameters.o = NanoSeconds(rng->GetInteger(0, 2000));
        parameters.g = NanoSeconds(rng->GetInteger(0, 2000));
        parameters.G = NanoSeconds(rng->GetInteger(0, 6));
        parameters.O = NanoSeconds(rng->GetInteger(0, 2));
        parameters.S = 65535;
        const auto ends = PlainMachine(schedule, parameters).Run();
        const auto error = ErrorOf([&] {
            Same(LogGops::Run(schedule, parameters), ends, "run " + std::to_string(run));
            ++nRun;
        });
        // A long message's sender may wait for ever for a receive that waits for it.
        NS_TEST_EXPECT_MSG_EQ(error.empty() || IsEndless(error), true, error);
    }
    NS_TEST_EXPECT_MSG_GT(nRun, 250, "most of the schedules end");
}

TEST_CASE(GoalMessageTestCase, "GOAL: closed form of a message")
{
    const auto schedule = GoalFile::ReadText("num_ranks 2\n"
                                             "rank 0 {\nl1: send 101b to 1 tag 7\n}\n"
                                             "rank 1 {\nl1: recv 101b from 0 tag 7\n"
                                             "l2: calc 50\nl2 requires l1\n}\n",
                                             "text");
    const LogGops::Parameters parameters;
    NS_TEST_EXPECT_MSG_EQ(parameters.G, NanoSeconds(6), "the default is LogGOPSim's");
    const auto times = LogGops::Run(schedule, parameters);
    NS_TEST_EXPECT_MSG_EQ(times[0], parameters.o, "the sender has its overhead alone");
    const auto wanted = 2 * parameters.o + parameters.L + 100 * parameters.G + NanoSeconds(50);
    NS_TEST_EXPECT_MSG_EQ(times[1], wanted, "o + L + o + (s - 1) G, and the calculation");
    // A long message whose receive names few bytes is long all the same.
    const auto longer = GoalFile::ReadText(
        "num_ranks 2\nrank 0 {\nl1: send 100000b to 1\nl2: calc 50000000\nl2 requires l1\n}\n"
        "rank 1 {\nl1: calc 10000000\nl2: recv 8b from 0\nl2 requires l1\n}\n",
        "text");
    NS_TEST_EXPECT_MSG_EQ(LogGops::Run(longer, parameters)[0], MilliSeconds(60), "waits for it");
}

TEST_CASE(GoalFilesTestCase, "GOAL: files, whole and cut")
{
    const auto rng = MakeRandom(2);
    for (uint32_t run = 0; run < 30; ++run)
    {
        const auto schedule = DrawGoal(rng, 2 + run, 5 * run);
        std::ostringstream text;
        GoalFile::WriteText(text, schedule);
        std::ostringstream binary;
        GoalFile::WriteBinary(binary, schedule);
        for (const auto& read :
             {GoalFile::ReadText(text.str(), "text"), GoalFile::ReadBinary(binary.str(), "binary")})
        {
            // A binary file has dependencies by what is waited for.
            std::ostringstream both;
            GoalFile::WriteBinary(both, read);
            NS_TEST_EXPECT_MSG_EQ((both.str() == binary.str()), true, "run " << run);
        }
        for (std::size_t cut = 0; cut < binary.str().size(); cut += 7)
        {
            const auto error =
                ErrorOf([&] { GoalFile::ReadBinary(binary.str().substr(0, cut), "cut"); });
            NS_TEST_EXPECT_MSG_EQ(error.rfind("cut, byte ", 0), 0, error);
        }
    }
}

TEST_CASE(GoalRefusalsTestCase, "GOAL: what is refused")
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "x:1: '' is where 'num_ranks N' is expected"},
        {"num_ranks 0\n", "x:1: there are 0 ranks; expected 1 or more"},
        {"num_ranks 1\nrank 1 {\n}\n", "x:2: rank '1': expected a whole number from 0 to 0"},
        {"num_ranks 1\nrank 0 {\nput 4b to 0\n}\n",
         "x:3: 'put 4' is no operation; expected send, recv or calc, a colon behind a "
         "label, requires and irequires"},
        {"num_ranks 1\nrank 0 {\nl1: put 4b to 0\n}\n",
         "x:3: 'put' is no operation; expected send, recv or calc"},
        {"num_ranks 1\nrank 0 {\nl1: calc 4\nl1 requires l2\n}\n",
         "x:4: there is no label 'l2' in this rank"},
        {"num_ranks 1\nrank 0 {\ncalc -1\n}\n",
         "x:3: duration '-1': expected a whole number from 0 to 9223372036854775807"},
        {"num_ranks 1\nrank 0 {\nsend 4 to 0\n}\n", "x:3: 'to' is where 'b', bytes, is expected"},
        {"num_ranks 2\nrank 0 {\n}\n", "x:4: rank 1 is missing; there are 2 (num_ranks)"},
        {"num_ranks 1\nrank 0 {\n", "x:3: the file ends within a rank; '}' is missing"}};
    for (const auto& [text, message] : cases)
    {
        Equals(ErrorOf([&, &text = text] { GoalFile::ReadText(text, "x"); }), message, text);
    }
    GoalSchedule circle(1);
    circle.Add(0, {});
    circle.At(0).dependencies.push_back({0, 0});
    Refuses([&] { circle.Check(); }, "waits for itself");
    GoalSchedule alone(2);
    alone.Add(0, {8, 1, 0, 0, 0, GoalSchedule::SEND});
    RefusesWith([&] { LogGops::Run(alone, {}); }, "rank 0: 'send 8b to 1 tag 0' is never received");
}

TEST_CASE(GoalProgramTestCase,
          "GOAL with hosts' costs: collectives written as GOAL take as long as they do")
{
    const auto makeDomain = [](const std::string& network) -> Ptr<CollectiveDomain> {
        StartAnew();
        auto helper = WithSoftware({{"SendOverhead", "700ns"}});
        return network == "ideal" ? helper.InstallIdeal(8, MicroSeconds(1))
                                  : InstallDomain(MakeTopology("torus:2x2,hosts=2").graph, helper);
    };
    for (const auto& [network, members] :
         Combine<std::string, uint32_t>({"ideal", "fabric"}, {2, 5, 8}))
    {
        const auto hosts = MakeRange(members);
        auto made = CollectiveHelper::MakeData("allreduction", "ring[Bytes=4000]");
        CollectiveBench bench(made, makeDomain(network), hosts);
        const auto time = bench.Cross({}, {});
        const auto& schedules = dynamic_cast<SoftwareCollective&>(*made).GetSchedules();
        const auto goal = std::make_shared<GoalSchedule>(GoalConversion::Convert(schedules, 0));
        std::ostringstream text;
        GoalFile::WriteText(text, *goal);
        auto read = std::make_shared<GoalSchedule>(GoalFile::ReadText(text.str(), "text"));
        auto program = CreateObject<GoalProgram>();
        program->SetSchedule(read);
        CollectiveBench second(program, makeDomain(network), hosts);
        NS_TEST_EXPECT_MSG_EQ(second.Cross({}, {}), time, network << " " << members);
        Simulator::Destroy();
    }
}

TEST_CASE(GoalReturnTestCase, "GOAL: sends end when copied, left or received")
{
    const auto schedule = std::make_shared<GoalSchedule>(
        GoalFile::ReadText("num_ranks 2\n"
                           "rank 0 {\na: send 8000b to 1 tag 0\nb: calc 1000\nb requires a\n}\n"
                           "rank 1 {\nc: recv 8000b from 0 tag 0\n}\n",
                           "text"));
    for (const auto& [returns, us] :
         {std::make_pair("copied", 3), std::make_pair("left", 8), std::make_pair("received", 12)})
    {
        StartAnew();
        auto helper = WithSoftware(
            {{"ReceiveOverhead", "3us"}, {"InterfaceSendTime", "5us"}, {"SendReturn", returns}});
        const auto domain = helper.InstallIdeal(2, MicroSeconds(1));
        auto program = CreateObject<GoalProgram>();
        program->SetSchedule(schedule);
        program->Create(domain, {0, 1});
        const auto left = CrossOnce(program, {0, 0});
        // 2 us until it is copied, 5 us at the interface, 1 us on its way, 3 us to take it; 1 us.
        NS_TEST_EXPECT_MSG_EQ(left[0], us * 1000000, returns);
        NS_TEST_EXPECT_MSG_EQ(left[1], 11000000, returns << ": its receiver");
        domain->Dispose();
    }
}

} // namespace
