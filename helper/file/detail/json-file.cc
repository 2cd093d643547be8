// SPDX-License-Identifier: GPL-2.0-only

#include "json-file.h"

#include "file-name.h"

#include "ns3/printable-text.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <locale>
#include <set>
#include <sstream>

// Boost 1.73 to 1.75 announce in every build that their own JSON parser uses these.
#ifndef BOOST_BIND_GLOBAL_PLACEHOLDERS
#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#endif
#include <boost/version.hpp>
#if BOOST_VERSION <= 106600 && __cplusplus > 201703L
#error "PropertyTree of Boost 1.66 is no C++20: compile this file, which needs no ns-3, as C++17"
#endif
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

namespace ns3
{

namespace
{

constexpr const char* BYTE_ORDER_MARK = "\xef\xbb\xbf"; ///< what UTF-8 may begin with
constexpr std::size_t MAX_DEPTH = 64; ///< read; the property tree's parser and destructor recur
constexpr std::size_t MAX_SHOWN = 60; ///< bytes of a value that a message shows

/// What a value is, by its first character.
enum Kind
{
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    WORD ///< true, false, null
};

const char* const KIND_NAMES[] = {"an object", "an array", "a string", "a number", "a bare word"};

struct Entry
{
    Kind kind;                        ///< what the value is
    std::size_t first;                ///< offset of its first character
    std::size_t last;                 ///< offset past its last character
    std::size_t keyAt;                ///< offset of its key, or of the value if it has none
    uint32_t parent;                  ///< index of the array or object around it; the root's own
    uint32_t end;                     ///< index past the last value inside it
    const std::string* key{nullptr};  ///< its key, if it is an object's member
    const std::string* text{nullptr}; ///< what the property tree holds for it
};

/// @return the text on one line, what is not printable as \\uXXXX, cut where it is long
std::string
Show(std::string_view text)
{
    std::string shown;
    // All that is shown, and the rest of the last sequence.
    const std::string whole(text.substr(0, MAX_SHOWN + sizeof(uint32_t)));
    for (std::size_t i = 0; i < whole.size();)
    {
        if (shown.size() >= MAX_SHOWN)
        {
            return shown + "...";
        }
        uint32_t code = 0xfffd; // of what is no UTF-8
        const auto n = std::max<std::size_t>(PrintableText::Decode(whole, i, code), 1);
        const auto letter = whole.substr(i, n);
        if (PrintableText::IsPrintable(letter))
        {
            shown += letter;
        }
        else
        {
            char escaped[12];
            std::snprintf(escaped, sizeof(escaped), code > 0xffff ? "\\U%08x" : "\\u%04x", code);
            shown += escaped;
        }
        i += n;
    }
    return shown;
}

} // namespace

/// The content of a JSON file: text, property tree, and where every value stands.
class JsonFile::Document
{
  public:
    explicit Document(const std::string& path)
        : m_path(path)
    {
        ReadText();
        Scan();
        Parse();
        Attach(m_tree, 0);
    }

    std::size_t LineAt(std::size_t offset) const
    {
        return 1 + std::count(text.begin(), text.begin() + std::min(offset, text.size()), '\n');
    }

    [[noreturn]] void Refuse(std::size_t offset, const std::string& message) const
    {
        throw WormholeError(m_path + ":" + std::to_string(LineAt(offset)) + ": " + message);
    }

    std::vector<Entry> entries; ///< all values, in document order
    std::string text;           ///< the file's text

  private:
    void ReadText()
    {
        text = FileName::Read(m_path);
        WormholeError::ThrowIf(text.empty(), m_path + ": empty file: expected a JSON file");
        // The property tree takes whatever two bytes follow the first one for the rest of the mark.
        if (text[0] == BYTE_ORDER_MARK[0] && text.compare(0, 3, BYTE_ORDER_MARK) != 0)
        {
            Refuse(0, "byte 0xef at the beginning is no byte order mark: expected a JSON file");
        }
    }

