// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-option-values.h"

#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <limits>
#include <sstream>
#include <system_error>

namespace ns3
{

namespace
{

std::string
Range(uint32_t min, uint32_t max)
{
    return std::to_string(min) + " to " + std::to_string(max);
}

bool
ReadWhole(const std::string& text, uint32_t min, uint32_t max, uint32_t& number)
{
    const auto last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc() && end == last && number >= min && number <= max;
}

/// @return whether a switch turns something off, as noSearch @param name its name
bool
IsNegative(const std::string& name)
{
    return name.size() > 2 && name.rfind("no", 0) == 0 &&
           std::isupper(static_cast<unsigned char>(name[2]));
}

} // namespace

void
OptionValues::Declare(const std::string& name,
                      const std::string& placeholder,
                      const std::string& defaultValue)
{
    m_names[NearestName::Plain(name)] = name;
    auto& option = m_options[name];
    option.placeholder = placeholder;
    option.value = defaultValue;
}

void
OptionValues::AddAlias(const std::string& name, const std::string& alias)
{
    m_names[NearestName::Plain(alias)] = name;
}

void
OptionValues::Set(const std::string& name, const std::string& value)
{
    const auto found = Find(name);
    if (found.empty())
    {
        RefuseUnknown(name, "");
    }
    auto& option = m_options.at(found);
    const auto shown = Show(found);
    WormholeError::ThrowIf(option.isGiven,
                           shown + " is given twice, lastly as '" + value + "'; expected one");
    option.isGiven = true;
    const bool isBlank = value.find_first_not_of(" \t\r\n") == std::string::npos;
    WormholeError::ThrowIf(option.placeholder.empty() ? !value.empty() : isBlank,
                           option.placeholder.empty()
                               ? shown + "=" + value + ": expected " + shown + " without a value"
                               : shown + " has no value; expected " + shown + "=" +
                                     option.placeholder);
    if (!value.empty())
    {
        option.value = value;
    }
}

std::string
OptionValues::Find(const std::string& name) const
{
    const auto found = m_names.find(NearestName::Plain(name));
    return found == m_names.end() ? "" : found->second;
}

std::vector<std::string>
OptionValues::GetNames() const
{
    return KeysOf(m_options);
}

void
OptionValues::RefuseUnknown(const std::string& name, const std::string& others) const
{
    const auto shown = MadeOf(GetNames(), [this](const auto& each) { return Show(each); });
    const auto nearest = Find(NearestName::Find(name, KeysOf(m_names))); // of aliases, too
    throw WormholeError("there is no " + std::string(m_origin == PYTHON ? "argument " : "option ") +
                        Show(name) +
                        (nearest.empty() ? "" : ", did you mean " + Show(nearest) + "?") +
                        "; there are " + WordList::WithCommas(shown) + others);
}

std::string
OptionValues::Show(const std::string& name, const std::string& value) const
{
    const auto end = value.empty() ? "" : "=" + value;
    if (m_origin == COMMAND_LINE)
    {
        return "--" + name + end;
    }
    const auto found = m_options.find(name);
    const bool isSwitch = found != m_options.end() && found->second.placeholder.empty();
    return GetPythonName(name, isSwitch) + (isSwitch && IsNegative(name) ? "=False" : end);
}

std::string
OptionValues::GetPythonName(const std::string& name, bool isSwitch)
{
    std::string snake;
    for (const unsigned char letter : name.substr(isSwitch && IsNegative(name) ? 2 : 0))
    {
        if (std::isupper(letter) && !snake.empty())
        {
            snake += '_';
        }
        snake += static_cast<char>(std::tolower(letter));
    }
    return snake;
}

void
OptionValues::Refuse(const std::string& name, const std::string& trouble) const
{
    const auto& option = m_options.at(name);
    throw WormholeError((option.place.empty() ? "" : option.place + " stands for ") + Show(name) +
                        (option.placeholder.empty() ? "" : "=" + Get(name)) + ": " + trouble);
}

void
OptionValues::Check(const std::string& name, const std::function<void()>& action) const
{
    try
    {
        action();
    }
    catch (const WormholeError& error)
    {
        Refuse(name, error.what());
    }
}

void
OptionValues::RefuseTogether(const std::string& name, const std::vector<std::string>& others) const
{
    for (const auto& other : others)
    {
        RefuseIf(Has(name) && Has(other),
                 other,
                 "has no effect with " + Show(name) + "; expected one of the two");
    }
}

void
OptionValues::RefuseAttribute(const std::string& attribute, const std::string& option) const
{
    if (m_attributes.count(attribute) > 0)
    {
        throw WormholeError(
            (m_origin == COMMAND_LINE ? "--" : "") + attribute + " has no effect; " +
            (option.empty() ? "the program sets it by itself"
                            : "expected " + Show(option, m_options.at(option).placeholder)));
    }
}

bool
OptionValues::TakeFromMachine(const std::string& name, const std::string& attribute)
{
    const auto found = m_machine.find(attribute);
    auto& option = m_options.at(name);
    if (option.isGiven || found == m_machine.end())
    {
        return false;
    }
    option.value = found->second.value;
    option.place = found->second.place + ": " + attribute;
    return true;
}

void
OptionValues::WarnIgnored(const std::string& attribute, const std::string& program) const
{
    const auto found = m_machine.find(attribute);
    if (found != m_machine.end())
    {
        std::cerr << program << ": " << found->second.place << ": " << attribute << "="
                  << found->second.value << " has no effect; the program sets it by itself"
                  << std::endl;
    }
    if (m_attributes.count(attribute) > 0)
    {
        std::cerr << program << ": " << (m_origin == COMMAND_LINE ? "--" : "") << attribute
                  << " has no effect; the program sets it by itself" << std::endl;
    }
}

void
OptionValues::RefuseSameFile(const std::vector<std::string>& names) const
{
    std::map<std::string, std::string> options; // by file
    for (const auto& name : names)
    {
        if (!Has(name))
        {
            continue;
        }
        std::error_code error;
        const auto path = std::filesystem::absolute(Get(name), error);
        const auto file = std::filesystem::weakly_canonical(path, error);
        const auto status = std::filesystem::status(file, error);
        if (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status))
        {
            const auto [place, isNew] = options.emplace(file.string(), name);
            RefuseIf(!isNew,
                     name,
                     "is the file of " + Show(place->second) + "; expected another one");
        }
    }
}

