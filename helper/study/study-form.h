/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_FORM_H
#define STUDY_FORM_H

#include "ns3/nstime.h"
#include "ns3/option-values.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
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
class StudyForm
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

    virtual ~StudyForm();

    StudyForm(const StudyForm&) = delete;            ///< its parameters set its own members
    StudyForm& operator=(const StudyForm&) = delete; ///< its parameters set its own members

    /// @return what it is called, and is for
    const Description& GetDescription() const;

    /// @return its parameters, in the order of the help text
    const std::vector<StudyParameter>& GetParameters() const;

    /// Adds a parameter. @param parameter it @return it, until the next one is added
    StudyParameter& Add(const StudyParameter& parameter);

    /// Declares its parameters. @param values where to
    void Declare(OptionValues& values) const;

    /// Has its work done by several processes. @param jobs see WorkerPool
    void SetJobs(uint32_t jobs);

    /// Has it look for the module's data here. @param folder the folder
    void SetDataFolder(const std::string& folder);

    /**
     * Takes what is to be measured.
     * @param values values of its parameters, which get what a machine gives for them
     * @throws WormholeError if that can't be done, naming the value and what is accepted
     */
    void Read(OptionValues& values);

    /// Takes what plots need. @param values values of its parameters @throws WormholeError likewise
    void ReadPlotting(const OptionValues& values);

    /**
     * Measures what Read took; the rows are kept.
     * @param progress is told how far it is, if it is there
     */
    virtual void Measure(const Progress& progress) = 0;

    /**
     * Measures, and tells on standard error how far it is.
     * @param isAsked whether to tell where standard error is no terminal, too
     */
    virtual void MeasureAndTell(bool isAsked);

    /**
     * Adds rows that were written before.
     * @param path a CSV file
     * @return whether it has any
     * @throws WormholeError if it is none of this study
     */
    virtual bool ReadCsv(const std::string& path) = 0;

    /// Writes all rows. @param os where to
    virtual void WriteCsv(std::ostream& os) const = 0;

    /// @return remarks on the rows, a line each
    virtual std::vector<std::string> GetRemarks() const;

    /// @return the columns of its table, in order, for its documentation
    virtual std::vector<CsvColumn> GetColumns() const;

    /// @return pictures of all rows; asked for if hasPlots of its description is set
    virtual std::vector<StudyPlot> MakePlots() const;

    /**
     * Writes gnuplot files of its plots.
     * @param folder where to
     * @param prefix what their names begin with
     * @return their names
     */
    std::vector<std::string> WritePlots(const std::string& folder, const std::string& prefix) const;

  protected:
    /// What is said of a parameter, whatever its kind.
    struct Row
    {
        std::string name;         ///< its name, as groupSizes
        std::string placeholder;  ///< a value for messages and help, as 2,4,8
        std::string unit;         ///< unit of a number without one; empty: none
        std::string help;         ///< what it does
        std::string defaultValue; ///< value without it; empty: see help
    };

    /// Takes a value.
    template <typename T>
    using Setter = std::function<void(const T&)>;

    /// @param description what it is called, and is for
    explicit StudyForm(Description description);

    /// @return a setter @param target what it sets
    template <typename T>
    static Setter<T> Into(T& target)
    {
        return [&target](const T& value) { target = value; };
    }

    /**
     * Adds a parameter whose value is a whole number.
     * @param row what is said of it
     * @param min least number accepted
     * @param max greatest number accepted
     * @param set takes its value; called before Finish if it is given or has a default
     * @return it, until the next one is added
     */
    StudyParameter& AddWhole(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set);
    /// Adds one whose value is a list of whole numbers. @param row what is said of it @param min
    /// least accepted @param max greatest accepted @param set takes its value @return it
    StudyParameter& AddWholes(const Row& row,
                              uint32_t min,
                              uint32_t max,
                              Setter<std::vector<uint32_t>> set);
    /// Adds one whose value is a number above 0. @param row what is said of it @param max greatest
    /// accepted @param set takes its value @return it
    StudyParameter& AddRatio(const Row& row, uint32_t max, Setter<double> set);
    /// Adds one whose value is a list of numbers above 0. @param row what is said of it @param max
    /// greatest accepted @param set takes its value @return it
    StudyParameter& AddRatios(const Row& row, uint32_t max, Setter<std::vector<double>> set);
    /// Adds one whose value is a time. @param row what is said of it @param set takes its value
    /// @return it
    StudyParameter& AddTime(const Row& row, Setter<Time> set);
    /// Adds one whose value is a time above 0. @param row what is said of it @param set takes its
    /// value @return it
    StudyParameter& AddTimeAboveZero(const Row& row, Setter<Time> set);
    /// Adds one whose value is a list of times. @param row what is said of it @param set takes its
    /// value @return it
    StudyParameter& AddTimes(const Row& row, Setter<std::vector<Time>> set);
    /// Adds one whose value is a number of bytes. @param row what is said of it @param min least
    /// accepted @param max greatest accepted @param set takes its value @return it
    StudyParameter& AddBytes(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set);
    /// Adds one whose value is a list of numbers of bytes. @param row what is said of it @param min
    /// least accepted @param max greatest accepted @param set takes its value @return it
    StudyParameter& AddByteSizes(const Row& row,
                                 uint32_t min,
                                 uint32_t max,
                                 Setter<std::vector<uint32_t>> set);
    /// Adds one whose value is one of some words. @param row what is said of it @param words words
    /// accepted @param set takes its value @return it
    StudyParameter& AddWord(const Row& row,
                            const std::vector<std::string>& words,
                            Setter<std::string> set);
    /// Adds one whose value is a list of some words. @param row what is said of it @param words
    /// words accepted @param set takes its value @return it
    StudyParameter& AddWords(const Row& row,
                             const std::vector<std::string>& words,
                             Setter<std::vector<std::string>> set);
    /// Adds one whose value is any text. @param row what is said of it @param set takes its value
    /// @return it
    StudyParameter& AddText(const Row& row, Setter<std::string> set);
    /// Adds one whose value is a list of texts. @param row what is said of it @param set takes its
    /// value @return it
    StudyParameter& AddTexts(const Row& row, Setter<std::vector<std::string>> set);
    /// Adds one whose value is the name of a file. @param row what is said of it @param set takes
    /// its value @return it
    StudyParameter& AddFile(const Row& row, Setter<std::string> set);
    /// Adds an option without a value. @param name its name @param help what it does @param set
    /// takes whether it is given @return it
    StudyParameter& AddSwitch(const std::string& name, const std::string& help, Setter<bool> set);

    /**
     * Adds fabric and topology, which FabricOptions reads.
     * @param without the fabric without them, for the help text
     * @param defaultText text of the topology without them; empty: none
     */
    void AddFabric(const std::string& without, const std::string& defaultText = "");

    /**
     * Adds startUp and receive, what a message costs software.
     * @param startUp time of its sender without the option
     * @param receive time of its receiver without the option
     * @param forStartUp gets the sender's; it lives as long as this form
     * @param forReceive gets the receiver's; it lives as long as this form
     */
    void AddMessageCosts(const std::string& startUp,
                         const std::string& receive,
                         Time& forStartUp,
                         Time& forReceive);

    /**
     * Adds linkDelay and switchDelay; without them, the attributes of cables, switches and
     * interfaces hold.
     * @param fabrics whose attributes they set; it lives as long as this form
     */
    void AddFabricDelays(WormholeHelper& fabrics);

    /// Adds fabric, topology, linkDelay and switchDelay, which StudyHosts::Read reads.
    /// @param topology the fabric without them; empty: all hosts on one switch
    void AddHosts(const std::string& topology);

    /**
     * Adds load, pattern and flits, which TrafficOptions reads.
     * @param rounds gets the number of rounds beside traffic, a parameter of its own, rounds; null:
     *        there is none. It lives as long as this form
     */
    void AddTraffic(uint32_t* rounds = nullptr);

    /**
     * Adds attributes that the study sets by itself, whatever a machine gives.
     * @param attributes their names, as HostSoftware::StartUp
     */
    void AddOwnAttributes(const std::vector<std::string>& attributes);

    /// Returns whether parameters have an effect beside others. @param values values of all
    using Condition = std::function<bool(const OptionValues& values)>;

    /**
     * Has a note name those of some parameters that are given and have no effect.
     * @param names the parameters
     * @param needed what they have none without, for the note
     * @param isThere returns whether that is there; called after Finish
     */
    void AddCondition(const std::vector<std::string>& names,
                      const std::string& needed,
                      Condition isThere);

    /// @return a condition that one of the words of a parameter's value, or what one begins with,
    /// is there @param name the parameter @param words the words
    static Condition HasOneOf(const std::string& name, const std::vector<std::string>& words);

    /**
     * Takes and checks what concerns several parameters, after each of them was set.
     * @param values values of its parameters
     */
    virtual void Finish(const OptionValues& values) = 0;

    /**
     * Refuses what has no effect together, before anything is set.
     * @param values values of its parameters
     */
    virtual void CheckTogether(const OptionValues& values) const;

    /// @return number of processes that may share the work, see WorkerPool
    uint32_t GetJobs() const;

    /**
     * @param name name of a file in the module's data folder
     * @return the file
     * @throws WormholeError if it is nowhere near the program
     */
    std::string FindData(const std::string& name) const;

  private:
    /// What parameters have an effect beside.
    struct Needed
    {
        std::vector<std::string> names; ///< the parameters
        std::string what;               ///< what they need, for notes
        Condition isThere;              ///< whether that is there
    };

    /// @return what is said of linkDelay
    static Row GetLinkDelayRow();

    /// @return what is said of switchDelay
    static Row GetSwitchDelayRow();

    /// Adds a parameter. @param row what is said of it @param kind its kind @param isList whether
    /// it has several values @param set reads it @return it
    StudyParameter& Add(const Row& row,
                        StudyParameter::Kind kind,
                        bool isList,
                        std::function<void(const OptionValues&)> set);

    Description m_description;                ///< what it is called, and is for
    std::vector<StudyParameter> m_parameters; ///< its parameters
    std::vector<std::string> m_own;           ///< attributes that it sets by itself
    std::vector<Needed> m_needed;             ///< what some of its parameters need
    uint32_t m_jobs{1};                       ///< processes that may share the work
    std::string m_dataFolder;                 ///< where data is; empty: near the program
};

