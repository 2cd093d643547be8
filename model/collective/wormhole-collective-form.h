/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_COLLECTIVE_FORM_H
#define WORMHOLE_COLLECTIVE_FORM_H

#include "data-kind.h"

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A kind of collective, of one value of up to 64 bits (a barrier: or of none) or of data.
///        The types of all algorithms of a form derive from the form's type, such as
///        ns3::DataBroadcast (Collective::GetFormTypeId), and their names end in the form's name.
struct CollectiveForm
{
    DataKind kind{DataKind::BARRIER}; ///< the kind
    bool isData{false};               ///< whether it moves data of any length

    /// @return all forms: barrier, broadcast and reduction of a value; all kinds but barrier of
    ///         data
    static const std::vector<CollectiveForm>& GetAll();

    /// @return the form of a type; that of a barrier if it derives from no form's type
    /// @param type the type
    static CollectiveForm Of(TypeId type);

    std::string GetName()
        const; ///< @return the name as used in types' names: Broadcast, or DataBroadcast

    /// @return the name of a type of this form, such as ns3::TreeBarrier
    /// @param stem beginning of the name, such as Tree
    std::string NameType(const std::string& stem) const
    {
        return "ns3::" + stem + GetName();
    }

    /// Makes a type of this form.
    /// @param stem beginning of its name
    /// @param parent its parent type
    /// @return the type
    TypeId MakeTypeId(const std::string& stem, TypeId parent) const
    {
        return TypeId(NameType(stem).c_str()) // no std::string until ns-3.36
            .SetParent(parent)
            .SetGroupName("Wormhole");
    }
};

} // namespace ns3

#endif /* WORMHOLE_COLLECTIVE_FORM_H */
