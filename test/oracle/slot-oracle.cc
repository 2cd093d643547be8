// SPDX-License-Identifier: GPL-2.0-only

#include "slot-oracle.h"

#include <deque>

namespace ns3
{

namespace
{

/// What is sent: always over one channel, to a switch's unit or to a host.
struct SlotNote
{
    enum Kind
    {
        UP,   ///< towards the top, waits for others
        DOWN, ///< away from it
        PASS, ///< from member to member
        BACK, ///< that one has come
    };

    Kind kind{UP};    ///< what
    uint64_t number;  ///< of the segment
    uint64_t bytes;   ///< of the segment in it
    uint32_t from{0}; ///< PASS, BACK: sender of the segment
    uint32_t to{0};   ///< PASS, BACK: its receiver
};

class SlotMachine
{
  public:
    SlotMachine(const SlotCase& slotCase, FabricGraph::Node top, int64_t start)
        : m_case(slotCase),
          m_graph(slotCase.graph),
          m_members(slotCase.hosts.size()),
          m_leaves(slotCase.hosts.size())
    {
        for (uint32_t rank = 0; rank < slotCase.hosts.size(); ++rank)
        {
            m_rankOf[m_graph.HostAt(slotCase.hosts[rank])] = rank;
            m_agenda[start + slotCase.gaps[rank][0]].push_back([this, rank] { Enter(rank); });
        }
        m_top = HasRoot() ? m_graph.SwitchOf(HostOf(slotCase.root)).node : top;
        PruneTree();
        Hang(m_top, FabricGraph::NONE);
    }

    std::vector<std::vector<int64_t>> Run()
    {
        while (!m_agenda.empty())
        {
            m_now = m_agenda.begin()->first;
            while (!m_agenda.empty() && m_agenda.begin()->first == m_now)
            {
                const auto events = std::move(m_agenda.begin()->second);
                m_agenda.erase(m_agenda.begin());
                for (const auto& event : events)
                {
                    event();
                }
            }
            TakeReady();
            MoveFlits();
        }
        return m_leaves;
    }

  private:
    using Node = FabricGraph::Node; ///< number of a node

    /// A message on or before a channel.
    struct Copy
    {
        SlotNote note;       ///< the message
        int64_t asked;       ///< when it asks for the channel
        uint64_t flits;      ///< its length
        uint64_t started{0}; ///< flits that have started
    };

    struct Channel
    {
        int64_t tau{0};          ///< flit time
        int64_t delay{0};        ///< p
        uint32_t credits{0};     ///< slots free beyond it
        int64_t busyUntil{0};    ///< when the flit on it has passed
        std::deque<Copy> copies; ///< what it is to carry, in order
    };

    struct Unit
    {
        int parent{-1};                                ///< port to the top
        std::set<int> ports;                           ///< ports of the tree but the parent
        std::map<uint64_t, std::set<int>> came;        ///< by segment: ports that it came by
        std::vector<std::pair<int, SlotNote>> waiting; ///< to be combined, in order of arrival
        uint64_t next{0};                              ///< segment that they are combined for
        bool combines{false};                          ///< whether the next two are set
        int64_t combinedAt{0};                         ///< when it has combined
        std::pair<int, SlotNote> combining;            ///< that
        std::map<int, SlotNote> ready;                 ///< what acts now, by port
    };

    struct Member
    {
        bool inside{false};                    ///< whether it is
        bool started{false};                   ///< whether its start-up is over
        uint64_t rounds{0};                    ///< entered
        uint64_t taken{0};                     ///< rounds all of whose segments its software has
        uint64_t sent{0};                      ///< segments
        uint64_t done{0};                      ///< of those
        std::map<uint64_t, uint64_t> received; ///< segments, by round
        int64_t busy{0};                       ///< until when its software is busy
    };

    bool HasRoot() const ///< @return whether there is a root
    {
        return m_case.kind == DataKind::REDUCTION || m_case.kind == DataKind::BROADCAST ||
               m_case.kind == DataKind::GATHER;
    }

    Node HostOf(uint32_t rank) const
    {
        return m_graph.HostAt(m_case.hosts[rank]);
    }

