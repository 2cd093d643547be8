# SPDX-License-Identifier: GPL-2.0-only
#
# The files of a room (model/fabric, helper/study) are compiled together, several at a time, since headers and
# templates take most of the time, and are compiled once then. So what a file defines for itself needs a name that no
# other file of its room uses; log components are given one here.
if(COMMAND build_lib)
  set(unite_default OFF)
else()
  set(unite_default ON)
endif()
option(WORMHOLE_UNITE "Compile files of a room together" ${unite_default})
if(CMAKE_VERSION VERSION_LESS 3.20)
  set(WORMHOLE_UNITE OFF)
endif()
# Options or definitions of their own; names that Boost's disjoint sets, in other files, take for theirs; names that
# other tests use, too.
set(wormhole_single_sources
    helper/file/detail/json-file.cc
    helper/timeline/detail/gzip-buffer.cc
    test/oracle/flit-oracle.cc
    model/routing/proof/tree-dependencies.cc
    test/collective/wormhole-collective-laws-test-suite.cc
    test/collective/wormhole-communication-tree-test-suite.cc
    test/host/wormhole-host-interface-test-suite.cc
    test/helper/wormhole-collective-bench-test-suite.cc
    test/host/wormhole-split-phase-test-suite.cc
)
function(unite target size)
  foreach(source ${ARGN})
    if(NOT WORMHOLE_UNITE OR source IN_LIST wormhole_single_sources)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX MATCH "^[^/]+/?[^/]*" room ${folder})
    string(MAKE_C_IDENTIFIER ${room} folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${size}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
  set_target_properties(
    ${target} PROPERTIES UNITY_BUILD ${WORMHOLE_UNITE} UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID g_log_of_file
                         UNITY_BUILD_CODE_BEFORE_INCLUDE "#define g_log g_log_of_file"
  )
  if(WORMHOLE_UNITE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC takes a class of an included file for one that other files see.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# The same for what build_lib has made: -DWORMHOLE_UNITE=ON, as each file by itself is what finds an
# include that is missing.
function(unite_in_tree)
  if(NOT WORMHOLE_UNITE)
    return()
  endif()
  set(target ${libwormhole})
  if(TARGET "${libwormhole-obj}")
    set(target ${libwormhole-obj})
  endif()
  unite(${target} 24 ${wormhole_sources})
  if(TARGET ${testwormhole})
    get_target_property(tests ${testwormhole} SOURCES)
    unite(${testwormhole} 8 ${tests})
  endif()
endfunction()
