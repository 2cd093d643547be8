/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-form.h"

#include "progress-line.h"

#include "ns3/fabric-options.h"
#include "ns3/system-path.h"
#include "ns3/wormhole-error.h"

#include <filesystem>
#include <utility>

namespace ns3
{

StudyForm::StudyForm(Description description)
    : m_description(std::move(description))
{
}

StudyForm::~StudyForm() = default;

const StudyForm::Description&
StudyForm::GetDescription() const
{
    return m_description;
}

const std::vector<StudyParameter>&
StudyForm::GetParameters() const
{
    return m_parameters;
}

StudyParameter&
StudyForm::Add(const StudyParameter& parameter)
{
    m_parameters.push_back(parameter);
    return m_parameters.back();
}

void
StudyForm::Declare(OptionValues& values) const
{
    for (const auto& parameter : m_parameters)
    {
        values.Declare(parameter.name, parameter.placeholder, parameter.defaultValue);
    }
}

void
StudyForm::SetDataFolder(const std::string& folder)
{
    m_dataFolder = folder;
}

void
StudyForm::Read(const OptionValues& values)
{
    CheckTogether(values);
    for (const auto& parameter : m_parameters)
    {
        const auto isGiven = values.Has(parameter.name);
        if (parameter.use != StudyParameter::PLOT && parameter.set &&
            (isGiven || !(parameter.isSetWhenGiven || parameter.defaultValue.empty())))
        {
            parameter.set(values);
        }
    }
    Finish(values);
}

void
StudyForm::ReadPlotting(const OptionValues& values)
{
    for (const auto& parameter : m_parameters)
    {
        const auto isPlotting =
            parameter.use == StudyParameter::PLOT || parameter.use == StudyParameter::BOTH;
        if (isPlotting && parameter.set &&
            (values.Has(parameter.name) || !parameter.defaultValue.empty()))
        {
            parameter.set(values);
        }
    }
}

void
StudyForm::CheckTogether(const OptionValues&) const
{
}

std::vector<std::string>
StudyForm::GetRemarks() const
{
    return {};
}

void
StudyForm::MeasureAndTell(bool isAsked)
{
    ProgressLine line(m_description.program, isAsked);
    Measure([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
}

StudyParameter&
StudyForm::Add(const Row& row,
               StudyParameter::Kind kind,
               bool isList,
               std::function<void(const OptionValues&)> set)
{
    StudyParameter parameter;
    parameter.name = row.name;
    parameter.placeholder = row.placeholder;
    parameter.unit = row.unit;
    parameter.help = row.help;
    parameter.defaultValue = row.defaultValue;
    parameter.kind = kind;
    parameter.isList = isList;
    parameter.set = std::move(set);
    return Add(parameter);
}

StudyParameter&
StudyForm::AddWhole(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set)
{
    auto& parameter =
        Add(row,
            StudyParameter::WHOLE,
            false,
            [set = std::move(set), name = row.name, min, max](const OptionValues& values) {
                set(values.GetWhole(name, min, max));
            });
    parameter.min = min;
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddWholes(const Row& row, uint32_t min, uint32_t max, Setter<std::vector<uint32_t>> set)
{
    auto& parameter =
        Add(row,
            StudyParameter::WHOLE,
            true,
            [set = std::move(set), name = row.name, min, max](const OptionValues& values) {
                set(values.GetWholes(name, min, max));
            });
    parameter.min = min;
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddRatio(const Row& row, uint32_t max, Setter<double> set)
{
    auto& parameter = Add(row,
                          StudyParameter::RATIO,
                          false,
                          [set = std::move(set), name = row.name, max](const OptionValues& values) {
                              set(values.GetRatio(name, max));
                          });
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddRatios(const Row& row, uint32_t max, Setter<std::vector<double>> set)
{
    auto& parameter = Add(row,
                          StudyParameter::RATIO,
                          true,
                          [set = std::move(set), name = row.name, max](const OptionValues& values) {
                              set(values.GetRatios(name, max));
                          });
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddTime(const Row& row, Setter<Time> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TIME,
                          false,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.GetTime(name));
                          });
    return parameter;
}

StudyParameter&
StudyForm::AddTimeAboveZero(const Row& row, Setter<Time> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TIME,
                          false,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.GetTimeAboveZero(name));
                          });
    parameter.aboveZero = true;
    return parameter;
}

StudyParameter&
StudyForm::AddTimes(const Row& row, Setter<std::vector<Time>> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TIME,
                          true,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.GetTimes(name));
                          });
    return parameter;
}

