// SPDX-License-Identifier: GPL-2.0-only

#ifndef FILE_NAME_H
#define FILE_NAME_H

#include <string>

namespace ns3
{

/// Names of files given to programs, and the files' contents.
///
/// Invalid names, such as `-`, blanks or a folder, are refused at once; for reading, so are devices
/// and pipes, which may never end.
class FileName
{
  public:
    /// @param path name of a file @return its contents
    /// @throws WormholeError if it is not a regular file or can't be read
    static std::string Read(const std::string& path);

    /// Refuses an invalid name for an output file; whether it can be written is not checked.
    /// @param path name of a file @throws WormholeError if it is invalid, or names a folder
    static void CheckOutput(const std::string& path);

    /// Refuses an invalid name for an output folder, or a new folder's name with the suffix of a
    /// picture or table. @param path name of a folder
    /// @throws WormholeError if it is invalid
    static void CheckFolder(const std::string& path);

    static void CheckName(const std::string& path);
};

/// Finds files of the module's data folder, relative to the program and library.
class DataFile
{
  public:
    /// @param name name of a file or folder there, such as machines/edr-infiniband.toml
    /// @param folder the data folder, if known; searched first
    /// @return its path; empty if not found
    static std::string FindIfAny(const std::string& name, const std::string& folder = "");

    /// @copydoc FindIfAny @throws WormholeError if it is not found
    static std::string Find(const std::string& name, const std::string& folder = "");
};

} // namespace ns3

#endif /* FILE_NAME_H */