    /// Finds the switches that paths between members cross.
    void PruneTree()
    {
        const auto all = MakeRange(m_graph.GetNSwitches());
        m_inTree.insert(all.begin(), all.end());
        for (bool pruned = true; pruned;)
        {
            pruned = false;
            for (const auto node : std::set<Node>(m_inTree))
            {
                const auto neighbours = CountIf(m_graph.PortsToSwitches(node), [&](auto port) {
                    return m_inTree.count(m_graph.Peer(node, port).node) > 0;
                });
                const bool hasMember = AnyOf(m_graph.PortsToHosts(node), [&](auto port) {
                    return m_rankOf.count(m_graph.Peer(node, port).node) > 0;
                });
                if (!hasMember && neighbours <= 1)
                {
                    m_inTree.erase(node);
                    pruned = true;
                }
            }
        }
    }

    void Hang(Node node, Node above)
    {
        auto& unit = m_units[node];
        for (const auto port : m_graph.PortsToHosts(node))
        {
            if (m_rankOf.count(m_graph.Peer(node, port).node))
            {
                unit.ports.insert(port);
            }
        }
        for (const auto port : m_graph.PortsToSwitches(node))
        {
            const auto next = m_graph.Peer(node, port).node;
            if (next == above)
            {
                unit.parent = port;
            }
            else if (m_inTree.count(next))
            {
                unit.ports.insert(port);
                Hang(next, node);
            }
        }
    }

    int PortTo(Node node, uint32_t rank)
    {
        for (const auto port : m_units[node].ports)
        {
            if (Leads(m_graph.Peer(node, static_cast<uint16_t>(port)).node, rank))
            {
                return port;
            }
        }
        return m_units[node].parent;
    }

    bool Leads(Node node, uint32_t rank)
    {
        return m_graph.IsSwitch(node) ? PortTo(node, rank) != m_units[node].parent
                                      : node == HostOf(rank);
    }

    Channel& ChannelAt(Node node, int port)
    {
        const auto [entry, isNew] = m_channels.try_emplace({node, port});
        auto& channel = entry->second;
        if (isNew)
        {
            const auto cable =
                m_graph.GetProperties().GetCable({node, static_cast<uint16_t>(port)});
            channel.tau = cable.flitTime ? cable.flitTime->GetTimeStep() : m_case.flitTimePs;
            channel.delay = cable.delay ? cable.delay->GetTimeStep() : m_case.linkDelayPs;
            channel.credits = cable.depth.value_or(m_case.depth);
        }
        return channel;
    }

    int64_t DelayOf(Node node) const
    {
        if (!m_graph.IsSwitch(node))
        {
            return m_case.deviceDelayPs;
        }
        const auto own = m_graph.GetProperties().GetSwitchDelay(node);
        return own ? own->GetTimeStep() : m_case.switchDelayPs;
    }

    void Send(Node node, int port, const SlotNote& note)
    {
        const auto asks = m_now + (m_graph.IsSwitch(node) ? 0 : m_case.deviceDelayPs);
        ChannelAt(node, port).copies.push_back({note, asks, m_case.GetFlits(note.bytes)});
        m_agenda[asks].push_back([] {});
    }

    void MoveFlits()
    {
        for (auto& [place, channel] : m_channels)
        {
            if (channel.copies.empty() || channel.copies.front().asked > m_now ||
                channel.busyUntil > m_now)
            {
                continue;
            }
            const auto node = place.first;
            const auto port = place.second;
            const auto far = m_graph.Peer(node, static_cast<uint16_t>(port));
            const bool toSwitch = m_graph.IsSwitch(far.node);
            if (toSwitch && channel.credits == 0)
            {
                continue;
            }
            auto& copy = channel.copies.front();
            channel.credits -= toSwitch;
            channel.busyUntil = m_now + channel.tau;
            m_agenda[channel.busyUntil].push_back([] {});
            if (++copy.started < copy.flits)
            {
                continue;
            }
            const auto ready = channel.busyUntil + channel.delay + DelayOf(far.node);
            const auto note = copy.note;
            const auto flits = copy.flits;
            m_agenda[ready].push_back([this, toSwitch, far, note, flits, node, port] {
                if (!toSwitch)
                {
                    Arrive(m_rankOf.at(far.node), note);
                    return;
                }
                m_units[far.node].ready[far.port] = note;
                m_agenda[m_now + ChannelAt(node, port).delay].push_back([this, node, port, flits] {
                    ChannelAt(node, port).credits += static_cast<uint32_t>(flits);
                });
            });
            channel.copies.pop_front();
        }
    }

