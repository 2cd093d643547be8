// SPDX-License-Identifier: GPL-2.0-only

#include "collective-registry.h"

#include "group-schedules.h"
#include "wormhole-collective-form.h"

#include "ns3/bracketed-name.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

BracketedName
Split(const std::string& name)
{
    return {name, "smp[Inner=tree[Tree=fibo]]"};
}

/// Usual names of algorithms that have another here.
const std::map<std::string, std::string> ALIASES{
    {"binary", "tree[Tree=binary]"},
    {"binomial", "tree[Tree=binomial]"},
    {"central", "unicast"},
    {"fibo", "tree[Tree=fibo]"},
    {"in-switch", "btin"},
    {"linear", "tree[Tree=sequential]"},
    {"pairwise", "pairwise-exchange"},
    {"recursive-doubling", "pairwise-exchange"},
    {"segmented-ring", "ring[SegmentBytes=1048576]"}}; // Open MPI's segments

std::vector<TypeId>
GetKindTypes(DataKind kind, CollectiveRegistry::Moves moves)
{
    using Moves = CollectiveRegistry::Moves;
    // Of a value, an all-reduction is a barrier.
    const auto ofValue = kind == DataKind::ALL_REDUCTION ? DataKind::BARRIER : kind;
    std::vector<TypeId> types;
    for (const auto& form : CollectiveForm::GetAll())
    {
        if (form.isData ? form.kind == kind && moves != Moves::VALUE
                        : form.kind == ofValue && moves != Moves::DATA)
        {
            types.push_back(Collective::GetFormTypeId(form));
        }
    }
    return types;
}

/// @return all collectives of a type, by short name
std::map<std::string, TypeId>
ListTypes(TypeId kindType)
{
    auto list = NamedTypes::List(kindType);
    if (auto inSwitch = list.extract("in-switch"))
    {
        inSwitch.key() = "btin";
        list.insert(std::move(inSwitch));
    }
    return list;
}

struct Called
{
    TypeId type;
    BracketedName name; ///< its name, with the attributes that it sets
};

/// @return a collective of a type; none if there is none of that name
std::optional<Called>
FindCalled(TypeId kindType, const std::string& name)
{
    const auto parts = Split(name);
    const auto list = ListTypes(kindType);
    const auto alias = ALIASES.find(parts.GetBaseName());
    const bool isAlias = alias != ALIASES.end() && list.count(parts.GetBaseName()) == 0;
    const auto own = isAlias ? Split(alias->second) : parts;
    const auto& bare = own.GetBaseName();
    const auto further = (parts.GetText().empty() ? "" : "|" + parts.GetText()) + "]";
    if (kindType == Collective::GetFormTypeId({DataKind::REDUCTION}) && bare == "btin")
    {
        return FindCalled(kindType, "smp[Inner=btin" + further);
    }
    if (isAlias && !own.GetText().empty())
    {
        return FindCalled(kindType, bare + "[" + own.GetText() + further);
    }
    if (const auto found = list.find(bare); found != list.end())
    {
        return Called{found->second, parts};
    }
    TypeId type;
    const bool isType = TypeId::LookupByNameFailSafe(bare, &type) && type.IsChildOf(kindType) &&
                        type.HasConstructor();
    return isType ? std::optional<Called>({type, parts}) : std::nullopt;
}

bool
HasAllAttributes(const Called& called)
{
    TypeId::AttributeInformation information;
    const auto& settings = called.name.GetSettings();
    return AllOf(settings, [&](const std::string& setting) {
        return called.type.LookupAttributeByName(setting.substr(0, setting.find('=')),
                                                 &information);
    });
}

[[noreturn]] void
Refuse(DataKind kind, const std::string& name, CollectiveRegistry::Moves moves)
{
    using Moves = CollectiveRegistry::Moves;
    const auto& kindName = DataKindInvariant::GetName(kind);
    for (const auto& type : GetKindTypes(kind, Moves::EITHER))
    {
        if (FindCalled(type, name))
        {
            const bool isData = moves == Moves::DATA;
            throw WormholeError(
                "the " + kindName + " '" + name + "' moves " +
                (isData ? "one value of up to 8 bytes, not data" : "data, not one value") +
                "; expected for " + (isData ? "data: " : "a value: ") +
                WordList::WithCommas(CollectiveRegistry::GetNames(kind, moves)));
        }
    }
    const auto names = CollectiveRegistry::GetNames(kind);
    throw WormholeError("there is no " + kindName + " '" + name + "'; there are " +
                        WordList::WithCommas(names) +
                        NearestName::Hint(Split(name).GetBaseName(), names));
}

