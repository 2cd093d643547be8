/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_REGISTRY_H
#define STUDY_REGISTRY_H

#include "study-definition.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The studies, by name.
 */
class StudyRegistry
{
  public:
    /// @return names of all studies in Python, in the order of the papers, others after them
    static std::vector<std::string> GetNames();

    /// @return a new form
    /// @param name name of a study in Python, or of its program
    /// @throws WormholeError if there is none
    static std::unique_ptr<StudyDefinition> Make(const std::string& name);

    /// Prints all tables of parameters as JSON, from which Python makes its functions.
    /// @param os where to
    static void PrintJson(std::ostream& os);

    /// Prints one study's table. @param os where to @param form the study
    static void PrintJson(std::ostream& os, const StudyDefinition& form);

    /// Prints all tables of parameters as reStructuredText. @param os where to
    static void PrintRst(std::ostream& os);

    /// Prints one study's table. @param os where to @param form the study
    static void PrintRst(std::ostream& os, const StudyDefinition& form);
};

} // namespace ns3

#endif /* STUDY_REGISTRY_H */
