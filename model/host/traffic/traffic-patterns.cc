// SPDX-License-Identifier: GPL-2.0-only

#include "traffic-patterns.h"

#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPattern);

TypeId
TrafficPattern::GetTypeId()
{
    static TypeId tid = NewType::Of<TrafficPattern, Object>("ns3::TrafficPattern");
    return tid;
}

void
TrafficPattern::Prepare(const FabricGraph& graph)
{
    WormholeError::ThrowIf(graph.GetNHosts() < 2,
                           "traffic between " + std::to_string(graph.GetNHosts()) +
                               " hosts: expected at least 2");
    m_nHosts = graph.GetNHosts();
    DoPrepare(graph);
    WormholeError::ThrowIf(GetNSenders() == 0,
                           "all of the " + std::to_string(m_nHosts) +
                               " hosts would send to themselves; expected more hosts");
}

uint32_t
TrafficPattern::GetNSenders() const
{
    const auto senders = NumbersWith(m_nHosts, [this](uint32_t host) { return !IsSilent(host); });
    return static_cast<uint32_t>(senders.size());
}

TypeId
FixedPattern::GetTypeId()
{
    static TypeId tid = NewType::Of<FixedPattern, TrafficPattern>("ns3::FixedPattern");
    return tid;
}

namespace
{

/// @return where worms go that a host sends to one host with a probability, else to any other
std::vector<TrafficPattern::Share>
ShareAmongOthers(uint32_t source, uint32_t nHosts, uint32_t hotHost = 0, double fraction = 0)
{
    const auto others = NumbersWith(nHosts, [source](uint32_t host) { return host != source; });
    return MadeOf(others, [=](uint32_t host) -> TrafficPattern::Share {
        return {host, (1 - fraction) / (nHosts - 1) + (host == hotHost ? fraction : 0)};
    });
}

/// @return hosts of the nearest other switches that have some @param from a switch with one host
std::vector<uint32_t>
FindNearest(const FabricGraph& graph, FabricGraph::Node from)
{
    std::vector<bool> seen(graph.GetNSwitches());
    seen[from] = true;
    std::vector<uint32_t> found;
    for (std::vector<FabricGraph::Node> level{from}, next; found.empty(); level.swap(next))
    {
        next.clear();
        for (const auto node : level)
        {
            for (const auto port : graph.PortsToSwitches(node))
            {
                const auto far = graph.Peer(node, port).node;
                if (!seen[far])
                {
                    seen[far] = true;
                    next.push_back(far);
                    for (const auto hostPort : graph.PortsToHosts(far))
                    {
                        found.push_back(graph.Peer(far, hostPort).node - graph.GetNSwitches());
                    }
                }
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

/// Each worm goes to a random other host, all of them equally likely.
class UniformPattern : public TrafficPattern
{
  public:
    uint32_t Draw(uint32_t source) override
    {
        return DrawOther(source);
    }

    std::vector<Share> GetShares(uint32_t source) const override
    {
        return ShareAmongOthers(source, GetNHosts());
    }
};

/// A fraction of all worms goes to one host, the others to a random other host.
///
/// The hot host is among those that the others go to, and sends all of its own worms to random
/// other hosts. So with n hosts at load a, and fraction f, a (f (n - 1) + 1 - f) is sent to the hot
/// host.
class HotspotPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            NewType::Of<HotspotPattern, TrafficPattern>("ns3::HotspotPattern")
                .Add("Fraction",
                     "Fraction of others' worms to the hot host, besides its share of the rest.",
                     Sets::Number(&HotspotPattern::m_fraction, 0.1, 0, 1))
                .Add("Host", "Number of the hot host.", Sets::Number(&HotspotPattern::m_host, 0));
        return tid;
    }

    uint32_t Draw(uint32_t source) override
    {
        return source != m_host && DrawRatio() < m_fraction ? m_host : DrawOther(source);
    }

    std::vector<Share> GetShares(uint32_t source) const override
    {
        return ShareAmongOthers(source, GetNHosts(), m_host, source == m_host ? 0 : m_fraction);
    }

  private:
    void DoPrepare(const FabricGraph& graph) override
    {
        WormholeError::ThrowIf(m_host >= graph.GetNHosts(),
                               "hot host " + std::to_string(m_host) + ": expected 0 to " +
                                   std::to_string(graph.GetNHosts() - 1));
    }

    double m_fraction{0}; ///< attribute
    uint32_t m_host{0};   ///< attribute
};

/// Each worm goes to a random one of the hosts at the fewest cables away.
///
/// That is another host of the same switch; where there is none, a host of the nearest switches
/// that have some. Cables are counted in the fabric, whether routes use them or not.
class NearestSwitchPattern : public TrafficPattern
{
  public:
    uint32_t Draw(uint32_t source) override
    {
        const auto& hosts = m_nearest[m_switchOf[source]];
        const auto own = std::lower_bound(hosts.begin(), hosts.end(), source);
        const bool among = own != hosts.end() && *own == source;
        const auto index = DrawInteger(0, static_cast<uint32_t>(hosts.size()) - 1 - among);
        return hosts[index + (among && index >= static_cast<uint32_t>(own - hosts.begin()))];
    }

    std::vector<Share> GetShares(uint32_t source) const override
    {
        const auto others = ThoseOf(m_nearest[m_switchOf[source]],
                                    [source](uint32_t host) { return host != source; });
        const auto share = 1 / static_cast<double>(others.size());
        return MadeOf(others, [share](uint32_t host) { return Share(host, share); });
    }

  private:
    void DoPrepare(const FabricGraph& graph) override
    {
        graph.Validate();
        m_switchOf.resize(graph.GetNHosts());
        std::vector<std::vector<uint32_t>> hosts(graph.GetNSwitches());
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            m_switchOf[host] = graph.SwitchOf(graph.HostAt(host)).node;
            hosts[m_switchOf[host]].push_back(host);
        }
        m_nearest = hosts;
        for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
        {
            if (hosts[node].size() == 1)
            {
                m_nearest[node] = FindNearest(graph, node);
            }
        }
    }

    std::vector<FabricGraph::Node> m_switchOf;    ///< switch of each host
    std::vector<std::vector<uint32_t>> m_nearest; ///< by switch, hosts that its hosts send to
};

/// A random permutation, drawn once, by which nobody sends to itself.
///
/// All permutations without a fixed point are equally likely.
class PermutationPattern : public FixedPattern
{
  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override
    {
        while (true) // about e times, whatever the number of hosts
        {
            auto destinations = NumbersBelow(nHosts);
            for (uint32_t i = 0; i + 1 < nHosts; ++i)
            {
                std::swap(destinations[i], destinations[DrawInteger(i, nHosts - 1)]);
            }
            if (NumbersWith(nHosts, [&](uint32_t i) { return destinations[i] == i; }).empty())
            {
                return destinations;
            }
        }
    }
};

/// Hosts stand in a square, row by row, and send to the place mirrored at its diagonal.
///
/// Host r m + c of m m hosts sends to host c m + r; where m is a power of two, that swaps the
/// halves of the bits of its number. The m hosts on the diagonal are silent.
class TransposePattern : public FixedPattern
{
  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override
    {
        const auto side = static_cast<uint32_t>(std::sqrt(nHosts));
        WormholeError::ThrowIf(side * side != nHosts,
                               "a transpose needs a square number of hosts, and there are " +
                                   std::to_string(nHosts) + "; expected " +
                                   (side > 1 ? std::to_string(side * side) + " or " : "") +
                                   std::to_string((side + 1) * (side + 1)));
        return MadeOfNumbers(nHosts, [side](uint32_t i) { return i % side * side + i / side; });
    }
};

/// Each host sends to the one whose number has the reverse bits; not to itself.
class BitReversalPattern : public FixedPattern
{
  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override
    {
        uint32_t bits = 0;
        while (uint64_t{2} << bits <= nHosts)
        {
            ++bits;
        }
        const auto below = uint64_t{1} << bits;
        WormholeError::ThrowIf(below != nHosts,
                               "a bit reversal needs a power of two of hosts, and there are " +
                                   std::to_string(nHosts) + "; expected " +
                                   (below > 2 ? std::to_string(below) + " or " : "") +
                                   std::to_string(2 * below));
        std::vector<uint32_t> destinations(nHosts);
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            for (uint32_t bit = 0; bit < bits; ++bit)
            {
                destinations[i] |= (i >> bit & 1) << (bits - 1 - bit);
            }
        }
        return destinations;
    }
};

NS_OBJECT_ENSURE_REGISTERED(HotspotPattern);
NS_OBJECT_ENSURE_REGISTERED(FixedPattern);

namespace
{

/// Registers a pattern without attributes.
template <class PATTERN, class PARENT>
struct RegisteredPattern
{
    explicit RegisteredPattern(const std::string& name)
    {
        NewType::Of<PATTERN, PARENT>("ns3::" + name + "Pattern").SetSize(sizeof(PATTERN));
    }
};

const RegisteredPattern<UniformPattern, TrafficPattern> g_uniform("Uniform");
const RegisteredPattern<NearestSwitchPattern, TrafficPattern> g_nearestSwitch("NearestSwitch");
const RegisteredPattern<PermutationPattern, FixedPattern> g_permutation("Permutation");
const RegisteredPattern<TransposePattern, FixedPattern> g_transpose("Transpose");
const RegisteredPattern<BitReversalPattern, FixedPattern> g_bitReversal("BitReversal");

} // namespace

} // namespace ns3
