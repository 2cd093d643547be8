// SPDX-License-Identifier: GPL-2.0-only

#ifndef CSV_FILE_H
#define CSV_FILE_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// A file of comma-separated values with a header line, whose errors name line and column.
///
/// A field may be in double quotes; it may then contain commas, and doubled double quotes, but no
/// line breaks. Lines are numbered from 1, the header's. Fields hold printable text; the `'` before
/// text that looks like a formula is removed, see Quote.
class CsvFile
{
  public:
    /// Reads a whole file.
    /// @param columns required columns, in that order
    /// @param optional columns that may follow these, in that order
    /// @throws WormholeError if it can't be read, has other columns or a line with the wrong number
    /// of fields, ends within quotes, or has a field that is not printable
    CsvFile(const std::string& path,
            const std::vector<std::string>& columns,
            const std::vector<std::string>& optional = {});

    bool Has(const std::string& column) const
    {
        return std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end();
    }

    std::size_t GetNRows() const
    {
        return m_rows.size();
    }

    /// @return a field @param row the row, from 0 @param column name of its column
    const std::string& Get(std::size_t row, const std::string& column) const
    {
        const auto found = std::find(m_columns.begin(), m_columns.end(), column);
        return m_rows.at(row).fields.at(found - m_columns.begin());
    }

    /// @return the field as a number, NaN for "nan"
    double GetNumber(std::size_t row, const std::string& column) const;

    uint32_t GetWhole(std::size_t row, const std::string& column) const;

    [[noreturn]] void Refuse(std::size_t row,
                             const std::string& column,
                             const std::string& accepted) const;

    /// Spreadsheets interpret text that begins with `=`, `+`, `-`, `@`, a tab or a line end as a
    /// formula. Such a field, unless it is a number, is prefixed with `'`, as is a field in which
    /// such text follows an initial `'`. The reader removes the prefix.
    /// @return the field as written, in quotes if needed
    static std::string Quote(const std::string& field);

    /// @return a number as written, "nan" for any NaN
    static std::string Fixed(double value, int decimals);

    /// @return a time in us with six decimals, exact to the ps, such as 12.345678
    static std::string PrintUs(Time time);

    static void WriteHeader(std::ostream& os, const std::vector<std::string>& columns);

  private:
    bool TakeHeader(const std::string& text,
                    const std::string& header,
                    const std::vector<std::string>& optional);

    struct Row
    {
        std::size_t line;                ///< its line in the file
        std::vector<std::string> fields; ///< its fields
    };

    std::vector<std::string> Split(const std::string& text, std::size_t line) const;

    std::string m_path;                 ///< the file
    std::vector<std::string> m_columns; ///< names of columns
    std::vector<Row> m_rows;            ///< all rows but the header
};

} // namespace ns3

#endif /* CSV_FILE_H */
