/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_PLOTS_H
#define SYNC_PLOTS_H

#include "sync-study-row.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Pictures of a study of synchronisation hardware: latencies, speedups and break-even
 *        prices, a panel for each delay, bars for what is simulated and marks for what is published
 *        and modelled; and speedups over what applications' names end with, if that is a number.
 */
class SyncPlots
{
  public:
    /// @param rows what was found
    explicit SyncPlots(const std::vector<SyncStudyRow>& rows);

    /**
     * Writes files for gnuplot, one for each picture that there are rows for.
     * @param directory where to
     * @param prefix what their names begin with
     * @return names of the files
     * @throws WormholeError if they can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// A picture.
    struct Picture
    {
        std::string name;                ///< name of its files, without an extension
        std::vector<std::string> tables; ///< tables that it shows
        std::string label;               ///< what the axis of values shows
        double bottom;                   ///< where that axis begins
        double top;                      ///< where it ends; infinite: beyond all values
        bool isLogarithmic;              ///< its scale
    };

    /// Writes a picture. @param picture the picture @param directory where to
    /// @return whether there is something to show
    bool WritePicture(const Picture& picture, const std::string& directory) const;

    /**
     * Writes a picture of speedups over the number that names of applications end with, such as
     * "WWT-Appbt 0.15": a panel for each application and delay, a line for each hardware.
     * @param name name of its files, without an extension
     * @param directory where to
     * @return whether some application has two such numbers
     */
    bool WriteByNumber(const std::string& name, const std::string& directory) const;

    std::vector<SyncStudyRow> m_rows; ///< what was found
};

} // namespace ns3

#endif /* SYNC_PLOTS_H */
