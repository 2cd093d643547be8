/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-collective-form.h"

#include <map>

namespace ns3
{

const std::vector<CollectiveForm>&
CollectiveForm::GetAll()
{
    static const std::vector<CollectiveForm> forms = [] {
        std::vector<CollectiveForm> all{{DataKind::BARRIER, false},
                                        {DataKind::BROADCAST, false},
                                        {DataKind::REDUCTION, false}};
        for (const auto kind : DataKindInvariant::GetAll())
        {
            all.push_back({kind, true});
        }
        return all;
    }();
    return forms;
}

CollectiveForm
CollectiveForm::Of(TypeId type)
{
    for (; type.HasParent(); type = type.GetParent())
    {
        for (const auto& form : GetAll())
        {
            if (type.GetName() == form.NameType(""))
            {
                return form;
            }
        }
    }
    return {};
}

std::string
CollectiveForm::GetName() const
{
    static const std::map<DataKind, std::string> names{{DataKind::BARRIER, "Barrier"},
                                                       {DataKind::BROADCAST, "Broadcast"},
                                                       {DataKind::REDUCTION, "Reduction"},
                                                       {DataKind::ALL_REDUCTION, "AllReduction"},
                                                       {DataKind::GATHER, "Gather"},
                                                       {DataKind::SCATTER, "Scatter"},
                                                       {DataKind::ALL_GATHER, "AllGather"},
                                                       {DataKind::REDUCE_SCATTER, "ReduceScatter"},
                                                       {DataKind::ALL_TO_ALL, "AllToAll"},
                                                       {DataKind::SCAN, "Scan"}};
    return (isData ? "Data" : "") + names.at(kind);
}

} // namespace ns3
