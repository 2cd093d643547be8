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

/**
 * @ingroup wormhole
 * @brief A study as people ask for it: a table of parameters, given by name as text, and results as
 * rows of a table of columns, in CSV and plots.
 *
 * Programs, Python and campaigns all ask for studies this way. A study is one class derived from
 * this, whose constructor adds its parameters, a line each, see doc/design/write-your-own.rst.
 */
class StudyDefinition
{
  public:
    /// What a study is called, and is for.
    struct Description
    {
        std::string program; ///< its program, as btin-comparison
        std::string python;  ///< its function in ns3_wormhole.studies, as barriers
        std::string summary; ///< what it does, a sentence
        std::string usage;   ///< further help of the program, with examples
        std::string rows;    ///< what the rows of its table are
        bool hasJobs{false}; ///< whether several processes may share its work
        bool hasPlots{true}; ///< whether it draws its rows
    };

    virtual ~StudyDefinition();

    StudyDefinition(const StudyDefinition&) = delete;            ///< its checks refer to it
    StudyDefinition& operator=(const StudyDefinition&) = delete; ///< its checks refer to it

    /// @return what it is called, and is for
    const Description& GetDescription() const
    {
        return m_description;
    }

    using Rows = std::vector<CsvRow>; ///< rows of a table

    /// Draws rows, and published figures, of their tables.
    using Draw = std::function<std::vector<StudyPlot>(const Rows& rows, const Rows& published)>;

    /// @return its parameters, in the order of the help text
    const std::vector<StudyParameter>& GetParameters() const
    {
        return m_parameters;
    }

    /// Adds parameters, in the order of the help text.
    void Add(const std::vector<StudyParameter>& parameters)
    {
        m_parameters.insert(m_parameters.end(), parameters.begin(), parameters.end());
    }

    /// Gives a parameter's value as it was read; 0 or nothing if it has neither one nor a default.
    template <typename T>
    const T& Get(const std::string& name) const
    {
        return std::get<T>(m_values.at(name));
    }

    /// Declares its parameters.
    void Declare(OptionValues& values) const;

    /// Has its work done by several processes, see WorkerPool.
    void SetJobs(uint32_t jobs)
    {
        m_jobs = jobs;
    }

    /// Has it look for the module's data here.
    void SetDataFolder(const std::string& folder)
    {
        m_dataFolder = folder;
    }

    /// Takes what is to be measured from values of its parameters, which get what a machine gives
    /// for them; throws a WormholeError if that can't be done, naming the value and what is
    /// accepted.
    void Read(OptionValues& values);

    /// Takes what plots need; throws likewise.
    void ReadPlotting(const OptionValues& values);

    /// Measures what Read took, and keeps the rows; a listener, or none, is told how many runs are
    /// done.
    virtual void Measure(const ProgressListener& progress);

    /// Adds rows that were written before, and tells whether the file has any; throws a
    /// WormholeError if it is none of this study.
    bool ReadCsv(const std::string& path);

    /// Writes all rows.
    void WriteCsv(std::ostream& os) const;

    /// @return remarks on the rows, a line each
    virtual std::vector<std::string> GetRemarks() const;

    /// @return its rows
    const Rows& GetRows() const
    {
        return m_rows;
    }

    /// @return the table that they are of
    const CsvTable& GetTable() const
    {
        return m_table;
    }

    /// @return pictures of all rows; asked for if hasPlots of its description is set
    virtual std::vector<StudyPlot> MakePlots() const;

  protected:
    using Words = std::vector<std::string>; ///< names, or other words
    using Wholes = std::vector<uint32_t>;   ///< whole numbers
    using Ratios = std::vector<double>;     ///< ratios
    using Times = std::vector<Time>;        ///< times

    /// @param description what it is called, and is for @param table its columns
    /// @param draw draws what there is; null: MakePlots does, if there are plots
    StudyDefinition(Description description, const CsvTable& table, Draw draw = nullptr);

    /// Adds the option published, and what of its file is read.
    void AddPublished(const PublishedFigures& figures);

    /// Adds placement and placements, where members are.
    /// @param law,number without these options @param keys columns of what is measured
    /// @param value column of what is found there @param besides what the help text says besides
    /// @param alias another name; empty: none
    void AddPlacement(const std::string& law,
                      uint32_t number,
                      const Words& keys,
                      const std::string& value,
                      const std::string& besides = "",
                      const std::string& alias = "");

    /// Takes them. @param values values of all parameters @param graph the fabric
    /// @param job placement, number of hosts, and of their switches
    /// @param name option of these numbers; empty: placement
    /// @throws WormholeError if that can't be
    void ReadPlacement(const OptionValues& values,
                       const FabricGraph& graph,
                       const JobPlacement::Parameters& job,
                       const std::string& name = "");

    /// @return numbers of the placements that rows are measured for, from 1 on; 0: there is one
    Wholes GetPlacements() const;

    /// @return hosts of the members of a row, by rank; the row gets at how many switches they are
    /// @param graph the fabric @param row the row @param hosts how many; 0: as ReadPlacement had it
    /// @param stream stream of random placements, by default beyond all others
    Wholes PlaceMembers(const FabricGraph& graph,
                        CsvRow& row,
                        uint32_t hosts = 0,
                        int64_t stream = 1 << 20) const;

    /// @return of what a row is one placement @param row the row
    std::string Describe(const CsvRow& row) const;

