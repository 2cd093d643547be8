// SPDX-License-Identifier: GPL-2.0-only

// What glibc has since 2.32 and the headers of libstdc++ read to leave out atomic counting in
// processes of one thread. The library in a wheel has its own, which always tells that there may be
// more threads.
//
// dlopen and dlerror are bound to their first version. A newer glibc would bind them to 2.34, when
// they moved from libdl, which every Python of an older system has loaded.

extern "C"
{
    void* OldOpen(const char* path, int mode);
    char* OldError();
    __asm__(".symver OldOpen,dlopen@GLIBC_2.2.5");
    __asm__(".symver OldError,dlerror@GLIBC_2.2.5");

    __attribute__((visibility("hidden"))) void* dlopen(const char* path, int mode)
    {
        return OldOpen(path, mode);
    }

    __attribute__((visibility("hidden"))) char* dlerror()
    {
        return OldError();
    }

    __attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
