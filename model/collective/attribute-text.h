/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATTRIBUTE_TEXT_H
#define ATTRIBUTE_TEXT_H

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Refuses an attribute, or a value of it, that ns-3 would abort on.
 * @param name its name, as ns3::Class::Attribute
 * @param value its value as text
 * @throws WormholeError if there is no such type or attribute, or it does not accept the value
 */
void CheckAttributeText(const std::string& name, const std::string& value);

} // namespace ns3

#endif /* ATTRIBUTE_TEXT_H */
