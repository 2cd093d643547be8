/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "whole-file.h"

#include "file-name.h"

#include "ns3/wormhole-error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace ns3
{

WholeFile::WholeFile(const std::string& path)
    : m_path(path),
      m_part(path + ".part")
{
    FileName::CheckOutput(path);
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    {
        m_part = path;
    }
    m_file.open(m_part);
    if (!m_file)
    {
        m_part = path;
        Refuse(path);
    }
}

WholeFile::~WholeFile()
{
    if (m_part != m_path)
    {
        m_file.close();
        std::remove(m_part.c_str());
    }
}

std::ostream&
WholeFile::Get()
{
    return m_file;
}

void
WholeFile::Finish()
{
    m_file.close();
    if (!m_file || (m_part != m_path && std::rename(m_part.c_str(), m_path.c_str()) != 0))
    {
        Refuse(m_path);
    }
    m_part = m_path;
}

void
WholeFile::Refuse(const std::string& path)
{
    throw WormholeError(path + " can't be written: " + std::strerror(errno) +
                        "; accepted is a name in a folder that is there and can be written to");
}

} // namespace ns3