    /// Lets switches act on what is ready now, by port, and then on what is combined by now.
    void TakeReady()
    {
        for (auto& entry : m_units)
        {
            const auto node = entry.first;
            auto& unit = entry.second;
            for (const auto& [port, note] : std::map<int, SlotNote>(std::move(unit.ready)))
            {
                Take(node, port, note);
            }
            unit.ready.clear();
            if (unit.combines && unit.combinedAt == m_now)
            {
                unit.combines = false;
                const auto [port, note] = unit.combining;
                Count(node, port, note);
                CombineNext(unit);
            }
        }
    }

    void Take(Node node, int port, const SlotNote& note)
    {
        auto& unit = m_units[node];
        if (note.kind == SlotNote::UP && note.bytes > 0 &&
            (m_case.combineBps > 0 || m_case.combinePs > 0))
        {
            unit.waiting.emplace_back(port, note);
            CombineNext(unit);
        }
        else if (note.kind == SlotNote::UP)
        {
            Count(node, port, note);
        }
        else if (note.kind == SlotNote::DOWN)
        {
            for (const auto to : unit.ports)
            {
                if (to != port)
                {
                    Send(node, to, note);
                }
            }
        }
        else
        {
            Send(node, PortTo(node, note.kind == SlotNote::PASS ? note.to : note.from), note);
        }
    }

    /// Begins to combine the first contribution to the next segment, unless one is being combined.
    void CombineNext(Unit& unit)
    {
        const auto next = FindIn(unit.waiting, [&unit](const auto& each) {
            return each.second.number == unit.next;
        });
        if (unit.combines || next == unit.waiting.end())
        {
            return;
        }
        const auto bytes = m_case.headerBytes + next->second.bytes;
        unit.combines = true;
        unit.combining = *next;
        unit.combinedAt = m_now + m_case.combinePs + GetLengthPs(bytes, m_case.combineBps);
        unit.waiting.erase(next);
        m_agenda[unit.combinedAt].push_back([] {});
    }

    /// One contribution more is there.
    void Count(Node node, int port, SlotNote note)
    {
        auto& unit = m_units[node];
        auto& came = unit.came[note.number];
        came.insert(port);
        const bool isTop = node == m_top;
        const auto rootPort = isTop && HasRoot() ? PortTo(node, m_case.root) : -1;
        const bool isBroadcast = m_case.kind == DataKind::BROADCAST;
        if (came.size() < unit.ports.size() - (isTop && isBroadcast))
        {
            return;
        }
        unit.came.erase(note.number);
        ++unit.next;
        if (!isTop)
        {
            Send(node, unit.parent, note);
            return;
        }
        note.kind = SlotNote::DOWN;
        for (const auto to : unit.ports)
        {
            auto sent = note;
            if (rootPort >= 0 && to != rootPort)
            {
                sent.bytes = 0;
            }
            if (!isBroadcast || to == rootPort)
            {
                Send(node, to, sent);
            }
        }
    }

    uint64_t PerPart() const
    {
        return (m_case.bytes + m_case.slotBytes - 1) / m_case.slotBytes;
    }

    uint64_t Sends(uint32_t rank) const
    {
        const bool isRoot = rank == m_case.root;
        const auto nParts = m_case.kind == DataKind::BROADCAST    ? isRoot
                            : m_case.kind == DataKind::GATHER     ? !isRoot
                            : m_case.kind == DataKind::ALL_TO_ALL ? m_members.size() - 1
                                                                  : 1;
        return PerPart() * nParts;
    }

