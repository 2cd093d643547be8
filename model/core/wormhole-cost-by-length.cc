// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-cost-by-length.h"

#include "wormhole-error.h"
#include "wormhole-exact-time.h"

#include "ns3/ordering.h"
#include "ns3/text-tools.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

class CostByLengthChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        return dynamic_cast<const CostByLengthValue*>(&value) || m_times->Check(value);
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::CostByLengthValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "a time, or a table of lengths and times as 0:1us,4KiB:3us";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<CostByLengthValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return CostByLengthValue::Assign(source, destination);
    }

  private:
    Ptr<const AttributeChecker> m_times{ExactTime::MakeChecker()};
};

} // namespace

CostByLength
CostByLength::Parse(const std::string& text)
{
    CostByLength costs;
    if (text.find(':') == std::string::npos)
    {
        costs.m_time = ExactTime::Parse(text);
        return costs;
    }
    auto table = Create<Table>();
    auto& entries = table->entries;
    entries = MadeOf(ParseByLength(text), [](const auto& entry) {
        return Entry{entry.first, ExactTime::Parse(entry.second)};
    });
    const auto n = entries.size();
    for (std::size_t i = 2; i < n; ++i)
    {
        WormholeError::ThrowIf(entries[i].bytes == entries[i - 2].bytes,
                               "length " + PrintByteSize(entries[i].bytes) +
                                   " is there three times; expected once, or twice for a break");
    }
    WormholeError::ThrowIf(n > 1 && entries[n - 1].bytes > entries[n - 2].bytes &&
                               entries[n - 1].time < entries[n - 2].time,
                           "its last line falls, to less than no time for longer messages; "
                           "expected one that does not, or a break at the end");
    if (n == 1)
    {
        costs.m_time = entries.front().time;
        return costs;
    }
    costs.m_table = table;
    return costs;
}

std::string
CostByLength::Print() const
{
    if (!IsTable())
    {
        return ExactTime::Print(m_time);
    }
    std::string text;
    for (const auto& [bytes, time] : m_table->entries)
    {
        text += (text.empty() ? "" : ",") + PrintByteSize(bytes) + ":" + ExactTime::Print(time);
    }
    return text;
}

Time
CostByLength::Interpolate(uint64_t bytes) const
{
    const auto& entries = m_table->entries;
    auto right =
        std::upper_bound(entries.begin(),
                         entries.end(),
                         bytes,
                         [](uint64_t length, const auto& entry) { return length < entry.bytes; });
    if (right == entries.begin())
    {
        return right->time;
    }
    auto left = std::prev(right);
    if (right == entries.end())
    {
        right = left;
        --left;
    }
    if (left->bytes == right->bytes)
    {
        return right->time;
    }
    // No less than 0 altogether, though a line may fall; 64 bits do not hold the products.
    __extension__ using Wide = __int128;
    const auto length = static_cast<Wide>(right->bytes - left->bytes);
    const auto rise = static_cast<Wide>((right->time - left->time).GetTimeStep());
    const auto steps =
        (2 * (left->time.GetTimeStep() * length + rise * static_cast<Wide>(bytes - left->bytes)) +
         length) /
        (2 * length);
    if (steps > TimeLimit::LATEST)
    {
        throw WormholeError(std::to_string(bytes) + " bytes at " + Print() + ": " +
                            TimeLimit::Explain());
    }
    return TimeStep(static_cast<uint64_t>(steps));
}

bool
CostByLengthValue::Assign(const AttributeValue& from, AttributeValue& to)
{
    const auto* costs = dynamic_cast<const CostByLengthValue*>(&from);
    const auto* time = dynamic_cast<const TimeValue*>(&from);
    if (auto* single = dynamic_cast<TimeValue*>(&to); single && (time || costs))
    {
        const bool fits = time || !costs->Get().IsTable();
        if (fits)
        {
            single->Set(time ? time->Get() : costs->Get().At(0));
        }
        return fits;
    }
    auto* target = dynamic_cast<CostByLengthValue*>(&to);
    if (target && (time || costs))
    {
        target->Set(time ? CostByLength(time->Get()) : costs->Get());
    }
    return target && (time || costs);
}

Ptr<const AttributeChecker>
MakeCostByLengthChecker()
{
    return Create<CostByLengthChecker>();
}

} // namespace ns3
