# SPDX-License-Identifier: GPL-2.0-only
#
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

# What tests are compiled with besides.
function(sanitize_tests)
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
endfunction()

# The fuzzer of the readers and of small cases; libFuzzer is Clang's.
function(add_fuzzer)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    return()
  endif()
  file(GLOB fuzz_sources CONFIGURE_DEPENDS test/fuzz/*.cc)
  if(fuzz_sources)
    add_executable(wormhole-fuzz ${fuzz_sources} test/oracle/flit-oracle.cc test/oracle/worm-cases.cc)
    target_include_directories(wormhole-fuzz PRIVATE test/oracle ${flat_private_headers})
    target_link_libraries(wormhole-fuzz PRIVATE wormhole)
    target_link_options(wormhole-fuzz PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()
