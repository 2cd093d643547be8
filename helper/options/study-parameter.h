/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_PARAMETER_H
#define STUDY_PARAMETER_H

#include "option-values.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A parameter of a study: the one place from which the command line, its help, Python's
 * arguments and their documentation, keys of campaigns and the page in doc/ are made.
 */
struct StudyParameter
{
    /// What a value, or an entry of a list, is.
    enum Kind
    {
        WHOLE,  ///< a whole number
        RATIO,  ///< a number above 0
        TIME,   ///< a time with its unit
        BYTES,  ///< a number of bytes, maybe with a unit
        WORD,   ///< one of some words
        TEXT,   ///< any text
        FILE,   ///< name of a file
        SWITCH, ///< given or not; noX is x=False in Python
        FABRIC  ///< name of a fabric's file; in Python a Fabric, too
    };

    /// When it is read.
    enum Use
    {
        MEASURE, ///< when something is measured, so not for results of earlier runs
        PLOT,    ///< when plots are made; no argument in Python
        BOTH,    ///< always
        PROGRAM  ///< when something is measured; no argument in Python
    };

    std::string name;               ///< its name, as groupSizes
    std::string placeholder;        ///< a value for messages and help, as 2,4,8
    std::string unit;               ///< unit of a number without one; empty: none
    std::string help;               ///< what it does
    std::string defaultValue;       ///< value without it; empty: see help
    Kind kind{TEXT};                ///< what a value is
    bool isList{false};             ///< whether it has several, with commas
    uint32_t min{0};                ///< least number accepted
    uint32_t max{0};                ///< greatest number accepted
    bool aboveZero{false};          ///< whether a time has to be above 0
    bool isFromZero{false};         ///< whether 0 is a ratio that is accepted, too
    std::vector<std::string> words; ///< words accepted
    Use use{MEASURE};               ///< when it is read
    bool isSetWhenGiven{false};     ///< whether its default is not set, but comes from attributes
    std::string attribute; ///< full name of the attribute that it stands for and a machine may
                           ///< give, the attribute itself being refused; empty: none
    std::function<void(const OptionValues&)>
        set; ///< reads it from the values; null: the study does

    /// @return what is accepted, for help texts, as "1 to 65535"; empty: anything of its kind
    std::string GetAccepted() const;

    /// @return help, unit and what is accepted
    std::string GetHelp() const;

    /// @return its name in Python: group_sizes for groupSizes, search for the switch noSearch
    std::string GetPythonName() const;
};

} // namespace ns3

#endif /* STUDY_PARAMETER_H */
