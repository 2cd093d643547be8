// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_DEFINITION_H
#define STUDY_DEFINITION_H

#include "ns3/job-placement.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-option-values.h"
#include "ns3/wormhole-progress.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{

class CsvRow;
class CsvTable;
class StudySweep;
struct PublishedFigures;
struct StudyPlot;

/// @ingroup wormhole
/// @brief A study: its parameters are given by name, as text; its results are the rows of a table,
///        which is written as CSV and plotted.
///
/// Programs, Python and campaigns all use studies through this interface. A study is one class
/// derived from this class; its constructor adds each parameter in one line, see
/// doc/design/write-your-own.rst.
class StudyDefinition
{
  public:
    /// A study's names and purpose.
    struct Description
    {
        std::string program; ///< the study's program, such as btin-comparison
        std::string python;  ///< its Python function in ns3_wormhole.studies, such as barriers
        std::string summary; ///< what the study does, in one sentence
        std::string usage;   ///< further help text of the study's program, with examples
        std::string rows;    ///< the meaning of the rows in the study's table
        bool hasJobs{false}; ///< whether several processes may share the study's work
        bool hasPlots{true}; ///< whether the study plots its rows
    };

    virtual ~StudyDefinition();

    StudyDefinition(const StudyDefinition&) = delete;            ///< not copyable
    StudyDefinition& operator=(const StudyDefinition&) = delete; ///< not copyable

    /// @return the study's names and purpose
    const Description& GetDescription() const
    {
        return m_description;
    }

    using Rows = std::vector<CsvRow>; ///< rows of a table

    /// Makes plots of a study's rows and of published rows; the two have different columns.
    using Draw = std::function<std::vector<StudyPlot>(const Rows& rows, const Rows& published)>;

    /// @return the study's parameters, in the order of the help text
    const std::vector<StudyParameter>& GetParameters() const
    {
        return m_parameters;
    }

    /// Adds parameters, in the order of the help text.
    void Add(const std::vector<StudyParameter>& parameters)
    {
        m_parameters.insert(m_parameters.end(), parameters.begin(), parameters.end());
    }

    /// Gives a parameter's value; if it was not given and has no default: 0, or an empty value.
    template <typename T>
    const T& Get(const std::string& name) const
    {
        return std::get<T>(m_values.at(name));
    }

    /// Declares the study's parameters.
    void Declare(OptionValues& values) const;

    /// Sets the number of processes that share the study's work, see WorkerPool.
    void SetJobs(uint32_t jobs)
    {
        m_jobs = jobs;
    }

    /// Sets the folder with the module's data.
    void SetDataFolder(const std::string& folder)
    {
        m_dataFolder = folder;
    }

    /// Reads from `values` what to measure; parameters that are not given may get their values from
    /// a preset or machine; throws a WormholeError if a value is wrong: it states what is accepted.
    void Read(OptionValues& values);

    /// Reads the parameters that plots need; throws a WormholeError as Read does.
    void ReadPlotting(const OptionValues& values);

    /// Measures the rows that Read determined, and keeps the results; a listener, if any, is told
    /// the number of completed runs.
    virtual void Measure(const ProgressListener& progress);

    /// Adds the rows of a CSV file written by WriteCsv, and returns whether it has any rows; throws
    /// a WormholeError if the file belongs to another study.
    bool ReadCsv(const std::string& path);

    /// Writes all rows as CSV.
    void WriteCsv(std::ostream& os) const;

    /// @return remarks on the study's rows, one per line
    virtual std::vector<std::string> GetRemarks() const;

    /// @return the study's rows
    const Rows& GetRows() const
    {
        return m_rows;
    }

    /// @return the table to which the study's rows belong
    const CsvTable& GetTable() const
    {
        return m_table;
    }

    /// @return plots of all rows; called only if Description::hasPlots is true
    virtual std::vector<StudyPlot> MakePlots() const;

