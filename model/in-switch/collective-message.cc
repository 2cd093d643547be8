// SPDX-License-Identifier: GPL-2.0-only

#include "collective-message.h"

#include "ns3/wormhole-error.h"

#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/// Names of the operations, in the order of CollectiveOperation.
constexpr std::array<const char*, 5> OPERATION_NAMES{"AND", "OR", "ADD", "MIN", "MAX"};

/// Names of the types, in the order of CollectiveMessage::Type.
constexpr std::array<const char*, 11> TYPE_NAMES{"reduction",
                                                 "distribution",
                                                 "setup",
                                                 "release",
                                                 "save",
                                                 "fetch",
                                                 "restore",
                                                 "slot",
                                                 "granted",
                                                 "refused",
                                                 "keep-alive"};

/// Bit beside the stage: words of ports from 64 on follow.
constexpr uint8_t HAS_OTHERS = 0x80;

std::size_t
CountOtherWords(const CollectiveMessage& message)
{
    return std::max(message.children.GetNWords(), message.arrived.GetNWords()) - 1;
}

} // namespace

std::vector<uint16_t>
PortSet::GetPorts() const
{
    std::vector<uint16_t> ports;
    for (uint32_t port = 0; port < 64 * m_words.size(); ++port)
    {
        if (Has(static_cast<uint16_t>(port)))
        {
            ports.push_back(static_cast<uint16_t>(port));
        }
    }
    return ports;
}

void
PortSet::SetWord(std::size_t i, uint64_t bits)
{
    m_words.resize(std::max(m_words.size(), i + 1), 0);
    m_words[i] = bits;
    while (!m_words.empty() && m_words.back() == 0)
    {
        m_words.pop_back();
    }
}

std::ostream&
operator<<(std::ostream& os, const PortSet& ports)
{
    std::ostringstream text;
    text << "0x" << std::hex << ports.GetWord(ports.GetNWords() - 1);
    for (auto word = ports.GetNWords() - 1; word-- > 0;)
    {
        text << std::setw(16) << std::setfill('0') << ports.GetWord(word);
    }
    return os << text.str();
}

CollectiveOperation
ParseCollectiveOperation(const std::string& name)
{
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    const auto found = std::find(OPERATION_NAMES.begin(), OPERATION_NAMES.end(), upper);
    WormholeError::ThrowIf(found == OPERATION_NAMES.end(),
                           "there is no operation '" + name +
                               "'; it may be AND, OR, ADD, MIN or MAX");
    return static_cast<CollectiveOperation>(found - OPERATION_NAMES.begin());
}

uint64_t
Combine(CollectiveOperation operation, uint64_t a, uint64_t b, uint32_t widthBits)
{
    const uint64_t mask = widthBits >= 64 ? UINT64_MAX : (uint64_t{1} << widthBits) - 1;
    switch (operation)
    {
    case CollectiveOperation::AND:
        return a & b & mask;
    case CollectiveOperation::OR:
        return (a | b) & mask;
    case CollectiveOperation::ADD:
        return (a + b) & mask;
    case CollectiveOperation::MIN:
        return std::min(a & mask, b & mask);
    case CollectiveOperation::MAX:
        return std::max(a & mask, b & mask);
    }
    return 0;
}

std::ostream&
operator<<(std::ostream& os, const CollectiveMessage& message)
{
    os << TYPE_NAMES[message.type] << " group " << message.group << " value " << message.value;
    if (message.type == CollectiveMessage::SETUP)
    {
        os << " " << OPERATION_NAMES[static_cast<std::size_t>(message.operation)] << " of "
           << uint32_t{message.widthBits} << " bits, parent port " << message.parent << " children "
           << message.children;
    }
    return os;
}

NS_OBJECT_ENSURE_REGISTERED(CollectiveMessageHeader);

uint32_t
CollectiveMessage::GetHeaderBytes() const
{
    const auto others = static_cast<uint32_t>(CountOtherWords(*this));
    return 36 + (others > 0 ? 2 + 16 * others : 0);
}

void
CollectiveMessage::Write(Buffer::Iterator start) const
{
    start.WriteU8(type);
    start.WriteHtonU16(group);
    start.WriteU8(static_cast<uint8_t>(operation));
    start.WriteU8(widthBits);
    start.WriteHtonU16(parent);
    start.WriteHtonU64(children.GetWord(0));
    start.WriteHtonU64(arrived.GetWord(0));
    start.WriteHtonU64(value);
    const auto others = CountOtherWords(*this);
    start.WriteU8(stage | (others > 0 ? HAS_OTHERS : 0));
    start.WriteHtonU32(place);
    if (others > 0)
    {
        start.WriteHtonU16(static_cast<uint16_t>(others));
        for (std::size_t word = 1; word <= others; ++word)
        {
            start.WriteHtonU64(children.GetWord(word));
            start.WriteHtonU64(arrived.GetWord(word));
        }
    }
}

void
CollectiveMessage::Read(Buffer::Iterator start)
{
    type = static_cast<CollectiveMessage::Type>(start.ReadU8());
    group = start.ReadNtohU16();
    operation = static_cast<CollectiveOperation>(start.ReadU8());
    widthBits = start.ReadU8();
    parent = start.ReadNtohU16();
    children = PortSet();
    arrived = PortSet();
    children.SetWord(0, start.ReadNtohU64());
    arrived.SetWord(0, start.ReadNtohU64());
    value = start.ReadNtohU64();
    const auto stageAndMark = start.ReadU8();
    stage = static_cast<CollectiveMessage::Stage>(stageAndMark & ~HAS_OTHERS);
    place = start.ReadNtohU32();
    const std::size_t others = stageAndMark & HAS_OTHERS ? start.ReadNtohU16() : 0;
    for (std::size_t word = 1; word <= others; ++word)
    {
        children.SetWord(word, start.ReadNtohU64());
        arrived.SetWord(word, start.ReadNtohU64());
    }
}

} // namespace ns3
