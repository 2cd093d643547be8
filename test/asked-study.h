// SPDX-License-Identifier: GPL-2.0-only

#ifndef ASKED_STUDY_H
#define ASKED_STUDY_H

#include "test-tools.h"

#include "ns3/csv-table.h"
#include "ns3/study-definition.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-option-values.h"
#include "ns3/wormhole-study-program.h"
#include "ns3/wormhole-topology-factory.h"

namespace ns3
{

inline std::string
ToCsv(const std::vector<CsvRow>& rows)
{
    std::ostringstream os;
    if (!rows.empty())
    {
        rows.front().GetTable().Write(os, rows);
    }
    return os.str();
}

class AskedStudy
{
  public:
    /// @param options as "runs=2 explain" @param jobs processes that share the work
    /// @param progress is told how far it is
    AskedStudy(const std::string& name,
               const std::string& options,
               uint32_t jobs = 1,
               const ProgressListener& progress = nullptr)
        : AskedStudy(StudyRegistry::Make(name), options, nullptr, jobs, progress)
    {
    }

    AskedStudy(const std::string& name, const FabricGraph& graph, const std::string& options)
        : AskedStudy(StudyRegistry::Make(name), options, &graph)
    {
    }

    /// @param graph the fabric; null: options tell
    AskedStudy(std::unique_ptr<StudyDefinition> form,
               const std::string& options,
               const FabricGraph* graph = nullptr,
               uint32_t jobs = 1,
               const ProgressListener& progress = nullptr)
        : m_form(std::move(form))
    {
        NeedPicoseconds();
        auto values = Set(options);
        if (graph)
        {
            auto topology = std::make_shared<WormholeTopology>(MakeTopology(*graph, "file"));
            values.SetTopology(topology, "graph");
        }
        m_form->Read(values);
        m_form->SetJobs(jobs);
        m_form->Measure(progress);
    }

    /// @return the study of rows that were found before @param path their CSV file
    static AskedStudy Read(const std::string& name,
                           const std::string& path,
                           const std::string& options = "")
    {
        AskedStudy study(StudyRegistry::Make(name));
        study.m_form->ReadPlotting(study.Set(options));
        study.m_form->ReadCsv(path);
        return study;
    }

    /// @return the table of a study's rows, which lives on
    static const CsvTable& GetTable(const std::string& name)
    {
        static std::map<std::string, std::unique_ptr<StudyDefinition>> forms;
        auto& form = forms[name];
        form = form ? std::move(form) : StudyRegistry::Make(name);
        return form->GetTable();
    }

    const std::vector<CsvRow>& GetRows() const
    {
        return m_form->GetRows();
    }

    std::vector<std::string> GetRemarks() const
    {
        return m_form->GetRemarks();
    }

    std::size_t GetNRows() const
    {
        return GetRows().size();
    }

    /// @return a number of a row, not rounded
    double Get(std::size_t row, const std::string& column) const
    {
        return GetRows().at(row)[column];
    }

    std::string GetText(std::size_t row, const std::string& column) const
    {
        return GetRows().at(row).GetText(column);
    }

    std::string GetCsv() const
    {
        std::ostringstream os;
        m_form->WriteCsv(os);
        return os.str();
    }

    std::vector<std::string> WritePlots(const std::string& folder, const std::string& prefix) const
    {
        return StudyPlot::Write(m_form->MakePlots(), folder, prefix);
    }

    /// @return whether a CSV file has rows of this study, which become its own
    bool ReadCsv(const std::string& path)
    {
        return m_form->ReadCsv(path);
    }

  private:
    explicit AskedStudy(std::unique_ptr<StudyDefinition> form)
        : m_form(std::move(form))
    {
    }

    OptionValues Set(const std::string& options) const
    {
        OptionValues values;
        m_form->Declare(values);
        for (const auto& option : Words(options))
        {
            const auto end = std::min(option.find('='), option.size());
            values.Set(option.substr(0, end), option.substr(std::min(end + 1, option.size())));
        }
        return values;
    }

    std::unique_ptr<StudyDefinition> m_form; ///< the study
};

struct PrintedStudy
{
    int status;         ///< its exit status
    std::string csv;    ///< standard output
    std::string errors; ///< standard error
};

inline PrintedStudy
RunStudy(const std::vector<std::string>& words)
{
    StartAnew();
    PrintedStudy printed;
    printed.csv = PrintedBy(std::cout, [&] {
        printed.errors = PrintedBy(std::cerr, [&] {
            printed.status = CallWithArguments(words, WormholeStudyMain);
        });
    });
    return printed;
}

} // namespace ns3

#endif /* ASKED_STUDY_H */
