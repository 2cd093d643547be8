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
/// @brief A collective of form ns3::Barrier: no member leaves before all have arrived, and all
///        leave. It is also an all-reduction of a value: all members leave with their values
///        combined by the attribute Operation.
using Barrier = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Broadcast: every member leaves with the root's value, once per
///        round, after the root has arrived. Other members' values are ignored. The root may be
///        rounds ahead: values wait for their receivers. A member leaves when it has forwarded the
///        value.
using Broadcast = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Reduction: the root leaves with all members' values combined,
///        after all have arrived. The others leave with 0, as soon as they have done their part,
///        and may be rounds ahead of the root.
using Reduction = Collective;

/// @ingroup wormhole
/// @brief A collective of a form that moves data, such as ns3::DataAllReduction.
using DataCollective = Collective;

} // namespace ns3

#endif /* COLLECTIVE_KINDS_H */
