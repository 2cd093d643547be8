// SPDX-License-Identifier: GPL-2.0-only

#ifndef TEST_TOOLS_H
#define TEST_TOOLS_H

// What nearly every test needs, of ns-3 and the standard library, too: what this file includes is
// not included again.

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ordering.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/// Sets ns-3's resolution to ps, which flits of 6.25 ns need, unless it is that.
inline void
NeedPicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

inline void
FixRandomNumbers()
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

inline void
StartAnew()
{
    NeedPicoseconds();
    Simulator::Destroy();
    FixRandomNumbers();
}

/// Runs the simulation on. @param span how long, at most
inline void
RunFor(Time span)
{
    Simulator::Stop(span);
    Simulator::Run();
}

inline Ptr<UniformRandomVariable>
MakeRandom(int64_t stream)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    return random;
}

/// What random cases are drawn with.
class Dice
{
  public:
    explicit Dice(const Ptr<UniformRandomVariable>& random)
        : m_random(random)
    {
    }

    uint32_t operator()(uint32_t low, uint32_t high) const
    {
        return m_random->GetInteger(low, high);
    }

    template <typename T = int64_t>
    T Pick(const std::vector<T>& values) const
    {
        return values[(*this)(0, static_cast<uint32_t>(values.size()) - 1)];
    }

  private:
    Ptr<UniformRandomVariable> m_random; ///< random numbers
};

/// Has the simulation use another scheduler. @param name one of ns-3's, such as Map, or Wormhole
inline void
UseScheduler(const std::string& name)
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::" + name + "Scheduler");
    Simulator::SetScheduler(factory);
}

/// Whether this build looks for memory errors (make sanitize), and takes ten times as long.
#ifdef WORMHOLE_SANITIZE
constexpr bool IS_SANITIZED = true;
#else
constexpr bool IS_SANITIZED = false;
#endif

/// What sanitizers look for lies in lines of code, which a few random cases pass as well as many.
/// @param n how many cases a QUICK test tries
/// @return as many, or a third of them where this build looks for memory errors
constexpr uint32_t
FewIfSanitized(uint32_t n)
{
    return IS_SANITIZED ? (n + 2) / 3 : n;
}

/// @return n numbers from 0 on, such as the first hosts @param step from one to the next
inline std::vector<uint32_t>
MakeRange(uint32_t n, uint32_t step = 1)
{
    std::vector<uint32_t> numbers(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        numbers[i] = i * step;
    }
    return numbers;
}

template <typename LIST, typename IS>
std::size_t
CountIf(const LIST& list, IS is)
{
    return static_cast<std::size_t>(std::count_if(std::begin(list), std::end(list), is));
}

template <typename LIST>
auto
Greatest(const LIST& list)
{
    return *std::max_element(std::begin(list), std::end(list));
}

template <typename LIST>
auto
ToSet(const LIST& list)
{
    return std::set<std::decay_t<decltype(*std::begin(list))>>(std::begin(list), std::end(list));
}

/// @return binary logarithm, rounded up
inline uint32_t
CeilLog2(uint32_t n)
{
    uint32_t k = 0;
    while ((uint64_t{1} << k) < n)
    {
        ++k;
    }
    return k;
}

/// The least times of any tree, by trying all first subtrees of the root: what is left of the tree
/// without it starts s later. @return the least time for 0 to n processes
inline std::vector<int64_t>
LeastTreeTimes(uint32_t n, int64_t s, int64_t r)
{
    std::vector<int64_t> least(n + 1, 0);
    for (uint32_t i = 2; i <= n; ++i)
    {
        least[i] = std::numeric_limits<int64_t>::max();
        for (uint32_t first = 1; first < i; ++first)
        {
            // A root alone is done as soon as it has sent, whenever that is.
            const auto rest = i - first == 1 ? 0 : s + least[i - first];
            least[i] = std::min(least[i], std::max(s + r + least[first], rest));
        }
    }
    return least;
}

/// Puts things into random order. @param count how many of them must be: the first ones
template <typename T>
void
Shuffle(std::vector<T>& things, UniformRandomVariable& random, std::size_t count = SIZE_MAX)
{
    const auto n = static_cast<uint32_t>(things.size());
    for (uint32_t i = 0; i < std::min<std::size_t>(count, n); ++i)
    {
        std::swap(things[i], things[random.GetInteger(i, n - 1)]);
    }
}

/// @return all pairs of two different numbers of 0 to n - 1
inline std::vector<std::pair<uint32_t, uint32_t>>
ListPairs(uint32_t n)
{
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t i = 0; i < n * n; ++i)
    {
        if (i / n != i % n)
        {
            pairs.emplace_back(i / n, i % n);
        }
    }
    return pairs;
}

/// Calls what has a program's arguments. @param words the program and its arguments
template <typename ACTION>
auto
CallWithArguments(std::vector<std::string> words, ACTION action)
{
    std::vector<char*> arguments;
    for (auto& word : words)
    {
        arguments.push_back(word.data());
    }
    return action(static_cast<int>(arguments.size()), arguments.data());
}

template <typename ACTION>
std::string
PrintedBy(std::ostream& stream, ACTION action)
{
    std::ostringstream text;
    const auto before = stream.rdbuf(text.rdbuf());
    action();
    stream.rdbuf(before);
    return text.str();
}

