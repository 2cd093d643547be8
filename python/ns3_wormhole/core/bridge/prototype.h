// SPDX-License-Identifier: GPL-2.0-only

// Algorithms whose steps, or whose programs in switches, are functions of Python.

#include "ns3/barrier-tree.h"
#include "ns3/software-collective.h"
#include "ns3/switch-collective.h"
#include "ns3/wormhole-error.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3_wormhole
{

/// What a prototype's function returns: all schedules, a line for each rank, of steps such as "S 3
/// 0"; or a message after an exclamation mark.
using PrototypeFunction = std::function<std::string(uint32_t members, uint32_t root)>;

/// Functions of a kind, by name of their class.
template <class FUNCTION>
std::map<std::string, FUNCTION>&
GetFunctions()
{
    static std::map<std::string, FUNCTION> functions;
    return functions;
}

inline void
DefinePrototype(const std::string& name, PrototypeFunction function)
{
    GetFunctions<PrototypeFunction>()[name] = std::move(function);
}

inline std::vector<ns3::CommunicationSchedule>
CallPrototype(const std::string& name, const ns3::ScheduleRequest& request)
{
    const auto text = GetFunctions<PrototypeFunction>().at(name)(request.members, request.root);
    if (text[0] == '!')
    {
        throw ns3::WormholeError(text.substr(1));
    }
    std::vector<ns3::CommunicationSchedule> schedules(request.members);
    std::istringstream lines(text);
    for (auto& schedule : schedules)
    {
        std::string line;
        std::getline(lines, line);
        std::istringstream steps(line);
        char kind = 0;
        uint32_t peer = 0;
        uint32_t tag = 0;
        while (steps >> kind >> peer >> tag)
        {
            if (kind == 'S')
            {
                schedule.Send(peer, tag);
                continue;
            }
            schedule.Receive(kind == 'C'   ? ns3::ScheduleStep::COMBINE
                             : kind == 'R' ? ns3::ScheduleStep::REPLACE
                                           : ns3::ScheduleStep::IGNORE,
                             peer,
                             tag);
        }
    }
    return schedules;
}

/// What a program in switches does with a message: of each message to send a line, its value and
/// ports; or a message after an exclamation mark. Groups are numbered: one may have the place of
/// another that has ended.
using SwitchFunction = std::function<std::string(const ns3::Collective& group,
                                                 uint64_t number,
                                                 uint32_t fabricSwitch,
                                                 uint32_t port,
                                                 uint64_t value)>;

inline void
DefineSwitchProgram(const std::string& name, SwitchFunction function)
{
    GetFunctions<SwitchFunction>()[name] = std::move(function);
}

/// A collective by a program in switches. Members send their values to their switches: in a
/// broadcast the root, in a reduction all others. Those that get one leave when it has come, the
/// others at once.
template <class BASE>
class SwitchPrototype : public BASE
{
  public:
    /// @param type name of the class @param name of the algorithm
    SwitchPrototype(const std::string& type, const std::string& name)
        : m_type(type),
          m_name(name),
          m_number(++GetNGroups())
    {
    }

  private:
    /// @return how many groups there have been
    static uint64_t& GetNGroups()
    {
        static uint64_t groups = 0;
        return groups;
    }

    void EnterMember(uint32_t rank, uint64_t value) override
    {
        m_nHandled = 0;
        const auto kind = this->GetKind();
        const bool isAlone = this->GetNMembers() == 1;
        if (!isAlone && (kind == ns3::DataKind::BARRIER || !Waits(rank)))
        {
            this->SendToSwitch(rank, value, GetType(kind != ns3::DataKind::BROADCAST));
        }
        if (isAlone || !Waits(rank))
        {
            this->Leave(rank, this->GetsResult(rank) ? value : 0);
            return;
        }
        m_inside[rank] = value;
        TryLeave(rank);
    }

    void ReceiveAtSwitch(uint32_t fabricSwitch,
                         uint16_t port,
                         const ns3::CollectiveMessage& message) override
    {
        constexpr uint64_t MOST = 100; // for each switch and member
        const auto most = MOST * (this->GetTree().GetSwitches().size() + this->GetNMembers());
        if (++m_nHandled > most)
        {
            throw ns3::WormholeError(m_name + ": switches got " + std::to_string(m_nHandled) +
                                     " messages since a member entered; expected an end");
        }
        const auto text = GetFunctions<SwitchFunction>().at(
            m_type)(*this, m_number, fabricSwitch, port, message.value);
        if (text[0] == '!')
        {
            throw ns3::WormholeError(text.substr(1));
        }
        const auto entry = this->GetTree().Find(fabricSwitch);
        const auto kind = this->GetKind();
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream words(line);
            uint64_t value = 0;
            words >> value;
            std::vector<uint16_t> ports;
            for (uint16_t each = 0; words >> each;)
            {
                ports.push_back(each);
            }
            const bool isUp = kind == ns3::DataKind::REDUCTION ||
                              (kind == ns3::DataKind::BARRIER && !entry->IsRoot() &&
                               ports == std::vector<uint16_t>{entry->parentPort});
            this->SendFromSwitch(fabricSwitch, value, GetType(isUp), ports);
        }
    }

    void ReceiveAtMember(uint32_t rank, const ns3::CollectiveMessage& message) override
    {
        if (!Waits(rank))
        {
            throw ns3::WormholeError(m_name + ": a message came to rank " + std::to_string(rank) +
                                     "; expected none, for it waits for no value");
        }
        m_arrived[rank].push_back(message.value);
        TryLeave(rank);
    }

    /// Lets a member leave if it is inside and its value has come.
    void TryLeave(uint32_t rank)
    {
        auto& arrived = m_arrived[rank];
        const auto inside = m_inside.find(rank);
        if (arrived.empty() || inside == m_inside.end())
        {
            return;
        }
        const bool isReduction = this->GetKind() == ns3::DataKind::REDUCTION;
        const auto value =
            isReduction ? this->CombineValues(inside->second, arrived.front()) : arrived.front();
        arrived.pop_front();
        m_inside.erase(inside);
        this->Leave(rank, value);
    }

    /// @return whether a member gets a value from its switch
    bool Waits(uint32_t rank) const
    {
        const auto kind = this->GetKind();
        return kind == ns3::DataKind::BARRIER ||
               (kind == ns3::DataKind::REDUCTION) == (rank == this->GetRoot());
    }

    /// @return the type of messages that go up, or down
    static ns3::CollectiveMessage::Type GetType(bool isUp)
    {
        return isUp ? ns3::CollectiveMessage::REDUCTION : ns3::CollectiveMessage::DISTRIBUTION;
    }

    std::string m_type;                                 ///< name of the class
    std::string m_name;                                 ///< name of the algorithm
    uint64_t m_nHandled{0};                             ///< messages since a member entered
    uint64_t m_number;                                  ///< of this group
    std::map<uint32_t, uint64_t> m_inside;              ///< values of members who wait for one
    std::map<uint32_t, std::deque<uint64_t>> m_arrived; ///< values of rounds to come, by rank
};

} // namespace ns3_wormhole
