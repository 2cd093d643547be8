# SPDX-License-Identifier: GPL-2.0-only
#
# Headers are used as ns3/NAME.h, wherever they lie: one line in a flat folder leads to each. Private
# ones have a folder of their own, for the library and its tests.
set(flat_headers ${PROJECT_BINARY_DIR}/include)
set(flat_private_headers ${PROJECT_BINARY_DIR}/include-private)
function(write_flat_headers folder others)
  file(GLOB stale_headers RELATIVE ${folder}/ns3 ${folder}/ns3/*.h)
  foreach(header ${others})
    get_filename_component(name ${header} NAME)
    list(REMOVE_ITEM stale_headers ${name})
  endforeach()
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    list(REMOVE_ITEM stale_headers ${name})
    file(
      GENERATE
      OUTPUT ${folder}/ns3/${name}
      CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n"
    )
  endforeach()
  list(REMOVE_ITEM stale_headers wormhole-module.h)
  foreach(name ${stale_headers})
    file(REMOVE ${folder}/ns3/${name})
  endforeach()
endfunction()
include(cmake/former-headers.cmake)
write_former_headers(${flat_headers}/ns3 wormhole_former_headers)
write_flat_headers(${flat_headers} "${wormhole_former_headers}" ${wormhole_headers})
write_flat_headers(${flat_private_headers} "" ${wormhole_private_headers})
# As in a tree, where ns-3 makes it.
foreach(header ${wormhole_headers})
  get_filename_component(name ${header} NAME)
  string(APPEND module_header "#include \"${name}\"\n")
endforeach()
file(GENERATE OUTPUT ${flat_headers}/ns3/wormhole-module.h CONTENT "${module_header}")

