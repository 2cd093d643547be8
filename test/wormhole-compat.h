// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_COMPAT_H
#define WORMHOLE_COMPAT_H

#include <type_traits>

/// @file
/// The differences between ns-3 3.35 and 3.48, in one place. Nothing here tests a version number:
/// the compiler detects which form exists.

namespace ns3
{

/// Durations of test cases: enumerators of TestCase up to 3.41, of TestCase::Duration since 3.42.
///
/// @tparam T TestCase, as a parameter so that either form may be missing
template <typename T, typename = void>
struct WormholeTestDuration
{
    static constexpr auto QUICK = T::QUICK;         //!< every run of the suite
    static constexpr auto EXTENSIVE = T::EXTENSIVE; //!< with --fullness=EXTENSIVE
};

/// @copydoc WormholeTestDuration
template <typename T>
struct WormholeTestDuration<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;         //!< every run of the suite
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE; //!< with --fullness=EXTENSIVE
};

} // namespace ns3

// Users of these also include ns3/test.h; models don't need it.

/// Duration of a test case that every run of the tests includes.
#define WORMHOLE_TEST_QUICK (ns3::WormholeTestDuration<ns3::TestCase>::QUICK)

/// Duration of a test case for thorough runs, `--fullness=EXTENSIVE`.
#define WORMHOLE_TEST_EXTENSIVE (ns3::WormholeTestDuration<ns3::TestCase>::EXTENSIVE)

#endif // WORMHOLE_COMPAT_H
