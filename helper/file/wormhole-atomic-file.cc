// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-atomic-file.h"

#include "ns3/file-name.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr uint32_t PARTS = 1000; ///< names of a file not whole yet that are tried

/// Makes a new file beside another, called NAME.part, or NAME.part2 and so on where that is there:
/// it may be another program's, which writes the same file, or somebody's own.
/// @return its name; empty, with errno set, if there can't be any
std::string
MakePart(const std::string& path)
{
    for (uint32_t number = 1; number <= PARTS; ++number)
    {
        const auto part = path + ".part" + (number > 1 ? std::to_string(number) : "");
        const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
        {
            close(file);
            return part;
        }
        if (errno != EEXIST)
        {
            return "";
        }
    }
    return "";
}

/// A file that is not whole yet, where a signal's handler finds it.
struct PartInUse
{
    std::atomic<pid_t> owner{0};   ///< process that writes it; 0: none
    std::array<char, 4096> path{}; ///< its name
};

/// Those of this process. Of more than these, or of longer names, a signal leaves what there is.
std::array<PartInUse, 16> g_parts;

/// Ends the process as the signal would have. @param signal the signal
void
EndBySignal(int signal)
{
    AtomicFile::RemoveParts();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

/// Has signals that end the process call EndBySignal, where they have the one disposition, or gives
/// them back the other. @param from the one @param to the other
void
Redirect(void (*from)(int), void (*to)(int))
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        struct sigaction before = {};
        if (sigaction(signal, nullptr, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == from)
        {
            std::signal(signal, to);
        }
    }
}

void
NotePart(const std::string& path)
{
    for (auto& part : g_parts)
    {
        if (part.owner == 0 && path.size() < part.path.size())
        {
            std::copy(path.c_str(), path.c_str() + path.size() + 1, part.path.begin());
            part.owner = getpid();
            Redirect(SIG_DFL, EndBySignal);
            return;
        }
    }
}

/// Forgets a file, which is whole or gone. @param path the name it had
void
ForgetPart(const std::string& path)
{
    bool isLast = true;
    for (auto& part : g_parts)
    {
        if (part.owner == getpid() && path == part.path.data())
        {
            part.owner = 0;
        }
        isLast = isLast && part.owner == 0;
    }
    if (isLast)
    {
        Redirect(EndBySignal, SIG_DFL);
    }
}

[[noreturn]] void
Refuse(const std::string& path)
{
    throw WormholeError(path + " can't be written: " + std::strerror(errno) +
                        "; expected a name in a folder that is there and can be written to");
}

} // namespace

void
AtomicFile::RemoveParts()
{
    for (const auto& part : g_parts)
    {
        if (part.owner == getpid())
        {
            unlink(part.path.data());
        }
    }
}

AtomicFile::AtomicFile(const std::string& path)
    : m_path(path),
      m_part(path)
{
    FileName::CheckOutput(path);
    std::error_code error;
    if (!std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error))
    {
        const auto part = MakePart(path);
        if (part.empty())
        {
            Refuse(path);
        }
        m_part = part;
        NotePart(m_part);
    }
    m_file.open(m_part);
    if (!m_file)
    {
        const int reason = errno;
        if (m_part != m_path)
        {
            std::remove(m_part.c_str());
            ForgetPart(m_part);
        }
        errno = reason;
        Refuse(path);
    }
}

AtomicFile::~AtomicFile()
{
    if (m_part != m_path)
    {
        m_file.close();
        std::remove(m_part.c_str());
        ForgetPart(m_part);
    }
}

void
AtomicFile::Finish()
{
    m_file.close();
    if (!m_file || (m_part != m_path && std::rename(m_part.c_str(), m_path.c_str()) != 0))
    {
        Refuse(m_path);
    }
    ForgetPart(m_part);
    m_part = m_path;
}

} // namespace ns3
