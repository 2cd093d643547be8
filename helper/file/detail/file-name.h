/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_NAME_H
#define FILE_NAME_H

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Names of files that programs are given, and the files behind them.
 *
 * What is no name of a file, such as `-`, blanks or a folder, is refused at once, and so is a
 * device or a pipe to read from, which may never end.
 */
class FileName
{
  public:
    /// @param path name of a file @return all that is in it
    /// @throws WormholeError if it is no regular file or can't be read
    static std::string Read(const std::string& path);

    /// Refuses what can't be the name of a file to write; whether it can be written is not tried.
    /// @param path name of a file @throws WormholeError if it is no name, or that of a folder
    static void CheckOutput(const std::string& path);

    /// Refuses what can't be the name of a folder to write to: also a new one that ends as files of
    /// pictures and tables do. @param path name of a folder
    /// @throws WormholeError if it is no such name
    static void CheckFolder(const std::string& path);

    /// Refuses what is no name of a file or folder. @param path the name
    static void CheckName(const std::string& path);
};

/// @ingroup wormhole
/// @brief Files of the module's data folder, wherever program and library are.
class DataFile
{
  public:
    /// @param name name of a file or folder in the data folder, as machines/edr-infiniband.toml
    /// @param folder the data folder, if known; looked in first
    /// @return its path; empty if it is nowhere near
    static std::string FindIfAny(const std::string& name, const std::string& folder = "");

    /// @copydoc FindIfAny @throws WormholeError if it is nowhere near
    static std::string Find(const std::string& name, const std::string& folder = "");
};

} // namespace ns3

#endif /* FILE_NAME_H */