/**
 * @ingroup wormhole
 * @brief A study form whose results are rows of one type, which reads and writes them.
 * @tparam R the type, with GetTable()
 */
template <typename R>
class RowStudyForm : public StudyForm
{
  public:
    /// Adds rows that were written before. @param path a CSV file @return whether it has any
    bool ReadCsv(const std::string& path) override
    {
        const auto some = R::GetTable().Read(path);
        m_rows.insert(m_rows.end(), some.begin(), some.end());
        return !some.empty();
    }

    /// Writes all rows. @param os where to
    void WriteCsv(std::ostream& os) const override
    {
        R::GetTable().Write(os, m_rows);
    }

    /// @return what is said of its columns
    std::vector<CsvColumn> GetColumns() const override
    {
        return R::GetTable().Describe();
    }

  protected:
    using StudyForm::StudyForm;

    std::vector<R> m_rows; ///< the result
};

/**
 * @ingroup wormhole
 * @brief Such a study whose rows are measured by several processes.
 * @tparam S the study, with Parameters and Run(jobs, progress), which returns rows
 * @tparam R the type of rows
 */
template <typename S, typename R>
class PooledStudyForm : public RowStudyForm<R>
{
  public:
    /// As StudyForm::Measure. @param progress told of rows
    void Measure(const StudyForm::Progress& progress) override
    {
        this->m_rows = m_study->Run(this->GetJobs(), progress);
    }

  protected:
    using RowStudyForm<R>::RowStudyForm;

    typename S::Parameters m_parameters; ///< what is asked of the study
    std::unique_ptr<S> m_study;          ///< the study, once it is known; Finish makes it
};

} // namespace ns3

#endif /* STUDY_FORM_H */
