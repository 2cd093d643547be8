// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ATOMIC_FILE_H
#define WORMHOLE_ATOMIC_FILE_H

#include <fstream>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief A file that gets its name only when it is complete: until then it is called NAME.part, or
///        NAME.part2 and so on if NAME.part exists. If several processes write the same file, the
///        file of the last process to finish remains.
///
/// If Finish is not called, the output is discarded and an existing file NAME is kept. The same
/// happens if SIGINT, SIGTERM or SIGHUP ends the process, unless the program handles this signal
/// itself. Files that are not regular, such as /dev/stdout, are written directly.
class AtomicFile
{
  public:
    /// Begins a file; throws a WormholeError if the file can't be written.
    explicit AtomicFile(const std::string& path);
    ~AtomicFile();

    /// @return the output stream
    std::ostream& Get()
    {
        return m_file;
    }

    /// Renames the file to its final name. @throws WormholeError if not all of it could be written
    void Finish();

    /// Removes this process's incomplete files, for handlers of signals that end the process.
    static void RemoveParts();

  private:
    std::string m_path;   ///< name of the file
    std::string m_part;   ///< name of the file until it is complete
    std::ofstream m_file; ///< the file
};

} // namespace ns3

#endif /* WORMHOLE_ATOMIC_FILE_H */
