// SPDX-License-Identifier: GPL-2.0-only

#include "goal-file.h"

#include "ns3/file-name.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_RANKS = 1U << 24; ///< of a schedule

/// Reads the text of a schedule, a word after the other.
class TextReader
{
  public:
    TextReader(const std::string& text, const std::string& name, bool keepsLabels)
        : m_text(text),
          m_name(name),
          m_keepsLabels(keepsLabels)
    {
    }

    GoalSchedule Read()
    {
        SkipLines();
        Expect("num_ranks", "'num_ranks N'");
        const auto nRanks = GetNumber("number of ranks", MAX_RANKS);
        if (nRanks == 0)
        {
            Refuse("there are 0 ranks; expected 1 or more");
        }
        EndLine();
        GoalSchedule schedule(static_cast<uint32_t>(nRanks));
        std::vector<bool> isRead(nRanks, false);
        for (SkipLines(); m_at < m_text.size(); SkipLines())
        {
            Expect("rank", "'rank R {'");
            const auto rank = GetNumber("rank", nRanks - 1);
            if (isRead[rank])
            {
                Refuse("rank " + std::to_string(rank) + " is there twice");
            }
            isRead[rank] = true;
            Expect("{", "'{'");
            ReadRank(schedule.At(static_cast<uint32_t>(rank)));
        }
        for (uint64_t rank = 0; rank < nRanks; ++rank)
        {
            if (!isRead[rank])
            {
                Refuse("rank " + std::to_string(rank) + " is missing; there are " +
                       std::to_string(nRanks) + " (num_ranks)");
            }
        }
        return schedule;
    }

  private:
    struct Labelled
    {
        std::string_view after;  ///< label of the one that waits
        std::string_view before; ///< label of the one waited for
        bool isOnStart;          ///< whether it waits for the start alone
        uint64_t line;           ///< where it stands
    };

    void ReadRank(GoalSchedule::Rank& rank)
    {
        std::unordered_map<std::string_view, uint32_t> labels;
        std::vector<Labelled> labelled;
        for (SkipLines(); GetWord() != "}"; SkipLines())
        {
            if (m_word.empty())
            {
                Refuse("the file ends within a rank; '}' is missing");
            }
            auto word = m_word;
            if (word != "send" && word != "recv" && word != "calc")
            {
                const auto label = word;
                if (!std::isalpha(static_cast<unsigned char>(label[0])))
                {
                    Refuse("'" + std::string(label) +
                           "' is no operation and no label; expected "
                           "send, recv and calc, labels as l1:, and l2 requires l1");
                }
                word = GetWord();
                if (word == "requires" || word == "irequires")
                {
                    labelled.push_back({label, GetWord(), word == "irequires", m_line});
                    EndLine();
                    continue;
                }
                if (word != ":")
                {
                    Refuse("'" + std::string(label) + " " + std::string(word) +
                           "' is no operation; expected send, recv or calc, a colon behind a "
                           "label, requires and irequires");
                }
                if (!labels.emplace(label, rank.operations.size()).second)
                {
                    Refuse("label '" + std::string(label) + "' is there twice in this rank");
                }
                word = GetWord();
            }
            ReadOperation(word, rank);
            EndLine();
        }
        if (m_keepsLabels)
        {
            rank.labels.insert(labels.begin(), labels.end());
        }
        for (const auto& each : labelled)
        {
            m_line = each.line;
            const auto find = [&](std::string_view label) {
                const auto found = labels.find(label);
                if (found == labels.end())
                {
                    Refuse("there is no label '" + std::string(label) + "' in this rank");
                }
                return found->second;
            };
            rank.dependencies.push_back({find(each.before), find(each.after), each.isOnStart});
        }
    }

