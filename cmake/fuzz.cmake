# SPDX-License-Identifier: Apache-2.0
# Defines a libFuzzer program NAME in fuzz/ for each fuzz/NAME.cpp. The seeds are in fuzz/corpus/NAME.txt
# (tools/fuzz_seeds).

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "fuzz targets need clang: use the preset `asan`")
endif()
pkg_check_modules(APUS_HTTP2 REQUIRED IMPORTED_TARGET libnghttp2)  # some targets compare HTTP/2 and HPACK with it
file(GLOB targets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/*.cpp)
add_custom_target(fuzz_targets)
foreach(source IN LISTS targets)
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  add_dependencies(fuzz_targets fuzz_${name})
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fuzz_${name} PRIVATE apus::apus apus_flags apus_fuzzed)
  apus_precompile(fuzz_${name} apus_flags apus_fuzzed)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endforeach()
target_link_libraries(fuzz_postgres_server PRIVATE PkgConfig::APUS_PQ)  # headers of the layer include libpq's header
# Target of the tool's sources that parse the output of other programs.
file(GLOB diagnosis CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/diagnosis/*.cpp ${PROJECT_SOURCE_DIR}/cli/text/*.cpp)
target_sources(fuzz_diagnosis PRIVATE ${diagnosis})
target_include_directories(fuzz_diagnosis PRIVATE ${PROJECT_SOURCE_DIR})
if(APUS_JOIN)
  apus_join(fuzz_diagnosis ${diagnosis})
endif()
# The tool's sources that parse files of projects, modules and mirrors, C++ sources, and requests to `apus dev`.
pkg_check_modules(APUS_TOML REQUIRED IMPORTED_TARGET tomlplusplus)
file(GLOB readers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/manifest/*.cpp ${PROJECT_SOURCE_DIR}/cli/text/*.cpp)
foreach(name crash/report database/recorded database/statements dependencies/lock dev/head errors/failure modules/module
    modules/source_facts modules/source_tokens sdk/index system/files system/leftovers system/signals
    watching/metrics_text watching/server_state work/source_notes)
  list(APPEND readers ${PROJECT_SOURCE_DIR}/cli/${name}.cpp)
endforeach()
add_library(fuzz_readers STATIC EXCLUDE_FROM_ALL ${readers})
if(APUS_JOIN)
  list(FILTER readers EXCLUDE REGEX "/cli/manifest/")  # as in toolkit.cmake
  apus_join(fuzz_readers ${readers})
endif()
target_include_directories(fuzz_readers PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(fuzz_readers PUBLIC apus::apus PRIVATE apus_flags apus_fuzzed PkgConfig::APUS_TOML)
apus_precompile(fuzz_readers apus_flags apus_fuzzed)
foreach(name crash_files project_files recorded_statements sources_of_cpp dev_head server_state)
  target_link_libraries(fuzz_${name} PRIVATE fuzz_readers)
endforeach()

# Targets that compare with nghttp2.
foreach(name hpack_decode hpack_round_trip http2_peer)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(fuzz_${name} PRIVATE PkgConfig::APUS_HTTP2)
endforeach()
