// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_COLLECTIVE_FORM_H
#define WORMHOLE_COLLECTIVE_FORM_H

#include "data-kind.h"

#include "ns3/type-id.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief A form: a kind of collective, for data or for one value of up to 64 bits, which a barrier
///        need not have. The types of a form's algorithms derive from the form's type, such as
///        ns3::DataBroadcast (Collective::GetFormTypeId); their names end in the form's name.
struct CollectiveForm
{
    DataKind kind{DataKind::BARRIER}; ///< the kind
    bool isData{false};               ///< whether it moves data of any length; false: one value

    /// @return all forms: barrier, broadcast and reduction of one value; all kinds except barrier
    ///         of data
    static const std::vector<CollectiveForm>& GetAll();

    /// @return a type's form; if it derives from no form's type: barrier @param type the type
    static CollectiveForm Of(TypeId type);

    /// @return the form's part of types' names, such as Broadcast (of a value) or DataBroadcast
    std::string GetName() const;

    /// @return a type's name, such as ns3::TreeBarrier @param stem its first part, such as Tree
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
