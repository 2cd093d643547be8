// SPDX-License-Identifier: GPL-2.0-only

#include "csv-table.h"

#include "ns3/text-tools.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

template <typename Number>
void
PackNumber(std::string& bytes, Number value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename Number>
Number
UnpackNumber(const std::string& bytes, std::size_t& place)
{
    Number value;
    std::memcpy(&value, bytes.data() + place, sizeof(value));
    place += sizeof(value);
    return value;
}

bool
IsAlways(const CsvColumn& column)
{
    return !column.isThere;
}

} // namespace

CsvColumn::CsvColumn(const std::string& text, int decimals)
    : decimals(decimals)
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

std::string
CsvColumn::GetText(const CsvRow& row) const
{
    const auto& value = row[name];
    return decimals == TEXT    ? CsvFile::Quote(value.Text())
           : decimals == WHOLE ? std::to_string(std::llround(value))
                               : CsvFile::Fixed(value, decimalsOf ? decimalsOf(row) : decimals);
}

CsvRow::CsvRow(const CsvTable& table)
    : m_table(&table),
      m_values(table.GetColumns().size())
{
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        m_values[i] = table.GetColumns()[i].absent;
    }
}

std::size_t
CsvRow::Find(const std::string& column) const
{
    const auto& columns = m_table->GetColumns();
    const auto found = FindIn(columns, [&](const auto& each) { return each.name == column; });
    if (found == columns.end())
    {
        throw std::out_of_range("no column " + column);
    }
    return found - columns.begin();
}

std::string
CsvRow::GetText(const std::string& column) const
{
    return m_table->GetColumns()[Find(column)].GetText(*this);
}

std::string
CsvRow::GetKey(const std::vector<std::string>& columns) const
{
    std::ostringstream key;
    key.precision(17);
    for (const auto& column : columns)
    {
        const auto& value = (*this)[column];
        key << (&column == &columns.front() ? "" : "\n");
        if (m_table->GetColumns()[Find(column)].decimals == CsvColumn::TEXT)
        {
            key << value.Text();
        }
        else
        {
            key << double(value);
        }
    }
    return key.str();
}

void
CsvTable::Write(std::ostream& os, const std::vector<CsvRow>& rows) const
{
    const auto isWritten = [&](const CsvColumn& column) {
        return IsAlways(column) || AnyOf(rows, column.isThere);
    };
    const auto written = ThoseOf(m_columns, isWritten);
    CsvFile::WriteHeader(os, GetNames(isWritten));
    for (const auto& row : rows)
    {
        const auto texts = MadeOf(written, [&](const auto& column) { return column.GetText(row); });
        os << boost::algorithm::join(texts, ",") << '\n';
    }
}

std::string
CsvTable::Pack(const std::vector<CsvRow>& rows) const
{
    std::string bytes;
    for (const auto& row : rows)
    {
        for (const auto& value : row.m_values)
        {
            PackNumber<double>(bytes, value);
            PackNumber(bytes, value.Text().size());
            bytes += value.Text();
        }
        PackNumber(bytes, row.samples.size());
        for (const auto sample : row.samples)
        {
            PackNumber(bytes, sample);
        }
    }
    return bytes;
}

std::vector<CsvRow>
CsvTable::Unpack(const std::string& bytes) const
{
    std::vector<CsvRow> rows;
    for (std::size_t place = 0; place < bytes.size();)
    {
        rows.emplace_back(*this);
        for (auto& value : rows.back().m_values)
        {
            value = UnpackNumber<double>(bytes, place);
            const auto size = UnpackNumber<std::size_t>(bytes, place);
            value = bytes.substr(place, size);
            place += size;
        }
        rows.back().samples.resize(UnpackNumber<std::size_t>(bytes, place));
        for (auto& sample : rows.back().samples)
        {
            sample = UnpackNumber<double>(bytes, place);
        }
    }
    return rows;
}

std::vector<CsvRow>
CsvTable::Read(const std::string& path) const
{
    const CsvFile file(path, GetNames(IsAlways), GetNames([](const CsvColumn& column) {
                           return !IsAlways(column);
                       }));
    std::vector<CsvRow> rows;
    for (std::size_t i = 0; i < file.GetNRows(); ++i)
    {
        if (m_filter && !m_filter(file, i))
        {
            continue;
        }
        rows.emplace_back(*this);
        for (const auto& column : m_columns)
        {
            auto& value = rows.back()[column.name];
            if (!file.Has(column.name))
            {
                continue;
            }
            if (column.decimals != CsvColumn::TEXT)
            {
                value = column.decimals == CsvColumn::WHOLE ? file.GetWhole(i, column.name)
                                                            : file.GetNumber(i, column.name);
                continue;
            }
            value = file.Get(i, column.name);
            if (!column.words.empty() && !IsIn(column.words, value.Text()))
            {
                file.Refuse(i, column.name, WordList::WithOr(column.words));
            }
        }
        if (m_check)
        {
            m_check(file, i, rows.back());
        }
    }
    return rows;
}

} // namespace ns3