bool HasInnerOfData(DataKind kind, const std::string& name);

/// @return the collective of a name that sets attributes which it has; none if there is none
std::optional<Called>
FindFitting(DataKind kind, const std::string& name, CollectiveRegistry::Moves moves)
{
    for (const auto& type : GetKindTypes(kind, moves))
    {
        const auto called = FindCalled(type, name);
        if (called && HasAllAttributes(*called) &&
            (CollectiveForm::Of(type).isData || !HasInnerOfData(kind, name)))
        {
            return called;
        }
    }
    return std::nullopt;
}

/// @return whether a name sets Inner to an algorithm that there is only for data
bool
HasInnerOfData(DataKind kind, const std::string& name)
{
    using Moves = CollectiveRegistry::Moves;
    const auto settings = CollectiveRegistry::GetSettings(name);
    const auto inner = settings.find("Inner");
    return inner != settings.end() && !FindFitting(kind, inner->second, Moves::VALUE) &&
           FindFitting(kind, inner->second, Moves::DATA);
}

Called
FindOrRefuse(DataKind kind, const std::string& name, CollectiveRegistry::Moves moves)
{
    if (const auto fitting = FindFitting(kind, name, moves))
    {
        return *fitting;
    }
    for (const auto& type : GetKindTypes(kind, moves))
    {
        if (const auto called = FindCalled(type, name))
        {
            return *called; // whose attributes are refused later
        }
    }
    Refuse(kind, name, moves);
}

} // namespace

Ptr<Collective>
CollectiveRegistry::Make(DataKind kind, const std::string& name, Moves moves)
{
    const auto called = FindOrRefuse(kind, name, moves);
    return NamedTypes::Make<Collective>(called.type, called.name);
}

TypeId
CollectiveRegistry::Find(DataKind kind, const std::string& name, Moves moves)
{
    return FindOrRefuse(kind, name, moves).type;
}

Ptr<Collective>
CollectiveRegistry::MakeInner(DataKind kind, const std::string& name, Moves moves)
{
    auto inner = Make(kind, name, moves);
    std::vector<std::string> outer{"Operation",
                                   "WidthBits",
                                   "GroupIdBits",
                                   "MessageBytes",
                                   "TreeLeaves"};
    const bool isData = inner->MovesData();
    if (isData)
    {
        outer = {"Bytes", "Lengths", "DataType", "DataOperation", "KeepsOrder"};
    }
    if (dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)))
    {
        outer.insert(outer.end(), {"Transport", "WithinHost", "Root"});
        const std::vector<std::string> own =
            isData ? std::vector<std::string>{"SegmentBytes", "SegmentsUnderWay"}
                   : std::vector<std::string>{"AddressExchange"};
        outer.insert(outer.end(), own.begin(), own.end());
    }
    CheckSettings(name, "Inner", outer, [&](const auto& attribute, const auto& value) {
        return "it beside Inner, as in smp[" + attribute + "=" + value +
               "|Inner=" + Split(name).GetBaseName() + "]";
    });
    return inner;
}

void
CollectiveRegistry::CheckSettings(
    const std::string& name,
    const std::string& what,
    const std::vector<std::string>& decided,
    const std::function<std::string(const std::string&, const std::string&)>& accepted)
{
    for (const auto& [attribute, value] : GetSettings(name))
    {
        WormholeError::ThrowIf(IsIn(decided, attribute),
                               what + " is '" + name + "', where " + attribute +
                                   " has no effect; use " + accepted(attribute, value));
    }
}

std::map<std::string, std::string>
CollectiveRegistry::GetSettings(const std::string& name)
{
    std::map<std::string, std::string> settings;
    const auto parts = Split(name);
    for (const auto& part : parts.GetSettings())
    {
        const auto equals = std::min(part.find('='), part.size());
        settings[part.substr(0, equals)] = part.substr(std::min(equals + 1, part.size()));
    }
    return settings;
}

std::vector<std::string>
CollectiveRegistry::GetNames(DataKind kind, Moves moves)
{
    std::set<std::string> names;
    for (const auto& type : GetKindTypes(kind, moves))
    {
        const auto own = KeysOf(ListTypes(type));
        names.insert(own.begin(), own.end());
    }
    return {names.begin(), names.end()};
}

} // namespace ns3
