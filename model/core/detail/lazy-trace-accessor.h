/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAZY_TRACE_ACCESSOR_H
#define LAZY_TRACE_ACCESSOR_H

#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/trace-source-accessor.h"

#include <string>
#include <utility>

namespace ns3
{

/// Leads to a trace source that its object makes when somebody first connects to it.
/// @tparam OBJECT class of the object
/// @tparam LISTEN called with the object, returns the trace source
template <class OBJECT, class LISTEN>
class LazyTraceAccessor : public TraceSourceAccessor
{
  public:
    explicit LazyTraceAccessor(LISTEN listen)
        : m_listen(std::move(listen))
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.ConnectWithoutContext(callback); });
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.Connect(callback, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.DisconnectWithoutContext(callback); });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        return With(object, [&](auto& trace) { trace.Disconnect(callback, context); });
    }

  private:
    template <class CALL>
    bool With(ObjectBase* object, CALL call) const
    {
        const auto own = dynamic_cast<OBJECT*>(object);
        if (own)
        {
            call(m_listen(*own));
        }
        return own != nullptr;
    }

    LISTEN m_listen;
};

/// @return what AddTraceSource takes @param listen called with the object, returns its trace source
template <class OBJECT, class LISTEN>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(LISTEN listen)
{
    return Create<LazyTraceAccessor<OBJECT, LISTEN>>(std::move(listen));
}

} // namespace ns3

#endif /* LAZY_TRACE_ACCESSOR_H */