    void ReadOperation(std::string_view word, GoalSchedule::Rank& rank)
    {
        GoalSchedule::Operation operation;
        if (word != "send" && word != "recv" && word != "calc")
        {
            Refuse("'" + std::string(word) + "' is no operation; expected send, recv or calc");
        }
        if (word == "calc")
        {
            operation.size = GetNumber("duration", std::numeric_limits<uint64_t>::max() / 2);
        }
        else
        {
            const bool isSend = word == "send";
            operation.kind = isSend ? GoalSchedule::SEND : GoalSchedule::RECEIVE;
            operation.size = GetNumber("length", std::numeric_limits<uint64_t>::max() / 2);
            Expect("b", "'b', bytes,");
            Expect(isSend ? "to" : "from", isSend ? "'to'" : "'from'");
            operation.peer = GetNumberOrAny("rank", !isSend);
        }
        for (auto word = PeekWord(); word == "tag" || word == "cpu" || word == "nic";
             word = PeekWord())
        {
            GetWord();
            if (word == "tag" && operation.kind != GoalSchedule::CALC)
            {
                operation.tag = GetNumberOrAny("tag", operation.kind == GoalSchedule::RECEIVE);
            }
            else if (word == "tag")
            {
                Refuse("a calc has no tag; expected cpu");
            }
            else
            {
                (word == "cpu" ? operation.cpu : operation.nic) =
                    static_cast<uint8_t>(GetNumber(std::string(word), 255));
            }
        }
        rank.operations.push_back(operation);
    }

    /// Passes over blanks and comments. @param withLines whether over ends of lines too
    void Skip(bool withLines)
    {
        while (m_at < m_text.size())
        {
            const auto letter = m_text[m_at];
            if (m_text.compare(m_at, 2, "//") == 0)
            {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            }
            else if (m_text.compare(m_at, 2, "/*") == 0)
            {
                const auto end = m_text.find("*/", m_at + 2);
                if (end == std::string::npos)
                {
                    Refuse("a comment does not end");
                }
                for (; m_at < end + 2; ++m_at)
                {
                    m_line += m_text[m_at] == '\n';
                }
            }
            else if (letter == ' ' || letter == '\t' || letter == '\r')
            {
                ++m_at;
            }
            else if (letter == '\n' && withLines)
            {
                ++m_line;
                ++m_at;
            }
            else
            {
                return;
            }
        }
    }

    void SkipLines()
    {
        Skip(true);
    }

    /// @return the next word of this line, or one letter that is none; empty at the line's end
    std::string_view GetWord()
    {
        Skip(false);
        const auto begin = m_at;
        const auto skip = [this](auto test) {
            while (m_at < m_text.size() && test(static_cast<unsigned char>(m_text[m_at])))
            {
                ++m_at;
            }
        };
        const auto first = m_at < m_text.size() ? static_cast<unsigned char>(m_text[m_at]) : '\n';
        if (std::isalpha(first))
        {
            skip([](unsigned char c) { return std::isalnum(c) || c == '_'; });
        }
        else if (std::isdigit(first) || first == '-')
        {
            ++m_at;
            skip([](unsigned char c) { return std::isdigit(c); });
        }
        else if (first != '\n')
        {
            ++m_at;
        }
        m_word = std::string_view(m_text).substr(begin, m_at - begin);
        return m_word;
    }

    std::string_view PeekWord()
    {
        const auto at = m_at;
        const auto word = GetWord();
        m_at = at;
        return word;
    }

    /// @return the next word as a number @param what what it is @param greatest what is accepted
    uint64_t GetNumber(const std::string& what, uint64_t greatest)
    {
        const auto word = GetWord();
        const auto last = word.data() + word.size();
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), last, number);
        if (error != std::errc() || end != last || number > greatest)
        {
            Refuse(what + " '" + std::string(word) + "': expected a whole number from 0 to " +
                   std::to_string(greatest));
        }
        return number;
    }

    uint32_t GetNumberOrAny(const std::string& what, bool mayBeAny)
    {
        if (mayBeAny && PeekWord() == "-1")
        {
            GetWord();
            return GoalSchedule::ANY;
        }
        return static_cast<uint32_t>(GetNumber(what, GoalSchedule::ANY - 1));
    }

    void Expect(const char* word, const std::string& shown)
    {
        if (GetWord() != word)
        {
            Refuse("'" + std::string(m_word) + "' is where " + shown + " is expected");
        }
    }

    void EndLine()
    {
        const auto word = GetWord();
        if (!word.empty())
        {
            Refuse("'" + std::string(word) + "' is where the line is expected to end");
        }
    }

    [[noreturn]] void Refuse(const std::string& trouble) const
    {
        throw WormholeError(m_name + ":" + std::to_string(m_line) + ": " + trouble);
    }

    const std::string& m_text; ///< the text
    const std::string& m_name; ///< its name
    bool m_keepsLabels;        ///< whether labels are kept
    std::size_t m_at{0};       ///< where the next word is
    uint64_t m_line{1};        ///< number of the line
    std::string_view m_word;   ///< the last word
};

constexpr uint64_t COOKIE = 4223; ///< number at the head of the binary form