    uint64_t Receives(uint32_t rank) const
    {
        const bool isRoot = rank == m_case.root;
        const auto others = m_members.size() - 1;
        const auto nParts = m_case.kind == DataKind::BROADCAST    ? !isRoot
                            : m_case.kind == DataKind::REDUCTION  ? isRoot
                            : m_case.kind == DataKind::GATHER     ? isRoot * others
                            : m_case.kind == DataKind::ALL_TO_ALL ? others
                                                                  : 1;
        return PerPart() * nParts;
    }

    void Enter(uint32_t rank)
    {
        auto& member = m_members[rank];
        member.inside = true;
        ++member.rounds;
        if (Sends(rank) == 0)
        {
            Leave(rank);
            return;
        }
        member.started = false;
        member.busy = std::max(member.busy, m_now) + m_case.startUpPs;
        m_agenda[member.busy].push_back([this, rank] {
            m_members[rank].started = true;
            SendMore(rank);
            Leave(rank);
        });
    }

    void SendMore(uint32_t rank)
    {
        auto& member = m_members[rank];
        const auto perRound = Sends(rank);
        while (member.started && member.sent < member.rounds * perRound &&
               member.sent - member.done < m_case.window)
        {
            const auto number = member.sent++;
            const auto inRound = number % perRound;
            const auto place = inRound % PerPart();
            SlotNote note{SlotNote::UP, number, 0};
            note.bytes =
                std::min<uint64_t>(m_case.slotBytes, m_case.bytes - place * m_case.slotBytes);
            note.from = rank;
            if (m_case.kind == DataKind::BROADCAST)
            {
                note.kind = SlotNote::DOWN;
            }
            else if (m_case.kind == DataKind::GATHER || m_case.kind == DataKind::ALL_TO_ALL)
            {
                note.kind = SlotNote::PASS;
                note.to = m_case.kind == DataKind::GATHER
                              ? m_case.root
                              : static_cast<uint32_t>((rank + 1 + inRound / PerPart()) %
                                                      m_members.size());
            }
            Send(HostOf(rank), 0, note);
        }
    }

    void Arrive(uint32_t rank, SlotNote note)
    {
        auto& member = m_members[rank];
        const bool isAnswered =
            note.kind == SlotNote::PASS || (m_case.kind == DataKind::BROADCAST && note.bytes > 0);
        if (isAnswered)
        {
            auto answer = note;
            answer.kind = note.kind == SlotNote::PASS ? SlotNote::BACK : SlotNote::UP;
            answer.bytes = 0;
            Send(HostOf(rank), 0, answer);
        }
        else
        {
            ++member.done;
            SendMore(rank);
        }
        const auto sender = note.kind == SlotNote::PASS          ? note.from
                            : m_case.kind == DataKind::BROADCAST ? m_case.root
                                                                 : rank;
        if (note.bytes > 0 && ++member.received[note.number / Sends(sender)] == Receives(rank))
        {
            member.busy = std::max(member.busy, m_now) + m_case.receivePs;
            m_agenda[member.busy].push_back([this, rank] {
                ++m_members[rank].taken;
                Leave(rank);
            });
        }
        Leave(rank);
    }

    void Leave(uint32_t rank)
    {
        auto& member = m_members[rank];
        if (!member.inside || (Receives(rank) > 0 && member.taken < member.rounds) ||
            member.sent < member.rounds * Sends(rank))
        {
            return;
        }
        member.inside = false;
        m_leaves[rank].push_back(m_now);
        if (member.rounds < m_case.gaps[rank].size())
        {
            m_agenda[m_now + m_case.gaps[rank][member.rounds]].push_back(
                [this, rank] { Enter(rank); });
        }
    }

