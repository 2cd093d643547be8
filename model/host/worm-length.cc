// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-traffic.h"

#include "ns3/double.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <vector>

namespace ns3
{

namespace
{

/// Longest worm that Parse accepts, flits.
constexpr double LONGEST = 1e9;

bool
IsLength(double flits)
{
    return flits >= 1 && flits <= LONGEST && flits == std::floor(flits);
}

} // namespace

WormLength::WormLength(Ptr<RandomVariableStream> flits, double mean)
    : m_flits(flits),
      m_mean(mean)
{
    WormholeError::ThrowIf(!(mean >= 1),
                           "worms of " + std::to_string(mean) +
                               " flits on the average: expected 1 or more");
}

WormLength
WormLength::Fixed(uint64_t flits)
{
    const auto length = static_cast<double>(flits);
    auto random = CreateObject<ConstantRandomVariable>();
    random->SetAttribute("Constant", DoubleValue(length));
    return {random, length};
}

WormLength
WormLength::Parse(const std::string& text)
{
    std::vector<std::string> fields;
    boost::algorithm::split(fields, text, [](char c) { return c == ':'; });
    const auto numbers = MadeOf(fields, ParseStrictNumber);
    if (fields.size() == 1 && IsLength(numbers[0]))
    {
        return Fixed(static_cast<uint64_t>(numbers[0]));
    }
    if (fields[0] == "uniform" && fields.size() == 3 && IsLength(numbers[1]) &&
        IsLength(numbers[2]) && numbers[1] <= numbers[2])
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetAttribute("Min", DoubleValue(numbers[1] - 1));
        random->SetAttribute("Max", DoubleValue(numbers[2]));
        return {random, (numbers[1] + numbers[2]) / 2};
    }
    if (fields[0] == "bimodal" && fields.size() == 4 && IsLength(numbers[1]) &&
        IsLength(numbers[2]) && numbers[1] < numbers[2] && numbers[3] > 0 && numbers[3] < 1)
    {
        auto random = CreateObject<EmpiricalRandomVariable>();
        random->CDF(numbers[1], 1 - numbers[3]);
        random->CDF(numbers[2], 1);
        return {random, numbers[1] + numbers[3] * (numbers[2] - numbers[1])};
    }
    if (fields[0] == "geometric" && fields.size() == 2 && numbers[1] >= 1 && numbers[1] <= LONGEST)
    {
        if (numbers[1] == 1)
        {
            return Fixed(1);
        }
        auto random = CreateObject<ExponentialRandomVariable>();
        random->SetAttribute("Mean", DoubleValue(-1 / std::log1p(-1 / numbers[1])));
        return {random, numbers[1]};
    }
    throw WormholeError("'" + text +
                        "' is no length of worms; expected FLITS, uniform:LEAST:GREATEST, "
                        "bimodal:SHORT:LONG:RATIO and geometric:MEAN, in flits from 1 to 1e9 with "
                        "LEAST up to GREATEST, SHORT below LONG, and RATIO of long worms between "
                        "0 and 1");
}

} // namespace ns3
