/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_CHANNELS_H
#define LINK_CHANNELS_H

#include "ns3/nstime.h"
#include "ns3/switch-paths.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Tracks which channels between switches are occupied by the messages of a plan, and until
///        when. A message occupies the channels of its path; if a path names none, any free channel
///        of each link.
class LinkChannels
{
  public:
    /// @param paths the network, which must outlive this; null: one switch, without links
    explicit LinkChannels(const SwitchPaths* paths);

    /// @return whether all channels of a path are free @param path the path @param now the time
    bool IsFree(const SwitchPath& path, Time now);

    /// @return earliest time at which all channels of a path may be free; `now` if they are @param
    ///         path the path
    /// @param now start of the message
    Time GetFree(const SwitchPath& path, Time now);

    /// Occupies a path's channels. @param path the path @param end until when
    void Occupy(const SwitchPath& path, Time end);

  private:
    /// @return when one of the channels that a path may use on a link is free
    Time GetFreeAt(const SwitchPath& path, std::size_t link, Time now);

    /// @return ends of the messages on a link's channel, or on all its channels
    std::vector<Time>& GetEnds(const SwitchPath& path, std::size_t link);

    const SwitchPaths* m_paths;
    std::unordered_map<uint64_t, std::vector<Time>> m_busy; // by both switches and port
};

} // namespace ns3

#endif /* LINK_CHANNELS_H */