std::vector<std::string>
OptionValues::Split(const std::string& name) const
{
    std::vector<std::string> entries;
    const auto& value = Get(name);
    if (value.empty())
    {
        return entries;
    }
    entries.emplace_back();
    int depth = 0; // of brackets, which may hold commas of their own
    for (const char letter : value)
    {
        depth += (letter == '[') - (letter == ']');
        if (letter == ',' && depth <= 0)
        {
            entries.emplace_back();
        }
        else
        {
            entries.back() += letter;
        }
    }
    RefuseIf(AnyOf(entries, [](const auto& one) { return one.empty(); }),
             name,
             "an entry is empty; expected a list with commas, without spaces");
    return entries;
}

std::string
OptionValues::GetWord(const std::string& name, const std::vector<std::string>& words) const
{
    if (!IsIn(words, Get(name)))
    {
        Refuse(name,
               "expected " + WordList::WithCommas(words) + NearestName::Hint(Get(name), words));
    }
    return Get(name);
}

std::vector<std::string>
OptionValues::GetWords(const std::string& name, const std::vector<std::string>& words) const
{
    const auto entries = Split(name);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    {
        RefuseIf(!words.empty() && !IsIn(words, *entry),
                 name,
                 "there is no '" + *entry + "'; expected " + WordList::WithCommas(words) +
                     NearestName::Hint(*entry, words));
        RefuseIf(std::find(entries.begin(), entry, *entry) != entry,
                 name,
                 "'" + *entry + "' is given twice; expected each once");
    }
    return entries;
}

uint32_t
OptionValues::GetWhole(const std::string& name, uint32_t min, uint32_t max) const
{
    uint32_t number = 0;
    RefuseIf(!ReadWhole(Get(name), min, max, number),
             name,
             "expected a whole number from " + Range(min, max));
    return number;
}

std::vector<uint32_t>
OptionValues::GetWholes(const std::string& name, uint32_t min, uint32_t max) const
{
    std::vector<uint32_t> numbers;
    for (const auto& entry : Split(name))
    {
        numbers.emplace_back();
        RefuseIf(!ReadWhole(entry, min, max, numbers.back()),
                 name,
                 "'" + entry + "' is not accepted; expected whole numbers from " + Range(min, max) +
                     ", with commas");
    }
    return numbers;
}

uint32_t
OptionValues::GetBytes(const std::string& name, uint32_t min, uint32_t max) const
{
    uint32_t bytes = 0;
    Check(name, [&] { bytes = static_cast<uint32_t>(ParseByteSize(Get(name), min, max)); });
    return bytes;
}

