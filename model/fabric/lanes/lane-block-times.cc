// SPDX-License-Identifier: GPL-2.0-only

#include "lane-block-times.h"

namespace ns3
{

namespace
{

constexpr auto EVER = std::numeric_limits<int64_t>::max(); ///< the end of what never ends

} // namespace

LaneBlockTimes::LaneBlockTimes(const WormRecorder& recorder, const WormRecorder::Place& place)
    : m_recorder(recorder),
      m_there(recorder.At(place)),
      m_channel(recorder.GetChannel(m_there.channel)),
      m_lane(m_channel.lanes.at(static_cast<std::size_t>(m_there.lane))),
      m_order(OrderOf({place.worm, m_there.parent})),
      m_asked(std::get<0>(m_order)),
      m_first(m_asked)
{
    const auto& uses = m_lane.uses;
    const auto use = std::find_if(
        FindGranted(uses.begin(), uses.end(), m_there.granted),
        uses.end(),
        [&](const WormRecorder::Use& other) { return other.place.worm == place.worm; });
    m_credits = FindCredits(use->base, m_there.flits, m_there.granted);
    FindAhead(use);
}

std::optional<LaneBlockTimes::Credits>
LaneBlockTimes::FindCredits(uint64_t base, uint64_t flits, int64_t granted) const
{
    const auto needed = base + flits;
    if (m_channel.isEjection || needed <= m_channel.depth)
    {
        return {};
    }
    const auto slot = needed - m_channel.depth - 1;
    const auto use = WormRecorder::FindUse(m_lane.uses, slot);
    if (use == m_lane.uses.end())
    {
        return {}; // of a worm that is not recorded
    }
    const auto& there = m_recorder.At(use->place);
    const auto& route = *m_recorder.Find(use->place.worm)->route;
    std::size_t nStarted = 0;
    const auto branches = route.At(use->place.stop);
    auto freed = branches.size() == 0 ? there.taken : WormRecorder::NEVER;
    for (const auto branch : branches)
    {
        const auto& next = m_recorder.At({use->place.worm, branch.next});
        const auto start =
            next.parent == use->place.stop ? next.GetStart(slot - use->base) : WormRecorder::NEVER;
        nStarted += start != WormRecorder::NEVER;
        freed = std::max(freed, start);
    }
    const auto nNeeded =
        route.HasChoices() ? std::min<std::size_t>(branches.size(), 1) : branches.size();
    const bool isFree = freed != WormRecorder::NEVER && nStarted == nNeeded;
    const auto until = isFree ? freed + m_channel.delay : EVER;
    if (until > granted)
    {
        return {}; // others came back first, at the end of an outage
    }
    return Credits{there.granted, until, use->place.worm};
}

void
LaneBlockTimes::FindAhead(Uses use)
{
    const auto granted = m_there.granted;
    for (auto other = use; other != m_lane.uses.begin();)
    {
        --other;
        const auto& its = m_recorder.At(other->place);
        if (its.granted <= m_asked)
        {
            break;
        }
        m_ahead.push_back({OrderOf({other->place.worm, its.parent}),
                           other->place.worm,
                           its.granted,
                           FindCredits(other->base, its.flits, its.granted)});
    }
    const auto later = std::upper_bound(
        m_lane.withdrawn.begin(),
        m_lane.withdrawn.end(),
        m_asked,
        [](int64_t time, const WormRecorder::Withdrawn& other) { return time < other.until; });
    for (auto other = later; other != m_lane.withdrawn.end() && other->until <= granted; ++other)
    {
        const auto order = OrderOf(other->place);
        if (order < m_order)
        {
            // While it was the first, nobody was granted the lane.
            const auto next = FindGranted(m_lane.uses.begin(), use, other->until);
            const auto flits = m_recorder.Find(other->place.worm)->worm->GetFlits();
            m_ahead.push_back(
                {order, other->place.worm, other->until, FindCredits(next->base, flits, EVER)});
        }
    }
    std::sort(m_ahead.begin(), m_ahead.end(), [](const Ahead& a, const Ahead& b) {
        return std::tie(a.order, a.until) < std::tie(b.order, b.until);
    });
    for (const auto& ahead : m_ahead)
    {
        m_first = std::max(m_first, ahead.until);
    }
}

GrantWait
LaneBlockTimes::Hold(const WormRecorder::Use& use) const
{
    const auto& owner = m_recorder.At(use.place);
    GrantWait wait{std::max(owner.granted, m_asked), LatencyCause::OUTPUT, use.place.worm, ""};
    const bool couldGo = m_asked <= owner.granted && m_first <= owner.granted &&
                         (!m_credits || m_credits->until <= owner.granted);
    if (owner.lane != m_there.lane && couldGo)
    {
        const auto priority = m_channel.lanes.at(static_cast<std::size_t>(owner.lane)).priority;
        const auto asked = m_recorder.At({use.place.worm, owner.parent}).asked;
        wait.cause = LatencyCause::TURN;
        wait.note = priority > m_lane.priority
                        ? "lane " + std::to_string(owner.lane) + " has a higher priority"
                    : asked < m_asked ? "it asked earlier"
                                      : "it asked at the same time, and comes first";
    }
    return wait;
}

GrantWait
LaneBlockTimes::FindBefore(int64_t time) const
{
    // Who held the output just before, if anybody did.
    const auto after = FindGranted(m_channel.uses.begin(), m_channel.uses.end(), time);
    const auto owner = after == m_channel.uses.begin() ? m_channel.uses.end() : after - 1;
    const auto left =
        owner == m_channel.uses.end() ? WormRecorder::NEVER : m_recorder.At(owner->place).left;
    const bool isHeld = left >= time;
    const auto lacks = [time](const std::optional<Credits>& credits) {
        return credits && credits->from < time && credits->until >= time;
    };
    const auto credited = lacks(m_credits) ? m_credits->until : WormRecorder::NEVER;
    const auto first = m_first >= time ? m_first : WormRecorder::NEVER;
    if (isHeld && left >= std::max(credited, first))
    {
        return Hold(*owner);
    }
    if (credited != WormRecorder::NEVER && credited >= first)
    {
        return {std::max(m_credits->from, m_asked), LatencyCause::CREDIT, m_credits->worm, ""};
    }
    // Then what the first one waited for.
    auto since = m_asked;
    for (const auto& ahead : m_ahead)
    {
        if (ahead.until < time)
        {
            since = std::max(since, ahead.until);
            continue;
        }
        const bool isShort = lacks(ahead.credits);
        if (isHeld && (!isShort || left >= ahead.credits->until))
        {
            auto wait = Hold(*owner);
            wait.from = std::max(wait.from, since);
            return wait;
        }
        since = isShort ? std::max(since, ahead.credits->from) : since;
        return {since, LatencyCause::TURN, ahead.worm, "it asked earlier, and waits for room"};
    }
    return {m_asked, LatencyCause::UNEXPLAINED, WormRecorder::NO_WORM, ""};
}

} // namespace ns3
