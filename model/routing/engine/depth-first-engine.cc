// SPDX-License-Identifier: GPL-2.0-only

// Up/down routing below a depth-first tree.

#include "up-down-search.h"

#include "ns3/checked-attribute.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>

namespace ns3
{

/// @brief Up/down routing by the order of a depth-first search, as Sancho and Robles have it
///        (Improving the Up/Down Routing Scheme for Networks of Workstations, Euro-Par 2000), with
///        routes spread by the load of channels.
///
/// Their root is the switch farthest from all others in the mean; from there their other rule leads
/// the search, see SwitchTree::DepthFirst. A channel is up if the switch that it leads to came
/// first.
class DepthFirstRoutingEngine : public RoutingEngine
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static const AttributeKeywords LENGTHS("Length", {"shortest", "any"});
        static TypeId tid =
            TypeId("ns3::DepthFirstRoutingEngine")
                .SetParent<RoutingEngine>()
                .SetGroupName("Wormhole")
                .AddConstructor<DepthFirstRoutingEngine>()
                .AddAttribute("Root",
                              "Switch where the search begins: farthest (from all others, on "
                              "average); best (of several, the one that loads the busiest channel "
                              "least); first, degree, center or the name of a switch.",
                              StringValue("farthest"),
                              MakeStringAccessor(&DepthFirstRoutingEngine::m_root),
                              MakeStringChecker())
                .AddAttribute("Candidates",
                              "Maximum number of switches tried as the best root.",
                              UintegerValue(24),
                              MakeUintegerAccessor(&DepthFirstRoutingEngine::m_candidates),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Rounds",
                              "Number of times that all routes are found anew.",
                              UintegerValue(12),
                              MakeUintegerAccessor(&DepthFirstRoutingEngine::m_rounds),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute(
                    "Length",
                    "Which legal routes are taken: the shortest, or any.",
                    StringValue("shortest"),
                    MakeKeywordAccessor(LENGTHS,
                                        MakeStringAccessor(&DepthFirstRoutingEngine::m_length)),
                    MakeKeywordChecker(LENGTHS));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        UpDownSearch search(graph,
                            UpDownSearch::Order::DEPTH_FIRST,
                            m_length == "any" ? RouteBalance::ANY_LENGTH : RouteBalance::SHORTEST);
        if (m_root == "farthest")
        {
            const auto& sums = search.GetSumDistances();
            const auto farthest = std::max_element(sums.begin(), sums.end());
            return search.Compute(static_cast<uint32_t>(farthest - sums.begin()), m_rounds);
        }
        return search.Compute(search.FindRoot(m_root, m_candidates, {"farthest"}), m_rounds);
    }

    std::string m_root;    ///< switch where the search begins
    uint32_t m_candidates; ///< switches tried
    uint32_t m_rounds;     ///< rounds of balancing
    std::string m_length;  ///< which routes are taken
};

NS_OBJECT_ENSURE_REGISTERED(DepthFirstRoutingEngine);

} // namespace ns3
