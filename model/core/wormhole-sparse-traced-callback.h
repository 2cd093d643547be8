// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_SPARSE_TRACED_CALLBACK_H
#define WORMHOLE_SPARSE_TRACED_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief A TracedCallback for millions of objects: holds a null pointer until it is connected.
///
/// MakeTraceSourceAccessor accepts it like a TracedCallback.
///
/// @tparam Ts types of the arguments
template <typename... Ts>
class SparseTracedCallback
{
  public:
    /// Connects a callback. @param callback the callback
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Get().ConnectWithoutContext(callback);
    }

    /// Connects a callback. @param callback the callback @param path first argument of each call
    void Connect(const CallbackBase& callback, std::string path)
    {
        Get().Connect(callback, path);
    }

    /// Disconnects a callback. @param callback the callback
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (m_trace)
        {
            m_trace->DisconnectWithoutContext(callback);
        }
    }

    /// Disconnects a callback. @param callback the callback @param path as for Connect
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        if (m_trace)
        {
            m_trace->Disconnect(callback, path);
        }
    }

    /// Calls all connected callbacks. @param args their arguments
    void operator()(Ts... args) const
    {
        if (m_trace)
        {
            (*m_trace)(args...);
        }
    }

    /// @return whether no callback is connected
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

    std::unique_ptr<TracedCallback<Ts...>>
        m_trace; ///< the callbacks; null if none was ever connected
};

} // namespace ns3

#endif /* WORMHOLE_SPARSE_TRACED_CALLBACK_H */
