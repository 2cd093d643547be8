// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-machine-file.h"

#include "ns3/checked-attribute.h"
#include "ns3/config.h"
#include "ns3/file-name.h"
#include "ns3/printable-text.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/type-id.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>
#include <system_error>

#if __has_include(<toml++/toml.h>)
#define WORMHOLE_HAS_TOML
// Mistakes are results and no exceptions, and nothing is written.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Version 3.3.0 asserts, or assumes, that a table's name does not begin with '=' and its like, and
// then refuses it in words, which is what a file's writer needs.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>
#endif

namespace ns3
{

namespace
{

constexpr std::size_t MAX_BYTES = 1000000;    ///< of a file; all attributes take a tenth of it
constexpr std::size_t MAX_SHOWN = 60;         ///< bytes of a name or value in a message
constexpr const char* PRESETS = "machines";   ///< folder in the module's data folder
constexpr const char* SUFFIX = ".toml";       ///< of presets' files
constexpr const char* IN_SWITCH = "inSwitch"; ///< key: whether switches do collectives

/// @return a text on one line, cut where it is long @param text the text
std::string
Show(const std::string& text)
{
    std::string shown;
    for (const unsigned char letter : PrintableText::Replace(text, "?"))
    {
        if (shown.size() >= MAX_SHOWN && (letter & 0xc0) != 0x80) // not inside a UTF-8 sequence
        {
            return shown + "...";
        }
        shown += static_cast<char>(letter);
    }
    return shown;
}

} // namespace

#ifdef WORMHOLE_HAS_TOML

namespace
{

/// @return names of all types that have attributes, without ns3::
std::vector<std::string>
GetTypeNames()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.GetAttributeN() > 0)
        {
            const auto name = type.GetName();
            names.push_back(name.rfind("ns3::", 0) == 0 ? name.substr(5) : name);
        }
    }
    return names;
}

/// Escapes what is not ASCII, as TOML has it in strings; outside of strings toml++ 3.3.0 takes it
/// for unreachable. @param text a document; what is no UTF-8 stays, for toml++ to refuse
/// @return the document, with as many lines
std::string
Escape(const std::string& text)
{
    std::ostringstream escaped;
    escaped << std::hex << std::setfill('0');
    const std::string mark = "\xef\xbb\xbf"; // of byte order
    std::size_t at = text.compare(0, mark.size(), mark) == 0 ? mark.size() : 0;
    escaped << text.substr(0, at);
    while (at < text.size())
    {
        uint32_t code = 0;
        const auto n = PrintableText::Decode(text, at, code);
        if (n <= 1) // ASCII, or no UTF-8
        {
            escaped << text[at++];
            continue;
        }
        escaped << (code > 0xffff ? "\\U" : "\\u") << std::setw(code > 0xffff ? 8 : 4) << code;
        at += n;
    }
    return escaped.str();
}

class Reader
{
  public:
    Reader(const std::string& path, bool isEscaped)
        : m_path(path),
          m_isEscaped(isEscaped)
    {
    }

