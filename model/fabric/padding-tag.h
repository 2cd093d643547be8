/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PADDING_TAG_H
#define PADDING_TAG_H

#include "ns3/tag.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief Tells the receiving interface how much padding a frame has: the header does not.
class PaddingTag : public Tag
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

    uint16_t bytes{0}; ///< length of the padding
};

} // namespace ns3

#endif /* PADDING_TAG_H */
