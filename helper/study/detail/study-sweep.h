/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include "ns3/study-definition.h"
#include "ns3/worker-pool.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Measures rows, each by itself, by several processes.
 * @tparam Row what a row is, with GetTable()
 * @param number of rows
 * @param measure measures one, given its number
 * @param jobs worker processes, see WorkerPool
 * @param progress is told how far it is, if it is there
 * @return the rows, in order
 * @throws WormholeError as WorkerPool::Run
 */
template <typename Row>
std::vector<Row>
MeasureRows(std::size_t number,
            const std::function<Row(std::size_t)>& measure,
            uint32_t jobs,
            const StudyDefinition::Progress& progress)
{
    std::vector<Row> rows;
    const auto all = static_cast<uint32_t>(number);
    const auto work = [&](uint32_t piece) { return Row::GetTable().Pack({measure(piece)}); };
    const auto take = [&](uint32_t piece, const std::string& result) {
        rows.push_back(Row::GetTable().Unpack(result).front());
        if (progress)
        {
            progress(piece + 1, all);
        }
    };
    WorkerPool(jobs).Run(all, work, take);
    return rows;
}

/**
 * @ingroup wormhole
 * @brief A study whose rows are all combinations of some values, of which the last ones vary
 *        fastest.
 *
 * @tparam Row what a row is, with GetTable()
 */
template <typename Row>
class StudySweep
{
  public:
    /// @param common what all rows have in common
    explicit StudySweep(const Row& common)
        : m_rows{common}
    {
    }

    /// Has each row be measured with each of some values. @param member what they are of
    /// @param values the values @return this
    template <typename T, typename Base>
    StudySweep& Over(T Base::* member, const std::vector<T>& values)
    {
        std::vector<Row> rows;
        for (const auto& row : m_rows)
        {
            for (const auto& value : values)
            {
                rows.push_back(row);
                rows.back().*member = value;
            }
        }
        m_rows = rows;
        return *this;
    }

    /// @return all rows, not measured
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /// Measures all rows. @param measure returns a row measured, given what of
    /// @param jobs worker processes @param progress as MeasureRows @return the rows, in order
    std::vector<Row> Measure(const std::function<Row(const Row&)>& measure,
                             uint32_t jobs,
                             const StudyDefinition::Progress& progress) const
    {
        return MeasureRows<Row>(
            m_rows.size(),
            [&](std::size_t number) { return measure(m_rows[number]); },
            jobs,
            progress);
    }

  private:
    std::vector<Row> m_rows; ///< what is measured
};

} // namespace ns3

#endif /* STUDY_SWEEP_H */
