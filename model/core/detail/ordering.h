// SPDX-License-Identifier: GPL-2.0-only

#ifndef ORDERING_H
#define ORDERING_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

namespace ns3
{

/// @return the numbers 0 to count - 1, in order
inline std::vector<uint32_t>
NumbersBelow(std::size_t count)
{
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// Sorts a list by a key; elements with equal keys keep their order.
template <typename LIST, typename KEY>
void
SortBy(LIST& list, KEY key)
{
    std::stable_sort(list.begin(), list.end(), [&key](const auto& a, const auto& b) {
        return key(a) < key(b);
    });
}

/// @return the numbers 0 to count - 1, sorted by a key; those with equal keys, by number
template <typename KEY>
std::vector<uint32_t>
NumbersBy(std::size_t count, KEY key)
{
    auto order = NumbersBelow(count);
    SortBy(order, key);
    return order;
}

/// @return the numbers 0 to count - 1 for which a predicate holds
template <typename IS>
std::vector<uint32_t>
NumbersWith(std::size_t count, IS is)
{
    std::vector<uint32_t> found;
    for (uint32_t number = 0; number < count; ++number)
    {
        if (is(number))
        {
            found.push_back(number);
        }
    }
    return found;
}

/// @return the results of a function for each element of a range, in order
template <typename RANGE, typename MAKE>
auto
MadeOf(const RANGE& range, MAKE make)
{
    std::vector<std::decay_t<decltype(make(*std::begin(range)))>> made;
    for (const auto& element : range)
    {
        made.push_back(make(element));
    }
    return made;
}

/// @return the joined lists that a function returns for each element of a range, in order
template <typename RANGE, typename MAKE>
auto
JoinedOf(const RANGE& range, MAKE make)
{
    std::decay_t<decltype(make(*std::begin(range)))> joined;
    for (const auto& element : range)
    {
        const auto& some = make(element);
        joined.insert(joined.end(), some.begin(), some.end());
    }
    return joined;
}

/// @return the results of a function for the numbers 0 to count - 1, in order
template <typename MAKE>
auto
MadeOfNumbers(std::size_t count, MAKE make)
{
    std::vector<std::decay_t<decltype(make(0U))>> made;
    for (uint32_t number = 0; number < count; ++number)
    {
        made.push_back(make(number));
    }
    return made;
}

/// @return the elements of a range for which a predicate holds, in order
template <typename RANGE, typename IS>
auto
ThoseOf(const RANGE& range, IS is)
{
    std::vector<std::decay_t<decltype(*std::begin(range))>> those;
    std::copy_if(std::begin(range), std::end(range), std::back_inserter(those), is);
    return those;
}

/// @return whether a predicate holds for any element of a range
template <typename RANGE, typename IS>
bool
AnyOf(const RANGE& range, IS is)
{
    return std::any_of(std::begin(range), std::end(range), is);
}

/// @return whether a predicate holds for all elements of a range
template <typename RANGE, typename IS>
bool
AllOf(const RANGE& range, IS is)
{
    return std::all_of(std::begin(range), std::end(range), is);
}

/// @return whether a predicate holds for no element of a range
template <typename RANGE, typename IS>
bool
NoneOf(const RANGE& range, IS is)
{
    return !AnyOf(range, is);
}

/// @return iterator to the first element of a range for which a predicate holds, or the end
template <typename RANGE, typename IS>
auto
FindIn(RANGE& range, IS is)
{
    return std::find_if(std::begin(range), std::end(range), is);
}

/// @return whether a value is in a range
template <typename RANGE, typename VALUE>
bool
IsIn(const RANGE& range, const VALUE& value)
{
    return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// @return the keys of a map, in order
template <typename MAP>
auto
KeysOf(const MAP& map)
{
    return MadeOf(map, [](const auto& entry) { return entry.first; });
}

/// @return the sum of a function's results for the elements of a range
template <typename RANGE, typename VALUE>
auto
SumOf(const RANGE& range, VALUE value)
{
    std::decay_t<decltype(value(*std::begin(range)))> sum{};
    for (const auto& element : range)
    {
        sum += value(element);
    }
    return sum;
}

/// @return the greatest of a number and a function's results for the elements of a range
template <typename NUMBER, typename RANGE, typename VALUE>
NUMBER
GreatestOf(NUMBER least, const RANGE& range, VALUE value)
{
    for (const auto& element : range)
    {
        least = std::max<NUMBER>(least, value(element));
    }
    return least;
}

/// @return the index of each number in a permutation of the numbers from 0
inline std::vector<uint32_t>
PlacesIn(const std::vector<uint32_t>& order)
{
    std::vector<uint32_t> places(order.size());
    for (uint32_t place = 0; place < order.size(); ++place)
    {
        places[order[place]] = place;
    }
    return places;
}

} // namespace ns3

#endif /* ORDERING_H */
