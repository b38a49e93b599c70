# SPDX-License-Identifier: Apache-2.0
# Defines the tool, a program `apus` in bin built from cli/, and an object library of its sources for tests.

pkg_check_modules(APUS_TOML REQUIRED IMPORTED_TARGET tomlplusplus)

file(GLOB_RECURSE toolkit_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
list(REMOVE_ITEM toolkit_sources ${PROJECT_SOURCE_DIR}/cli/main.cpp ${PROJECT_SOURCE_DIR}/cli/health/main.cpp)
set(joined "")
if(APUS_JOIN OR CMAKE_BUILD_TYPE STREQUAL "Release")  # release builds are rarely incremental
  set(joined ${toolkit_sources})
  list(FILTER joined EXCLUDE REGEX "/cli/manifest/document")  # only this file includes toml++
endif()
file(READ ${PROJECT_SOURCE_DIR}/cmake/coroutine_probe.cpp coroutine_probe)  # `apus doctor` tests compilers with it
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/coroutine_probe.cpp)
configure_file(${PROJECT_SOURCE_DIR}/cmake/coroutine_probe_text.cpp.in
  ${PROJECT_BINARY_DIR}/coroutine_probe_text.cpp @ONLY)
add_library(apus_toolkit OBJECT ${toolkit_sources} ${PROJECT_BINARY_DIR}/coroutine_probe_text.cpp)
target_include_directories(apus_toolkit PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(apus_toolkit PUBLIC APUS_VERSION="${PROJECT_VERSION}")
target_link_libraries(apus_toolkit PUBLIC apus::apus PRIVATE apus_program_flags PkgConfig::APUS_TOML)
apus_precompile(apus_toolkit apus_program_flags)
if(joined)
  apus_join(apus_toolkit ${joined})
endif()

# The target is named apus_tool, since `apus` is the library's target.
add_executable(apus_tool ${PROJECT_SOURCE_DIR}/cli/main.cpp)
target_link_libraries(apus_tool PRIVATE apus_toolkit apus_flags)
set_target_properties(apus_tool PROPERTIES OUTPUT_NAME apus RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

if(APUS_LTO)
  # Without LTO, which would slow down every installation without a benefit: the tool mostly waits for compilers.
  add_library(apus_no_lto INTERFACE)  # linked last, since the last option takes effect
  target_compile_options(apus_no_lto INTERFACE -fno-lto)
  target_link_options(apus_no_lto INTERFACE -fno-lto)
  target_link_libraries(apus_toolkit PRIVATE apus_no_lto)
  target_link_libraries(apus_tool PRIVATE apus_no_lto)
endif()

# The health check of images, built without the C++ library, which images do not contain.
add_executable(apus_health ${PROJECT_SOURCE_DIR}/cli/health/main.cpp)
target_link_libraries(apus_health PRIVATE apus_flags)
target_link_options(apus_health PRIVATE LINKER:--as-needed -static-libgcc)
set_target_properties(apus_health PROPERTIES OUTPUT_NAME apus-health RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
add_dependencies(apus_tool apus_health)

# Program with which tools/install_sdk replaces an SDK.
add_executable(apus_exchange ${PROJECT_SOURCE_DIR}/tools/exchange.cpp)
target_link_libraries(apus_exchange PRIVATE apus_flags)
set_target_properties(apus_exchange PROPERTIES
  OUTPUT_NAME exchange RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools)
add_dependencies(apus_tool apus_exchange)

# The load generator of `apus bench`.
include(load)
add_dependencies(apus_tool bench_load)
