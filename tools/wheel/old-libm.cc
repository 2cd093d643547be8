// SPDX-License-Identifier: GPL-2.0-only

// What the library in a wheel is linked to in place of glibc's libm: the same functions, by their
// first version. A newer glibc's libm would bind them to version 2.29, which older systems lack.
// The results are the same: the newer version only leaves out the old way to handle errors. Nothing
// here is ever called, since the system's libm.so.6 is loaded.

extern "C"
{
    double exp(double x)
    {
        return x;
    }

    double exp2(double x)
    {
        return x;
    }

    double log(double x)
    {
        return x;
    }

    double log2(double x)
    {
        return x;
    }

    double pow(double x, double /* y */)
    {
        return x;
    }
}
