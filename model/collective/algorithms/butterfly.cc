// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/butterfly-schedules.h"
#include "ns3/new-type.h"
#include "ns3/software-collective.h"
#include "ns3/wormhole-error.h"

#include <sstream>

namespace ns3
{

namespace
{

/// @return the radices; auto: the prime factors of the number, or, if one is above 7, 2s
/// @throws WormholeError if the text is none of these, or the product above the number of members
std::vector<uint32_t>
ParseRadices(const std::string& text, uint32_t members)
{
    std::vector<uint32_t> radices;
    if (text == "auto")
    {
        auto rest = members;
        for (uint32_t prime : {2, 3, 5, 7})
        {
            for (; rest % prime == 0; rest /= prime)
            {
                radices.push_back(prime);
            }
        }
        return rest == 1 ? radices : ButterflyTwos(members);
    }
    uint64_t product = 1;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
    {
        const bool isNumber = !word.empty() && word.size() < 9 &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        const auto radix = isNumber ? std::stoul(word) : 0;
        WormholeError::ThrowIf(radix < 2,
                               "Radices is '" + text + "', of which '" + word +
                                   "' is no radix; expected auto and whole numbers from 2 on with "
                                   "commas, such as 4,2");
        product *= radix;
        WormholeError::ThrowIf(product > members,
                               "Radices is '" + text + "', which is for " +
                                   std::to_string(product) + " members or more; there are " +
                                   std::to_string(members) +
                                   "; expected a product of at most as many");
        radices.push_back(static_cast<uint32_t>(radix));
    }
    return radices;
}

/// A barrier or reduction by a butterfly: in each phase the members of sets as large as its radix
/// exchange messages, see MakeValueButterfly.
class ButterflyCollective : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("Radices",
                 "Radixes of the phases, separated by commas, such as 4,2. Their product is how "
                 "many members exchange; each of these represents others. auto: the prime factors "
                 "of the number of members or, if one of these is above 7, as many 2s as fit.",
                 Sets::Text(&ButterflyCollective::m_radices, "auto"));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeValueButterfly(request, ParseRadices(m_radices, request.members));
    }

    bool UsesRoot() const override
    {
        return GetKind() == DataKind::REDUCTION;
    }

  private:
    std::string m_radices;
};

const RegisteredAlgorithm<ButterflyCollective> g_butterfly{"Butterfly",
                                                           {DataKind::BARRIER, DataKind::REDUCTION},
                                                           {}};

} // namespace

} // namespace ns3