/// Reads and checks numbers, least byte first.
class ByteReader
{
  public:
    ByteReader(const std::string& bytes, const std::string& name)
        : m_bytes(bytes),
          m_name(name)
    {
    }

    /// @return a number @param at where it is @param length its length, bytes
    uint64_t Get(uint64_t at, uint32_t length) const
    {
        if (at > m_bytes.size() || length > m_bytes.size() - at)
        {
            Refuse(at, "the file ends here; it is cut off, or no schedule");
        }
        uint64_t number = 0;
        for (uint32_t i = length; i > 0; --i)
        {
            number = number << 8 | static_cast<uint8_t>(m_bytes[at + i - 1]);
        }
        return number;
    }

    [[noreturn]] void Refuse(uint64_t at, const std::string& trouble) const
    {
        throw WormholeError(m_name + ", byte " + std::to_string(at) + ": " + trouble);
    }

  private:
    const std::string& m_bytes; ///< the bytes
    const std::string& m_name;  ///< their name
};

void
ReadBinaryRank(const ByteReader& reader, uint64_t at, GoalSchedule::Rank& rank)
{
    const uint64_t nOperations = reader.Get(at, 4);
    const uint64_t nRoots = reader.Get(at + 4, 4);
    const auto begin = at + 8 + 4 * nRoots;
    constexpr uint64_t each = 39; // bytes of an operation
    const auto appendix = begin + each * nOperations;
    reader.Get(appendix, 0);
    rank.operations.reserve(nOperations);
    for (uint64_t i = 0; i < nOperations; ++i)
    {
        const auto node = begin + each * i;
        const auto kind = reader.Get(node + 4, 1);
        if (kind < GoalSchedule::SEND || kind > GoalSchedule::CALC)
        {
            reader.Refuse(node + 4,
                          std::to_string(kind) +
                              " is no operation; expected 1 (send), 2 (recv) or 3 (calc)");
        }
        GoalSchedule::Operation operation;
        operation.kind = static_cast<GoalSchedule::Kind>(kind);
        operation.peer = static_cast<uint32_t>(reader.Get(node + 5, 4));
        operation.size = reader.Get(node + 9, 8);
        const auto rest = node + 17;
        operation.tag = static_cast<uint32_t>(reader.Get(rest, 4));
        operation.cpu = static_cast<uint8_t>(reader.Get(rest + 4, 1));
        operation.nic = static_cast<uint8_t>(reader.Get(rest + 5, 1));
        rank.operations.push_back(operation);
        for (const bool isOnStart : {false, true})
        {
            const auto list = rest + (isOnStart ? 14 : 6);
            const auto count = reader.Get(list, 4);
            const auto first = reader.Get(list + 4, 4);
            for (uint64_t j = 0; j < count; ++j)
            {
                const auto place = appendix + 4 * (first + j);
                const auto after = reader.Get(place, 4);
                if (after >= nOperations)
                {
                    reader.Refuse(place,
                                  "operation " + std::to_string(after) + " is none; there are " +
                                      std::to_string(nOperations));
                }
                rank.dependencies.push_back(
                    {static_cast<uint32_t>(i), static_cast<uint32_t>(after), isOnStart});
            }
        }
    }
}

/// Writes a number, least byte first. @param length its length, bytes
void
Put(std::string& os, uint64_t number, uint32_t length)
{
    for (uint32_t i = 0; i < length; ++i)
    {
        os += static_cast<char>(number >> (8 * i) & 0xff);
    }
}

std::string
WriteBinaryRank(const GoalSchedule::Rank& rank)
{
    const GoalSchedule::Successors onEnd(rank, false);
    const GoalSchedule::Successors onStart(rank, true);
    std::vector<uint32_t> missing(rank.operations.size(), 0);
    for (const auto& dependency : rank.dependencies)
    {
        ++missing[dependency.after];
    }
    std::string roots;
    std::string nodes;
    std::string appendix;
    uint32_t nRoots = 0;
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        const auto& operation = rank.operations[i];
        if (missing[i] == 0)
        {
            Put(roots, i, 4);
            ++nRoots;
        }
        Put(nodes, missing[i], 4);
        Put(nodes, operation.kind, 1);
        Put(nodes, operation.peer, 4);
        Put(nodes, operation.size, 8);
        Put(nodes, operation.tag, 4);
        Put(nodes, operation.cpu, 1);
        Put(nodes, operation.nic, 1);
        for (const auto* successors : {&onEnd, &onStart})
        {
            Put(nodes, successors->first[i + 1] - successors->first[i], 4);
            Put(nodes, appendix.size() / 4, 4);
            for (auto at = successors->first[i]; at < successors->first[i + 1]; ++at)
            {
                Put(appendix, successors->targets[at], 4);
            }
        }
    }
    std::string bytes;
    Put(bytes, rank.operations.size(), 4);
    Put(bytes, nRoots, 4);
    return bytes + roots + nodes + appendix;
}

} // namespace