    /// Notes every value of the text. Wrong syntax gives wrong entries here, and no more than that.
    void Scan()
    {
        std::vector<uint32_t> open;            // containers around the offset
        bool keyNext = false;                  // a string here would be a key
        std::size_t keyAt = std::string::npos; // of the value to come, if any
        std::size_t i = text.compare(0, 3, BYTE_ORDER_MARK) ? 0 : 3;
        const auto add = [&](Kind kind, std::size_t last) {
            const auto index = static_cast<uint32_t>(entries.size());
            entries.push_back({kind,
                               i,
                               last,
                               keyAt == std::string::npos ? i : keyAt,
                               open.empty() ? index : open.back(),
                               index + 1});
            keyAt = std::string::npos;
            return last;
        };
        while (i < text.size())
        {
            switch (const char c = text[i])
            {
            case '{':
            case '[':
                add(c == '{' ? OBJECT : ARRAY, i + 1);
                open.push_back(static_cast<uint32_t>(entries.size()) - 1);
                if (open.size() > MAX_DEPTH)
                {
                    Refuse(i,
                           "'" + Show(text.substr(i, MAX_SHOWN)) +
                               "' is nested too deep: expected " + std::to_string(MAX_DEPTH) +
                               " levels at most");
                }
                keyNext = c == '{';
                ++i;
                break;
            case '}':
            case ']':
                ++i;
                if (!open.empty())
                {
                    entries[open.back()].last = i;
                    entries[open.back()].end = static_cast<uint32_t>(entries.size());
                    open.pop_back();
                }
                break;
            case ',':
                keyNext = !open.empty() && entries[open.back()].kind == OBJECT;
                ++i;
                break;
            case '"':
                if (keyNext)
                {
                    keyAt = i;
                    i = SkipString(i);
                }
                else
                {
                    i = add(STRING, SkipString(i));
                }
                keyNext = false;
                break;
            case ':':
            case ' ':
            case '\t':
            case '\r':
            case '\n':
                ++i;
                break;
            default:
                const auto last = text.find_first_of("{}[],:\" \t\r\n", i + 1);
                i = add(c == '-' || (c >= '0' && c <= '9') ? NUMBER : WORD,
                        std::min(last, text.size()));
            }
        }
    }

    std::size_t SkipString(std::size_t first) const
    {
        auto i = first + 1;
        // The property tree would take a line break for part of the string, and then miscount
        // lines.
        while (i < text.size() && text[i] != '\r' && text[i] != '\n')
        {
            if (text[i] == '"')
            {
                return i + 1;
            }
            i += text[i] == '\\' ? 2 : 1;
        }
        Refuse(first,
               "'" + Show(std::string_view(text).substr(first, i - first)) +
                   "' has no end in its line: expected a string with two quotes");
    }

    void Parse()
    {
        try
        {
            std::istringstream in(text);
            boost::property_tree::read_json(in, m_tree);
        }
        catch (const boost::property_tree::json_parser_error& error)
        {
            std::size_t end = 0;
            for (auto line = error.line(); line > 0 && end < text.size(); --line)
            {
                end = std::min(text.find('\n', end), text.size() - 1) + 1;
            }
            // The parser has passed blank lines before it complains.
            const auto last = text.find_last_not_of(" \t\r\n", end - 1) + 1;
            const auto start = last ? text.find_last_of('\n', last - 1) + 1 : 0;
            const auto first = std::min(text.find_first_not_of(" \t", start), last);
            Refuse(first,
                   "'" + Show(std::string_view(text).substr(first, last - first)) +
                       "' here or just before is no JSON: " + error.message() +
                       (start > 0 || text[first] == '{'
                            ? ""
                            : "; of fabrics, ns3-wormhole fabric import reads other formats"));
        }
    }

    /// Gives a value and all inside it their keys and texts.
    /// @return index past the last value inside it
    uint32_t Attach(const boost::property_tree::ptree& tree, uint32_t index)
    {
        auto& entry = entries.at(index);
        entry.text = &tree.data();
        std::set<std::string_view> keys;
        auto next = index + 1;
        for (const auto& child : tree)
        {
            if (entry.kind == OBJECT)
            {
                entries.at(next).key = &child.first;
                if (!keys.insert(child.first).second)
                {
                    JsonValue(this, next).RefuseKey("is here twice", "every key once");
                }
            }
            next = Attach(child.second, next);
        }
        return next;
    }

    std::string m_path;                 ///< the file
    boost::property_tree::ptree m_tree; ///< the values, untyped
};

JsonFile::JsonFile(const std::string& path)
    : m_document(std::make_unique<const Document>(path))
{
}

JsonFile::~JsonFile() = default;

JsonValue
JsonFile::GetRoot() const
{
    return {m_document.get(), 0};
}

std::string
JsonFile::Quote(const std::string& text)
{
    std::string quoted = "\"";
    uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const auto n = PrintableText::Decode(text, at, code);
        const auto letter = text.substr(at, std::max<std::size_t>(n, 1));
        if (n == 0)
        {
            quoted += "\\ufffd"; // no UTF-8
        }
        else if (code < 0x20 || code == 0x7f)
        {
            quoted += Show(letter);
        }
        else
        {
            quoted += (letter == "\"" || letter == "\\" ? "\\" : "") + letter;
        }
        at += letter.size();
    }
    return quoted + '"';
}

bool
JsonValue::IsNumber() const
{
    return m_document->entries[m_index].kind == NUMBER;
}

void
JsonValue::Expect(int kind, const std::string& accepted) const
{
    const auto found = m_document->entries[m_index].kind;
    if (found != kind)
    {
        Refuse(std::string("is ") + KIND_NAMES[found], accepted);
    }
}

const std::string&
JsonValue::GetString() const
{
    Expect(STRING, "a string in quotes");
    return *m_document->entries[m_index].text;
}

const std::string&
JsonValue::GetName(const std::string& trouble) const
{
    const auto& name = GetString();
    RefuseIf(name.empty() || !PrintableText::IsPrintable(name), trouble, PrintableText::ACCEPTED);
    return name;
}