StudyParameter&
StudyForm::AddBytes(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set)
{
    auto& parameter =
        Add(row,
            StudyParameter::BYTES,
            false,
            [set = std::move(set), name = row.name, min, max](const OptionValues& values) {
                set(values.GetBytes(name, min, max));
            });
    parameter.min = min;
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddByteSizes(const Row& row,
                        uint32_t min,
                        uint32_t max,
                        Setter<std::vector<uint32_t>> set)
{
    auto& parameter =
        Add(row,
            StudyParameter::BYTES,
            true,
            [set = std::move(set), name = row.name, min, max](const OptionValues& values) {
                set(values.GetByteSizes(name, min, max));
            });
    parameter.min = min;
    parameter.max = max;
    return parameter;
}

StudyParameter&
StudyForm::AddWord(const Row& row, const std::vector<std::string>& words, Setter<std::string> set)
{
    auto& parameter = Add(row,
                          StudyParameter::WORD,
                          false,
                          [set = std::move(set), name = row.name, words](
                              const OptionValues& values) { set(values.GetWord(name, words)); });
    parameter.words = words;
    return parameter;
}

StudyParameter&
StudyForm::AddWords(const Row& row,
                    const std::vector<std::string>& words,
                    Setter<std::vector<std::string>> set)
{
    auto& parameter = Add(row,
                          StudyParameter::WORD,
                          true,
                          [set = std::move(set), name = row.name, words](
                              const OptionValues& values) { set(values.GetWords(name, words)); });
    parameter.words = words;
    return parameter;
}

StudyParameter&
StudyForm::AddText(const Row& row, Setter<std::string> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TEXT,
                          false,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.Get(name));
                          });
    return parameter;
}

StudyParameter&
StudyForm::AddTexts(const Row& row, Setter<std::vector<std::string>> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TEXT,
                          true,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.GetWords(name));
                          });
    return parameter;
}

StudyParameter&
StudyForm::AddFile(const Row& row, Setter<std::string> set)
{
    auto& parameter = Add(row,
                          StudyParameter::FILE,
                          false,
                          [set = std::move(set), name = row.name](const OptionValues& values) {
                              set(values.Get(name));
                          });
    return parameter;
}

StudyParameter&
StudyForm::AddSwitch(const std::string& name, const std::string& help, Setter<bool> set)
{
    return Add({name, "", "", help, ""},
               StudyParameter::SWITCH,
               false,
               [set = std::move(set), name](const OptionValues& values) { set(values.Has(name)); });
}

void
StudyForm::AddFabric(const std::string& without, const std::string& defaultText)
{
    for (const auto& parameter : FabricOptions::GetParameters(without, defaultText))
    {
        Add(parameter);
    }
}

void
StudyForm::AddHosts(const std::string& topology)
{
    AddFabric(topology.empty() ? "one switch" : topology, topology);
    Add({"linkDelay", "20ns", "", "Propagation delay of a cable", "20ns"},
        StudyParameter::TIME,
        false,
        nullptr)
        .aboveZero = true;
    Add({"switchDelay", "300ns", "", "Delay of a switch and of an interface", "300ns"},
        StudyParameter::TIME,
        false,
        nullptr);
}

std::string
StudyForm::FindData(const std::string& name) const
{
    std::vector<std::filesystem::path> places;
    if (!m_dataFolder.empty())
    {
        places.emplace_back(std::filesystem::path(m_dataFolder) / name);
    }
    // Beside this file, where the compiler was told its whole path, or above the program.
    places.emplace_back(std::filesystem::path(__FILE__).parent_path() / ".." / ".." / "data" /
                        name);
    for (std::filesystem::path above(SystemPath::FindSelfDirectory()); above.has_relative_path();
         above = above.parent_path())
    {
        places.emplace_back(above / "data" / name);
        places.emplace_back(above / "contrib" / "wormhole" / "data" / name);
    }
    for (const auto& path : places)
    {
        if (std::filesystem::exists(path))
        {
            return path.lexically_normal().string();
        }
    }
    throw WormholeError("no data/" + name + " is near; accepted is a file");
}

} // namespace ns3
