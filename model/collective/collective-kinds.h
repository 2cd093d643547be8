/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_KINDS_H
#define COLLECTIVE_KINDS_H

#include "wormhole-collective.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief A collective of form ns3::Barrier: nobody leaves before everybody came, and everybody
/// leaves. It is an all-reduction of a value as well: all leave with the members' values combined
/// by the attribute Operation.
using Barrier = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Broadcast: every member leaves with the root's value, once a
/// round, after the root came. What others enter with does not count. The root may be rounds ahead
/// of them: values wait for those they are for. A member leaves when it has passed the value on.
using Broadcast = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Reduction: the root leaves with all members' values combined,
/// after everybody came. The others leave with 0, as soon as they have done their part, and may be
/// rounds ahead of the root.
using Reduction = Collective;

/// @ingroup wormhole
/// @brief A collective of a form that moves data, such as ns3::DataAllReduction.
using DataCollective = Collective;

} // namespace ns3

#endif /* COLLECTIVE_KINDS_H */
