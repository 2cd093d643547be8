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
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// What is said of a column of a table.
struct CsvColumn
{
    /// @param theName its name @param theUnit its unit; empty: none @param theDoc what it holds
    CsvColumn(const char* theName, const char* theUnit = "", const char* theDoc = "")
        : name(theName),
          unit(theUnit),
          doc(theDoc)
    {
    }

    std::string name; ///< its name in the header
    std::string unit; ///< unit of its numbers; empty: none
    std::string doc;  ///< what it holds
};

/**
 * @ingroup wormhole
 * @brief The columns of a table, each said once: its name, unit and meaning, the member that it
 * holds, and how that is written. Rows are written to CSV and read from it by the same list.
 *
 * @tparam Row what a row is
 */
template <typename Row>
class CsvTable
{
  public:
    /// Refuses what is wrong with a row that was read, by CsvFile::Refuse.
    using Check = std::function<void(const CsvFile& file, std::size_t index, const Row& row)>;

    /// Adds a column of texts. @param column it @param member what it holds @return this
    CsvTable& AddText(const CsvColumn& column, std::string Row::* member)
    {
        return Add(
            column,
            [member](const Row& row) { return CsvFile::Quote(row.*member); },
            [member, name = column.name](const CsvFile& file, std::size_t index, Row& row) {
                row.*member = file.Get(index, name);
            },
            [member](const Row& row) {
                const uint64_t size = (row.*member).size();
                return PackValue(size) + row.*member;
            },
            [member](const std::string& bytes, std::size_t& place, Row& row) {
                const auto size = UnpackValue<uint64_t>(bytes, place);
                row.*member = bytes.substr(place, size);
                place += size;
            });
    }

    /**
     * Adds a column of words.
     * @param column it
     * @param member what it holds
     * @param words words accepted
     * @return this
     */
    CsvTable& AddWord(const CsvColumn& column,
                      std::string Row::* member,
                      const std::vector<std::string>& words)
    {
        AddText(column, member);
        auto& read = m_columns.back().read;
        read = [readText = read, member, name = column.name, words](const CsvFile& file,
                                                                    std::size_t index,
                                                                    Row& row) {
            readText(file, index, row);
            if (std::find(words.begin(), words.end(), row.*member) == words.end())
            {
                file.Refuse(index, name, WordList::WithOr(words));
            }
        };
        return *this;
    }

    /// Adds a column of whole numbers. @param column it @param member what it holds
    /// @return this
    template <typename Number>
    CsvTable& AddWhole(const CsvColumn& column, Number Row::* member)
    {
        return Add(
            column,
            [member](const Row& row) { return std::to_string(row.*member); },
            [member, name = column.name](const CsvFile& file, std::size_t index, Row& row) {
                row.*member = file.GetWhole(index, name);
            },
            [member](const Row& row) { return PackValue(row.*member); },
            [member](const std::string& bytes, std::size_t& place, Row& row) {
                row.*member = UnpackValue<Number>(bytes, place);
            });
    }

    /// Adds a column of numbers. @param column it @param member what it holds
    /// @param decimals how many of them are written @return this
    CsvTable& AddNumber(const CsvColumn& column, double Row::* member, int decimals)
    {
        return AddNumber(column, member, [decimals](const Row&) { return decimals; });
    }

    /// Adds a column of numbers. @param column it @param member what it holds
    /// @param decimals returns how many of them are written of a row @return this
    CsvTable& AddNumber(const CsvColumn& column,
                        double Row::* member,
                        std::function<int(const Row&)> decimals)
    {
        return Add(
            column,
            [member, decimals](const Row& row) {
                return CsvFile::Fixed(row.*member, decimals(row));
            },
            [member, name = column.name](const CsvFile& file, std::size_t index, Row& row) {
                row.*member = file.GetNumber(index, name);
            },
            [member](const Row& row) { return PackValue(row.*member); },
            [member](const std::string& bytes, std::size_t& place, Row& row) {
                row.*member = UnpackValue<double>(bytes, place);
            });
    }

    /**
     * Has the last column be there only if it says something.
     * @param isNeeded whether a row needs it
     * @return this
     */
    CsvTable& SetOptional(std::function<bool(const Row&)> isNeeded)
    {
        m_columns.back().isNeeded = std::move(isNeeded);
        return *this;
    }

    /// Checks rows that are read. @param check what checks a row @return this
    CsvTable& SetCheck(Check check)
    {
        m_check = std::move(check);
        return *this;
    }

    /// @return names of the columns that are always there, in order
    std::vector<std::string> GetColumns() const
    {
        return GetNames([](const Column& column) { return !column.isNeeded; });
    }

    /// @return what is said of all columns, in order
    std::vector<CsvColumn> Describe() const
    {
        return {m_columns.begin(), m_columns.end()};
    }

    /// Writes CSV. @param os where to @param rows the rows
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

    /// @return rows as bytes, nothing of them rounded, for Unpack in a process of this program
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
        }
        return bytes;
    }

    /// @return rows @param bytes what Pack returned
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
        }
        return rows;
    }

    /**
     * Reads CSV.
     * @param path the file
     * @return its rows
     * @throws WormholeError if it is no such file
     */
    std::vector<Row> Read(const std::string& path) const
    {
        const CsvFile file(path, GetColumns(), GetNames([](const Column& column) {
                               return bool(column.isNeeded);
                           }));
        std::vector<Row> rows(file.GetNRows());
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            for (const auto& column : m_columns)
            {
                if (!column.isNeeded || file.Has(column.name))
                {
                    column.read(file, i, rows[i]);
                }
            }
            if (m_check)
            {
                m_check(file, i, rows[i]);
            }
        }
        return rows;
    }

  private:
    /// Writes a field.
    using Writer = std::function<std::string(const Row&)>;
    /// Reads a field.
    using Reader = std::function<void(const CsvFile&, std::size_t, Row&)>;
    /// Returns a field's bytes.
    using Packer = std::function<std::string(const Row&)>;
    /// Takes a field's bytes from a place on, which is moved behind them.
    using Unpacker = std::function<void(const std::string&, std::size_t& place, Row&)>;

    /// A column.
    struct Column : public CsvColumn
    {
        Writer write;                             ///< writes a field of it
        Reader read;                              ///< reads one
        Packer pack;                              ///< returns its bytes
        Unpacker unpack;                          ///< takes them
        std::function<bool(const Row&)> isNeeded; ///< null: it is always there
    };

    /// @return a number's bytes @param value the number
    template <typename Number>
    static std::string PackValue(Number value)
    {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    }

    /// @return a number @param bytes where from @param place where there; is moved behind it
    template <typename Number>
    static Number UnpackValue(const std::string& bytes, std::size_t& place)
    {
        Number value;
        std::memcpy(&value, bytes.data() + place, sizeof(value));
        place += sizeof(value);
        return value;
    }

    /// Adds a column. @param column it @param write writes a field @param read reads one
    /// @param pack returns its bytes @param unpack takes them @return this
    CsvTable& Add(const CsvColumn& column, Writer write, Reader read, Packer pack, Unpacker unpack)
    {
        m_columns.push_back({column,
                             std::move(write),
                             std::move(read),
                             std::move(pack),
                             std::move(unpack),
                             nullptr});
        return *this;
    }

    /// @return names of some columns @param wanted says which
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

    std::vector<Column> m_columns; ///< the columns, in order
    Check m_check;                 ///< checks rows that are read; may be null
};

} // namespace ns3

#endif /* CSV_TABLE_H */
