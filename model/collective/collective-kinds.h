/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_KINDS_H
#define COLLECTIVE_KINDS_H

#include "collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier: nobody leaves before everybody came, and everybody leaves.
 *
 * It is an all-reduction as well, which no member can leave before all have come either: everybody
 * leaves with all members' values combined by the attribute Operation.
 */
class Barrier : public Collective
{
  public:
    static constexpr DataKind THE_KIND = DataKind::BARRIER; ///< the kind

    static TypeId GetTypeId(); ///< @return the object TypeId
};

/**
 * @ingroup wormhole
 * @brief A broadcast: every member leaves with the root's value, once a round, after the root came.
 *
 * Members enter to receive; what they enter with does not count. The root may be rounds ahead of
 * them: values wait for those they are for. A member leaves when it has passed the value on.
 */
class Broadcast : public Collective
{
  public:
    static constexpr DataKind THE_KIND = DataKind::BROADCAST; ///< the kind

    static TypeId GetTypeId(); ///< @return the object TypeId

    DataKind GetKind() const override
    {
        return THE_KIND;
    }
};

/**
 * @ingroup wormhole
 * @brief A reduction: the root leaves with all members' values combined, after everybody came.
 *
 * The others get no result: they leave with 0, as soon as they have done their part, and may be
 * rounds ahead of the root.
 */
class Reduction : public Collective
{
  public:
    static constexpr DataKind THE_KIND = DataKind::REDUCTION; ///< the kind

    static TypeId GetTypeId(); ///< @return the object TypeId

    DataKind GetKind() const override
    {
        return THE_KIND;
    }
};

} // namespace ns3

#endif /* COLLECTIVE_KINDS_H */
