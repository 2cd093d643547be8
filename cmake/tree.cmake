# SPDX-License-Identifier: GPL-2.0-only
#
# What the build inside an ns-3 tree needs besides build_lib.

# ns-3 writes a header's stub once, and would keep that of a header that has moved since.
foreach(header ${wormhole_headers} ${wormhole_private_headers})
  get_filename_component(name ${header} NAME)
  set(stub ${CMAKE_HEADER_OUTPUT_DIRECTORY}/${name})
  if(EXISTS ${stub})
    file(READ ${stub} stub_text)
    string(FIND "${stub_text}" "\"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"" place)
    if(place EQUAL -1)
      file(REMOVE ${stub})
    endif()
  endif()
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/VERSION)
  file(STRINGS ${PROJECT_SOURCE_DIR}/VERSION wormhole_ns3_version)
endif()
if(wormhole_ns3_version MATCHES "^3\\.36")
  # Its build_lib knows of public headers only.
  list(APPEND wormhole_headers ${wormhole_private_headers})
  set(wormhole_private_headers)
endif()

include(cmake/headers.cmake)
write_former_headers(${CMAKE_HEADER_OUTPUT_DIRECTORY} wormhole_former_headers)
install(FILES ${wormhole_former_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
