# SPDX-License-Identifier: GPL-2.0-only
#
# Headers are used as ns3/NAME.h, wherever they lie.

# Writes the headers of former-headers.txt into a folder: each includes the one that has taken its
# place. They are installed with the others, but are no part of wormhole-module.h.
function(write_former_headers folder headers_variable)
  set(table ${CMAKE_CURRENT_SOURCE_DIR}/cmake/former-headers.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} rows REGEX "^[^#]")
  set(headers)
  foreach(row ${rows})
    string(REPLACE " " ";" words ${row})
    list(POP_FRONT words former present)
    set(text "#pragma message(\"ns3/${former} is deprecated: include ns3/${present}\")\n")
    string(APPEND text "#include \"ns3/${present}\"\n")
    foreach(word ${words})
      string(REGEX REPLACE "(.+)=(.+)" "namespace ns3 { using \\1 = \\2; }" alias ${word})
      string(APPEND text "${alias}\n")
    endforeach()
    set(header ${folder}/${former})
    set(before)
    if(EXISTS ${header})
      file(READ ${header} before)
    endif()
    if(NOT text STREQUAL before)
      file(WRITE ${header} "${text}")
    endif()
    list(APPEND headers ${header})
  endforeach()
  set(${headers_variable} ${headers} PARENT_SCOPE)
endfunction()

# ns-3 writes a header's stub once, and would keep that of a header that has moved since.
function(remove_moved_stubs folder)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    set(stub ${folder}/${name})
    if(EXISTS ${stub})
      file(READ ${stub} text)
      string(FIND "${text}" "\"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"" place)
      if(place EQUAL -1)
        file(REMOVE ${stub})
      endif()
    endif()
  endforeach()
endfunction()

# Makes a folder that has, for each header, a file of one line that leads to it.
function(write_flat_headers folder)
  file(GLOB stale_headers ${folder}/ns3/*.h)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    list(REMOVE_ITEM stale_headers ${folder}/ns3/${name})
    file(
      GENERATE
      OUTPUT ${folder}/ns3/${name}
      CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n"
    )
  endforeach()
  list(REMOVE_ITEM stale_headers ${folder}/ns3/wormhole-module.h ${wormhole_former_headers})
  if(stale_headers)
    file(REMOVE ${stale_headers})
  endif()
endfunction()
