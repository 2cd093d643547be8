/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GNUPLOT_PROGRAM_H
#define GNUPLOT_PROGRAM_H

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The gnuplot program, which makes pictures of scripts.
 */
class GnuplotProgram
{
  public:
    /**
     * Looks for it: the path given; else the one in the environment variable GNUPLOT; else gnuplot
     * in a folder of PATH.
     * @param path where it is, or empty
     * @throws WormholeError if a path is given, here or in the environment, and is no program
     */
    explicit GnuplotProgram(const std::string& path = "");

    /// @return whether there is one
    bool IsThere() const;

    /**
     * Has it do what a file says.
     * @param directory where to do it
     * @param file name of the file there
     * @throws WormholeError if it fails, with the first line that it says
     */
    void Run(const std::string& directory, const std::string& file) const;

  private:
    std::string m_path; ///< where it is; empty if there is none
};

} // namespace ns3

#endif /* GNUPLOT_PROGRAM_H */
