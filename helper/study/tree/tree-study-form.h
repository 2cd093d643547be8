/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_STUDY_FORM_H
#define TREE_STUDY_FORM_H

#include "published-trees.h"
#include "tree-study.h"

#include "ns3/study-form.h"
#include "ns3/wormhole-whole-file.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The study of trees of processes as people ask for it: fibo-tree, and trees in Python.
 */
class TreeStudyForm : public RowStudyForm<TreeStudyRow>
{
  public:
    TreeStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> WritePlots(const std::string& folder,
                                        const std::string& prefix) const override;

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// @return levels within @param values the values
    TreeStudy::Levels GetLevels(const OptionValues& values) const;

    /// @return what sending and receiving cost @param values the values
    std::vector<TreeStudy::Costs> GetCosts(const OptionValues& values) const;

    TreeStudy::Parameters m_parameters;     ///< what is asked of the study
    std::string m_preset;                   ///< published costs
    std::vector<Time> m_s;                  ///< how long a message keeps its sender busy
    std::vector<Time> m_r;                  ///< from then until the receiver is active
    Time m_c;                               ///< how long a message keeps both busy
    std::vector<std::string> m_levels;      ///< levels within, as SIZE:S:R
    std::unique_ptr<WholeFile> m_arrivals;  ///< how many processes are active when; may be null
    std::unique_ptr<WholeFile> m_speed;     ///< how many could be; may be null
    std::vector<PublishedTree> m_published; ///< published figures to draw in
};

} // namespace ns3

#endif /* TREE_STUDY_FORM_H */
