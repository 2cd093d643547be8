/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exact-time.h"

#include "wormhole-error.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// A unit of time that ns-3 can resolve.
struct UnitOfTime
{
    const char* suffix;     ///< as written behind a number
    const char* resolution; ///< as passed to Time::SetResolution
    Time::Unit unit;        ///< ns-3's constant
    uint64_t femtoseconds;  ///< its length
};

/// All of them, the longest first.
constexpr std::array<UnitOfTime, 6> UNITS{{
    {"s", "Time::S", Time::S, 1'000'000'000'000'000},
    {"ms", "Time::MS", Time::MS, 1'000'000'000'000},
    {"us", "Time::US", Time::US, 1'000'000'000},
    {"ns", "Time::NS", Time::NS, 1'000'000},
    {"ps", "Time::PS", Time::PS, 1'000},
    {"fs", "Time::FS", Time::FS, 1},
}};

/// Refuses a text that is no time. @param text the text
[[noreturn]] void
RefuseTime(const std::string& text)
{
    throw WormholeError("'" + text +
                        "' is no time: give a number and a unit (s, ms, us, ns, ps, fs), not "
                        "finer than 1 fs and not above 3600 s, such as 6.25ns");
}

/// A time attribute's value that reads text exactly.
class ExactTimeValue : public TimeValue
{
  public:
    /// @return a copy of it
    Ptr<AttributeValue> Copy() const override
    {
        return Create<ExactTimeValue>(*this);
    }

    /// Reads a time, to the last unit. @param value the text @return true; else it throws
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker>) override
    {
        Set(ExactTime::Parse(value));
        return true;
    }
};

/// Checks time attributes, with ExactTimeValue for text.
class ExactTimeChecker : public AttributeChecker
{
  public:
    /// @param min least value allowed
    explicit ExactTimeChecker(Time min)
        : m_min(min)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto time = dynamic_cast<const TimeValue*>(&value);
        return time && time->Get() >= m_min;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::TimeValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        std::ostringstream text;
        text << "Time, a whole number of time units, at least " << m_min;
        return text.str();
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<ExactTimeValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto from = dynamic_cast<const TimeValue*>(&source);
        const auto to = dynamic_cast<TimeValue*>(&destination);
        if (from && to)
        {
            to->Set(from->Get());
        }
        return from && to;
    }

  private:
    Time m_min; ///< least value allowed
};

} // namespace

Time
ExactTime::FromFemtoseconds(uint64_t numerator, uint64_t denominator, const std::string& what)
{
    std::string inUse;
    for (const auto& unit : UNITS)
    {
        if (unit.unit != Time::GetResolution())
        {
            continue;
        }
        if (numerator % (denominator * unit.femtoseconds) == 0)
        {
            return TimeStep(numerator / (denominator * unit.femtoseconds));
        }
        inUse = unit.suffix;
    }
    for (const auto& unit : UNITS)
    {
        if (numerator % (denominator * unit.femtoseconds) == 0)
        {
            throw WormholeError(what + " is no whole number of " + inUse +
                                ", the unit of time here; accepted are multiples of 1" + inUse +
                                " (a program of your own may call Time::SetResolution(" +
                                unit.resolution + ") first)");
        }
    }
    throw WormholeError(what + " is no whole number of femtoseconds, the finest unit of time that "
                               "ns-3 has: choose one that is");
}

Time
ExactTime::Parse(const std::string& text)
{
    // Read as integers, since 6.25 in ns-3's or the machine's floating point is exact but 0.1 is
    // not.
    constexpr uint64_t HOUR = 3600ULL * UNITS[0].femtoseconds;
    uint64_t digits = 0;
    uint64_t scale = 1;
    bool any = false;
    bool fraction = false;
    std::size_t at = text.rfind('+', 0) == 0 ? 1 : 0;
    for (; at < text.size(); ++at)
    {
        if (text[at] == '.' && !fraction)
        {
            fraction = true;
            continue;
        }
        if (!std::isdigit(static_cast<unsigned char>(text[at])))
        {
            break;
        }
        if (digits > HOUR / 10 || scale > HOUR / 10)
        {
            RefuseTime(text);
        }
        digits = 10 * digits + (text[at] - '0');
        scale *= fraction ? 10 : 1;
        any = true;
    }
    const auto suffix = text.substr(at);
    for (const auto& unit : UNITS)
    {
        if (any && suffix == unit.suffix && digits <= HOUR / unit.femtoseconds * scale &&
            digits <= UINT64_MAX / unit.femtoseconds)
        {
            return FromFemtoseconds(digits * unit.femtoseconds, scale, text);
        }
    }
    if (any && digits == 0 && suffix.empty())
    {
        return Time(0);
    }
    RefuseTime(text);
}

Time
ExactTime::Transmission(uint64_t bits, DataRate rate)
{
    constexpr uint64_t SECOND = UNITS[0].femtoseconds;
    std::ostringstream what;
    what << bits << " bits at " << rate;
    if (rate.GetBitRate() == 0)
    {
        throw WormholeError(what.str() + ": accepted is a rate above 0");
    }
    if (bits > UINT64_MAX / SECOND)
    {
        throw WormholeError(what.str() + ": accepted are at most " +
                            std::to_string(UINT64_MAX / SECOND) + " bits at once");
    }
    return FromFemtoseconds(bits * SECOND, rate.GetBitRate(), what.str());
}

Ptr<const AttributeChecker>
ExactTime::MakeChecker(Time min)
{
    return Create<ExactTimeChecker>(min);
}

} // namespace ns3