/// @return numbers and texts, one behind the other
template <typename... PARTS>
std::string
Text(const PARTS&... parts)
{
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

inline std::string
InPs(int64_t ps)
{
    return std::to_string(ps) + "ps";
}

inline std::string
InPs(Time time)
{
    return InPs(time.GetPicoSeconds());
}

/// @return 8 bytes / rate in ps, half up @param rate in bit/s; 0: none
inline int64_t
GetLengthPs(uint64_t bytes, uint64_t rate)
{
    __extension__ using Wide = unsigned __int128;
    const auto twice = static_cast<Wide>(16'000'000'000'000) * bytes;
    return rate == 0 ? 0 : static_cast<int64_t>((twice + rate) / (2 * static_cast<Wide>(rate)));
}

/// @return steps from a place to all that can be reached @param neighbours gives a place's
template <typename PLACE, typename NEIGHBOURS>
std::map<PLACE, uint32_t>
CountStepsFrom(PLACE start, NEIGHBOURS neighbours)
{
    std::map<PLACE, uint32_t> steps{{start, 0}};
    std::vector<PLACE> reached{start};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const auto at = reached[i];
        for (const PLACE next : neighbours(at))
        {
            if (steps.emplace(next, steps[at] + 1).second)
            {
                reached.push_back(next);
            }
        }
    }
    return steps;
}

template <typename T>
std::vector<T>
Join(std::vector<T> list, const std::vector<T>& more)
{
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

/// @return all combinations of an entry of each list, in order, those of the last list first
template <typename T, typename... MORE>
std::vector<std::tuple<T, MORE...>>
Combine(const std::vector<T>& list, const std::vector<MORE>&... more)
{
    std::vector<std::tuple<T, MORE...>> all;
    for (const T& first : list)
    {
        if constexpr (sizeof...(MORE) == 0)
        {
            all.emplace_back(first);
        }
        else
        {
            for (const auto& rest : Combine(more...))
            {
                all.push_back(std::tuple_cat(std::make_tuple(first), rest));
            }
        }
    }
    return all;
}

/// @return attributes by name @param text as in the brackets of an object: A=1|B=2us
inline std::map<std::string, std::string>
Attributes(const std::string& text)
{
    std::map<std::string, std::string> attributes;
    std::istringstream is(text);
    for (std::string name; std::getline(is, name, '=');)
    {
        std::getline(is, attributes[name], '|'); // nothing after the last =: an empty value
    }
    return attributes;
}

template <typename ELEMENT>
std::vector<uint8_t>
ToBytes(const std::vector<ELEMENT>& elements)
{
    std::vector<uint8_t> bytes(elements.size() * sizeof(ELEMENT));
    // Not memcpy, which takes no null pointer: vectors may be empty.
    const auto* first = reinterpret_cast<const uint8_t*>(elements.data());
    std::copy(first, first + bytes.size(), bytes.begin());
    return bytes;
}

template <typename ELEMENT>
std::vector<ELEMENT>
FromBytes(const std::vector<uint8_t>& bytes)
{
    std::vector<ELEMENT> elements(bytes.size() / sizeof(ELEMENT));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<uint8_t*>(elements.data()));
    return elements;
}

inline std::vector<std::string>
Words(const std::string& text)
{
    std::istringstream is(text);
    return {std::istream_iterator<std::string>(is), {}};
}

/// @return sizes of groups up to 40: all of them, or small ones, powers of two and their neighbours
inline std::vector<uint32_t>
ListGroupSizes(bool isEvery)
{
    std::vector<uint32_t> sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 33};
    for (uint32_t n = 1; isEvery && n <= 40; ++n)
    {
        sizes.resize(n);
        sizes.back() = n;
    }
    return sizes;
}

/// @return message of the WormholeError that an action throws, empty if it throws none
template <typename ACTION>
std::string
ErrorOf(ACTION action)
{
    try
    {
        action();
    }
    catch (const WormholeError& error)
    {
        return error.what();
    }
    return "";
}

/// @return what an action is refused with, or "accepted"
template <typename ACTION>
std::string
Refusal(ACTION action)
{
    const auto error = ErrorOf(action);
    return error.empty() ? "accepted" : error;
}

template <typename RESULT, typename... ARGS>
Callback<RESULT, ARGS...>
ToCallback(std::function<RESULT(ARGS...)> function)
{
    using Function = std::function<RESULT(ARGS...)>;
    RESULT (*call)(std::shared_ptr<Function>, ARGS...) =
        [](std::shared_ptr<Function> kept, ARGS... args) -> RESULT { return (*kept)(args...); };
    return MakeBoundCallback(call, std::make_shared<Function>(std::move(function)));
}

/// @return a callback that calls a lambda expression, which ns-3's own can't before 3.37
template <typename ACTION>
auto
CallbackOf(ACTION action)
{
    return ToCallback(std::function(std::move(action)));
}

/// Calls a lambda expression, whose parameters are the trace source's, whenever that fires.
template <typename OBJECT, typename ACTION>
void
Listen(const Ptr<OBJECT>& object, const std::string& traceSource, ACTION action)
{
    NS_ABORT_MSG_UNLESS(object->TraceConnectWithoutContext(traceSource, CallbackOf(action)),
                        "there is no trace source " << traceSource);
}

/// Sets attributes of an object. @param text as in its brackets: A=1|B=2us
template <typename OBJECT>
void
SetAll(const Ptr<OBJECT>& object, const std::string& text)
{
    for (const auto& [name, value] : Attributes(text))
    {
        object->SetAttribute(name, StringValue(value));
    }
}

template <typename OBJECT>
std::string
TextOf(const Ptr<OBJECT>& object, const std::string& attribute)
{
    StringValue text;
    object->GetAttribute(attribute, text);
    return text.Get();
}

inline std::string
ReadText(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

inline std::string
WriteText(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

} // namespace ns3

#endif /* TEST_TOOLS_H */
