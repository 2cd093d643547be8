/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What glibc has since 2.32 and the headers of libstdc++ read to leave out atomic counting in
// processes of one thread. The library in a wheel has its own, which always tells that there may be
// more threads.

extern "C"
{
    __attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
