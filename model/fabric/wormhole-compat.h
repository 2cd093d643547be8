/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_COMPAT_H
#define WORMHOLE_COMPAT_H

#include "ns3/attribute.h"
#include "ns3/enum.h"
#include "ns3/event-id.h"

#include <type_traits>

/**
 * @file
 * @ingroup wormhole
 * What differs between ns-3 3.35 and 3.48, in one place. Nothing here asks for a version number:
 * the compiler finds out which form there is.
 */

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Durations of test cases: enumerators of TestCase until 3.41, of TestCase::Duration from
 * 3.42 on.
 *
 * @tparam T TestCase, as a parameter so that either form may be missing
 */
template <typename T, typename = void>
struct WormholeTestDuration
{
    static constexpr auto QUICK = T::QUICK;                 //!< every run of the suite
    static constexpr auto EXTENSIVE = T::EXTENSIVE;         //!< from --fullness=EXTENSIVE on
    static constexpr auto TAKES_FOREVER = T::TAKES_FOREVER; //!< with --fullness=TAKES_FOREVER
};

/// @copydoc WormholeTestDuration
template <typename T>
struct WormholeTestDuration<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;                 //!< every run
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE;         //!< --fullness=EXTENSIVE
    static constexpr auto TAKES_FOREVER = T::Duration::TAKES_FOREVER; //!< --fullness=TAKES_FOREVER
};

/**
 * @ingroup wormhole
 * @brief MakeEnumAccessor, which names the enumeration from 3.41 on.
 *
 * Only for plain enumerations: before 3.41, an enum class is no attribute.
 *
 * @tparam E the enumeration
 * @tparam Member a pointer to a member variable or setter
 * @param member the member that holds the attribute
 * @return the accessor
 */
template <typename E, typename Member>
auto
WormholeMakeEnumAccessor(Member member) -> decltype(MakeEnumAccessor<E>(member))
{
    return MakeEnumAccessor<E>(member);
}

/// @copydoc WormholeMakeEnumAccessor
template <typename E, typename Member>
auto
WormholeMakeEnumAccessor(Member member) -> decltype(MakeEnumAccessor(member))
{
    return MakeEnumAccessor(member);
}

/**
 * @ingroup wormhole
 * @brief EventId::IsPending, which was called IsRunning before 3.42.
 *
 * @param event an event, or none
 * @return true if the event has neither run nor been cancelled
 */
inline bool
WormholeIsPending(const EventId& event)
{
    return !event.IsExpired();
}

} // namespace ns3

// The including file includes ns3/test.h as well; models do without it.

/// Duration of a test case that every run of the tests includes.
#define WORMHOLE_TEST_QUICK (ns3::WormholeTestDuration<ns3::TestCase>::QUICK)

/// Duration of a test case for thorough runs, `--fullness=EXTENSIVE`.
#define WORMHOLE_TEST_EXTENSIVE (ns3::WormholeTestDuration<ns3::TestCase>::EXTENSIVE)

#endif // WORMHOLE_COMPAT_H
