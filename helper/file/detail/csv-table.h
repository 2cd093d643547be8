// SPDX-License-Identifier: GPL-2.0-only

#ifndef CSV_TABLE_H
#define CSV_TABLE_H

#include "csv-file.h"

#include "ns3/ordering.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class CsvRow;
class CsvTable;

/// A column of a table: its description, and how its values are written.
struct CsvColumn
{
    static constexpr int TEXT = -2;  ///< in place of a number of decimals: texts
    static constexpr int WHOLE = -1; ///< in place of a number of decimals: whole numbers
    static constexpr int NUMBER = 3; ///< usual number of decimals: us are written to the ns

    /// @param text its name, the unit of its numbers and its contents, such as "time_us (us): Time
    /// of a round"; only the name is required
    /// @param decimals number of decimals of its numbers; or TEXT, or WHOLE
    CsvColumn(const std::string& text, int decimals = TEXT);

    CsvColumn(const char* text, int decimals = TEXT)
        : CsvColumn(std::string(text), decimals)
    {
    }

    CsvColumn(const std::string& text, const std::vector<std::string>& words)
        : CsvColumn(text)
    {
        this->words = words;
    }

    /// @param decimals returns the number of decimals for a row
    CsvColumn(const std::string& text, const std::function<int(const CsvRow&)>& decimals)
        : CsvColumn(text, NUMBER)
    {
        decimalsOf = decimals;
    }

    std::string GetText(const CsvRow& row) const;

    std::string name;                             ///< its name in the header
    std::string unit;                             ///< unit of its numbers; empty: none
    std::string doc;                              ///< what it holds
    int decimals;                                 ///< number of decimals, or TEXT, or WHOLE
    std::function<int(const CsvRow&)> decimalsOf; ///< number for a row; null: decimals
    std::vector<std::string> words;               ///< texts accepted; empty: any
    double absent{0};                             ///< its number if a file lacks the column
    std::function<bool(const CsvRow&)>
        isThere; ///< whether a row needs it; null: it is always written
};

/// A value of a row: a number, or a text.
class CsvValue
{
  public:
    CsvValue& operator=(double number)
    {
        m_number = number;
        return *this;
    }

    CsvValue& operator=(const std::string& text)
    {
        m_text = text;
        return *this;
    }

    CsvValue& operator+=(double number)
    {
        return *this = m_number + number;
    }

    operator double() const
    {
        return m_number;
    }

    uint32_t Whole() const
    {
        return static_cast<uint32_t>(m_number);
    }

    const std::string& Text() const
    {
        return m_text;
    }

  private:
    double m_number{0};
    std::string m_text;
};

/// A row of a table: a value in each of its columns, by name.
class CsvRow
{
  public:
    explicit CsvRow(const CsvTable& table);

    CsvValue& operator[](const std::string& column)
    {
        return m_values[Find(column)];
    }

    const CsvValue& operator[](const std::string& column) const
    {
        return m_values[Find(column)];
    }

    /// @return a value as written to CSV @param column name of its column
    std::string GetText(const std::string& column) const;

    /// @return a text that is the same for rows whose values in these columns agree in all digits
    std::string GetKey(const std::vector<std::string>& columns) const;

    const CsvTable& GetTable() const
    {
        return *m_table;
    }

    std::vector<double> samples; ///< numbers that are packed, but not written

  private:
    friend class CsvTable;

    std::size_t Find(const std::string& column) const;

    const CsvTable* m_table;
    std::vector<CsvValue> m_values; // by column
};

/// The columns of a table, each defined once: its name, unit and meaning, and how its values are
/// written. Rows are written to CSV, and read from CSV, by the same list.
class CsvTable
{
  public:
    using Needs = std::function<bool(const CsvRow&)>; ///< whether a row needs a column

    /// Checks a row that was read, and refuses an invalid one by CsvFile::Refuse.
    using Check = std::function<void(const CsvFile& file, std::size_t index, const CsvRow& row)>;

    using Filter = std::function<bool(const CsvFile& file, std::size_t index)>;

    CsvTable(std::initializer_list<CsvColumn> columns)
        : m_columns(columns)
    {
    }

    void Add(const CsvColumn& column)
    {
        m_columns.push_back(column);
    }

    /// Adds columns that are written only if some row needs them.
    /// @param needs whether a row needs them
    /// @param absent their numbers in rows of files that lack these columns
    CsvTable& AddOptional(const Needs& needs,
                          const std::vector<CsvColumn>& columns,
                          double absent = 0)
    {
        for (const auto& column : columns)
        {
            m_columns.push_back(column);
            m_columns.back().isThere = needs;
            m_columns.back().absent = absent;
        }
        return *this;
    }

    CsvTable& SetCheck(Check check)
    {
        m_check = std::move(check);
        return *this;
    }

    CsvTable& SetFilter(Filter filter)
    {
        m_filter = std::move(filter);
        return *this;
    }

    const std::vector<CsvColumn>& GetColumns() const
    {
        return m_columns;
    }

    void Write(std::ostream& os, const std::vector<CsvRow>& rows) const;

    /// @return the rows as bytes, without rounding, for Unpack in a process of this program
    std::string Pack(const std::vector<CsvRow>& rows) const;

    std::vector<CsvRow> Unpack(const std::string& bytes) const;

    /// Reads CSV.
    /// @throws WormholeError if the file is not such a table
    std::vector<CsvRow> Read(const std::string& path) const;

  private:
    std::vector<std::string> GetNames(const std::function<bool(const CsvColumn&)>& isWanted) const
    {
        return MadeOf(ThoseOf(m_columns, isWanted), [](const auto& column) { return column.name; });
    }

    std::vector<CsvColumn> m_columns;
    Check m_check;   // may be null
    Filter m_filter; // may be null
};

} // namespace ns3

#endif /* CSV_TABLE_H */
