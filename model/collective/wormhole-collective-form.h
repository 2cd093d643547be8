// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_COLLECTIVE_FORM_H
#define WORMHOLE_COLLECTIVE_FORM_H

#include "data-kind.h"

#include "ns3/type-id.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief A form of collectives: their kind, and whether they move data or one value of up to 64
///        bits (in a barrier, the value may be absent). The types of a form's algorithms derive
///        from the form's type, such as ns3::DataBroadcast (Collective::GetFormTypeId).
struct CollectiveForm
{
    DataKind kind{DataKind::BARRIER}; ///< the kind
    bool isData{false};               ///< whether it moves data of any length; false: one value

    /// @return forms of one value: barrier, broadcast, reduction; of data: every kind but barrier
    static const std::vector<CollectiveForm>& GetAll();

    /// @return a type's form; barrier if the type derives from no form's type @param type the type
    static CollectiveForm Of(TypeId type);

    /// @return the form's name in names of types: Broadcast (of a value), DataBroadcast (of data)
    std::string GetName() const;

    /// @return a type's name, such as ns3::TreeBarrier @param stem the name's start, such as Tree
    std::string NameType(const std::string& stem) const
    {
        return "ns3::" + stem + GetName();
    }

    /// @return a new type of this form @param stem as for NameType @param parent its parent type
    TypeId MakeTypeId(const std::string& stem, TypeId parent) const
    {
        return TypeId(NameType(stem).c_str()) // no std::string until ns-3.36
            .SetParent(parent)
            .SetGroupName("Wormhole");
    }
};

} // namespace ns3

#endif /* WORMHOLE_COLLECTIVE_FORM_H */
