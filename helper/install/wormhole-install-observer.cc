/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-install-observer.h"

#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

InstallObserver*&
FindObserver()
{
    static InstallObserver* observer = nullptr;
    return observer;
}

} // namespace

InstallObserver::~InstallObserver()
{
    Unregister();
}

InstallObserver*
InstallObserver::Get()
{
    return FindObserver();
}

void
InstallObserver::Register()
{
    if (FindObserver())
    {
        throw WormholeError("simulations are observed already; expected one time line at a time");
    }
    FindObserver() = this;
}

void
InstallObserver::Unregister()
{
    if (FindObserver() == this)
    {
        FindObserver() = nullptr;
    }
}

} // namespace ns3
