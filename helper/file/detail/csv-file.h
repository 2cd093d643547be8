/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_FILE_H
#define CSV_FILE_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A file of comma-separated values with a header line, which knows where each value stands.
 *
 * A field may be in double quotes, then commas are part of it and two double quotes are one; it
 * ends on its line all the same. Lines are numbered from 1, the header's. Fields hold printable
 * text; `'` before what looks like a formula is taken away, see Quote.
 */
class CsvFile
{
  public:
    /// Reads a file whole.
    /// @param path the file
    /// @param columns columns that it must have, in that order and no others
    /// @param optional columns that it may have behind those, any of them in that order
    /// @throws WormholeError if it can't be read, has other columns or a line with more or fewer
    /// fields, ends within quotes, or has a field that is not printable
    CsvFile(const std::string& path,
            const std::vector<std::string>& columns,
            const std::vector<std::string>& optional = {});

    /// @return whether it has a column @param column its name
    bool Has(const std::string& column) const;

    /// @return number of rows
    std::size_t GetNRows() const
    {
        return m_rows.size();
    }

    /// @return a field @param row the row, from 0 @param column name of its column
    const std::string& Get(std::size_t row, const std::string& column) const;

    /// @param row the row, from 0
    /// @param column name of its column
    /// @return the field as a number, NaN for "nan"
    /// @throws WormholeError if it is none
    double GetNumber(std::size_t row, const std::string& column) const;

    /// @param row the row, from 0
    /// @param column name of its column
    /// @return the field as a whole number
    /// @throws WormholeError if it is none
    uint32_t GetWhole(std::size_t row, const std::string& column) const;

    /// Refuses a field.
    /// @param row the row, from 0
    /// @param column name of its column
    /// @param accepted what would be accepted
    /// @throws WormholeError always
    [[noreturn]] void Refuse(std::size_t row,
                             const std::string& column,
                             const std::string& accepted) const;

    /// Spreadsheets take text that begins with `=`, `+`, `-`, `@`, a tab or an end of a line for a
    /// formula: such a field, if it is no number, gets `'` before it, and so does one that begins
    /// with `'` and such a field. The reader takes it away again.
    /// @param field a text
    /// @return it for a file, in quotes if it needs them
    static std::string Quote(const std::string& field);

    /// @return a number for a file, "nan" for NaN of either sign
    /// @param value the number
    /// @param decimals number of its decimals
    static std::string Fixed(double value, int decimals);

    /// Writes a header line. @param os where to @param columns names of the columns
    static void WriteHeader(std::ostream& os, const std::vector<std::string>& columns);

  private:
    /// Takes the columns of a header. @return whether it is one that is accepted
    bool TakeHeader(const std::string& text,
                    const std::string& header,
                    const std::vector<std::string>& optional);

    struct Row
    {
        std::size_t line;                ///< its line in the file
        std::vector<std::string> fields; ///< its fields
    };

    /// @return the fields of a line @param text the line @param line its number
    std::vector<std::string> Split(const std::string& text, std::size_t line) const;

    std::string m_path;                 ///< the file
    std::vector<std::string> m_columns; ///< names of columns
    std::vector<Row> m_rows;            ///< all rows but the header
};

} // namespace ns3

#endif /* CSV_FILE_H */
