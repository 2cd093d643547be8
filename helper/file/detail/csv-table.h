/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_TABLE_H
#define CSV_TABLE_H

#include "csv-file.h"

#include "ns3/word-list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/// Description of a table column.
struct CsvColumn
{
    /// @param text name, unit and meaning, as "time_us (us): Time of a round"; only the name is
    ///        required
    CsvColumn(const std::string& text)
    {
        const auto colon = text.find(": ");
        const auto open = text.find(" (");
        doc = colon == std::string::npos ? "" : text.substr(colon + 2);
        name = text.substr(0, std::min(open, colon));
        if (open < colon)
        {
            unit = text.substr(open + 2, text.find(')') - open - 2);
        }
    }

    /// @param text as above
    CsvColumn(const char* text)
        : CsvColumn(std::string(text))
    {
    }

    std::string name; ///< its name in the header
    std::string unit; ///< unit of numbers; empty: none
    std::string doc;  ///< meaning
};

/**
 * @ingroup wormhole
 * @brief The columns of a table, each defined once: name, unit, meaning, the row member that it
 *        holds, and its format. Rows are written to and read from CSV by the same definition.
 *
 * type of a row
 */
template <typename Row>
class CsvTable
{
  public:
    /// A column, by type of its values.
    class Column : public CsvColumn
    {
      public:
        /// A text.
        /// @param said description
        /// @param member row member
        /// @param words allowed words; empty: any text
        Column(const CsvColumn& said,
               std::string Row::* member,
               const std::vector<std::string>& words = {})
            : CsvColumn(said),
              write([member](const Row& row) { return CsvFile::Quote(row.*member); }),
              pack([member](const Row& row) {
                  const uint64_t size = (row.*member).size();
                  return PackValue(size) + row.*member;
              }),
              unpack([member](const std::string& bytes, std::size_t& place, Row& row) {
                  const auto size = UnpackValue<uint64_t>(bytes, place);
                  row.*member = bytes.substr(place, size);
                  place += size;
              })
        {
            read = [member, words, name = this->name](const CsvFile& file,
                                                      std::size_t index,
                                                      Row& row) {
                row.*member = file.Get(index, name);
                if (!words.empty() &&
                    std::find(words.begin(), words.end(), row.*member) == words.end())
                {
                    file.Refuse(index, name, WordList::WithOr(words));
                }
            };
        }

        /// A column that rows do not hold, and that is not written. @param name its name
        Column(const char* name)
            : CsvColumn(name),
              write([](const Row&) { return std::string(); }),
              read([](const CsvFile&, std::size_t, Row&) {}),
              pack(write),
              unpack([](const std::string&, std::size_t&, Row&) {})
        {
        }

        /// A whole number. @param said description @param member row member
        Column(const CsvColumn& said, uint32_t Row::* member)
            : Column(said, member, [member](const Row& row) { return std::to_string(row.*member); })
        {
        }

        /// A large whole number. @param said description @param member row member
        Column(const CsvColumn& said, uint64_t Row::* member)
            : Column(said, member, [member](const Row& row) { return std::to_string(row.*member); })
        {
        }

        /// A number.
        /// @param said description
        /// @param member row member
        /// @param decimals number of decimals; 3 digits of us are ns
        Column(const CsvColumn& said, double Row::* member, int decimals = 3)
            : Column(said, member, [decimals](const Row&) { return decimals; })
        {
        }

        /// A number.
        /// @param said description
        /// @param member row member
        /// @param decimals returns the number of decimals for a row
        Column(const CsvColumn& said,
               double Row::* member,
               const std::function<int(const Row&)>& decimals)
            : Column(said, member, [member, decimals](const Row& row) {
                  return CsvFile::Fixed(row.*member, decimals(row));
              })
        {
        }

      private:
        friend class CsvTable;

        template <typename Number>
        Column(const CsvColumn& said,
               Number Row::* member,
               std::function<std::string(const Row&)> writer)
            : CsvColumn(said),
              write(std::move(writer)),
              number([member](const Row& row) { return static_cast<double>(row.*member); }),
              pack([member](const Row& row) { return PackValue(row.*member); }),
              unpack([member](const std::string& bytes, std::size_t& place, Row& row) {
                  row.*member = UnpackValue<Number>(bytes, place);
              })
        {
            read = [member, name = this->name](const CsvFile& file, std::size_t index, Row& row) {
                if constexpr (std::is_floating_point_v<Number>)
                {
                    row.*member = file.GetNumber(index, name);
                }
                else
                {
                    row.*member = file.GetWhole(index, name);
                }
            };
        }

        std::function<std::string(const Row&)> write;                        ///< writes a field
        std::function<void(const CsvFile&, std::size_t index, Row&)> read{}; ///< reads a field
        std::function<double(const Row&)> number{};  ///< returns its number; null if it has none
        std::function<std::string(const Row&)> pack; ///< serializes a field
        /// Deserializes a field at a position, which is advanced.
        std::function<void(const std::string&, std::size_t& place, Row&)> unpack;
        std::function<bool(const Row&)> isNeeded{}; ///< null: always present
    };

    /// Checks a row that was read, and refuses errors by CsvFile::Refuse.
    using Check = std::function<void(const CsvFile& file, std::size_t index, const Row& row)>;

    /// @param columns its columns, in order
    CsvTable(std::initializer_list<Column> columns)
        : m_columns(columns)
    {
    }

