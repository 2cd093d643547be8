/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_DEFINITION_H
#define STUDY_DEFINITION_H

#include "ns3/collective-helper.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-option-values.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

struct CsvColumn;
struct StudyPlot;

/**
 * @ingroup wormhole
 * @brief A study as people ask for it: a table of parameters, given by name as text, and results as
 * CSV and plots.
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

    /// Is told how many runs of how many are done; of 0: nobody knows.
    using Progress = std::function<void(uint32_t done, uint32_t all)>;

    virtual ~StudyDefinition();

    StudyDefinition(const StudyDefinition&) = delete; ///< its parameters set its own members
    StudyDefinition& operator=(const StudyDefinition&) =
        delete; ///< its parameters set its own members

    /// @return what it is called, and is for
    const Description& GetDescription() const
    {
        return m_description;
    }

    /// @return its parameters, in the order of the help text
    const std::vector<StudyParameter>& GetParameters() const
    {
        return m_parameters;
    }

    /// Adds a parameter. @param parameter it @return it, until the next one is added
    StudyParameter& Add(const StudyParameter& parameter);

    /// Declares its parameters. @param values where to
    void Declare(OptionValues& values) const;

    /// Has its work done by several processes. @param jobs see WorkerPool
    void SetJobs(uint32_t jobs)
    {
        m_jobs = jobs;
    }

    /// Has it look for the module's data here. @param folder the folder
    void SetDataFolder(const std::string& folder)
    {
        m_dataFolder = folder;
    }

    /// Takes what is to be measured.
    /// @param values values of its parameters, which get what a machine gives for them
    /// @throws WormholeError if that can't be done, naming the value and what is accepted
    void Read(OptionValues& values);

    /// Takes what plots need. @param values values of its parameters @throws WormholeError likewise
    void ReadPlotting(const OptionValues& values);

    /// Measures what Read took; the rows are kept.
    /// @param progress is told how far it is, if it is there
    virtual void Measure(const Progress& progress) = 0;

    /// Measures, and tells on standard error how far it is.
    /// @param isAsked whether to tell where standard error is no terminal, too
    virtual void MeasureWithProgress(bool isAsked);

    /// Adds rows that were written before.
    /// @param path a CSV file
    /// @return whether it has any
    /// @throws WormholeError if it is none of this study
    virtual bool ReadCsv(const std::string& path) = 0;

    /// Writes all rows. @param os where to
    virtual void WriteCsv(std::ostream& os) const = 0;

    /// @return remarks on the rows, a line each
    virtual std::vector<std::string> GetRemarks() const
    {
        return {};
    }

    /// @return number of its rows
    virtual std::size_t GetNRows() const = 0;

    /// @return a row's field as CSV has it
    /// @param row number of the row, from 0 on @param column name of the column
    virtual std::string GetText(std::size_t row, const std::string& column) const = 0;

    /// @return a row's number, not rounded @param row,column as GetText
    virtual double GetNumber(std::size_t row, const std::string& column) const = 0;

    /// @return the columns of its table, in order, for its documentation
    virtual std::vector<CsvColumn> GetColumns() const = 0;

    /// @return pictures of all rows; asked for if hasPlots of its description is set
    virtual std::vector<StudyPlot> MakePlots() const;

  protected:
    /// @param description what it is called, and is for
    explicit StudyDefinition(Description description);

    /**
     * Adds a parameter. What its value is follows from the type; limits and the like are set in
     * what is returned.
     * @param text what is said of it, see StudyParameter::FromText
     * @param target gets its value, before Validate, if it is given or has a default
     * @return it, until the next one is added
     */
    template <typename T>
    StudyParameter& Add(const std::string& text, T& target)
    {
        return AddBy<T>(text, [&target](const T& value) { target = value; });
    }

    /// The same. @param text what is said of it @param set takes its value @return it
    template <typename T>
    StudyParameter& AddBy(const std::string& text, const std::function<void(const T&)>& set)
    {
        auto& parameter = Add(StudyParameter::FromText(text));
        SetKind(parameter, Value(T()).index());
        parameter.set = [set](const OptionValues& values, const StudyParameter& of) {
            set(std::get<T>(Get(values, of)));
        };
        return parameter;
    }

    /// Adds fabric and topology, which FabricOptions reads.
    /// @param without the fabric without them, for the help text
    /// @param defaultText text of the topology without them; empty: none
    void AddFabric(const std::string& without, const std::string& defaultText = "");

    /// Adds a time that hosts' software takes, which stands for an attribute of HostSoftware.
    /// @param attribute its name @param text what is said of the parameter
    /// @param software gets it; it lives as long as this form
    void AddSoftwareTime(const std::string& attribute,
                         const std::string& text,
                         CollectiveHelper& software);

    /// Adds startUp and receive, what a message costs software.
    /// @param startUp time of its sender without the option
    /// @param receive of its receiver
    /// @param software gets them; it lives as long as this form
    void AddMessageCosts(const std::string& startUp,
                         const std::string& receive,
                         CollectiveHelper& software);

    /// Adds linkDelay and switchDelay; without them, the attributes of cables, switches and
    /// interfaces hold.
    /// @param fabrics whose attributes they set; it lives as long as this form
    void AddFabricDelays(WormholeHelper& fabrics);

    /// Adds fabric, topology, linkDelay and switchDelay, which StudyHosts::Read reads.
    /// @param topology the fabric without them; empty: all hosts on one switch
    void AddHosts(const std::string& topology);

    /// Adds load, pattern and flits, which TrafficOptions reads.
    /// @param rounds gets the number of rounds beside traffic, a parameter of its own, rounds;
    /// null: there is none. It lives as long as this form
    void AddTraffic(uint32_t* rounds = nullptr);

    /// Adds attributes that the study sets by itself, whatever a machine gives.
    /// @param attributes their names, as "HostSoftware::StartUp HostSoftware::PollTime"
    void AddOwnAttributes(const std::string& attributes);

    /// Returns whether parameters have an effect beside others. @param values values of all
    using Condition = std::function<bool(const OptionValues& values)>;

    /// Has a note name those of some parameters that are given and have no effect.
    /// @param names the parameters
    /// @param needed what they have none without, for the note
    /// @param isThere returns whether that is there; called after Validate
    void AddCondition(const std::vector<std::string>& names,
                      const std::string& needed,
                      Condition isThere);

    /// @return a condition that one of the words of a parameter's value, or what one begins with,
    /// is there
    /// @param name the parameter
    /// @param words the words
    static Condition HasOneOf(const std::string& name, const std::vector<std::string>& words);

    /// Refuses an option beside others, before anything is set.
    /// @param name the option @param others options that make no sense with it
    void AddExclusion(const std::string& name, const std::vector<std::string>& others);

    /// Refuses options without another one, before anything is set.
    /// @param names the options
    /// @param other what they need
    /// @param value value of that one that they need; empty: any
    /// @param isExample whether any will do, and this one is for the message
    void AddNeed(const std::vector<std::string>& names,
                 const std::string& other,
                 const std::string& value = "",
                 bool isExample = false);

    /// Takes and checks what concerns several parameters, after each of them was set.
    /// @param values values of its parameters
    virtual void Validate(const OptionValues& values) = 0;

    /// Refuses what has no effect together, before anything is set.
    /// @param values values of its parameters
    virtual void CheckTogether(const OptionValues& values) const
    {
        static_cast<void>(values);
    }

    /// @return number of processes that may share the work, see WorkerPool
    uint32_t GetJobs() const
    {
        return m_jobs;
    }

    /// @param name name of a file in the module's data folder
    /// @return the file
    /// @throws WormholeError if it is nowhere near the program
    std::string FindData(const std::string& name) const;

  private:
    /// What parameters have an effect beside.
    struct Needed
    {
        std::vector<std::string> names;
        std::string what; // they need, for notes
        Condition isThere;
    };

    /// What a parameter's value may be.
    using Value = std::variant<uint32_t,
                               double,
                               Time,
                               std::string,
                               bool,
                               std::vector<uint32_t>,
                               std::vector<double>,
                               std::vector<Time>,
                               std::vector<std::string>>;

    /// Sets what a value is. @param type its place in Value
    static void SetKind(StudyParameter& parameter, std::size_t type);
    static Value Get(const OptionValues& values, const StudyParameter& of);

    Description m_description;
    std::vector<StudyParameter> m_parameters;
    std::vector<std::string> m_own; // attributes that it sets by itself
    std::vector<Needed> m_needed;
    std::vector<std::function<void(const OptionValues&)>> m_refusals; // of options together
    uint32_t m_jobs{1};
    std::string m_dataFolder; // empty: near the program
};

} // namespace ns3

#endif /* STUDY_DEFINITION_H */
