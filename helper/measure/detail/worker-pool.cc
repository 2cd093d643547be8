// SPDX-License-Identifier: GPL-2.0-only

#include "worker-pool.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-install-observer.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <new>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3
{

namespace
{

enum class Ending : uint32_t
{
    DONE,   ///< with a result
    ERROR,  ///< with a WormholeError, whose text is the result
    MEMORY, ///< with std::bad_alloc
};

struct ResultHeader
{
    uint32_t piece; ///< number of the piece
    Ending ending;  ///< how it ended
    uint64_t size;  ///< bytes that follow
};

/// Passes bytes part by part. @param pass passes some, from a place on, and returns how many
/// @return whether all were passed; not so if the other end is closed
template <typename PASS>
bool
PassAll(std::size_t size, PASS pass)
{
    for (std::size_t done = 0; done < size;)
    {
        const ssize_t count = pass(done, size - done);
        if (count == 0 || (count < 0 && errno != EINTR))
        {
            return false;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return true;
}

bool
SendAll(int socket, const void* data, std::size_t size)
{
    return PassAll(size, [=](std::size_t from, std::size_t most) {
        return send(socket, static_cast<const char*>(data) + from, most, MSG_NOSIGNAL);
    });
}

bool
ReceiveAll(int socket, void* data, std::size_t size)
{
    return PassAll(size, [=](std::size_t from, std::size_t most) {
        return recv(socket, static_cast<char*>(data) + from, most, 0);
    });
}

void
Serve(int socket, const WorkerPool::Work& work)
{
    uint32_t piece;
    while (ReceiveAll(socket, &piece, sizeof(piece)))
    {
        std::string result;
        auto ending = Ending::DONE;
        try
        {
            result = work(piece);
        }
        catch (const WormholeError& error)
        {
            ending = Ending::ERROR;
            result = error.what();
        }
        catch (const std::bad_alloc&)
        {
            ending = Ending::MEMORY;
        }
        const ResultHeader header{piece, ending, result.size()};
        if (!SendAll(socket, &header, sizeof(header)) ||
            !SendAll(socket, result.data(), result.size()))
        {
            return;
        }
    }
}

/// The workers of a run; whichever way it ends, none is left.
class Workers
{
  public:
    Workers(uint32_t count, const WorkerPool::Work& work)
    {
        std::cout.flush();
        std::fflush(nullptr);
        try
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                Fork(work);
            }
        }
        catch (...)
        {
            End();
            throw;
        }
    }

    ~Workers()
    {
        End();
    }

    Workers(const Workers&) = delete;            ///< they are processes
    Workers& operator=(const Workers&) = delete; ///< they are processes

    void Give(std::size_t worker, uint32_t piece)
    {
        if (!SendAll(m_sockets[worker].fd, &piece, sizeof(piece)))
        {
            Lost(worker);
        }
    }

    /// @return a worker that has a result, read into header and result; waits for it
    std::size_t Receive(ResultHeader& header, std::string& result)
    {
        while (poll(m_sockets.data(), m_sockets.size(), -1) < 0)
        {
            const auto error = errno;
            WormholeError::ThrowIf(error != EINTR,
                                   std::string("waiting for a worker failed: ") +
                                       std::strerror(error));
        }
        const auto ready = std::find_if(m_sockets.begin(), m_sockets.end(), [](const auto& socket) {
            return socket.revents != 0;
        });
        const auto worker = static_cast<std::size_t>(ready - m_sockets.begin());
        if (!ReceiveAll(ready->fd, &header, sizeof(header)))
        {
            Lost(worker);
        }
        result.resize(header.size);
        if (!ReceiveAll(ready->fd, result.data(), result.size()))
        {
            Lost(worker);
        }
        return worker;
    }

  private:
    void Fork(const WorkerPool::Work& work)
    {
        int ends[2];
        const auto isThere = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
        const auto process = isThere ? fork() : -1;
        const auto error = errno;
        WormholeError::ThrowIf(process < 0,
                               std::string("a worker can't be started: ") + std::strerror(error) +
                                   "; expected fewer jobs");
        if (process > 0)
        {
            close(ends[1]);
            m_sockets.push_back({ends[0], POLLIN, 0});
            m_processes.push_back(process);
            return;
        }
        std::signal(SIGINT, SIG_DFL); // in Python it would only be noted
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
        for (const auto& socket : m_sockets)
        {
            close(socket.fd); // so that each worker sees its own end closed
        }
        close(ends[0]);
        Serve(ends[1], work);
        _exit(0); // nothing of this process's is written or destroyed twice
    }

    [[noreturn]] void Lost(std::size_t worker)
    {
        int status = 0;
        waitpid(m_processes[worker], &status, 0);
        m_processes[worker] = 0;
        throw WormholeError(
            (WIFSIGNALED(status)
                 ? "a worker was ended by signal " + std::to_string(WTERMSIG(status))
                 : "a worker ended with status " + std::to_string(WEXITSTATUS(status))) +
            "; run with one job to see where");
    }

    void End()
    {
        for (const auto& socket : m_sockets)
        {
            close(socket.fd);
        }
        for (const auto process : m_processes)
        {
            if (process > 0)
            {
                kill(process, SIGTERM);
                waitpid(process, nullptr, 0);
            }
        }
    }

    std::vector<pollfd> m_sockets;  ///< to each worker
    std::vector<pid_t> m_processes; ///< of each worker; 0: it has ended
};

} // namespace

WorkerPool::WorkerPool(uint32_t jobs)
    : m_jobs(jobs ? jobs : std::max(1U, std::thread::hardware_concurrency()))
{
}

uint32_t
WorkerPool::GetWorkers(uint32_t pieces) const
{
    // What observes simulations is in this process.
    return InstallObserver::GetAll().empty() ? std::max(1U, std::min(m_jobs, pieces)) : 1;
}

void
WorkerPool::Run(uint32_t pieces, const Work& work, const Take& take) const
{
    const auto count = GetWorkers(pieces);
    if (count == 1)
    {
        for (uint32_t piece = 0; piece < pieces; ++piece)
        {
            take(piece, work(piece));
        }
        return;
    }
    Workers workers(count, work);
    uint32_t given = 0;
    while (given < count)
    {
        workers.Give(given, given);
        ++given;
    }
    std::map<uint32_t, std::pair<Ending, std::string>> early; // results that wait for their turn
    for (uint32_t taken = 0; taken < pieces;)
    {
        ResultHeader header;
        std::string result;
        const auto worker = workers.Receive(header, result);
        early[header.piece] = {header.ending, std::move(result)};
        if (given < pieces)
        {
            workers.Give(worker, given++);
        }
        for (auto next = early.find(taken); next != early.end(); next = early.find(taken))
        {
            const auto& [ending, text] = next->second;
            if (ending == Ending::MEMORY)
            {
                throw std::bad_alloc();
            }
            WormholeError::ThrowIf(ending == Ending::ERROR, text);
            take(taken, text);
            early.erase(next);
            ++taken;
        }
    }
}

} // namespace ns3
