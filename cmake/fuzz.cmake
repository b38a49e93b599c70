# SPDX-License-Identifier: Apache-2.0
# fuzz/<name>.cpp: a libFuzzer program <name> in fuzz/. Its seeds are in fuzz/corpus/<name>/.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "fuzz targets need clang: use the preset `asan`")
endif()
file(GLOB targets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/*.cpp)
foreach(source IN LISTS targets)
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fuzz_${name} PRIVATE apus::apus apus_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endforeach()
# The tool is not built here, but for what reads the text of other programs.
file(GLOB diagnosis CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/diagnosis/*.cpp)
target_sources(fuzz_diagnosis PRIVATE ${diagnosis})
target_include_directories(fuzz_diagnosis PRIVATE ${PROJECT_SOURCE_DIR})
if(APUS_JOIN)
  apus_join(fuzz_diagnosis ${diagnosis})
endif()
