/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOFTWARE_DATA_COLLECTIVE_H
#define SOFTWARE_DATA_COLLECTIVE_H

// Collectives of data are SoftwareCollectives, too.

#include "software-collective.h"

#endif /* SOFTWARE_DATA_COLLECTIVE_H */
