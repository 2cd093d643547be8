/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_FILE_H
#define DATA_FILE_H

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Files of the module's data folder, wherever program and library are.
 */
class DataFile
{
  public:
    /**
     * @param name name of a file or folder in the data folder, as machines/edr-infiniband.toml
     * @param folder the data folder, if known; looked in first
     * @return its path; empty if it is nowhere near
     */
    static std::string FindIfAny(const std::string& name, const std::string& folder = "");

    /// @copydoc FindIfAny @throws WormholeError if it is nowhere near
    static std::string Find(const std::string& name, const std::string& folder = "");
};

} // namespace ns3

#endif /* DATA_FILE_H */
