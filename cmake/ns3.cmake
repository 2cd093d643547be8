# SPDX-License-Identifier: GPL-2.0-only
#
# The installed ns-3 that the module is built against, and its modules as targets: the one named by
# ns3_DIR or NS3_DIR (an installation's prefix, or the folder of its ns3Config.cmake), or else the one
# that tools/setup.sh put into .venv.

if(SKBUILD)
  # "pip install .": against the wheel ns3 that the build requires, whatever else is there.
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
            "from importlib.util import find_spec; print(*find_spec('ns3').submodule_search_locations)"
    OUTPUT_VARIABLE ns3_DIR
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
  )
  unset(ENV{NS3_DIR})
  unset(ENV{ns3_DIR})
endif()

file(GLOB venv_ns3 ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/ns3)
set(named_ns3 $ENV{NS3_DIR} $ENV{ns3_DIR} ${ns3_DIR})
if(named_ns3)
  # What is named is used, or nothing: not some other ns-3 that happens to be there.
  unset(ns3_DIR CACHE)
  set(ns3_places NO_DEFAULT_PATH PATHS ${named_ns3})
else()
  set(ns3_places HINTS ${venv_ns3})
endif()
find_package(
  ns3 QUIET ${ns3_places}
  PATH_SUFFIXES lib64/cmake/ns3 lib/cmake/ns3 lib/x86_64-linux-gnu/cmake/ns3 cmake/ns3
)
if(NOT ns3_FOUND AND named_ns3)
  message(FATAL_ERROR "There is no ns-3 in NS3_DIR=${named_ns3}: name an installation's prefix")
endif()
if(NOT ns3_FOUND)
  message(FATAL_ERROR "No ns-3 found: run tools/setup.sh, or set NS3_DIR to an installed ns-3")
endif()
message(STATUS "ns-3 ${ns3_VERSION} in ${ns3_DIR}")
get_filename_component(ns3_include ${ns3_DIR}/../../../include ABSOLUTE)
if(NOT EXISTS ${ns3_include}/ns3/core-module.h)
  get_filename_component(ns3_include ${ns3_DIR}/../../../../include ABSOLUTE)
endif()

# The C++ standard that this ns-3's headers are written in; ours need C++17.
if(ns3_VERSION VERSION_GREATER_EQUAL 3.46)
  set(CMAKE_CXX_STANDARD 23)
elseif(ns3_VERSION VERSION_GREATER_EQUAL 3.41)
  set(CMAKE_CXX_STANDARD 20)
else()
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Cleans an ns-3 target and all that it links: the PyPI wheel's targets name folders and libraries of
# the machine it was built on, and so can't be used before.
function(clean_target target)
  get_property(cleaned GLOBAL PROPERTY wormhole_cleaned_targets)
  if(target IN_LIST cleaned)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY wormhole_cleaned_targets ${target})
  set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${ns3_include})
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  set(usable_links)
  foreach(link ${links})
    if(NOT IS_ABSOLUTE "${link}" OR EXISTS "${link}")
      list(APPEND usable_links ${link})
    endif()
    if(link MATCHES "^ns3::" AND TARGET ${link})
      clean_target(${link})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${usable_links}")
endfunction()

# Sets a variable to the targets of modules, fit for use, and another one to the modules that this
# ns-3 does not have. The targets' names lost their "lib" in 3.43.
function(find_modules targets_variable missing_variable)
  set(targets)
  set(missing)
  foreach(module ${ARGN})
    set(target ns3::${module})
    if(NOT TARGET ${target})
      set(target ns3::lib${module})
    endif()
    if(TARGET ${target})
      clean_target(${target})
      list(APPEND targets ${target})
    else()
      list(APPEND missing ${module})
    endif()
  endforeach()
  set(${targets_variable} ${targets} PARENT_SCOPE)
  set(${missing_variable} ${missing} PARENT_SCOPE)
endfunction()

find_modules(ns3_targets missing_modules core network stats)
if(missing_modules)
  message(FATAL_ERROR "The ns-3 in ${ns3_DIR} has no module ${missing_modules}")
endif()

# Logs and asserts as the ns-3 found was built, when its targets tell; both on when they don't
# (3.37's), since neither changes a class's layout.
list(GET ns3_targets 0 ns3_core)
get_target_property(ns3_definitions ${ns3_core} INTERFACE_COMPILE_DEFINITIONS)
if(NOT ns3_definitions)
  add_compile_definitions(NS3_LOG_ENABLE NS3_ASSERT_ENABLE)
endif()
