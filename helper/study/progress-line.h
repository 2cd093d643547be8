/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRESS_LINE_H
#define PROGRESS_LINE_H

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Prints on standard error how far a study is.
 *
 * On a terminal it is one line that changes, elsewhere a line each time.
 */
class ProgressLine
{
  public:
    /**
     * @param program name of the program
     * @param wanted whether to print even where there is no terminal
     */
    ProgressLine(const std::string& program, bool wanted);
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;            ///< one line, one writer
    ProgressLine& operator=(const ProgressLine&) = delete; ///< one line, one writer

    /// Something is done. @param done number of runs done @param all number of runs
    void Tell(uint32_t done, uint32_t all);

  private:
    std::string m_program;                         ///< name of the program
    std::chrono::steady_clock::time_point m_start; ///< when the study began
    bool m_terminal;                               ///< whether standard error is a terminal
    bool m_on;                                     ///< whether to print
    uint32_t m_left{0};                            ///< runs left
};

} // namespace ns3

#endif /* PROGRESS_LINE_H */