GoalSchedule
GoalFile::Read(const std::string& path, bool keepsLabels)
{
    const auto bytes = FileName::Read(path);
    const bool isBinary = bytes.substr(0, 64).find('\0') != std::string::npos;
    auto schedule = isBinary ? ReadBinary(bytes, path) : ReadText(bytes, path, keepsLabels);
    try
    {
        schedule.Check();
    }
    catch (const WormholeError& error)
    {
        throw WormholeError(path + ": " + error.what());
    }
    schedule.SetName(path);
    return schedule;
}

GoalSchedule
GoalFile::ReadText(const std::string& text, const std::string& name, bool keepsLabels)
{
    return TextReader(text, name, keepsLabels).Read();
}

GoalSchedule
GoalFile::ReadBinary(const std::string& bytes, const std::string& name)
{
    const ByteReader reader(bytes, name);
    if (reader.Get(0, 8) != COOKIE)
    {
        reader.Refuse(0,
                      "the file does not begin with the number " + std::to_string(COOKIE) +
                          " in eight bytes, least byte first, as binary schedules do");
    }
    constexpr uint64_t base = 8;
    const auto nRanks = reader.Get(base, 4);
    // Ranks' parts are where a table says: beginning and end, from behind the cookie on.
    const auto table = base + 6;
    if (nRanks == 0 || nRanks > MAX_RANKS || nRanks > bytes.size() / 16)
    {
        reader.Refuse(base,
                      "there are " + std::to_string(nRanks) +
                          " ranks; expected 1 or more, "
                          "as many as the file has parts for");
    }
    GoalSchedule schedule(static_cast<uint32_t>(nRanks));
    for (uint64_t rank = 0; rank < nRanks; ++rank)
    {
        const auto begin = reader.Get(table + 16 * rank, 8);
        if (begin > bytes.size())
        {
            reader.Refuse(table + 16 * rank,
                          "rank " + std::to_string(rank) + " begins behind the end of the file");
        }
        ReadBinaryRank(reader, base + begin, schedule.At(static_cast<uint32_t>(rank)));
    }
    return schedule;
}

void
GoalFile::WriteText(std::ostream& os, const GoalSchedule& schedule)
{
    os << "num_ranks " << schedule.GetNRanks() << "\n";
    for (uint32_t rank = 0; rank < schedule.GetNRanks(); ++rank)
    {
        const auto& operations = schedule.At(rank).operations;
        const auto& dependencies = schedule.At(rank).dependencies;
        os << "\nrank " << rank << " {\n";
        for (std::size_t i = 0; i < operations.size(); ++i)
        {
            os << "l" << i << ": " << GoalSchedule::Print(operations[i]) << "\n";
        }
        for (const auto& dependency : dependencies)
        {
            os << "l" << dependency.after << (dependency.isOnStart ? " irequires l" : " requires l")
               << dependency.before << "\n";
        }
        os << "}\n";
    }
}

void
GoalFile::WriteBinary(std::ostream& os, const GoalSchedule& schedule)
{
    uint8_t maxCpu = 0;
    uint8_t maxNic = 0;
    std::string parts;
    std::string table;
    const uint64_t head = 6 + 16 * uint64_t{schedule.GetNRanks()};
    for (uint32_t rank = 0; rank < schedule.GetNRanks(); ++rank)
    {
        for (const auto& operation : schedule.At(rank).operations)
        {
            maxCpu = std::max(maxCpu, operation.cpu);
            maxNic = std::max(maxNic, operation.nic);
        }
        Put(table, head + parts.size(), 8);
        parts += WriteBinaryRank(schedule.At(rank));
        Put(table, head + parts.size(), 8);
    }
    std::string bytes;
    Put(bytes, COOKIE, 8);
    Put(bytes, schedule.GetNRanks(), 4);
    Put(bytes, maxCpu, 1);
    Put(bytes, maxNic, 1);
    os << bytes << table << parts;
}

} // namespace ns3
