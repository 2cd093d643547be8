/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_COLLECTIVE_H
#define DATA_COLLECTIVE_H

// Collectives of data are Collectives, too.

#include "collective-kinds.h"

#endif /* DATA_COLLECTIVE_H */
