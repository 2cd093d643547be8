// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_DATA_VALUES_H
#define WORMHOLE_DATA_VALUES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Shared bytes; they may be changed only while they have one owner.
using SharedBytes = std::shared_ptr<std::vector<uint8_t>>;

/// @ingroup wormhole @brief The element type of a vector.
enum class DataType : uint8_t
{
    INT32,
    INT64,
    UINT32,
    UINT64,
    FLOAT32,
    FLOAT64,
};

/// @ingroup wormhole @brief How two elements are combined.
enum class DataOperation : uint8_t
{
    SUM,
    PRODUCT,
    MIN,
    MAX,
    AND,
    OR,
    XOR,
};

/// @ingroup wormhole @brief Combines elements of vectors.
class DataValues
{
  public:
    /// @return names of types: int32, int64, uint32, uint64, float32, float64
    static const std::vector<std::string>& GetTypeNames()
    {
        static const std::vector<std::string> names{"int32",
                                                    "int64",
                                                    "uint32",
                                                    "uint64",
                                                    "float32",
                                                    "float64"};
        return names;
    }

    /// @return names of operations: sum, product, min, max, and, or, xor
    static const std::vector<std::string>& GetOperationNames()
    {
        static const std::vector<std::string>
            names{"sum", "product", "min", "max", "and", "or", "xor"};
        return names;
    }

    /// @return length of an element, bytes @param type its type
    static uint32_t GetElementBytes(DataType type)
    {
        const bool isShort =
            type == DataType::INT32 || type == DataType::UINT32 || type == DataType::FLOAT32;
        return isShort ? 4 : 8;
    }

    /// Combines vectors element by element: a = a op b. Integers wrap around. MIN and MAX of
    /// floating-point elements are IEEE 754-2019's minimum and maximum: NaN if an operand is NaN,
    /// and -0 is less than +0. A NaN result is always the positive quiet NaN without payload.
    /// @param operation,type the operation, and the elements' type
    /// @param a left operand, and the result @param b right operand
    /// @param bytes length of each vector, a multiple of the element length
    static void Combine(DataOperation operation,
                        DataType type,
                        uint8_t* a,
                        const uint8_t* b,
                        std::size_t bytes);
};

} // namespace ns3

#endif /* WORMHOLE_DATA_VALUES_H */
