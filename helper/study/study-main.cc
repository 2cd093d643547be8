/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-main.h"

#include "study-forms.h"
#include "study-program.h"

#include <string>

int
WormholeStudyMain(int argc, char* argv[])
{
    using namespace ns3;
    const std::string name = argc > 0 ? argv[0] : "";
    try
    {
        return StudyProgram(name + ".cc", *StudyForms::Make(name)).Main(argc, argv);
    }
    catch (...)
    {
        return OptionProgram::TellError("wormhole");
    }
}