    /// Adds numbers that Pack and Unpack preserve, but are not written.
    /// @param member row member
    /// @return this
    CsvTable& AddPacked(std::vector<double> Row::* member)
    {
        m_packed.push_back(member);
        return *this;
    }

    /// Adds columns that are present only if some row needs them.
    /// @param isNeeded whether a row needs them
    /// @param columns the columns
    /// @return this
    CsvTable& AddOptional(const std::function<bool(const Row&)>& isNeeded,
                          const std::vector<Column>& columns)
    {
        for (const auto& column : columns)
        {
            m_columns.push_back(column);
            m_columns.back().isNeeded = isNeeded;
        }
        return *this;
    }

    /// Checks rows that are read. @param check checks a row @return this
    CsvTable& SetCheck(Check check)
    {
        m_check = std::move(check);
        return *this;
    }

    /// @return names of the columns that are always present, in order
    std::vector<std::string> GetColumns() const
    {
        return GetNames([](const Column& column) { return !column.isNeeded; });
    }

    /// @return descriptions of all columns, in order
    std::vector<CsvColumn> Describe() const
    {
        return {m_columns.begin(), m_columns.end()};
    }

    /// @return a row's field as in CSV @param row the row @param name name of the column
    std::string GetText(const Row& row, const std::string& name) const
    {
        return Find(name).write(row);
    }

    /// @return a row's unrounded number @param row the row @param name name of the column
    double GetNumber(const Row& row, const std::string& name) const
    {
        return Find(name).number(row);
    }

    /// Writes CSV. @param os output stream @param rows the rows
    void Write(std::ostream& os, const std::vector<Row>& rows) const
    {
        const auto isWritten = [&](const Column& column) {
            return !column.isNeeded || std::any_of(rows.begin(), rows.end(), column.isNeeded);
        };
        CsvFile::WriteHeader(os, GetNames(isWritten));
        for (const auto& row : rows)
        {
            const char* comma = "";
            for (const auto& column : m_columns)
            {
                if (isWritten(column))
                {
                    os << comma << column.write(row);
                    comma = ",";
                }
            }
            os << '\n';
        }
    }

    /// @return rows serialized without rounding, for Unpack in a process of this program
    /// @param rows the rows
    std::string Pack(const std::vector<Row>& rows) const
    {
        std::string bytes;
        for (const auto& row : rows)
        {
            for (const auto& column : m_columns)
            {
                bytes += column.pack(row);
            }
            for (const auto member : m_packed)
            {
                bytes += PackValue((row.*member).size());
                for (const auto value : row.*member)
                {
                    bytes += PackValue(value);
                }
            }
        }
        return bytes;
    }

    /// @return the rows @param bytes result of Pack
    std::vector<Row> Unpack(const std::string& bytes) const
    {
        std::vector<Row> rows;
        for (std::size_t place = 0; place < bytes.size();)
        {
            rows.emplace_back();
            for (const auto& column : m_columns)
            {
                column.unpack(bytes, place, rows.back());
            }
            for (const auto member : m_packed)
            {
                auto& values = rows.back().*member;
                values.resize(UnpackValue<std::size_t>(bytes, place));
                for (auto& value : values)
                {
                    value = UnpackValue<double>(bytes, place);
                }
            }
        }
        return rows;
    }

    /// Returns whether a row is read.
    using Filter = std::function<bool(const CsvFile& file, std::size_t index)>;

    /// Reads CSV.
    /// @param path the file
    /// @param isWanted which rows are read; null: all
    /// @return its rows
    /// @throws WormholeError if it is not such a file
    std::vector<Row> Read(const std::string& path, const Filter& isWanted = nullptr) const
    {
        const CsvFile file(path, GetColumns(), GetNames([](const Column& column) {
                               return bool(column.isNeeded);
                           }));
        std::vector<Row> rows;
        for (std::size_t i = 0; i < file.GetNRows(); ++i)
        {
            if (isWanted && !isWanted(file, i))
            {
                continue;
            }
            rows.emplace_back();
            for (const auto& column : m_columns)
            {
                if (!column.isNeeded || file.Has(column.name))
                {
                    column.read(file, i, rows.back());
                }
            }
            if (m_check)
            {
                m_check(file, i, rows.back());
            }
        }
        return rows;
    }

  private:
    /// @return a column @param name its name @throws std::out_of_range if there is none
    const Column& Find(const std::string& name) const
    {
        const auto found = std::find_if(m_columns.begin(),
                                        m_columns.end(),
                                        [&](const auto& column) { return column.name == name; });
        return m_columns.at(found - m_columns.begin());
    }

    /// @return a number's bytes @param value the number
    template <typename Number>
    static std::string PackValue(Number value)
    {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    }

    /// @return a number @param bytes the bytes @param place its position, which is advanced
    template <typename Number>
    static Number UnpackValue(const std::string& bytes, std::size_t& place)
    {
        Number value;
        std::memcpy(&value, bytes.data() + place, sizeof(value));
        place += sizeof(value);
        return value;
    }

    /// @return names of some columns @param wanted selects them
    std::vector<std::string> GetNames(const std::function<bool(const Column&)>& wanted) const
    {
        std::vector<std::string> names;
        for (const auto& column : m_columns)
        {
            if (wanted(column))
            {
                names.push_back(column.name);
            }
        }
        return names;
    }

    std::vector<Column> m_columns;                    ///< the columns, in order
    std::vector<std::vector<double> Row::*> m_packed; ///< numbers that are not written
    Check m_check;                                    ///< checks rows that are read; may be null
};

} // namespace ns3

#endif /* CSV_TABLE_H */