    /// What a parameter's value may be.
    using Value =
        std::variant<uint32_t, double, Time, std::string, bool, Wholes, Ratios, Times, Words>;

    /// Has a parameter have a value that the study chooses.
    void Choose(const std::string& name, const Value& value)
    {
        m_values.at(name) = value;
    }

    /// Has rows be of each value of a parameter's list; of times, a column has us.
    void Vary(StudySweep& sweep, const std::string& column, const std::string& name) const;

    /// @return the rows to measure, with what is known of them before; of none Measure has its own
    virtual Rows ListRows();

    /// Measures a row, which has a place among all rows; it may be in another process.
    virtual CsvRow MeasureRow(CsvRow row, std::size_t number);

    /// Adds fabric, topology, linkDelay and switchDelay, which StudyHosts::Read reads.
    /// @param topology text of the fabric without them; empty: none
    /// @param without that fabric, for the help text; empty: the text itself
    void AddHosts(const std::string& topology, const std::string& without = "");

    /// Adds load, pattern and flits, which TrafficOptions reads, and perhaps rounds, their number
    /// beside traffic.
    void AddTraffic(bool hasRounds = false);

    /// Adds attributes that the study sets by itself, whatever a machine gives, as
    /// "HostSoftware::StartUp HostSoftware::PollTime".
    void AddOwnAttributes(const std::string& attributes);

    /// Returns whether parameters have an effect beside others.
    using Condition = std::function<bool(const OptionValues& values)>;

    /// Has a note name those of some parameters that are given and have no effect without what is
    /// needed, which is looked for after Validate.
    void AddCondition(const Words& names, const std::string& needed, Condition isThere)
    {
        m_needed.push_back({names, needed, std::move(isThere)});
    }

    /// @return a condition that one of the words of a parameter's value, or what one begins with,
    /// is there
    /// @param name the parameter
    /// @param words the words
    static Condition HasOneOf(const std::string& name, const Words& words);

    /// Refuses what has no effect together, before anything is read.
    void AddRefusal(std::function<void(const OptionValues&)> refuse)
    {
        m_refusals.push_back(std::move(refuse));
    }

    /// Refuses an option beside others that make no sense with it.
    void AddExclusion(const std::string& name, const Words& others)
    {
        AddRefusal(
            [name, others](const OptionValues& values) { values.RefuseTogether(name, others); });
    }

    /// Refuses options without another one.
    /// @param names the options
    /// @param other what they need
    /// @param value value of that one that they need; empty: any
    /// @param isExample whether any will do, and this one is for the message
    void AddNeed(const Words& names,
                 const std::string& other,
                 const std::string& value = "",
                 bool isExample = false);

    /// @return values of parameters that hold where they are not given, by name
    /// @param values values of those that are given
    virtual std::map<std::string, std::string> GetPreset(
        [[maybe_unused]] const OptionValues& values) const
    {
        return {};
    }

    /// Takes and checks what concerns several parameters, after each of them was read.
    virtual void Validate(const OptionValues& values) = 0;

    /// @return number of processes that may share the work, see WorkerPool
    uint32_t GetJobs() const
    {
        return m_description.hasJobs ? m_jobs : 1;
    }

    /// Finds a file in the module's data folder; throws a WormholeError if it is nowhere near the
    /// program.
    std::string FindData(const std::string& name) const;

  private:
    std::unique_ptr<const CsvTable> m_columns; // m_table

  protected:
    const CsvTable& m_table; ///< the columns
    Rows m_rows;             ///< what was found
    Rows m_published;        ///< figures to draw in

    JobPlacement::Parameters m_job; ///< where members are
    uint32_t m_nPlacements{0};      ///< how many are told apart; 0: it is one

  private:
    /// What parameters have an effect beside.
    struct Needed
    {
        Words names;
        std::string what; // they need, for notes
        Condition isThere;
    };

    /// @return the value of a parameter; isThere: whether it has one
    static Value Read(const OptionValues& values, const StudyParameter& of, bool isThere);

    Description m_description;
    std::vector<StudyParameter> m_parameters;
    std::map<std::string, Value> m_values; // by parameter
    Words m_own;                           // attributes that it sets by itself
    std::vector<Needed> m_needed;
    std::vector<std::function<void(const OptionValues&)>> m_refusals; // of options together
    Draw m_draw;                                                      // may be null
    Words m_keys;                                                     // columns of what is measured
    std::string m_value;                 // column of what is found in a placement
    std::unique_ptr<CsvTable> m_figures; // table of published figures; null: there are none
    uint32_t m_jobs{1};
    std::string m_dataFolder; // empty: near the program
};

/**
 * @ingroup wormhole
 * @brief The studies, by name.
 */
class StudyRegistry
{
  public:
    /// @return names of all studies in Python, in the order of the papers, others after them
    static std::vector<std::string> GetNames();

    /// Makes a form of a study, named as in Python or as its program; throws a WormholeError if
    /// there is none.
    static std::unique_ptr<StudyDefinition> Make(const std::string& name);

    /// Prints tables of parameters, of all studies or of one, as JSON, from which Python makes its
    /// functions.
    static void PrintJson(std::ostream& os);
    static void PrintJson(std::ostream& os, const StudyDefinition& form); //!< likewise

    /// Prints the same as reStructuredText.
    static void PrintRst(std::ostream& os);
    static void PrintRst(std::ostream& os, const StudyDefinition& form); //!< likewise
};

} // namespace ns3

#endif /* STUDY_DEFINITION_H */
