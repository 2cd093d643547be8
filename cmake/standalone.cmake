# SPDX-License-Identifier: GPL-2.0-only
#
# The module on its own, against an installed ns-3. No variable may be called lib...: ns-3 takes those
# for modules.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

include(cmake/ns3.cmake)
include(cmake/libraries.cmake)
if(NOT WORMHOLE_BOOST_INCLUDE)
  message(FATAL_ERROR "Boost's headers are missing (Debian: libboost-dev; no libraries needed)")
endif()
include(cmake/headers.cmake)
# Private headers have a folder of their own, for the library and its tests.
set(flat_headers ${PROJECT_BINARY_DIR}/include)
set(flat_private_headers ${PROJECT_BINARY_DIR}/include-private)
write_former_headers(${flat_headers}/ns3 wormhole_former_headers)
write_flat_headers(${flat_headers} ${wormhole_headers})
write_flat_headers(${flat_private_headers} ${wormhole_private_headers})
# As in a tree, where ns-3 makes it.
foreach(header ${wormhole_headers})
  get_filename_component(name ${header} NAME)
  string(APPEND module_header "#include \"${name}\"\n")
endforeach()
file(GENERATE OUTPUT ${flat_headers}/ns3/wormhole-module.h CONTENT "${module_header}")
include(cmake/unite.cmake)
add_compile_options(-Wall -Wextra)

