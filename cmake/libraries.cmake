# SPDX-License-Identifier: GPL-2.0-only
#
# What the library uses besides ns-3: Boost's headers, which it needs, and toml++ and zlib, without
# which it lacks a feature. And flags of compilers.

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Functions of a shared library may call each other directly, and so be inlined.
  add_compile_options(-fno-semantic-interposition)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees these in std::string's operator+, in ns3::Ptr's destructor and in Boost's small_vector,
  # where they are not.
  add_compile_options(-Wno-restrict -Wno-use-after-free -Wno-array-bounds -Wno-stringop-overread)
endif()

find_path(
  WORMHOLE_BOOST_INCLUDE
  NAMES boost/graph/adjacency_list.hpp
  HINTS ${ns3_include} ${Boost_INCLUDE_DIRS} ENV BOOST_ROOT
  PATH_SUFFIXES include
)
mark_as_advanced(WORMHOLE_BOOST_INCLUDE)

# TOML, for machine files; without it these are refused. Only wormhole-machine-file.cc includes it.
find_path(
  WORMHOLE_TOML_INCLUDE
  NAMES toml++/toml.h
  HINTS ${CMAKE_CURRENT_SOURCE_DIR}/.venv/include
)
mark_as_advanced(WORMHOLE_TOML_INCLUDE)
if(WORMHOLE_TOML_INCLUDE)
  include_directories(SYSTEM ${WORMHOLE_TOML_INCLUDE})
else()
  message(STATUS "wormhole reads no machine files: toml++'s headers are missing")
endif()

# Compresses timelines; without it names that end in .gz are refused. Only gzip-buffer.cc includes it.
find_package(ZLIB QUIET)
if(ZLIB_FOUND)
  set_source_files_properties(
    helper/timeline/detail/gzip-buffer.cc PROPERTIES COMPILE_DEFINITIONS WORMHOLE_HAS_ZLIB
                                                   SKIP_PRECOMPILE_HEADERS ON
  )
else()
  message(STATUS "wormhole compresses no timelines: zlib is missing")
endif()
