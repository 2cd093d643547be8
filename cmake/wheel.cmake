# SPDX-License-Identifier: GPL-2.0-only
#
# What the package ns3_wormhole holds besides python/ns3_wormhole; it lies beside the package ns3, and
# is for all systems that the ns3 wheel is for, down to glibc 2.28: see tools/wheel/.

if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  add_library(wormhole-old-libm SHARED tools/wheel/old-libm.cc)
  set(libm_versions ${PROJECT_SOURCE_DIR}/tools/wheel/old-libm.map)
  set_target_properties(wormhole-old-libm PROPERTIES NO_SONAME ON)
  target_compile_options(wormhole-old-libm PRIVATE -fno-builtin)
  target_link_options(
    wormhole-old-libm PRIVATE -nostdlib -Wl,-soname,libm.so.6
    -Wl,--version-script=${libm_versions}
  )
  add_dependencies(wormhole wormhole-old-libm)
  # Before g++'s own -lm, which comes last.
  target_link_libraries(wormhole PRIVATE $<TARGET_FILE:wormhole-old-libm>)
  target_sources(wormhole PRIVATE tools/wheel/old-libc.cc)
endif()
install(TARGETS wormhole DESTINATION ns3_wormhole/lib)
set_target_properties(wormhole PROPERTIES INSTALL_RPATH "$ORIGIN/../../ns3/lib64")
install(FILES ${wormhole_headers} ${wormhole_former_headers} DESTINATION ns3_wormhole/include/ns3)
file(GLOB data_files data/*.csv data/*.json)
install(FILES ${data_files} DESTINATION ns3_wormhole/data)
file(GLOB machine_files data/machines/*.toml)
install(FILES ${machine_files} DESTINATION ns3_wormhole/data/machines)
install(DIRECTORY data/measured DESTINATION ns3_wormhole/data)
add_executable(print-attributes examples/print-attributes.cc)
target_link_libraries(print-attributes PRIVATE wormhole)
print_table(${parameters} --studies=json)
install(FILES ${parameters} DESTINATION ns3_wormhole)
