/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Records that are used again, the last one first: it is in the caches still.
 *
 * They stay where they are, and keep the memory that they hold, as long as the pool is there.
 *
 * @tparam RECORD a record, which can be made of nothing
 */
template <class RECORD>
class RecordPool
{
  public:
    /// @return a record that nobody uses, as it was put back, or a fresh one
    RECORD* Take()
    {
        if (m_spare.empty())
        {
            m_records.emplace_back();
            return &m_records.back();
        }
        const auto record = m_spare.back();
        m_spare.pop_back();
        return record;
    }

    /// Puts a record back. @param record one that was taken
    void Put(RECORD* record)
    {
        m_spare.push_back(record);
    }

  private:
    std::deque<RECORD> m_records; ///< all that were ever made
    std::vector<RECORD*> m_spare; ///< those that nobody uses
};

} // namespace ns3

#endif /* RECORD_POOL_H */
