# SPDX-License-Identifier: GPL-2.0-only
#
# Makes a program of each study of examples/studies.txt: study_programs, which wormhole_examples has, too.

set(examples ${CMAKE_CURRENT_LIST_DIR}/../examples)
file(STRINGS ${examples}/studies.txt studies REGEX "^[a-z]")
foreach(line ${studies})
  string(REGEX MATCH "^([a-z-]+) +(.+)$" parts ${line})
  set(study ${CMAKE_MATCH_1})
  set(about ${CMAKE_MATCH_2})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/studies/${study}.cc)
  configure_file(${examples}/study.cc.in ${source} @ONLY)
  list(APPEND wormhole_examples ${source})
  list(APPEND study_programs ${study})
endforeach()