    void Read(const toml::table& document)
    {
        for (const auto& [key, node] : document)
        {
            const std::string name(key.str());
            const auto table = node.as_table();
            if (name == IN_SWITCH)
            {
                inSwitch = GetValue(node, name, inSwitchSource).value_exact<bool>();
                RefuseIf(!inSwitch,
                         node,
                         name + ": expected true or false, or a table of value and source");
            }
            else if (table)
            {
                ReadClass(name, *table);
            }
            else if (name == "name" || name == "source")
            {
                (name == "name" ? this->name : source) = GetWords(node, name);
            }
            else
            {
                Refuse(node,
                       "'" + Show(name) +
                           "' is no table; expected name, source, inSwitch and a table for each "
                           "class, as [HostSoftware]");
            }
        }
        // A document's keys are in alphabetical order.
        std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return a.line < b.line;
        });
        for (auto entry = entries.begin(); entry != entries.end(); ++entry)
        {
            const auto same = std::find_if(entries.begin(), entry, [&](const auto& other) {
                return other.attribute == entry->attribute;
            });
            if (same != entry)
            {
                Refuse(entry->line,
                       entry->attribute + "=" + Show(entry->value) +
                           " is there twice, first in line " + std::to_string(same->line) +
                           "; expected one");
            }
        }
    }

    std::string name;                        ///< what it is
    std::string source;                      ///< where its values come from
    std::vector<MachineFile::Entry> entries; ///< defaults that it gives
    std::optional<bool> inSwitch;            ///< whether switches do collectives, if it says so
    std::string inSwitchSource;              ///< where that comes from

  private:
    [[noreturn]] void Refuse(std::size_t line, const std::string& message) const
    {
        throw WormholeError(m_path + ":" + std::to_string(line) + ": " + message);
    }

    [[noreturn]] void Refuse(const toml::node& node, const std::string& message) const
    {
        Refuse(std::size_t{node.source().begin.line}, message);
    }

    void RefuseIf(bool isWrong, const toml::node& node, const std::string& message) const
    {
        if (isWrong)
        {
            Refuse(node, message);
        }
    }

    /// Refuses what was escaped where TOML has no escapes.
    void CheckQuotes(const toml::node& node, const std::string& text) const
    {
        RefuseIf(m_isEscaped && (text.find("\\u") != std::string::npos ||
                                 text.find("\\U") != std::string::npos),
                 node,
                 "'" + Show(text) +
                     "' is between single quotation marks; expected double ones around what is "
                     "not ASCII");
    }

    std::string GetWords(const toml::node& node, const std::string& key) const
    {
        const auto text = node.value_exact<std::string>();
        RefuseIf(!text || text->find_first_not_of(" \t\r\n") == std::string::npos,
                 node,
                 key + ": expected a string");
        CheckQuotes(node, *text);
        std::istringstream words(*text);
        std::string line;
        for (std::string word; words >> word;)
        {
            line += (line.empty() ? "" : " ") + word;
        }
        return line;
    }

    void ReadClass(const std::string& given, const toml::table& table)
    {
        TypeId type;
        if (!TypeId::LookupByNameFailSafe(given, &type) &&
            !TypeId::LookupByNameFailSafe("ns3::" + given, &type))
        {
            const auto name = given.rfind("ns3::", 0) == 0 ? given.substr(5) : given;
            Refuse(table,
                   "there is no class '" + Show(given) +
                       "'; expected ns-3's types, as HostSoftware" +
                       NearestName::Hint(name, GetTypeNames()));
        }
        for (const auto& [key, node] : table)
        {
            ReadAttribute(type, std::string(key.str()), node);
        }
    }

    void ReadAttribute(TypeId type, const std::string& name, const toml::node& node)
    {
        std::vector<std::string> names;
        bool isThere = false;
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            isThere = isThere || attribute.name == name;
            if (IsListed(attribute))
            {
                names.push_back(attribute.name);
            }
        }
        const auto whole = type.GetName() + "::" + name;
        if (!isThere)
        {
            // A default is set where the attribute is declared, as ns-3 does it.
            for (auto parent = type; parent.HasParent() && parent.GetParent() != parent;)
            {
                parent = parent.GetParent();
                for (std::size_t i = 0; i < parent.GetAttributeN(); ++i)
                {
                    RefuseIf(parent.GetAttribute(i).name == name,
                             node,
                             whole + " is " + parent.GetName() + "'s; use it in [\"" +
                                 parent.GetName() + "\"]");
                }
            }
            Refuse(node,
                   type.GetName() + " has no attribute '" + Show(name) + "'; " +
                       (names.empty() ? "it has none" : "expected " + WordList::WithCommas(names)) +
                       NearestName::Hint(name, names));
        }
        std::string from;
        const auto text = GetText(GetValue(node, whole, from), whole);
        try
        {
            CheckAttributeText(whole, text);
        }
        catch (const WormholeError& error)
        {
            std::string message = error.what();
            const auto place = message.find(text);
            if (place != std::string::npos)
            {
                message.replace(place, text.size(), Show(text));
            }
            Refuse(node, message);
        }
        entries.push_back({whole, text, from, node.source().begin.line});
    }

    /// @return a value that may be in a table beside its source @param from gets that
    const toml::node& GetValue(const toml::node& node,
                               const std::string& name,
                               std::string& from) const
    {
        const auto table = node.as_table();
        if (!table)
        {
            return node;
        }
        const auto value = table->get("value");
        const auto source = table->get("source");
        RefuseIf(!value || value->is_table() || table->size() != (source ? 2 : 1),
                 node,
                 name + ": expected a string, a finite number, true or false, or a table of it "
                        "and where it comes from, as {value = \"90ns\", source = \"data sheet\"}");
        from = source ? GetWords(*source, name + "'s source") : "";
        return *value;
    }

    std::string GetText(const toml::node& node, const std::string& name) const
    {
        if (const auto text = node.value_exact<std::string>())
        {
            CheckQuotes(node, *text);
            RefuseIf(!PrintableText::IsPrintable(*text),
                     node,
                     name + "=" + Show(*text) +
                         ": has control characters or others that are not printable (?); "
                         "expected " +
                         PrintableText::ACCEPTED);
            return *text;
        }
        const auto table = node.as_array();
        if (table && !table->empty() && table->front().is_array()) // lengths and values, in pairs
        {
            std::string text;
            for (const auto& entry : *table)
            {
                const auto pair = entry.as_array();
                RefuseIf(!pair || pair->size() != 2,
                         entry,
                         name + ": expected pairs of a length and its value, as [[0, "
                                "\"1us\"], [\"4KiB\", \"3us\"]]");
                text += (text.empty() ? "" : ",") + GetText(*pair->get(0), name) + ":" +
                        GetText(*pair->get(1), name);
            }
            return text;
        }
        if (const auto whole = node.value_exact<int64_t>())
        {
            return std::to_string(*whole);
        }
        if (const auto isTrue = node.value_exact<bool>())
        {
            return *isTrue ? "true" : "false";
        }
        const auto number = node.value_exact<double>();
        RefuseIf(!number || !std::isfinite(*number),
                 node,
                 name + ": expected a string, a finite number, true or false");
        // The shortest text that is read as this number again.
        for (int digits = 1;; ++digits)
        {
            std::ostringstream text;
            text.imbue(std::locale::classic());
            text << std::setprecision(digits) << *number;
            if (digits == std::numeric_limits<double>::max_digits10 ||
                std::stod(text.str()) == *number)
            {
                return text.str();
            }
        }
    }

    std::string m_path; ///< the file
    bool m_isEscaped;   ///< whether something in it was escaped
};

} // namespace