template <typename T>
T
JsonValue::GetNumber(T min, T max) const
{
    const auto accepted =
        min == max ? std::to_string(min)
                   : "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    Expect(NUMBER, accepted);
    const auto& digits = *m_document->entries[m_index].text;
    RefuseIf(digits.find_first_not_of("-0123456789") != std::string::npos,
             "is no whole number",
             accepted);
    T value{};
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    RefuseIf(result.ec != std::errc() || value < min || value > max, "is out of range", accepted);
    return value;
}

int64_t
JsonValue::GetInteger(int64_t min, int64_t max) const
{
    return GetNumber(min, max);
}

uint64_t
JsonValue::GetUnsigned(uint64_t min, uint64_t max) const
{
    return GetNumber(min, max);
}

double
JsonValue::GetReal(double min, double max) const
{
    std::ostringstream accepted;
    accepted << "a number from " << min << " to " << max;
    Expect(NUMBER, accepted.str());
    std::istringstream digits(*m_document->entries[m_index].text);
    digits.imbue(std::locale::classic());
    double value = 0;
    RefuseIf(!(digits >> value) || !(value >= min && value <= max),
             "is out of range",
             accepted.str());
    return value;
}

std::vector<JsonValue>
JsonValue::GetChildren() const
{
    std::vector<JsonValue> children;
    const auto& entries = m_document->entries;
    for (auto i = m_index + 1; i < entries[m_index].end; i = entries[i].end)
    {
        children.push_back({m_document, i});
    }
    return children;
}

std::vector<JsonValue>
JsonValue::GetItems() const
{
    Expect(ARRAY, "an array [...]");
    return GetChildren();
}

std::vector<JsonValue>
JsonValue::GetMembers() const
{
    Expect(OBJECT, "an object {...}");
    return GetChildren();
}

const std::string&
JsonValue::GetKey() const
{
    static const std::string none;
    const auto* key = m_document->entries[m_index].key;
    return key ? *key : none;
}

void
JsonValue::CheckKeys(const std::vector<std::string>& required,
                     const std::vector<std::string>& optional) const
{
    auto known = required;
    known.insert(known.end(), optional.begin(), optional.end());
    for (const auto& member : GetMembers())
    {
        if (std::find(known.begin(), known.end(), member.GetKey()) == known.end())
        {
            member.RefuseKey("is unknown here", "one of " + WordList::WithCommas(known));
        }
    }
    for (const auto& key : required)
    {
        if (!Has(key))
        {
            Refuse("has no '" + key + "'", "an object with " + WordList::WithCommas(required));
        }
    }
}

std::optional<uint32_t>
JsonValue::Find(const std::string& key) const
{
    const auto& entries = m_document->entries;
    for (auto i = m_index + 1; i < entries[m_index].end; i = entries[i].end)
    {
        if (entries[i].key && *entries[i].key == key)
        {
            return i;
        }
    }
    return {};
}

JsonValue
JsonValue::Get(const std::string& key) const
{
    const auto index = Find(key);
    if (!index)
    {
        Refuse("has no '" + key + "'", "an object with " + key);
    }
    return {m_document, *index};
}

std::size_t
JsonValue::GetLine() const
{
    return m_document->LineAt(m_document->entries[m_index].first);
}

std::string
JsonValue::GetPath() const
{
    const auto& entries = m_document->entries;
    std::string path;
    for (auto i = m_index; i != 0; i = entries[i].parent)
    {
        if (entries[i].key)
        {
            const bool plain = !entries[i].key->empty() &&
                               entries[i].key->find_first_of(".[]\" ") == std::string::npos;
            const auto key = Show(*entries[i].key);
            path = (plain ? "." + key : "[\"" + key + "\"]") + path;
        }
        else
        {
            uint32_t position = 0;
            for (auto k = entries[i].parent + 1; k != i; k = entries[k].end)
            {
                ++position;
            }
            path = "[" + std::to_string(position) + "]" + path;
        }
    }
    return path.empty() ? "top level" : path[0] == '.' ? path.substr(1) : path;
}

void
JsonValue::Refuse(const std::string& trouble, const std::string& accepted) const
{
    const auto& entry = m_document->entries[m_index];
    std::string value;
    if (entry.kind == STRING)
    {
        value = *entry.text;
    }
    else // as it stands in the file, but on one line
    {
        const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
        for (auto i = entry.first; i < entry.last && value.size() <= MAX_SHOWN; ++i)
        {
            const char c = m_document->text[i];
            value += !blank(c) ? std::string{c} : blank(m_document->text[i - 1]) ? "" : " ";
        }
    }
    m_document->Refuse(entry.first,
                       GetPath() + ": '" + Show(value) + "' " + trouble + ": expected " + accepted);
}

void
JsonValue::RefuseKey(const std::string& trouble, const std::string& accepted) const
{
    m_document->Refuse(m_document->entries[m_index].keyAt,
                       GetPath() + ": '" + Show(GetKey()) + "' " + trouble + ": expected " +
                           accepted);
}

} // namespace ns3
