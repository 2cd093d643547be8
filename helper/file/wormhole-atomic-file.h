/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ATOMIC_FILE_H
#define WORMHOLE_ATOMIC_FILE_H

#include <fstream>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A file that gets its name when it is whole: until then it is called NAME.part, or
 * NAME.part2 and so on where that is there. Several may write one file: the last to finish is what
 * stays.
 *
 * Without Finish, what was written is thrown away, and a file that was there before stays as it is;
 * also where SIGINT, SIGTERM or SIGHUP end the process, if nobody else handles these. What is no
 * regular file, such as /dev/stdout, is written to straight away.
 */
class AtomicFile
{
  public:
    /// @param path name of the file @throws WormholeError if it can't be written
    explicit AtomicFile(const std::string& path);
    ~AtomicFile();

    AtomicFile(const AtomicFile&) = delete;            ///< one file, one writer
    AtomicFile& operator=(const AtomicFile&) = delete; ///< one file, one writer

    /// @return where to write
    std::ostream& Get()
    {
        return m_file;
    }

    /// Gives the file its name. @throws WormholeError if not all of it could be written
    void Finish();

    /// Throws away what this process's files have been written so far, as a signal's handler may
    /// that ends the process.
    static void RemoveParts();

  private:
    std::string m_path;   ///< name of the file
    std::string m_part;   ///< its name until it is whole
    std::ofstream m_file; ///< the file
};

} // namespace ns3

#endif /* WORMHOLE_ATOMIC_FILE_H */