  protected:
    using Words = std::vector<std::string>; ///< names, or other words
    using Wholes = std::vector<uint32_t>;   ///< whole numbers
    using Ratios = std::vector<double>;     ///< ratios
    using Times = std::vector<Time>;        ///< times

    /// @param description the study's names and purpose @param table the study's columns
    /// @param draw makes the plots; null: an override of MakePlots does, or there are no plots
    StudyDefinition(Description description, const CsvTable& table, Draw draw = nullptr);

    /// Adds the option `published`, and sets the format of its file.
    void AddPublished(const PublishedFigures& figures);

    /// Adds the options `placement` and `placements`, which place members.
    /// @param law,number defaults of `placement` and `placements` @param value column of the result
    /// @param keys columns that identify a measurement @param besides is added to placement's help
    /// @param alias another name of the option `placement`; empty: none
    void AddPlacement(const std::string& law,
                      uint32_t number,
                      const Words& keys,
                      const std::string& value,
                      const std::string& besides = "",
                      const std::string& alias = "");

    /// Reads options placement and placements. @param values all values @param graph the fabric
    /// @param job the placement, the number of hosts, and the number of their switches
    /// @param name option to which errors about these two numbers refer; empty: placement
    /// @throws WormholeError if the placement is impossible, or conflicts with option placements
    void ReadPlacement(const OptionValues& values,
                       const FabricGraph& graph,
                       const JobPlacement::Parameters& job,
                       const std::string& name = "");

    /// @return numbers, from 1, of the placements to measure; without the option placements, only 0
    Wholes GetPlacements() const;

    /// @return hosts of a row's members, by rank; with option placements, also sets row["switches"]
    /// @param graph the fabric @param row the row @param stream number of the random stream
    /// @param hosts number of hosts; 0: as in ReadPlacement
    Wholes PlaceMembers(const FabricGraph& graph,
                        CsvRow& row,
                        uint32_t hosts = 0,
                        int64_t stream = 1 << 20) const;

    /// @return the values of a row's key columns (AddPlacement), as text @param row the row
    std::string Describe(const CsvRow& row) const;

    /// Possible types of a parameter's value.
    using Value =
        std::variant<uint32_t, double, Time, std::string, bool, Wholes, Ratios, Times, Words>;

    /// Replaces a parameter's value by a value that the study chooses.
    void Choose(const std::string& name, const Value& value)
    {
        m_values.at(name) = value;
    }

    /// Adds a dimension to a sweep: `column` takes each value of parameter `name`; times are in us.
    void Vary(StudySweep& sweep, const std::string& column, const std::string& name) const;

    /// @return the rows to measure, with all values known so far; empty: Measure is overridden
    virtual Rows ListRows();

    /// Measures a row, given its index among all rows; this may happen in another process.
    virtual CsvRow MeasureRow(CsvRow row, std::size_t number);

    /// Adds fabric, topology, routing, linkDelay and switchDelay, which StudyHosts::Read reads.
    /// @param topology text of the default fabric; empty: none
    /// @param without what the help text shows as the default; empty: `topology`
    void AddHosts(const std::string& topology, const std::string& without = "");

    /// Adds the options load, pattern and flits, which TrafficOptions reads; if `hasRounds`, also
    /// adds the option rounds, the number of rounds under traffic.
    void AddTraffic(bool hasRounds = false);

    /// Names attributes that the study itself sets, such as "HostSoftware::StartUp
    /// HostSoftware::PollTime"; if a machine or user sets one, a warning says it has no effect.
    void AddOwnAttributes(const std::string& attributes);

    /// Returns whether the options contain what a parameter needs in order to have an effect.
    using Condition = std::function<bool(const OptionValues& values)>;

    /// If `isThere` returns false after Validate, warns of each parameter in `names` that is given:
    /// the warning says that the parameter has no effect without `needed`, which is a text.
    void AddCondition(const Words& names, const std::string& needed, Condition isThere)
    {
        m_needed.push_back({names, needed, std::move(isThere)});
    }

