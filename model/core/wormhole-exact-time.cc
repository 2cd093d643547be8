// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-exact-time.h"

#include "wormhole-error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iomanip>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

struct UnitOfTime
{
    const char* suffix; ///< as written behind a number
    const char* resolution;
    Time::Unit unit; ///< ns-3's constant
    uint64_t femtoseconds;
};

/// Those that programs use, the longest first.
constexpr std::array<UnitOfTime, 6> UNITS{{
    {"s", "Time::S", Time::S, 1'000'000'000'000'000},
    {"ms", "Time::MS", Time::MS, 1'000'000'000'000},
    {"us", "Time::US", Time::US, 1'000'000'000},
    {"ns", "Time::NS", Time::NS, 1'000'000},
    {"ps", "Time::PS", Time::PS, 1'000},
    {"fs", "Time::FS", Time::FS, 1},
}};

/// The other units that ns3::Time prints, in seconds.
constexpr std::pair<const char*, uint64_t> LONG_UNITS[] = {{"min", 60},
                                                           {"h", 3600},
                                                           {"d", 86'400},
                                                           {"y", 365 * 86'400}};

const UnitOfTime&
GetUnitInUse()
{
    for (const auto& unit : UNITS)
    {
        if (unit.unit == Time::GetResolution())
        {
            return unit;
        }
    }
    throw WormholeError("ns-3's unit of time is longer than a second here: choose another with "
                        "Time::SetResolution");
}

/// A number of a text, read as integers: in floating point 6.25 is exact, but 0.1 is not.
struct Decimal
{
    uint64_t digits{0};
    uint64_t scale{1};  ///< what to divide them by, a power of ten
    std::size_t end{0}; ///< place of the unit behind it; 0 if there is no number
};

/// Tenth of what a number's digits may come to: an hour in fs, which 64 bits hold four times.
constexpr auto MOST_TENTH = UNITS[0].femtoseconds * 360;

bool
Shift(Decimal& number, bool up)
{
    auto& divided = up ? number.scale : number.digits;
    auto& multiplied = up ? number.digits : number.scale;
    if (divided % 10 == 0 && divided > 0)
    {
        divided /= 10;
        return true;
    }
    const bool fits = multiplied <= MOST_TENTH;
    multiplied *= fits ? 10 : 1;
    return fits || number.digits == 0;
}

/// @param text sign, digits, point, and exponent of a time
Decimal
ReadDecimal(const std::string& text)
{
    const auto isDigit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    Decimal number;
    bool any = false;
    bool fraction = false;
    std::size_t at = text.rfind('+', 0) == 0 ? 1 : 0;
    for (; isDigit(at) || (at < text.size() && text[at] == '.' && !fraction); ++at)
    {
        if (text[at] == '.')
        {
            fraction = true;
            continue;
        }
        if (number.digits > MOST_TENTH || number.scale > MOST_TENTH)
        {
            return {};
        }
        number.digits = 10 * number.digits + (text[at] - '0');
        number.scale *= fraction ? 10 : 1;
        any = true;
    }
    if (!any)
    {
        return {};
    }
    number.end = at;
    const bool isSigned = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
    if (at < text.size() && text[at] == 'e' && isDigit(at + 1 + isSigned))
    {
        uint32_t exponent = 0;
        for (number.end = at + 1 + isSigned; isDigit(number.end); ++number.end)
        {
            exponent = std::min(10 * exponent + (text[number.end] - '0'), 100U);
        }
        for (; exponent > 0; --exponent)
        {
            if (!Shift(number, text[at + 1] != '-'))
            {
                return {};
            }
        }
    }
    return number;
}

class ExactTimeValue : public TimeValue
{
  public:
    Ptr<AttributeValue> Copy() const override
    {
        return Create<ExactTimeValue>(*this);
    }

    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker>) override
    {
        Set(ExactTime::Parse(value));
        return true;
    }

    std::string SerializeToString(Ptr<const AttributeChecker>) const override
    {
        return ExactTime::Print(Get());
    }
};

class ExactTimeChecker : public AttributeChecker
{
  public:
    explicit ExactTimeChecker(int64_t least)
        : m_min(least)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto time = dynamic_cast<const TimeValue*>(&value);
        const auto step = time ? time->Get().GetTimeStep() : m_min;
        const auto print = [](int64_t steps) {
            return std::to_string(steps) + GetUnitInUse().suffix;
        };
        if (step < m_min)
        {
            throw WormholeError("a time of " + print(step) + " is too short; expected " +
                                print(m_min) + " at least");
        }
        if (step > TimeLimit::GetLongest())
        {
            throw WormholeError("a time of " + print(step) +
                                " is too long; expected an hour at most, " +
                                print(TimeLimit::GetLongest()));
        }
        return time;
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
        return "Time, a whole number of time units, at least " + std::to_string(m_min);
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
    int64_t m_min; ///< least value allowed, ns-3 time units
};

} // namespace

Time
ExactTime::FromFemtoseconds(uint64_t numerator, uint64_t denominator, const std::string& what)
{
    const auto& here = GetUnitInUse();
    const auto isWhole = [&](const UnitOfTime& unit) {
        return numerator % denominator == 0 && numerator / denominator % unit.femtoseconds == 0;
    };
    if (isWhole(here))
    {
        return TimeStep(numerator / denominator / here.femtoseconds);
    }
    for (const auto& unit : UNITS)
    {
        if (isWhole(unit))
        {
            throw WormholeError(what + " is no whole number of " + here.suffix +
                                ", the unit of time here; expected multiples of 1" + here.suffix +
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
    constexpr uint64_t HOUR = 3600ULL * UNITS[0].femtoseconds;
    auto number = ReadDecimal(text);
    auto suffix = text.substr(number.end);
    for (const auto& [unit, seconds] : LONG_UNITS)
    {
        if (suffix == unit && number.digits <= UINT64_MAX / seconds)
        {
            number.digits *= seconds;
            suffix = UNITS[0].suffix;
            break;
        }
    }
    for (const auto& unit : UNITS)
    {
        const auto most = HOUR / unit.femtoseconds;
        const auto whole = number.digits / number.scale;
        const bool fits = whole < most || (whole == most && number.digits % number.scale == 0);
        if (number.end > 0 && suffix == unit.suffix && fits)
        {
            // Reduced, since 1.23456 s are more fs than 64 bits hold before they are divided.
            const auto common = std::gcd(unit.femtoseconds, number.scale);
            return FromFemtoseconds(number.digits * (unit.femtoseconds / common),
                                    number.scale / common,
                                    text);
        }
    }
    if (number.end > 0 && number.digits == 0 && suffix.empty())
    {
        return Time(0);
    }
    throw WormholeError("'" + text +
                        "' is no time: give a number and a unit (s, ms, us, ns, ps, fs), not "
                        "negative, not finer than 1 fs and not above 3600 s, such as 6.25ns");
}

std::string
ExactTime::Print(Time time)
{
    const auto& here = GetUnitInUse();
    const auto steps = static_cast<uint64_t>(std::abs(time.GetTimeStep()));
    const std::string sign = time.IsNegative() && steps > 0 ? "-" : "";
    for (const auto& unit : UNITS)
    {
        const auto scale = unit.femtoseconds / here.femtoseconds; // 0: finer than what there is
        if (scale > 0 && (steps >= scale || scale == 1))
        {
            auto fraction = std::to_string(scale + steps % scale).substr(1);
            fraction.erase(fraction.find_last_not_of('0') + 1);
            return sign + std::to_string(steps / scale) + (fraction.empty() ? "" : "." + fraction) +
                   unit.suffix;
        }
    }
    return "0"; // not reached: the unit in use has scale 1
}

Time
ExactTime::Transmission(uint64_t bits, DataRate rate)
{
    constexpr uint64_t SECOND = UNITS[0].femtoseconds;
    std::ostringstream what;
    what << bits << " bits at " << rate;
    WormholeError::ThrowIf(rate.GetBitRate() == 0, what.str() + ": expected a rate above 0");
    // Reduced, since 64 bits hold but five hours of fs.
    const auto common = std::gcd(bits, rate.GetBitRate());
    const auto part = std::gcd(SECOND, rate.GetBitRate() / common);
    WormholeError::ThrowIf(bits / common > UINT64_MAX / (SECOND / part),
                           what.str() + " take too long; expected at most 5 hours");
    return FromFemtoseconds(bits / common * (SECOND / part),
                            rate.GetBitRate() / common / part,
                            what.str());
}

Time
ExactTime::RoundTransmission(uint64_t bytes, DataRate rate)
{
    if (rate.GetBitRate() == 0)
    {
        return Time(0);
    }
    // 64 bits do not hold bits times units: 2 GiB take 2^84 of them in fs before the division.
    __extension__ using Wide = unsigned __int128;
    const auto units = static_cast<Wide>(Seconds(1).GetTimeStep());
    const auto bitRate = static_cast<Wide>(rate.GetBitRate());
    const auto steps = (16 * units * bytes + bitRate) / (2 * bitRate);
    if (steps > static_cast<Wide>(TimeLimit::LATEST))
    {
        std::ostringstream what;
        what << bytes << " bytes at " << rate << ": " << TimeLimit::Explain();
        throw WormholeError(what.str());
    }
    return TimeStep(static_cast<uint64_t>(steps));
}

uint64_t
ExactTime::GetMinBytes(DataRate rate)
{
    const auto bits = rate.GetBitRate();
    const auto unitsOfByte = 8 * static_cast<uint64_t>(Seconds(1).GetTimeStep());
    return bits / std::gcd(bits, unitsOfByte);
}

Ptr<const AttributeChecker>
ExactTime::MakeChecker(int64_t least)
{
    return Create<ExactTimeChecker>(least);
}

void
TimeLimit::CheckLength(const std::string& what, int64_t length)
{
    if (length > LONGEST_LENGTH)
    {
        throw WormholeError(what + " takes " + ExactTime::Print(TimeStep(length)) +
                            "; expected at most " + ExactTime::Print(TimeStep(LONGEST_LENGTH)) +
                            ", since times of worms have to fit into 64 bits");
    }
}

Time
TimeLimit::Add(Time time, Time more)
{
    if (time.GetTimeStep() > LATEST - more.GetTimeStep())
    {
        throw WormholeError(Explain());
    }
    return time + more;
}

Time
TimeLimit::Multiply(Time time, uint64_t factor)
{
    const auto step = static_cast<uint64_t>(time.GetTimeStep());
    if (step > 0 && factor > static_cast<uint64_t>(LATEST) / step)
    {
        throw WormholeError(Explain());
    }
    return TimeStep(step * factor);
}

Time
TimeLimit::FromSeconds(double seconds, const std::string& what)
{
    const auto longest = TimeStep(LATEST).GetSeconds();
    if (!(seconds >= 0 && seconds <= longest))
    {
        std::ostringstream text;
        text << what << ' ' << seconds << " s; expected 0 s to " << longest << " s";
        throw WormholeError(text.str());
    }
    return Seconds(seconds);
}

int64_t
TimeLimit::GetLongest()
{
    return std::min(Seconds(LONGEST_SECONDS).GetTimeStep(), LATEST / 4); // an hour of fs is more
}

std::string
TimeLimit::Explain()
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(0) << "it takes longer than "
         << TimeStep(LATEST).GetSeconds() << " s, the latest time that fits in 64 bits in units of "
         << TimeStep(1) << "; expected shorter delays and costs, or fewer messages";
    return text.str();
}

} // namespace ns3