void
MachineFile::Parse(const std::string& text)
{
    const auto escaped = Escape(text);
    const auto result = toml::parse(escaped, m_path);
    if (!result)
    {
        const auto& error = result.error();
        throw WormholeError(m_path + ":" + std::to_string(error.source().begin.line) + ": " +
                            Show(std::string(error.description())) +
                            "; expected TOML, as StartUp = \"600ns\" below [HostSoftware]");
    }
    Reader reader(m_path, escaped != text);
    reader.Read(result.table());
    if (!reader.name.empty())
    {
        m_name = reader.name;
    }
    m_source = reader.source;
    m_entries = std::move(reader.entries);
    m_inSwitch = reader.inSwitch;
    m_inSwitchSource = std::move(reader.inSwitchSource);
}

#else

void
MachineFile::Parse(const std::string&)
{
    throw WormholeError(m_path + ": this build reads no TOML; install toml++'s headers (Debian: "
                                 "libtomlplusplus-dev) and build again");
}

#endif

bool
MachineFile::ReadsToml()
{
#ifdef WORMHOLE_HAS_TOML
    return true;
#else
    return false;
#endif
}

MachineFile
MachineFile::Read(const std::string& nameOrPath, const std::string& folder)
{
    MachineFile machine;
    const std::filesystem::path path(nameOrPath);
    if (nameOrPath.find('/') == std::string::npos && path.extension() != SUFFIX)
    {
        machine.m_path =
            DataFile::FindIfAny(std::string(PRESETS) + "/" + nameOrPath + SUFFIX, folder);
        if (nameOrPath.empty() || machine.m_path.empty())
        {
            const auto names = GetNames(folder);
            throw WormholeError("there is no machine '" + Show(nameOrPath) + "'; expected " +
                                (names.empty() ? "" : WordList::WithCommas(names) + ", or ") +
                                "a file such as ./mine" + SUFFIX +
                                NearestName::Hint(nameOrPath, names));
        }
    }
    else
    {
        machine.m_path = nameOrPath;
    }
    machine.m_name = path.stem().string();
    const auto text = FileName::Read(machine.m_path);
    WormholeError::ThrowIf(text.size() > MAX_BYTES,
                           machine.m_path + ": has " + std::to_string(text.size()) +
                               " bytes; expected " + std::to_string(MAX_BYTES) + " at most");
    machine.Parse(text);
    return machine;
}

std::vector<std::string>
MachineFile::GetNames(const std::string& folder)
{
    std::vector<std::string> names;
    const auto presets = DataFile::FindIfAny(PRESETS, folder);
    if (presets.empty())
    {
        return names;
    }
    std::error_code error; // of a folder that can't be read: there are none
    for (const auto& file : std::filesystem::directory_iterator(presets, error))
    {
        if (file.path().extension() == SUFFIX)
        {
            names.push_back(file.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

void
MachineFile::SetDefaults() const
{
    for (const auto& entry : m_entries)
    {
        Config::SetDefault(entry.attribute, StringValue(entry.value));
    }
}

} // namespace ns3