std::vector<uint32_t>
OptionValues::GetByteSizes(const std::string& name, uint32_t min, uint32_t max) const
{
    std::vector<uint32_t> sizes;
    for (const auto& entry : Split(name))
    {
        Check(name,
              [&] { sizes.push_back(static_cast<uint32_t>(ParseByteSize(entry, min, max))); });
        RefuseIf(std::count(sizes.begin(), sizes.end(), sizes.back()) > 1,
                 name,
                 "'" + entry + "' is " + std::to_string(sizes.back()) +
                     " bytes, which is given twice; expected each once");
    }
    return sizes;
}

std::vector<double>
OptionValues::GetRatios(const std::string& name, uint32_t max) const
{
    std::vector<double> ratios;
    for (const auto& entry : Split(name))
    {
        ratios.push_back(ParseStrictNumber(entry));
        RefuseIf(!(ratios.back() > 0 && ratios.back() <= max),
                 name,
                 "'" + entry + "' is not accepted; expected numbers above 0, up to " +
                     std::to_string(max) + ", with commas");
    }
    return ratios;
}

std::vector<Time>
OptionValues::GetTimes(const std::string& name) const
{
    return MadeOf(Split(name), [&](const auto& entry) { return ReadTime(name, entry); });
}

Time
OptionValues::ReadTime(const std::string& name, const std::string& text) const
{
    Time time;
    Check(name, [&] { time = ExactTime::Parse(text); });
    return time;
}

StudyParameter::StudyParameter(const std::string& text, const std::vector<std::string>& words)
    : words(words)
{
    const auto colon = text.find(": ");
    auto head = text.substr(0, colon);
    help = text.substr(colon + 2);
    std::string allowed;
    const auto open = head.find(" [");
    if (open != std::string::npos)
    {
        const auto close = head.find(']', open);
        allowed = head.substr(open + 2, close - open - 2);
        head.erase(open, close + 1 - open);
    }
    std::istringstream parts(head);
    std::string part;
    parts >> part;
    const auto equals = part.find('=');
    name = part.substr(0, equals);
    placeholder = equals == std::string::npos ? "" : part.substr(equals + 1);
    kind = !words.empty() ? WORD : placeholder.empty() ? SWITCH : TEXT;
    while (parts >> part)
    {
        const auto isDefault = part.front() == '(';
        const auto isAttribute = part.find("::") != std::string::npos;
        (isDefault     ? defaultValue
         : isAttribute ? attribute
                       : unit) = isDefault ? part.substr(1, part.size() - 2) : part;
    }
    Allow(allowed);
}

void
StudyParameter::Allow(const std::string& allowed)
{
    static const std::map<std::string, Kind> KINDS{{"ratio", RATIO},
                                                   {"time", TIME},
                                                   {"bytes", BYTES},
                                                   {"file", FILE},
                                                   {"fabric", FABRIC}};
    static const std::map<std::string, Use> USES{{"plot", PLOT},
                                                 {"both", BOTH},
                                                 {"program", PROGRAM}};
    std::istringstream parts(allowed);
    for (std::string part; parts >> part;)
    {
        const auto dots = part.find("..");
        if (dots != std::string::npos)
        {
            constexpr auto MOST = std::numeric_limits<uint32_t>::max();
            min = static_cast<uint32_t>(ParseByteSize(part.substr(0, dots), 0, MOST));
            max = static_cast<uint32_t>(ParseByteSize(part.substr(dots + 2), 0, MOST));
            kind = kind == TEXT ? WHOLE : kind;
        }
        else if (KINDS.count(part) > 0)
        {
            kind = KINDS.at(part);
        }
        else if (USES.count(part) > 0)
        {
            use = USES.at(part);
        }
        else if (part == "alias")
        {
            parts >> alias;
        }
        isList = isList || part == "list";
        aboveZero = aboveZero || part == "above";
        isRaw = isRaw || part == "raw" || kind == FABRIC;
    }
}

std::string
StudyParameter::GetAccepted() const
{
    switch (kind)
    {
    case WHOLE:
    case BYTES:
        return Range(min, max);
    case RATIO:
        return (isRaw ? "0 to " : "above 0, up to ") + std::to_string(max);
    case TIME:
        return aboveZero ? "above 0" : "";
    case WORD:
        return WordList::WithOr(words);
    default:
        return "";
    }
}

std::string
StudyParameter::GetHelp() const
{
    const auto accepted = GetAccepted();
    std::string text = help;
    if (!unit.empty())
    {
        text += ", " + unit;
    }
    if (!alias.empty())
    {
        text += "; alias: " + alias;
    }
    return accepted.empty() ? text : text + " (" + accepted + ")";
}

} // namespace ns3
