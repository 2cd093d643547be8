/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "whole-file.h"

#include "ns3/wormhole-error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace ns3
{

namespace
{

/// @return name of a file that is not whole yet @param path its name in the end
std::string
PartOf(const std::string& path)
{
    return path + ".part";
}

} // namespace

WholeFile::WholeFile(const std::string& path)
    : m_path(path),
      m_file(PartOf(path))
{
    if (!m_file)
    {
        Refuse(PartOf(path));
    }
}

WholeFile::~WholeFile()
{
    if (!m_path.empty())
    {
        m_file.close();
        std::remove(PartOf(m_path).c_str());
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
    if (!m_file)
    {
        Refuse(PartOf(m_path));
    }
    if (std::rename(PartOf(m_path).c_str(), m_path.c_str()) != 0)
    {
        Refuse(m_path);
    }
    m_path.clear();
}

void
WholeFile::Refuse(const std::string& path)
{
    throw WormholeError(path + " can't be written: " + std::strerror(errno) +
                        "; accepted is a name in a folder that is there and can be written to");
}

} // namespace ns3
