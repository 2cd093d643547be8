// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-install-observer.h"

#include <algorithm>

namespace ns3
{

namespace
{

std::vector<InstallObserver*>&
FindAll()
{
    static std::vector<InstallObserver*> observers;
    return observers;
}

} // namespace

InstallObserver::~InstallObserver()
{
    Unregister();
}

const std::vector<InstallObserver*>&
InstallObserver::GetAll()
{
    return FindAll();
}

void
InstallObserver::Register()
{
    FindAll().push_back(this);
}

void
InstallObserver::Unregister()
{
    auto& all = FindAll();
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

} // namespace ns3