    const SlotCase& m_case;                                         ///< what to run
    const FabricGraph& m_graph;                                     ///< its fabric
    Node m_top{0};                                                  ///< top of the tree
    std::map<Node, uint32_t> m_rankOf;                              ///< ranks by host
    std::set<Node> m_inTree;                                        ///< switches of the tree
    std::map<Node, Unit> m_units;                                   ///< by switch
    std::vector<Member> m_members;                                  ///< by rank
    std::vector<std::vector<int64_t>> m_leaves;                     ///< what Run returns
    std::map<std::pair<Node, int>, Channel> m_channels;             ///< by sending end
    std::map<int64_t, std::vector<std::function<void()>>> m_agenda; ///< what will happen
    int64_t m_now{0};                                               ///< present time, ps
};

} // namespace

std::vector<std::vector<int64_t>>
MoveSegmentsFlitByFlit(const SlotCase& slotCase, FabricGraph::Node top, int64_t start)
{
    return SlotMachine(slotCase, top, start).Run();
}

SlotCase
MakeRandomSlotCase(Ptr<UniformRandomVariable> rng, DataKind kind)
{
    const Dice draw(rng);
    SlotCase made;
    made.kind = kind;
    const auto q = draw(1, 6);
    const auto nHosts = draw(2, 12);
    FabricGraph graph(q, nHosts, q + nHosts);
    std::vector<FabricGraph::Port> used(q, 0);
    for (uint32_t i = 1; i < q; ++i)
    {
        const auto above = draw(0, i - 1);
        graph.Connect(i, used[i]++, above, used[above]++);
    }
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        const auto at = draw(0, q - 1);
        graph.Connect(graph.HostAt(host), 0, at, used[at]++);
        made.hosts.push_back(host);
    }
    Shuffle(made.hosts, *rng);
    made.hosts.resize(draw(2, nHosts));
    const auto n = static_cast<uint32_t>(made.hosts.size());
    made.root = draw(0, n - 1);
    made.flitBytes = static_cast<uint32_t>(draw.Pick({1, 1, 2, 8}));
    made.slotBytes = static_cast<uint32_t>(draw.Pick({4, 8, 12, 32}));
    made.headerBytes = static_cast<uint32_t>(draw.Pick({1, 3, 8}));
    made.bytes = 4 * draw(1, kind == DataKind::ALL_TO_ALL ? 12 : 40);
    made.window = static_cast<uint32_t>(draw.Pick({1, 2, 3, 5, 100}));
    made.combineBps =
        static_cast<uint64_t>(draw.Pick({0, 0, 400'000'000, 1'300'000'000, 9'000'000'000}));
    made.combinePs = draw.Pick({0, 0, 40, 250'000});
    made.flitTimePs = draw.Pick({7, 1000, 6250});
    made.linkDelayPs = draw.Pick({1, 300, 20'000});
    made.switchDelayPs = draw.Pick({0, 11, 30'000});
    made.deviceDelayPs = draw.Pick({0, 90, 30'000});
    // A message that asks for slots has a byte, and one for each member where they have tables.
    const auto longest = std::max(static_cast<uint32_t>(made.GetFlits(made.slotBytes)), 1 + n);
    made.depth = longest + draw(0, 20);
    made.startUpPs = draw.Pick({0, 50, 700'000});
    made.receivePs = draw.Pick({0, 40, 300'000});
    for (FabricGraph::Node node = 0; draw(0, 1) && node < graph.GetNNodes(); ++node)
    {
        if (graph.IsSwitch(node) && draw(0, 2) == 0)
        {
            graph.ChangeProperties().SetSwitchDelay(node, TimeStep(draw.Pick({0, 90, 100'000})));
        }
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto far = graph.Peer(node, static_cast<FabricGraph::Port>(port));
            if (far.node == FabricGraph::NONE || far.node < node || draw(0, 1))
            {
                continue;
            }
            CableProperties cable;
            cable.flitTime = TimeStep(draw.Pick({5, 7, 900, 2500}));
            cable.delay = TimeStep(draw.Pick({1, 90, 20'000}));
            cable.depth = longest + draw(0, 9);
            graph.SetCable(node, static_cast<FabricGraph::Port>(port), cable);
        }
    }
    const auto rounds = draw(1, 3);
    made.gaps.resize(n);
    for (auto& gaps : made.gaps)
    {
        gaps = MadeOfNumbers(rounds, [&](uint32_t) -> int64_t {
            return draw(0, 1) ? 0 : draw(0, 900'000);
        });
    }
    made.graph = graph;
    return made;
}

} // namespace ns3