# What "make sanitize" and "make fuzz" use, in a build folder of its own.
option(WORMHOLE_SANITIZE "Look for memory errors and undefined behaviour at run time" OFF)
if(WORMHOLE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-omit-frame-pointer)
  add_compile_options(-O1 -g1 ${sanitizers} -UNDEBUG)
  add_compile_definitions(_GLIBCXX_ASSERTIONS WORMHOLE_SANITIZE)
  add_link_options(${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()

# Headers take most of the time to compile, so they are compiled once for all files with the same
# flags. ccache does not go with that, and saves more where something was compiled before. More headers
# than these, the module's own among them, save nothing: to load them costs as much.
if(CMAKE_CXX_COMPILER_LAUNCHER OR WORMHOLE_SANITIZE)
  set(precompile_default OFF)
else()
  set(precompile_default ON)
endif()
option(WORMHOLE_PRECOMPILE "Compile common headers once (without ccache)" ${precompile_default})
if(WORMHOLE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC forgets that precompiled headers are the system's, and warns of what it sees in them.
  add_compile_options(-Wno-stringop-overflow)
endif()
set(precompiled_headers
    <algorithm>
    <functional>
    <map>
    <memory>
    <set>
    <sstream>
    <string>
    <vector>
    <ns3/net-device-container.h>
    <ns3/node-container.h>
    <ns3/object-factory.h>
    <ns3/packet.h>
    <ns3/pointer.h>
    <ns3/random-variable-stream.h>
    <ns3/simulator.h>
    <ns3/string.h>
    <ns3/traced-callback.h>
    <ns3/uinteger.h>
)

# What "make reproduce" needs, without the other examples, which take a fifth of the build's time.
add_custom_target(studies)
# Python and the documentation have what the library tells of itself: files that a build prints.
function(print_table file)
  add_custom_command(
    OUTPUT ${file} COMMAND print-attributes ${ARGN} > ${file} DEPENDS print-attributes VERBATIM
  )
  get_filename_component(name ${file} NAME)
  add_custom_target(print-${name} ALL DEPENDS ${file})
  add_dependencies(studies print-${name})
endfunction()
set(parameters ${PROJECT_BINARY_DIR}/parameters.json)

# What takes no time at run time is optimized less, so that it takes less to compile: a quarter of it.
set(wormhole_cold_sources ${wormhole_sources})
list(FILTER wormhole_cold_sources INCLUDE REGEX "^helper/(file|install|measure|options|study|timeline|topology)/")
set(wormhole_hot_sources ${wormhole_sources})
list(REMOVE_ITEM wormhole_hot_sources ${wormhole_cold_sources})

add_library(wormhole SHARED ${wormhole_hot_sources})
add_library(wormhole-cold OBJECT ${wormhole_cold_sources})
target_compile_options(wormhole-cold PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(wormhole-cold PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(target wormhole wormhole-cold)
  target_include_directories(${target} PUBLIC ${flat_headers} PRIVATE ${flat_private_headers})
  target_include_directories(${target} SYSTEM PUBLIC ${WORMHOLE_BOOST_INCLUDE})
  target_link_libraries(${target} PUBLIC ${ns3_targets})
  if(WORMHOLE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${precompiled_headers})
  endif()
endforeach()
target_sources(wormhole PRIVATE $<TARGET_OBJECTS:wormhole-cold>)
target_link_libraries(wormhole PRIVATE ${ZLIB_LIBRARIES})
unite(wormhole 24 ${wormhole_hot_sources})
unite(wormhole-cold 24 ${wormhole_cold_sources})
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT APPLE)
  # Functions of templates, too, which -fno-semantic-interposition leaves to the linker.
  target_link_options(wormhole PRIVATE -Wl,-Bsymbolic-functions)
endif()
if(NOT APPLE)
  # A script may use the module by type names alone.
  target_link_options(wormhole INTERFACE -Wl,--no-as-needed)
endif()
# The PropertyTree of the wheel's Boost 1.66 is no C++20; the file that uses it needs no ns-3.
set_source_files_properties(
  helper/file/detail/json-file.cc PROPERTIES COMPILE_OPTIONS -std=c++17 SKIP_PRECOMPILE_HEADERS ON
)

if(SKBUILD)
  include(cmake/wheel.cmake)
  return()
endif()

# The suites are built by "make test": a first result needs none.
add_executable(wormhole-test EXCLUDE_FROM_ALL test/test-runner-main.cc ${wormhole_tests})
target_link_libraries(wormhole-test PRIVATE wormhole)
target_include_directories(wormhole-test PRIVATE ${flat_private_headers})
if(NOT WORMHOLE_SANITIZE)
  target_compile_options(wormhole-test PRIVATE $<$<CONFIG:Release>:-O1>)
  set_source_files_properties(
    test/oracle/flit-oracle.cc PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>
                                   SKIP_PRECOMPILE_HEADERS ON
  )
endif()
if(WORMHOLE_PRECOMPILE)
  target_precompile_headers(wormhole-test PRIVATE ${precompiled_headers} <ns3/test.h>)
endif()
find_modules(network_targets missing_modules ${wormhole_network_modules})
if(missing_modules)
  message(STATUS "No tests with IP: this ns-3 has no ${missing_modules}")
else()
  target_sources(wormhole-test PRIVATE ${wormhole_network_tests})
  list(APPEND wormhole_tests ${wormhole_network_tests})
  target_link_libraries(wormhole-test PRIVATE ${network_targets})
endif()
unite(wormhole-test 8 ${wormhole_tests})
if(WORMHOLE_SANITIZE)
  # Most of the tests' own code is large and runs shortly: what optimising it takes is not won back.
  target_compile_options(wormhole-test PRIVATE -O0)
  set_source_files_properties(
    test/in-switch/wormhole-root-search-test-suite.cc
    test/in-switch/wormhole-barrier-tree-test-suite.cc
    test/collective/wormhole-communication-tree-test-suite.cc
    PROPERTIES COMPILE_OPTIONS -O1
  )
  # The judges that move flit by flit took four fifths of the time, and are not what is looked at.
  set_source_files_properties(
    test/oracle/flit-oracle.cc test/oracle/slot-oracle.cc PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O2"
  )
  # The fuzzer of the readers and of small cases; libFuzzer is Clang's.
  file(GLOB fuzz_sources CONFIGURE_DEPENDS test/fuzz/*.cc)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND fuzz_sources)
    add_executable(wormhole-fuzz ${fuzz_sources} test/oracle/flit-oracle.cc test/oracle/worm-cases.cc)
    target_include_directories(wormhole-fuzz PRIVATE test/oracle ${flat_private_headers})
    target_link_libraries(wormhole-fuzz PRIVATE wormhole)
    target_link_options(wormhole-fuzz PRIVATE -fsanitize=fuzzer)
  endif()
endif()

file(GLOB wormhole_examples CONFIGURE_DEPENDS examples/*.cc)
include(cmake/study-programs.cmake)
foreach(source ${wormhole_examples})
  get_filename_component(name ${source} NAME_WE)
  find_modules(example_targets missing_modules ${${name}_modules})
  if(missing_modules)
    message(STATUS "No example ${name}: this ns-3 has no ${missing_modules}")
    continue()
  endif()
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(WORMHOLE_PRECOMPILE)
    # With the flags that these were compiled with.
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM wormhole-cold)
  endif()
  # One's own programs may use the network modules, too; others are not loaded with them.
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  target_link_libraries(${name} PRIVATE wormhole ${example_targets} ${network_targets})
  set_target_properties(
    ${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples
  )
endforeach()

add_dependencies(studies ${study_programs})
if(NOT WORMHOLE_SANITIZE)
  print_table(${parameters} --studies=json)
  print_table(${PROJECT_BINARY_DIR}/attributes.rst)
  print_table(${PROJECT_BINARY_DIR}/study-parameters.rst --studies=rst)
endif()
