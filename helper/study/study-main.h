/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STUDY_MAIN_H
#define STUDY_MAIN_H

/**
 * @ingroup wormhole
 * @brief Runs the program of a study, as its file in examples/ does, for whoever has only the
 * library.
 *
 * It has C linkage, so that it can be called without C++'s headers, as Python's ctypes does.
 * @param argc number of arguments
 * @param argv arguments; the first is the program's name, as "btin-comparison"
 * @return exit status: 0; 1 after a mistake, which is printed in one line
 */
extern "C" int WormholeStudyMain(int argc, char* argv[]);

#endif /* STUDY_MAIN_H */
