# SPDX-License-Identifier: GPL-2.0-only
#
# Python and the documentation have what the library tells of itself: files that a build prints.
function(print_table file)
  add_custom_command(
    OUTPUT ${file} COMMAND print-attributes ${ARGN} > ${file} DEPENDS print-attributes VERBATIM
  )
  get_filename_component(name ${file} NAME)
  add_custom_target(print-${name} ALL DEPENDS ${file})
endfunction()
set(parameters ${PROJECT_BINARY_DIR}/parameters.json)
