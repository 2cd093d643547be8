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

/// @return the numbers below a count, sorted by a key; equal ones by number
template <typename KEY>
std::vector<uint32_t>
NumbersBy(std::size_t count, KEY key)
{
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&key](uint32_t a, uint32_t b) {
        return key(a) < key(b);
    });
    return order;
}

/// @return the numbers below a count for which something holds
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

/// @return what is made of each element of a range, in order
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

/// @return the place of each number in an order of them
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
