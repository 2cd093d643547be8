/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ASKED_STUDY_H
#define ASKED_STUDY_H

#include "ns3/study-plot.h"
#include "ns3/study-registry.h"
#include "ns3/wormhole-option-values.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A study that is asked by its options, and what it finds.
class AskedStudy
{
  public:
    /// Options and their values.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// Makes the study. @param name its program's @param options what is asked
    /// @param jobs processes that share the work
    /// @throws WormholeError if that can't be done
    AskedStudy(const std::string& name, const Options& options, uint32_t jobs = 1)
        : m_form(StudyRegistry::Make(name))
    {
        OptionValues values;
        m_form->Declare(values);
        for (const auto& [option, value] : options)
        {
            values.Set(option, value);
        }
        m_form->Read(values);
        m_form->SetJobs(jobs);
        m_form->Measure(nullptr);
    }

    /// @return number of its rows
    std::size_t GetNRows() const
    {
        return m_form->GetNRows();
    }

    /// @return a number of a row, not rounded @param row its number @param column its name
    double Get(std::size_t row, const std::string& column) const
    {
        return m_form->GetNumber(row, column);
    }

    /// @return a field of a row @param row its number @param column its name
    std::string GetText(std::size_t row, const std::string& column) const
    {
        return m_form->GetText(row, column);
    }

    /// @return all rows, as CSV
    std::string GetCsv() const
    {
        std::ostringstream os;
        m_form->WriteCsv(os);
        return os.str();
    }

    /// @return names of files written for its plots @param folder where to @param prefix of names
    std::vector<std::string> WritePlots(const std::string& folder, const std::string& prefix) const
    {
        return StudyPlot::Write(m_form->MakePlots(), folder, prefix);
    }

    /// @return whether a CSV file has rows of this study, which become its own @param path the file
    bool ReadCsv(const std::string& path)
    {
        return m_form->ReadCsv(path);
    }

  private:
    std::unique_ptr<StudyDefinition> m_form; ///< the study
};

} // namespace ns3

#endif /* ASKED_STUDY_H */