    /// @return a condition that is met if an entry of a parameter's value begins with one of these
    /// words
    /// @param name the parameter
    /// @param words the words
    static Condition HasOneOf(const std::string& name, const Words& words);

    /// Adds a check for options that conflict, called before any parameter is read.
    void AddRefusal(std::function<void(const OptionValues&)> refuse)
    {
        m_refusals.push_back(std::move(refuse));
    }

    /// Adds a check that throws if an option is given together with others that conflict with it.
    void AddExclusion(const std::string& name, const Words& others)
    {
        AddRefusal(
            [name, others](const OptionValues& values) { values.RefuseTogether(name, others); });
    }

    /// Adds a check that throws if one of several options is given without another option.
    /// @param names the options
    /// @param other the option that they need
    /// @param value value of `other` that they need; empty: any
    /// @param isExample whether any value of `other` is accepted, and `value` is just an example
    void AddNeed(const Words& names,
                 const std::string& other,
                 const std::string& value = "",
                 bool isExample = false);

    /// @return values, by parameter name, for parameters that are not given
    /// @param values values of parameters that are given
    virtual std::map<std::string, std::string> GetPreset(
        [[maybe_unused]] const OptionValues& values) const
    {
        return {};
    }

    /// Checks the parameters together, after each has been read, and stores the study's settings.
    virtual void Validate(const OptionValues& values) = 0;

    /// @return number of processes that may share the work, see WorkerPool
    uint32_t GetJobs() const
    {
        return m_description.hasJobs ? m_jobs : 1;
    }

    /// Finds a file in the module's data folder (SetDataFolder; default: near the program); throws
    /// a WormholeError if the file is not found.
    std::string FindData(const std::string& name) const;

  private:
    std::unique_ptr<const CsvTable> m_columns; // m_table

  protected:
    const CsvTable& m_table; ///< the columns
    Rows m_rows;             ///< results
    Rows m_published;        ///< published figures to plot

    JobPlacement::Parameters m_job; ///< placement of members
    uint32_t m_nPlacements{0};      ///< value of option placements; 0: not given

  private:
    /// What some parameters need in order to have an effect, see AddCondition.
    struct Needed
    {
        Words names;
        std::string what; // they need, for notes
        Condition isThere;
    };

    /// @return the value of a parameter; `isThere` states whether it has one
    static Value Read(const OptionValues& values, const StudyParameter& of, bool isThere);

    Description m_description;
    std::vector<StudyParameter> m_parameters;
    std::map<std::string, Value> m_values; // by parameter
    Words m_own;                           // attributes that it sets itself
    std::vector<Needed> m_needed;
    std::vector<std::function<void(const OptionValues&)>> m_refusals; // of options together
    Draw m_draw;                                                      // may be null
    Words m_keys;                                                     // columns of what is measured
    std::string m_value;                 // column of a placement's result
    std::unique_ptr<CsvTable> m_figures; // table of published figures; null: none
    uint32_t m_jobs{1};
    std::string m_dataFolder; // empty: near the program
};

/// @ingroup wormhole @brief The studies, by name.
class StudyRegistry
{
  public:
    /// @return Python names of all studies; the studies from papers come first
    static std::vector<std::string> GetNames();

    /// Makes a study, given its Python name or its program's name; throws a WormholeError if there
    /// is no such study.
    static std::unique_ptr<StudyDefinition> Make(const std::string& name);

    /// Prints the parameters of all studies, or of one study, as JSON; Python makes its functions
    /// from this output.
    static void PrintJson(std::ostream& os);
    static void PrintJson(std::ostream& os, const StudyDefinition& form); //!< of one study

    /// Prints the parameters of all studies, or of one study, as reStructuredText.
    static void PrintRst(std::ostream& os);
    static void PrintRst(std::ostream& os, const StudyDefinition& form); //!< of one study
};

} // namespace ns3

#endif /* STUDY_DEFINITION_H */
