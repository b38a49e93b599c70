# SPDX-License-Identifier: Apache-2.0
# Defines libapus.so from the object files of libapus.a. Before 1.0 each minor version may change the ABI, so the soname
# has two numbers. tools/exported_symbols determines the exported symbols.

set(exports ${PROJECT_BINARY_DIR}/apus.exports)
add_custom_command(OUTPUT ${exports}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/exported_symbols ${CMAKE_NM} $<TARGET_FILE:apus> ${APUS_LAYERS} > ${exports}
  DEPENDS apus ${PROJECT_SOURCE_DIR}/tools/exported_symbols VERBATIM)

add_library(apus_shared SHARED ${exports})
set_target_properties(apus_shared PROPERTIES
  OUTPUT_NAME apus LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${exports})
foreach(target IN LISTS APUS_OBJECTS)
  target_sources(apus_shared PRIVATE $<TARGET_OBJECTS:${target}>)
endforeach()
# Links the machine code that the object files contain in addition to the bitcode for LTO.
target_link_options(apus_shared PRIVATE
  # An instantiation of a template may be in one object file only, and be discarded there with its group: programs
  # instantiate it themselves.
  "$<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld;LINKER:--undefined-version>"
  LINKER:--version-script=${exports} LINKER:-Bsymbolic-functions LINKER:-z,defs LINKER:--as-needed)
target_link_libraries(apus_shared PRIVATE Threads::Threads ${APUS_PACKAGES})
