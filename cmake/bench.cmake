# SPDX-License-Identifier: Apache-2.0
# Defines a program NAME in bench/ of the build folder for each bench/micro/**/NAME.cpp.

include(load)
pkg_check_modules(APUS_SIMDJSON IMPORTED_TARGET simdjson)  # json_speed compares with it
pkg_check_modules(APUS_HTTP2 REQUIRED IMPORTED_TARGET libnghttp2)  # hpack compares with it

file(GLOB_RECURSE programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/micro/*.cpp)
foreach(source IN LISTS programs)
  get_filename_component(name ${source} NAME_WE)
  apus_application(bench_${name} ${source})
  target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(bench_${name} PRIVATE Threads::Threads PkgConfig::APUS_URING apus_flags)
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  if(name STREQUAL "hpack")
    target_link_libraries(bench_${name} PRIVATE PkgConfig::APUS_HTTP2)
  endif()
  if(APUS_SIMDJSON_FOUND AND name STREQUAL "json_speed")
    target_link_libraries(bench_${name} PRIVATE PkgConfig::APUS_SIMDJSON)
  endif()
endforeach()
