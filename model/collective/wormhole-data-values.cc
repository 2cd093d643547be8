// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-data-values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ns3
{

namespace
{

/// @return the less or greater of two by IEEE 754-2019 and NumPy: NaN if one is; -0 is less than +0
template <typename FLOAT>
FLOAT
PickFloat(bool isMin, FLOAT a, FLOAT b)
{
    if (std::isnan(a) || std::isnan(b))
    {
        return std::numeric_limits<FLOAT>::quiet_NaN();
    }
    const bool isLess = a == b ? std::signbit(a) : a < b;
    return isLess == isMin ? a : b;
}

template <typename FLOAT>
FLOAT
WithOneNaN(FLOAT a)
{
    return std::isnan(a) ? std::numeric_limits<FLOAT>::quiet_NaN() : a;
}

template <typename ELEMENT>
ELEMENT
CombineElements(DataOperation operation, ELEMENT a, ELEMENT b)
{
    if constexpr (std::is_integral_v<ELEMENT>)
    {
        // Signed sums and products that overflow are undefined, unsigned ones wrap around.
        using Unsigned = std::make_unsigned_t<ELEMENT>;
        const auto left = static_cast<Unsigned>(a);
        const auto right = static_cast<Unsigned>(b);
        switch (operation)
        {
        case DataOperation::AND:
            return static_cast<ELEMENT>(left & right);
        case DataOperation::OR:
            return static_cast<ELEMENT>(left | right);
        case DataOperation::XOR:
            return static_cast<ELEMENT>(left ^ right);
        case DataOperation::SUM:
            return static_cast<ELEMENT>(left + right);
        case DataOperation::PRODUCT:
            return static_cast<ELEMENT>(left * right);
        default:
            return operation == DataOperation::MIN ? std::min(a, b) : std::max(a, b);
        }
    }
    else
    {
        return operation == DataOperation::SUM ? WithOneNaN(a + b)
               : operation == DataOperation::PRODUCT
                   ? WithOneNaN(a * b)
                   : PickFloat(operation == DataOperation::MIN, a, b);
    }
}

template <typename ELEMENT>
void
CombineVectors(DataOperation operation, uint8_t* a, const uint8_t* b, std::size_t bytes)
{
    for (std::size_t at = 0; at + sizeof(ELEMENT) <= bytes; at += sizeof(ELEMENT))
    {
        ELEMENT left;
        ELEMENT right;
        std::memcpy(&left, a + at, sizeof(ELEMENT));
        std::memcpy(&right, b + at, sizeof(ELEMENT));
        left = CombineElements(operation, left, right);
        std::memcpy(a + at, &left, sizeof(ELEMENT));
    }
}

} // namespace

void
DataValues::Combine(DataOperation operation,
                    DataType type,
                    uint8_t* a,
                    const uint8_t* b,
                    std::size_t bytes)
{
    switch (type)
    {
    case DataType::INT32:
        return CombineVectors<int32_t>(operation, a, b, bytes);
    case DataType::INT64:
        return CombineVectors<int64_t>(operation, a, b, bytes);
    case DataType::UINT32:
        return CombineVectors<uint32_t>(operation, a, b, bytes);
    case DataType::UINT64:
        return CombineVectors<uint64_t>(operation, a, b, bytes);
    case DataType::FLOAT32:
        return CombineVectors<float>(operation, a, b, bytes);
    case DataType::FLOAT64:
        return CombineVectors<double>(operation, a, b, bytes);
    }
}

} // namespace ns3
