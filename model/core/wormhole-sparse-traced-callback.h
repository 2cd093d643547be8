/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SPARSE_TRACED_CALLBACK_H
#define WORMHOLE_SPARSE_TRACED_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A TracedCallback for objects that there are millions of: while nobody has connected to it,
 *        it is the size of a pointer.
 *
 * MakeTraceSourceAccessor takes it like a TracedCallback.
 *
 * @tparam Ts types of the arguments
 */
template <typename... Ts>
class SparseTracedCallback
{
  public:
    /// Connects somebody. @param callback whom to tell
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Get().ConnectWithoutContext(callback);
    }

    /// Connects somebody. @param callback whom to tell @param path what to tell first
    void Connect(const CallbackBase& callback, std::string path)
    {
        Get().Connect(callback, path);
    }

    /// Disconnects somebody. @param callback who was told
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (m_trace)
        {
            m_trace->DisconnectWithoutContext(callback);
        }
    }

    /// Disconnects somebody. @param callback who was told @param path what was told first
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        if (m_trace)
        {
            m_trace->Disconnect(callback, path);
        }
    }

    /// Tells all who are connected. @param args what to tell
    void operator()(Ts... args) const
    {
        if (m_trace)
        {
            (*m_trace)(args...);
        }
    }

    /// @return whether nobody is connected
    bool IsEmpty() const
    {
        return !m_trace || m_trace->IsEmpty();
    }

  private:
    TracedCallback<Ts...>& Get()
    {
        if (!m_trace)
        {
            m_trace = std::make_unique<TracedCallback<Ts...>>();
        }
        return *m_trace;
    }

    std::unique_ptr<TracedCallback<Ts...>> m_trace; ///< those who are connected; null: nobody ever
};

} // namespace ns3

#endif /* WORMHOLE_SPARSE_TRACED_CALLBACK_H */
